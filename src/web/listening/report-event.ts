import type { Audio } from '#domain/catalogue/audios.ts';
import type { PlayerEvent } from '#player/player-events.ts';
import { track } from '#web/insight/track.ts';
import { sourceOf } from './track-of.ts';

/**
 * Passes on what the player tells, under the names of spec §7. Places and completions belong to the history of an
 * account, not to the figures of the site.
 * @param audio what the event is about, if the page had it
 */
export function reportEvent(event: PlayerEvent, audio: Audio | undefined): void {
  const source = sourceOf(event);
  const about = { source, subjectId: event.trackId };
  const position = Math.round(event.position);
  switch (event.name) {
    case 'audio_completed':
    case 'audio_progress':
    case 'audio_played_30s':
      return;
    case 'audio_time':
      return track('audio_time', {
        ...about,
        properties: { seconds: Math.round(event.seconds * 10) / 10, voiceId: event.voiceId },
      });
    case 'error':
      return track('player_error', { ...about, properties: { code: event.code, position } });
    case 'audio_played':
      track('audio_played', { ...about, properties: { position } });
      track('voice_played', { source, subjectId: event.voiceId });
      for (const category of audio?.categories ?? []) track('category_played', { source, subjectId: category.id });
      return;
    default:
      return track(event.name, { ...about, properties: { position } });
  }
}
