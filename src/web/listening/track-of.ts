import type { ContentSource } from '#domain/analytics/forms.ts';
import type { Track } from '#player/track.ts';

export type Playable = Omit<Track, 'source'>;

/** Makes the player’s track of an audio. @param source the list it is played from */
export function trackOf(audio: Playable, source: ContentSource): Track {
  const { id, slug, title, language, imageUrl, audioFileUrl, numberDuration, color, isFree, voice } = audio;
  return {
    id,
    slug,
    title,
    language,
    imageUrl,
    audioFileUrl,
    numberDuration,
    color,
    isFree,
    voice: {
      id: voice.id,
      name: voice.name,
      slug: voice.slug,
      ...(voice.linkedSeries && { linkedSeries: voice.linkedSeries }),
    },
    source,
  };
}

/** Every track comes from `trackOf` or from the saved queue, so its source is a `ContentSource`. */
export function sourceOf(track: Pick<Track, 'source'>): ContentSource {
  return track.source as ContentSource;
}
