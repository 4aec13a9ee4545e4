type Ranges = Pick<TimeRanges, 'length' | 'start' | 'end'>;

/** The part of `HTMLMediaElement` that the engine uses; `<audio>` elements and the tests' `FakeMedia` both fit. */
export type MediaElementLike = EventTarget &
  Pick<HTMLMediaElement, 'src' | 'currentTime' | 'duration' | 'paused' | 'ended' | 'seeking' | 'readyState'> &
  Pick<HTMLMediaElement, 'volume' | 'muted' | 'playbackRate' | 'defaultPlaybackRate'> &
  Pick<HTMLMediaElement, 'play' | 'pause' | 'load' | 'removeAttribute'> & {
    readonly error: Pick<MediaError, 'code'> | null;
    readonly buffered: Ranges;
    readonly seekable: Ranges;
  };

/** `HTMLMediaElement.readyState` values: metadata is loaded; playback can advance. */
export const HAVE_METADATA = 1;
export const HAVE_FUTURE_DATA = 3;

/** `MediaError.code`. */
export const MEDIA_ABORTED = 1;
export const MEDIA_DECODE = 3;
export const MEDIA_NOT_SUPPORTED = 4;

/** End of the buffered range around the position, in seconds; the position itself when nothing is buffered. */
export function bufferedFrom({ buffered }: MediaElementLike, position: number): number {
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= position && position <= buffered.end(index)) return buffered.end(index);
  }
  return position;
}

/**
 * Whether a jump to this second leads there. Without byte ranges, Chromium can only return to the beginning, and Firefox
 * only jumps within what has arrived.
 */
export function canSeekTo({ seekable, duration }: MediaElementLike, seconds: number): boolean {
  const target = Math.min(seconds, duration);
  if (target === 0) return true;
  for (let index = 0; index < seekable.length; index += 1) {
    if (seekable.start(index) <= target && target <= seekable.end(index)) return true;
  }
  return false;
}
