import type { Clock } from '../clock.ts';
import type { PlayerEvent, PlayerEventDetail } from './player-events.ts';
import {
  LISTENED_THRESHOLD_SECONDS,
  listen,
  listenedSeconds,
  markSent,
  nothingListened,
  secondsDue,
} from './progress.ts';
import type { Track } from '../track.ts';

/** Interval of position reports while an audio plays. */
const PROGRESS_EVERY_MS = 10_000;

export type Listening = ReturnType<typeof createListening>;

type ListeningSample = { isPlaying: boolean; isAudible: boolean; position: number; rate: number };

/** Tracks the position of each audio and the seconds listened to the loaded one, and reports both. */
export function createListening(clock: Clock, send: (event: PlayerEvent) => void) {
  const positions = new Map<string, number>();
  let current: Track | null = null;
  let listened = nothingListened;
  let played = nothingListened;
  let hasPlayed = false;
  let hasCompleted = false;
  let hasReported30Seconds = false;
  let reportedAt = 0;
  let reportedPosition = 0;
  let isAudioPlaying = false;

  function report(track: Track, detail: PlayerEventDetail, position = positions.get(track.id) ?? 0) {
    const about = { trackId: track.id, voiceId: track.voice.id, source: track.source, position };
    send({ ...about, ...detail });
  }

  function reset() {
    listened = nothingListened;
    hasPlayed = false;
    hasCompleted = false;
    hasReported30Seconds = false;
    reportedAt = clock.now();
  }

  /** @param min minimum number of seconds to report now; 0 when the audio is left */
  function reportSeconds(track: Track, min = 0) {
    const seconds = secondsDue(listened, track.numberDuration);
    if (seconds <= min) return;
    listened = markSent(listened, seconds);
    report(track, { name: 'audio_time', seconds });
  }

  /** Reports at once, because a later sample may no longer be due. */
  function report30Seconds(track: Track) {
    if (hasReported30Seconds || secondsDue(listened, track.numberDuration) <= 0) return;
    hasReported30Seconds = true;
    report(track, { name: 'audio_played_30s' });
  }

  function reportPosition(track: Track) {
    const position = positions.get(track.id) ?? 0;
    if (position !== reportedPosition) report(track, { name: 'audio_progress', isPlaying: isAudioPlaying });
    reportedAt = clock.now();
    reportedPosition = position;
  }

  /**
   * Reports the position and the seconds listened now: on pause, and when the page is hidden.
   * @param isClosing the page closes, and its sound stops
   */
  function flush(isClosing = false) {
    if (isClosing) isAudioPlaying = false;
    if (!current || hasCompleted) return;
    reportPosition(current);
    reportSeconds(current);
  }

  return {
    /** Another audio was loaded at this second; sends pending reports of the previous one. */
    begin(track: Track, startAt: number) {
      flush();
      current = track;
      positions.set(track.id, startAt);
      reportedPosition = startAt;
      played = nothingListened;
      reset();
    },
    /** Nothing is loaded anymore; sends pending reports. */
    end() {
      flush();
      current = null;
      played = nothingListened;
      reset();
    },
    /** The loaded audio was started from another list. A play that has begun keeps its source. */
    changeSource(track: Track | undefined) {
      if (track && track.id === current?.id && (!hasPlayed || hasCompleted)) current = track;
    },
    /** This track with the source under which it was started, so that all events of one play have the same source. */
    withStartedSource: (track: Track): Track => (current?.id === track.id ? current : track),
    clear() {
      positions.clear();
      reportedPosition = 0;
    },
    observe({ isPlaying, isAudible, position, rate }: ListeningSample) {
      isAudioPlaying = isPlaying;
      if (!current) return;
      // A restart after the end counts as a new listen.
      if (hasCompleted && isPlaying) reset();
      if (hasCompleted) return;
      const sample = { playing: isPlaying, position, rate, now: clock.now() };
      played = listen(played, sample);
      listened = listen(listened, { ...sample, playing: isPlaying && isAudible });
      positions.set(current.id, position);
      if (isPlaying && !hasPlayed) {
        hasPlayed = true;
        report(current, { name: 'audio_played' });
      }
      report30Seconds(current);
      if (!isPlaying || clock.now() - reportedAt < PROGRESS_EVERY_MS) return;
      reportPosition(current);
      reportSeconds(current, LISTENED_THRESHOLD_SECONDS);
    },
    /** The audio has ended: reports its completion and resets its position. */
    complete() {
      if (!current || hasCompleted) return;
      reportSeconds(current);
      report(current, { name: 'audio_completed' });
      positions.set(current.id, 0);
      hasCompleted = true;
    },
    flush,
    /** Reports only the position: on seek, which may happen many times in a row. */
    reportPosition() {
      if (current && !hasCompleted) reportPosition(current);
    },
    /** Seconds that this audio played, muted or not, since it was loaded or restarted. */
    playedSeconds: () => listenedSeconds(played, Number.POSITIVE_INFINITY),
    /** After a restart. */
    resetPlayed() {
      played = nothingListened;
    },
    hasPlayed: () => hasPlayed,
    /** Position in seconds of an audio loaded in this session; otherwise undefined. */
    positionOf: (trackId: string) => positions.get(trackId),
    /** Sets a position that needs no report. */
    savePosition(trackId: string, seconds: number) {
      positions.set(trackId, seconds);
      if (trackId === current?.id) reportedPosition = seconds;
    },
    clearPosition(trackId: string) {
      positions.delete(trackId);
      if (trackId === current?.id) reportedPosition = 0;
    },
    keepPosition(trackId: string | undefined) {
      for (const id of positions.keys()) if (id !== trackId) positions.delete(id);
    },
    report,
  };
}
