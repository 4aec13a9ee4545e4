import type { Clock } from './clock.ts';
import type { PlayerEvent, PlayerEventDetail } from './player-events.ts';
import { LISTENED_THRESHOLD_SECONDS, listen, markSent, nothingListened, secondsDue } from './progress.ts';
import type { Track } from './track.ts';

/** How often the place is reported while an audio plays. */
const PROGRESS_EVERY_MS = 10_000;

export type Listening = {
  /** Another audio is loaded, from this second on; what is due for the one before is reported. */
  begin(track: Track, startAt: number): void;
  /** Nothing is loaded any more; what is due is reported. */
  leave(): void;
  /** Forgets every place, as after logging out. */
  forget(): void;
  observe(sample: { isPlaying: boolean; isAudible: boolean; position: number; rate: number }): void;
  /** It was heard to its end: reported, and its place goes back to the beginning. */
  complete(): void;
  /** Reports the place and the seconds heard now: on pause, when the page is hidden. */
  flush(): void;
  /** Reports the place alone: on seek, which may come many times in a row. */
  savePlace(): void;
  /** Whether sound of this audio came out since it was started. */
  hasSounded(): boolean;
  /** The place in an audio of this session, in seconds; undefined when it was not loaded in this session. */
  placeIn(trackId: string): number | undefined;
  keepPlace(trackId: string, seconds: number): void;
  forgetPlace(trackId: string): void;
  report(track: Track, detail: PlayerEventDetail, position?: number): void;
};

/** Keeps the place of each audio and what was heard of the loaded one, and reports both. */
export function createListening(clock: Clock, send: (event: PlayerEvent) => void): Listening {
  const places = new Map<string, number>();
  let current: Track | null = null;
  let listened = nothingListened;
  let sounded = false;
  let isOver = false;
  let countedThirty = false;
  let savedAt = 0;
  let savedPlace = 0;

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

  /** @param least so many seconds, or they wait for more; when the audio is left, every second counts */
  function reportTime(track: Track, least = 0) {
    const seconds = secondsDue(listened, track.numberDuration);
    if (seconds <= least) return;
    listened = markSent(listened, seconds);
    report(track, { name: 'audio_time', seconds });
  }

  /** As soon as it is so, since a later sample may take the place of this one. */
  function countThirty(track: Track) {
    if (countedThirty || secondsDue(listened, track.numberDuration) <= 0) return;
    countedThirty = true;
    report(track, { name: 'audio_played_30s' });
  }

  function savePlace(track: Track) {
    const place = places.get(track.id) ?? 0;
    if (place !== savedPlace) report(track, { name: 'audio_progress' });
    savedAt = clock.now();
    savedPlace = place;
  }

  function flush() {
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
      reset();
    },
    leave() {
      flush();
      current = null;
      reset();
    },
    forget: () => places.clear(),
    observe({ isPlaying, isAudible, position, rate }) {
      if (!current) return;
      // Started again after its end: a new hearing.
      if (isOver && isPlaying) reset();
      if (isOver) return;
      listened = listen(listened, { playing: isPlaying && isAudible, position, rate, now: clock.now() });
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
    hasSounded: () => sounded,
    placeIn: (trackId) => places.get(trackId),
    keepPlace: (trackId, seconds) => void places.set(trackId, seconds),
    forgetPlace: (trackId) => void places.delete(trackId),
    report,
  };
}
