import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import { canPlay } from '#domain/listening/rules.ts';
import { findSimilar } from '../calls/listening-calls.ts';
import { areSuggestionsOff } from './are-off.ts';
import { playedNow } from './note-listening.ts';

/**
 * Audios to play after the end of the list. From this device's suggestions one at a time, because the queue is kept by
 * the site: it learns of an audio when that plays.
 */
export async function findMore(audioId: string, viewer: Viewer): Promise<AudioItem[]> {
  const [next] = areSuggestionsOff() ? [] : await suggestNext(audioId, viewer);
  return next === undefined ? findSimilar(audioId) : [next];
}

async function suggestNext(current: string, viewer: Viewer): Promise<AudioItem[]> {
  try {
    const { suggesterOf } = await import('./own-suggestions.ts');
    const { items } = await suggesterOf(viewer).suggest(1, ({ id, ...audio }) => {
      return id === current || playedNow.has(id) || !canPlay(viewer, audio);
    });
    return items.map(({ audio }) => audio);
  } catch {
    // The site's own rule remains.
    return [];
  }
}
