import type { Clock } from './clock.ts';
import { createListeners } from './listeners.ts';
import type { Listening } from './reports/listening.ts';
import type { Engine } from './media/engine.ts';
import type { PlayerEventDetail } from './reports/player-events.ts';
import { fractionOf, resumePosition, secondsAt } from './reports/progress.ts';
import type { Track } from './track.ts';

type SeekingParts = {
  engine: Engine;
  clock: Clock;
  listening: Listening;
  current: () => Track | null;
  /** Whether the engine holds the current audio. */
  isLoaded: () => boolean;
  /** The stored position of an audio, in seconds. */
  progressOf: (track: Track) => number;
  report: (detail: PlayerEventDetail, position: number) => void;
};

const SEEK_THROTTLE_MS = 100;

/** Position of the current audio, published separately from the snapshot, and the seek commands. */
export function createSeeking({ engine, clock, listening, current, isLoaded, progressOf, report }: SeekingParts) {
  const changes = createListeners();
  // The drag of the slider: its audio, and the position of the handle.
  let scrub: { trackId: string; seconds: number } | null = null;
  let lastSeek = { at: Number.NEGATIVE_INFINITY, seconds: 0 };

  engine.subscribePosition(() => {
    if (scrubPosition() === null) changes.emit();
  });

  /** Seconds; null without a drag. A drag ends as soon as another audio is current. */
  function scrubPosition(): number | null {
    return scrub && scrub.trackId === current()?.id ? scrub.seconds : null;
  }

  /** Seconds; the position of the handle during a drag. */
  function getPosition(): number {
    const track = current();
    if (!track) return 0;
    const dragged = scrubPosition();
    if (dragged !== null) return dragged;
    return isLoaded() ? engine.getPosition() : resumePosition(progressOf(track), track.numberDuration);
  }

  /** Seconds: from the file, or from the catalogue until the metadata is loaded. */
  function getDuration(): number {
    const fileDuration = isLoaded() ? engine.getSnapshot().duration : null;
    return fileDuration ?? current()?.numberDuration ?? 0;
  }

  function seekToSecond(second: number) {
    const track = current();
    if (!track) return;
    if (isLoaded()) engine.seek(second);
    else listening.savePosition(track.id, second);
    listening.reportPosition();
    changes.emit();
  }

  /** By ±15 s (spec §4); the same seek again within 100 ms is a bounce and is ignored. */
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

  /** Like `seekTo`, in seconds: for a line of the transcript. */
  function seekToSeconds(seconds: number) {
    const duration = getDuration();
    if (duration > 0) seekTo(seconds / duration);
  }

  /** During a drag, the position follows the handle without seeking. */
  function beginScrub() {
    const track = current();
    if (track) scrub = { trackId: track.id, seconds: getPosition() };
  }

  function scrubTo(fraction: number) {
    if (!scrub || scrubPosition() === null) return;
    scrub = { ...scrub, seconds: secondsAt(fraction, getDuration()) };
    changes.emit();
  }

  function endScrub() {
    const dragged = scrubPosition();
    scrub = null;
    if (dragged !== null) seekTo(fractionOf(dragged, getDuration()));
  }

  /** The drag was cancelled: publishes the position again without seeking. */
  function cancelScrub() {
    if (!scrub) return;
    scrub = null;
    changes.emit();
  }

  return {
    subscribe: changes.subscribe,
    /** Publishes that another audio is current, or that its position has changed. */
    publish: changes.emit,
    getPosition,
    getDuration,
    getBuffered: () => (isLoaded() ? engine.getBuffered() : 0),
    seekToSecond,
    /** The same in the player. */
    commands: { seekBy, seekTo, seekToSeconds, beginScrub, scrubTo, endScrub, cancelScrub },
    /** Ends a drag, because another audio is loaded. */
    resetScrub() {
      scrub = null;
    },
  };
}
