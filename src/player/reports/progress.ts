/** Listening is reported after this many heard seconds (spec §4, "Listening analytics"). */
export const LISTENED_THRESHOLD_SECONDS = 30;
/** By buttons, keys, the lock screen and the slider's large step (spec §9). */
export const SEEK_STEP_SECONDS = 15;
/** The slider's end, below 1 so that dragging there does not end the audio at once (spec §4). */
export const SLIDER_MAX = 0.999999;
/** A position this close to the end resumes at the beginning. */
const RESUME_END_SECONDS = 3;
/** A position that advances more than the clock plus this tolerance was reached by seeking. */
const JUMP_SECONDS = 1;

export type Sample = {
  /** Sound is audible: not paused, not waiting, not muted. */
  playing: boolean;
  position: number;
  /** Monotonic milliseconds. */
  now: number;
  /** Playback speed, default 1. */
  rate?: number;
};

/** Heard time of one audio, an immutable value that grows by samples. */
export type Listened = {
  readonly counted: number;
  readonly stretch: { readonly first: Sample; readonly last: Sample } | null;
  readonly sent: number;
};

export const nothingListened: Listened = { counted: 0, stretch: null, sent: 0 };

export function listen(listened: Listened, sample: Sample): Listened {
  const { stretch } = listened;
  if (!stretch) return sample.playing ? { ...listened, stretch: { first: sample, last: sample } } : listened;
  const continues = isContinuous(stretch.last, sample);
  const heard = continues ? { first: stretch.first, last: sample } : stretch;
  if (continues && sample.playing && rateOf(stretch.first) === rateOf(sample)) return { ...listened, stretch: heard };
  return {
    ...listened,
    counted: listened.counted + secondsOf(heard),
    stretch: sample.playing ? { first: sample, last: sample } : null,
  };
}

/** Wall-clock seconds heard, at most twice the audio's duration (spec §4). */
export function listenedSeconds(listened: Listened, duration: number): number {
  const heard = listened.counted + (listened.stretch ? secondsOf(listened.stretch) : 0);
  return Math.min(heard, 2 * duration);
}

/** Seconds to report now: none under the threshold, then only those since the last report. */
export function secondsDue(listened: Listened, duration: number): number {
  const heard = listenedSeconds(listened, duration);
  return heard < LISTENED_THRESHOLD_SECONDS ? 0 : Math.max(0, heard - listened.sent);
}

export function markSent(listened: Listened, seconds: number): Listened {
  return { ...listened, sent: listened.sent + seconds };
}

/** Position as a slider value: 0 to `SLIDER_MAX`; 0 when the duration is unknown. */
export function fractionOf(position: number, duration: number): number {
  return duration > 0 ? Math.min(Math.max(position / duration, 0), SLIDER_MAX) : 0;
}

/** In whole milliseconds: 31/60 of a minute would otherwise be 30.999999999999996 s, and shown as 0:30. */
export function secondsAt(fraction: number, duration: number): number {
  const seconds = Math.round(Math.max(fraction, 0) * duration * 1000) / 1000;
  return Math.min(seconds, SLIDER_MAX * duration);
}

/** Spec §4: in progress when something was heard, or it is playing. */
export function isInProgress(seconds: number, isPlaying: boolean): boolean {
  return seconds > 0 || isPlaying;
}

/** Resume position in seconds: the stored position, or 0 when it is invalid or at the end. */
export function resumePosition(stored: number | undefined, duration: number): number {
  if (stored === undefined || !Number.isFinite(stored) || stored <= 0) return 0;
  return duration > 0 && stored > duration - RESUME_END_SECONDS ? 0 : stored;
}

/**
 * The smaller of clock and position difference: a sleeping computer advances only the clock, a seek only the position.
 * Measured over a whole stretch, so that late and early events even out.
 */
function secondsOf({ first, last }: { first: Sample; last: Sample }): number {
  const clock = (last.now - first.now) / 1000;
  const moved = (last.position - first.position) / rateOf(first);
  return Math.max(0, Math.min(clock, moved));
}

function isContinuous(from: Sample, to: Sample): boolean {
  const moved = to.position - from.position;
  return moved >= 0 && moved <= ((to.now - from.now) / 1000) * rateOf(from) + JUMP_SECONDS;
}

function rateOf(sample: Sample): number {
  return sample.rate ?? 1;
}
