import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { PlayerEvent } from '#player/reports/player-events.ts';
import { openHeardHere } from '#suggestions/heard-here.ts';
import { browserStore } from '#web/browser-store.ts';
import { played } from '../listening-calls.ts';
import { areSuggestionsOff } from './are-off.ts';

export const heardHere = openHeardHere(browserStore);

/** Audios that end sooner were heard, too. */
const listenSeconds = 30;

/** Audios that began on this page: a list that goes on by itself repeats none. */
export const playedNow = new Set<string>();

/** How often something was heard on this page. */
export const heardNow = { times: 0 };

/** Keeps on this device what its visitor heard, and nowhere else. @param audiosById known to this tab */
export function noteListening(
  { name, trackId }: PlayerEvent,
  viewer: Viewer,
  audiosById: ReadonlyMap<string, AudioItem>,
): void {
  if (name === 'audio_played') playedNow.add(trackId);
  const isEnd = name === 'audio_completed';
  if (!isEnd && name !== 'audio_played_30s') return;
  heardNow.times += 1;
  const audio = audiosById.get(trackId);
  if (viewer.kind !== 'visitor' || audio === undefined || areSuggestionsOff()) return;
  const { number, tags } = played.get(trackId) ?? { number: null, tags: [] };
  const { id, title, language } = audio;
  if (!isEnd || audio.numberDuration <= listenSeconds) heardHere.noteListen({ id, title, language, number, tags });
  if (isEnd) heardHere.noteEnd(id);
}
