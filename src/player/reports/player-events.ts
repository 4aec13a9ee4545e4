import type { FailureCode } from '../recovery/failure.ts';

/** Fields of every report: the audio, the list it came from, and the position in seconds. */
export type About = { trackId: string; voiceId: string; source: string; position: number };

/**
 * Events for analytics, history and progress. The names come from spec §7; `audio_completed`, `audio_played_30s` and
 * `audio_progress` are ours, for events that the spec requires without a name.
 */
export type PlayerEvent = About &
  (
    | {
        name:
          | 'play_click'
          | 'pause_click'
          /** Reported for the audio that is left. */
          | 'play_previous'
          | 'play_next'
          /** `position` is the target of the seek. */
          | 'seek_15s_back'
          | 'seek_15s_forward'
          | 'seek_to_position'
          /** Sound is audible: once per start of an audio. */
          | 'audio_played'
          /** 30 seconds were heard; once per start of an audio. */
          | 'audio_played_30s'
          | 'audio_completed';
      }
    /** The position to store: every 10 s while playing, on pause, seek, change of audio and `flush`. */
    | { name: 'audio_progress'; isPlaying: boolean }
    /** Heard seconds not reported before; the first report comes after at least 30 s. */
    | { name: 'audio_time'; seconds: number }
    | { name: 'error'; code: FailureCode }
  );

/** An event before the fields of `About` are added; the report function adds them. */
export type PlayerEventDetail = PlayerEvent extends infer E
  ? E extends PlayerEvent
    ? Omit<E, keyof About>
    : never
  : never;
