import type { Viewer } from '../identity/rules.ts';
import { isEntitled } from '../membership/rules.ts';

/** `isFree` already covers the preview: see `Audio.isFree`. The server decides by it, the interface draws its locks by it. */
export function canPlay(viewer: Viewer, audio: { isFree: boolean }): boolean {
  return audio.isFree || isEntitled(viewer);
}

/** Parts of an audio that its drop-off curve tells apart. */
export const audioParts = 20;

/**
 * Which parts of an audio were heard, for how long, when so much of it was heard up to a position.
 * @returns `[part, milliseconds]`, each part once, in order; together what was heard, unless more was heard than lies before
 */
export function spreadOverParts(
  heard: { milliseconds: number; positionMs: number },
  durationMs: number,
): [part: number, milliseconds: number][] {
  const end = Math.min(heard.positionMs, durationMs);
  const start = Math.max(0, end - heard.milliseconds);
  const parts: [number, number][] = [];
  for (let part = 0; part < audioParts; part += 1) {
    const from = Math.max(start, Math.round((part * durationMs) / audioParts));
    const to = Math.min(end, Math.round(((part + 1) * durationMs) / audioParts));
    if (to > from) parts.push([part, to - from]);
  }
  return parts;
}
