import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import { canPlay } from '#domain/listening/rules.ts';
import type { Track } from '#player/track.ts';
import { withResolvers } from '#player/with-resolvers.ts';
import { findSimilar } from '../listening-calls.ts';
import { trackOf } from '../track-of.ts';
import { areSuggestionsOff } from './are-off.ts';
import { listsChange } from './lists-change.ts';
import { playedNow } from './note-listening.ts';

/** Playback does not wait longer for suggestions: the site's own rule remains. */
const maxWaitMs = 5000;

/** Handed to the player last, which has not begun with them. */
let found: Track[] = [];
// Something was hidden: the player asks again.
if (typeof window !== 'undefined') window.addEventListener(listsChange, () => found.splice(0));

/**
 * Audios to play after the end of the list. From this device's suggestions one at a time, because the queue is kept by
 * the site: it learns of an audio when that plays.
 */
export async function findMore(audioId: string, viewer: Viewer): Promise<{ audios: AudioItem[]; tracks: Track[] }> {
  const next = areSuggestionsOff() ? undefined : await suggestNext(audioId, viewer);
  const audios = next === undefined ? await findSimilar(audioId) : [next.audio];
  found = audios.map((audio) => trackOf(audio, `audio_details:${next?.reason ?? 'site'}`));
  return { audios, tracks: found };
}

async function suggestNext(current: string, viewer: Viewer) {
  const { promise: tooLate, resolve } = withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), maxWaitMs);
  const isLeftOut = ({ id, ...audio }: AudioItem) => id === current || playedNow.has(id) || !canPlay(viewer, audio);
  try {
    const next = import('./own-suggestions.ts').then((own) => own.nextSuggestion(viewer, isLeftOut));
    return await Promise.race([next, tooLate]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
