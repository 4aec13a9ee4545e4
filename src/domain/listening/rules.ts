import type { Viewer } from '../identity/rules.ts';
import { isEntitled } from '../membership/rules.ts';

/** `isFree` already covers the preview: see `Audio.isFree`. The server decides by it, the interface draws its locks by it. */
export function canPlay(viewer: Viewer, audio: { isFree: boolean }): boolean {
  return audio.isFree || isEntitled(viewer);
}
