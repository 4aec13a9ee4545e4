import type { Archive, ArchivedAudio } from '#domain/studio/moving-out/archive.ts';
import type { Site } from '#domain/site.ts';
import {
  chaptersAt,
  episodeDescription,
  episodeGuid,
  itemLanguage,
  personsOf,
  podcastChannel,
  podcastGuid,
  podcastNamespaces,
  rfc822,
  rss,
} from './rss.ts';
import type { XmlNode } from './xml.ts';

/** An audio in the feed of an archive, with the paths of its files in it. */
export type ArchivedEpisode = Pick<
  ArchivedAudio,
  | 'id'
  | 'guid'
  | 'slug'
  | 'title'
  | 'description'
  | 'language'
  | 'durationMs'
  | 'number'
  | 'credits'
  | 'fileMime'
  | 'fileBytes'
> & {
  publishedAt: Date;
  sound: string;
  cover: string | undefined;
  chapters: string | undefined;
  transcripts: { language: string; path: string }[];
};

/**
 * The feed of a creator's archive: all published audios, newest first. Addresses of files are relative to it; the ones of
 * the site stand beside them, for whoever may hear the audio there.
 */
export function archiveFeed(
  facts: Site['facts'],
  { slug, profile: { name, bio, language } }: Archive,
  portrait: string | undefined,
  episodes: ArchivedEpisode[],
): string {
  const page = `${facts.url}/creators/${slug}`;
  const feed = `${page}/feed.xml`;
  const items = episodes.toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
  return rss(
    podcastChannel(
      facts,
      {
        title: name,
        description: bio || name,
        page,
        feed,
        guid: podcastGuid(feed),
        author: name,
        cover: portrait,
        language,
        isSerial: false,
        times: items.map(({ publishedAt }) => publishedAt.toISOString()),
      },
      items.map((episode): XmlNode => itemOf(facts, { name, slug, language }, episode)),
    ),
    podcastNamespaces,
  );
}

function itemOf(
  { url }: Site['facts'],
  voice: { name: string; slug: string; language: string },
  { id, guid, publishedAt, sound, cover, ...episode }: ArchivedEpisode,
): XmlNode {
  const enclosure = { '@length': episode.fileBytes, '@type': episode.fileMime };
  const extension = /\.[a-z0-9]+$/.exec(sound)?.[0] ?? '';
  return {
    title: episode.title,
    link: `${url}/audio/${episode.slug}`,
    guid: episodeGuid(id, guid),
    pubDate: rfc822(publishedAt.toISOString()),
    description: episodeDescription({ ...episode, contentNotes: [] }),
    enclosure: { '@url': sound, ...enclosure },
    'podcast:alternateEnclosure': {
      ...enclosure,
      'podcast:source': { '@uri': `${url}/media/audios/${id}${extension}` },
    },
    ...itemLanguage(voice.language, episode),
    'itunes:duration': Math.round(episode.durationMs / 1000),
    'itunes:explicit': 'true',
    'itunes:episode': episode.number ?? undefined,
    'itunes:image': cover && { '@href': cover },
    'podcast:chapters': episode.chapters && chaptersAt(episode.chapters),
    'podcast:transcript': episode.transcripts.map(({ language, path }) => ({
      '@url': path,
      '@type': 'text/vtt',
      '@language': language,
    })),
    'podcast:person': personsOf(url, { credits: episode.credits, voice }),
  };
}
