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

export type Listening = {
  /** Another audio was loaded at this second; sends pending reports of the previous one. */
  begin(track: Track, startAt: number): void;
  /** The loaded audio was started from another list. A play that has already sounded keeps its source. */
  moveTo(track: Track | undefined): void;
  /** This track with the source under which it was started, so that all events of one play have the same source. */
  asStarted(track: Track): Track;
  /** Nothing is loaded any more; sends pending reports. */
  leave(): void;
  /** Deletes every position. */
  clear(): void;
  observe(sample: { isPlaying: boolean; isAudible: boolean; position: number; rate: number }): void;
  /** The audio was heard to its end: reports it and resets its position. */
  complete(): void;
  /**
   * Reports the position and the heard seconds now: on pause, and when the page is hidden.
   * @param isClosing the page closes, and its sound stops
   */
  flush(isClosing?: boolean): void;
  /** Reports only the position: on seek, which may happen many times in a row. */
  savePlace(): void;
  /** Seconds that this audio played, muted or not, since it was loaded or returned to its beginning. */
  playedSeconds(): number;
  /** After a return to the beginning: resets the played seconds. */
  sentBack(): void;
  /** Whether this audio has been audible since it was started. */
  hasSounded(): boolean;
  /** Position in seconds of an audio loaded in this session; otherwise undefined. */
  placeIn(trackId: string): number | undefined;
  /** Sets a position that needs no report. */
  savePosition(trackId: string, seconds: number): void;
  clearPosition(trackId: string): void;
  /** Deletes the positions of all other audios. */
  keepPosition(trackId: string | undefined): void;
  report(track: Track, detail: PlayerEventDetail, position?: number): void;
};

/** Tracks the position of each audio and the heard seconds of the loaded one, and reports both. */
export function createListening(clock: Clock, send: (event: PlayerEvent) => void): Listening {
  const places = new Map<string, number>();
  let current: Track | null = null;
  let listened = nothingListened;
  let played = nothingListened;
  let sounded = false;
  let isOver = false;
  let countedThirty = false;
  let savedAt = 0;
  let savedPlace = 0;
  let sounds = false;

  function report(track: Track, detail: PlayerEventDetail, position = places.get(track.id) ?? 0) {
    const about = { trackId: track.id, voiceId: track.voice.id, source: track.source, position };
    send({ ...about, ...detail });
  }

  function reset() {
    listened = nothingListened;
    sounded = false;
    isOver = false;
    countedThirty = false;
    savedAt = clock.now();
  }

  /** @param min minimum number of seconds to report now; 0 when the audio is left */
  function reportTime(track: Track, min = 0) {
    const seconds = secondsDue(listened, track.numberDuration);
    if (seconds <= min) return;
    listened = markSent(listened, seconds);
    report(track, { name: 'audio_time', seconds });
  }

  /** Reports at once, because a later sample may replace this one. */
  function countThirty(track: Track) {
    if (countedThirty || secondsDue(listened, track.numberDuration) <= 0) return;
    countedThirty = true;
    report(track, { name: 'audio_played_30s' });
  }

  function savePlace(track: Track) {
    const place = places.get(track.id) ?? 0;
    if (place !== savedPlace) report(track, { name: 'audio_progress', isPlaying: sounds });
    savedAt = clock.now();
    savedPlace = place;
  }

  function flush(isClosing = false) {
    if (isClosing) sounds = false;
    if (!current || isOver) return;
    savePlace(current);
    reportTime(current);
  }

  return {
    begin(track, startAt) {
      flush();
      current = track;
      places.set(track.id, startAt);
      savedPlace = startAt;
      played = nothingListened;
      reset();
    },
    leave() {
      flush();
      current = null;
      played = nothingListened;
      reset();
    },
    moveTo(track) {
      if (track && track.id === current?.id && (!sounded || isOver)) current = track;
    },
    asStarted: (track) => (current?.id === track.id ? current : track),
    clear() {
      places.clear();
      savedPlace = 0;
    },
    observe({ isPlaying, isAudible, position, rate }) {
      sounds = isPlaying;
      if (!current) return;
      // A restart after the end counts as a new listen.
      if (isOver && isPlaying) reset();
      if (isOver) return;
      const sample = { playing: isPlaying, position, rate, now: clock.now() };
      played = listen(played, sample);
      listened = listen(listened, { ...sample, playing: isPlaying && isAudible });
      places.set(current.id, position);
      if (isPlaying && !sounded) {
        sounded = true;
        report(current, { name: 'audio_played' });
      }
      countThirty(current);
      if (!isPlaying || clock.now() - savedAt < PROGRESS_EVERY_MS) return;
      savePlace(current);
      reportTime(current, LISTENED_THRESHOLD_SECONDS);
    },
    complete() {
      if (!current || isOver) return;
      reportTime(current);
      report(current, { name: 'audio_completed' });
      places.set(current.id, 0);
      isOver = true;
    },
    flush,
    savePlace() {
      if (current && !isOver) savePlace(current);
    },
    playedSeconds: () => listenedSeconds(played, Number.POSITIVE_INFINITY),
    sentBack() {
      played = nothingListened;
    },
    hasSounded: () => sounded,
    placeIn: (trackId) => places.get(trackId),
    savePosition(trackId, seconds) {
      places.set(trackId, seconds);
      if (trackId === current?.id) savedPlace = seconds;
    },
    clearPosition(trackId) {
      places.delete(trackId);
      if (trackId === current?.id) savedPlace = 0;
    },
    keepPosition(trackId) {
      for (const id of places.keys()) if (id !== trackId) places.delete(id);
    },
    report,
  };
}
