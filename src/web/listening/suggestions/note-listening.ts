import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { PlayerEvent } from '#player/reports/player-events.ts';
import { readSealed, writeSealed } from '#offline/sealed-values.ts';
import { openHeardHere } from '#suggestions/heard-here.ts';
import type { SealedValues } from '#suggestions/suggester.ts';
import { browserStore } from '#web/browser-store.ts';
import { played } from '../listening-calls.ts';
import { areSuggestionsOff } from './are-off.ts';

export const sealed: SealedValues = {
  read: (name) => readSealed(browserStore, name),
  write: (name, value) => writeSealed(browserStore, name, value),
};

export const heardHere = openHeardHere(sealed, browserStore);

/** Audios that end sooner were heard, too. */
const listenSeconds = 30;

/** Audios that began on this page: a list that goes on by itself repeats none. */
export const playedNow = new Set<string>();

/** Keeps on this device what its visitor heard, and nowhere else. @param audiosById known to this tab */
export function noteListening(
  { name, trackId }: PlayerEvent,
  viewer: Viewer,
  audiosById: ReadonlyMap<string, AudioItem>,
): void {
  if (name === 'audio_played') playedNow.add(trackId);
  const isEnd = name === 'audio_completed';
  if (!isEnd && name !== 'audio_played_30s') return;
  const audio = audiosById.get(trackId);
  if (viewer.kind !== 'visitor' || audio === undefined || areSuggestionsOff()) return;
  const { number, tags } = played.get(trackId) ?? { number: null, tags: [] };
  const { id, title, language } = audio;
  if (!isEnd || audio.numberDuration <= listenSeconds) void heardHere.noteListen({ id, title, language, number, tags });
  if (isEnd) void heardHere.noteEnd(id);
  // Answers may have come only since.
  void heardHere.complete([...played].map(([playedId, known]) => ({ id: playedId, ...known })));
}
