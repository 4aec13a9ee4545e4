import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { PlayerEvent } from '#player/reports/player-events.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { sourceOf } from './track-of.ts';

/**
 * Tracks player events under the names of spec §7. Positions and completions are not tracked: they are part of the
 * account’s history.
 * @param audio the event’s audio, if the page has loaded it
 */
export function reportEvent(event: PlayerEvent, audio: AudioItem | undefined): void {
  const source = sourceOf(event);
  const about = { source, subjectId: event.trackId };
  const position = Math.round(event.position);
  switch (event.name) {
    case 'audio_completed':
    case 'audio_progress':
    case 'audio_played_30s':
      return;
    case 'audio_time':
      return logEvent('audio_time', {
        ...about,
        properties: { seconds: Math.round(event.seconds * 10) / 10, voiceId: event.voiceId },
      });
    case 'error':
      return logEvent('player_error', { ...about, properties: { code: event.code, position } });
    case 'audio_played':
      logEvent('audio_played', { ...about, properties: { position } });
      logEvent('voice_played', { source, subjectId: event.voiceId });
      for (const category of audio?.categories ?? []) logEvent('category_played', { source, subjectId: category.id });
      return;
    default:
      return logEvent(event.name, { ...about, properties: { position } });
  }
}
