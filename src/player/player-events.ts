import type { FailureCode } from './failure.ts';

/** What every report says: which audio, from which list, and where in it (seconds). */
export type About = { trackId: string; voiceId: string; source: string; position: number };

/**
 * What happened, for analytics, history and progress. The names are those of spec §7; `audio_completed`,
 * `audio_played_30s` and `audio_progress` are ours, for what the spec asks without naming it.
 */
export type PlayerEvent = About &
  (
    | {
        name:
          | 'play_click'
          | 'pause_click'
          /** Told of the audio that is left. */
          | 'play_previous'
          | 'play_next'
          /** Position is where the seek leads. */
          | 'seek_15s_back'
          | 'seek_15s_forward'
          | 'seek_to_position'
          /** Sound came out: once for each time an audio is started. */
          | 'audio_played'
          /** 30 seconds of it were heard; once for each time an audio is started. */
          | 'audio_played_30s'
          /** It was heard to its end. */
          | 'audio_completed'
          /** The place to keep: every 10 s while it plays, on pause, on seek, on leaving the audio, on `flush`. */
          | 'audio_progress';
      }
    /** Seconds heard that were not told before; the first time when 30 s or more were heard. */
    | { name: 'audio_time'; seconds: number }
    | { name: 'error'; code: FailureCode }
  );

/** An event as the part that notices it writes it; what it is about is added where it is reported. */
export type PlayerEventDetail = PlayerEvent extends infer E
  ? E extends PlayerEvent
    ? Omit<E, keyof About>
    : never
  : never;
