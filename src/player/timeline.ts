import type { Clock } from './clock.ts';
import { createListeners } from './listeners.ts';
import type { Listening } from './listening.ts';
import type { Engine } from './playback.ts';
import type { PlayerEventDetail } from './player-events.ts';
import { fractionOf, resumePosition, secondsAt } from './progress.ts';
import type { Track } from './track.ts';

type TimelineParts = {
  engine: Engine;
  clock: Clock;
  listening: Listening;
  current: () => Track | null;
  /** Whether the engine holds the current audio. */
  isLoaded: () => boolean;
  /** The kept place of an audio, in seconds. */
  progressOf: (track: Track) => number;
  report: (detail: PlayerEventDetail, position: number) => void;
};

const SEEK_THROTTLE_MS = 100;

/** Where the current audio stands, told apart from all else, and the commands that move it. */
export function createTimeline({ engine, clock, listening, current, isLoaded, progressOf, report }: TimelineParts) {
  const changes = createListeners();
  let scrubbed: number | null = null;
  let lastSeek = { at: Number.NEGATIVE_INFINITY, seconds: 0 };

  const unsubscribe = engine.subscribePosition(() => {
    if (scrubbed === null) changes.emit();
  });

  /** Seconds; where the slider is held while it is dragged. */
  function getPosition(): number {
    const track = current();
    if (!track) return 0;
    if (scrubbed !== null) return scrubbed;
    return isLoaded() ? engine.getPosition() : resumePosition(progressOf(track), track.numberDuration);
  }

  /** Seconds: the file's own, or what the catalogue says until it is there. */
  function getDuration(): number {
    const ofFile = isLoaded() ? engine.getSnapshot().duration : null;
    return ofFile ?? current()?.numberDuration ?? 0;
  }

  function seekToSecond(second: number) {
    const track = current();
    if (!track) return;
    if (isLoaded()) engine.seek(second);
    else listening.keepPlace(track.id, second);
    listening.savePlace();
    changes.emit();
  }

  /** By ±15 s (spec §4); the same again within 100 ms is a press that bounced and is let pass. */
  function seekBy(seconds: number) {
    if (!current() || (seconds === lastSeek.seconds && clock.now() - lastSeek.at < SEEK_THROTTLE_MS)) return;
    lastSeek = { at: clock.now(), seconds };
    const duration = getDuration();
    const target = secondsAt(fractionOf(getPosition() + seconds, duration), duration);
    seekToSecond(target);
    report({ name: seconds < 0 ? 'seek_15s_back' : 'seek_15s_forward' }, target);
  }

  /** `fraction` of the duration, at most 0.999999. */
  function seekTo(fraction: number) {
    if (!current()) return;
    const target = secondsAt(fraction, getDuration());
    seekToSecond(target);
    report({ name: 'seek_to_position' }, target);
  }

  /** As `seekTo`, for a place that has a time: a line of the transcript. */
  function seekToSeconds(seconds: number) {
    const duration = getDuration();
    if (duration > 0) seekTo(seconds / duration);
  }

  /** While the slider is dragged, the position is where it is held, and nothing is sought. */
  function beginScrub() {
    if (current()) scrubbed = getPosition();
  }

  function scrubTo(fraction: number) {
    if (scrubbed === null) return;
    scrubbed = secondsAt(fraction, getDuration());
    changes.emit();
  }

  function endScrub() {
    if (scrubbed === null) return;
    const fraction = fractionOf(scrubbed, getDuration());
    scrubbed = null;
    seekTo(fraction);
  }

  return {
    subscribe: changes.subscribe,
    /** Tells that another audio is current, or that its place has changed. */
    tell: changes.emit,
    getPosition,
    getDuration,
    /** Seconds up to which the file is there. */
    getBuffered: () => (isLoaded() ? engine.getBuffered() : 0),
    seekToSecond,
    seekBy,
    seekTo,
    seekToSeconds,
    beginScrub,
    scrubTo,
    endScrub,
    /** What was dragged is gone: another audio is loaded. */
    letGo() {
      scrubbed = null;
    },
    dispose: unsubscribe,
  };
}
