import type { ContentSource } from '#domain/insight/forms.ts';
import type { Track } from '#player/track.ts';

/** What a track is made from: an audio, or another track. */
export type Playable = Omit<Track, 'source'>;

/** What the player knows of an audio. @param source the list it is played from */
export function trackOf(audio: Playable, source: ContentSource): Track {
  const { id, slug, title, imageUrl, audioFileUrl, numberDuration, color, isFree, voice } = audio;
  return {
    id,
    slug,
    title,
    imageUrl,
    audioFileUrl,
    numberDuration,
    color,
    isFree,
    voice: { id: voice.id, name: voice.name, slug: voice.slug },
    source,
  };
}

/** Every track comes from `trackOf`, or from the queue, which is a source too. */
export function sourceOf(track: Pick<Track, 'source'>): ContentSource {
  return track.source as ContentSource;
}
