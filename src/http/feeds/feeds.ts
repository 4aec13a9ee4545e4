import { type Context, Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Audio } from '#domain/catalogue/audios.ts';
import { writeChapters } from '#domain/catalogue/chapter-rules.ts';
import type { findEnclosures } from '#domain/catalogue/enclosures.ts';
import { maxSeriesAudios } from '#domain/catalogue/rules.ts';
import { topicText } from '#domain/editorial/rules.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import { type Images, minFeedCover } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import { prefixOf } from '#formats/languages.ts';
import { i18n, language } from '#i18n';
import { cachedText } from '../cached-text.ts';
import { createChangeTimes } from '../change-times.ts';
import { inAddressLanguage, inLanguages } from '../files/address-language.ts';
import type { PublicCache } from '../public-cache.ts';
import {
  atom,
  chaptersAt,
  chaptersType,
  episodeDescription,
  episodeGuid,
  feedCoverOf,
  feedLinks,
  feedDescription,
  newest,
  personsOf,
  dublinCore,
  itemLanguage,
  mainLanguage,
  podcastChannel,
  podcastGuid,
  podcastNamespaces,
  ratingHeader,
  rfc822,
  rss,
  rssType,
} from './rss.ts';
import { type PodcastFacts, podcastFacts } from './podcast-facts.ts';

const maxItems = 100;

type Channel = {
  title: string;
  description: string;
  /** Paths. */
  page: string;
  feed: string;
  imageUrl: string | null;
  author?: string;
  /** Absent: that of its audios. */
  language?: string;
  /** Part numbers of a series, which is listed in order instead of newest first. */
  parts?: Map<string, number>;
} & Pick<PodcastFacts, 'license' | 'directoryText' | 'recommended'>;

/** RSS 2.0: the blog, and for each voice and series, with the podcast namespace, its free audios. */
export function feedRoutes({ site, cache, images }: { site: Site; cache: PublicCache; images: Images }): Hono {
  const app = new Hono();
  const { catalogue, editorial, facts } = site;
  const changeTimes = createChangeTimes();

  const answer = (context: Context, key: string, make: () => Promise<string | undefined>) =>
    inAddressLanguage(facts.languages, context, () =>
      cachedText(context.req.raw, {
        cache,
        key: `feed ${key} ${language()}`,
        type: rssType,
        make,
        changeTimes,
        more: ratingHeader(site),
      }),
    );

  async function podcast(channel: Channel, audios: Audio[]): Promise<string> {
    const free = audios.filter(({ isFree }) => isFree);
    const enclosures = await catalogue.findEnclosures(free.map(({ id }) => id));
    const episodes = free.filter(({ id }) => enclosures.has(id));
    const pictures = [channel.imageUrl, ...episodes.map(({ imageUrl }) => imageUrl)];
    const covers = new Set<string | null>();
    for (const picture of new Set(pictures))
      if (picture !== null && (await isLargeEnough(picture))) covers.add(picture);
    return podcastFeed(facts, channel, { episodes, enclosures, covers });
  }

  /** A key identifies its content, so the answer stays valid. */
  const isLarge = new LRUCache<string, boolean>({ max: 10_000 });
  async function isLargeEnough(picture: string): Promise<boolean> {
    const before = isLarge.get(picture);
    if (before !== undefined) return before;
    const side = await images.smallerSide(picture.slice(1));
    if (side !== undefined) isLarge.set(picture, side >= minFeedCover);
    return side !== undefined && side >= minFeedCover;
  }

  app.on('GET', inLanguages('/blog/feed.xml'), (context) =>
    answer(context, 'blog', async () => blogFeed(facts, await editorial.listWholeArticles(maxItems))),
  );
  app.on('GET', inLanguages('/creators/:slug/feed.xml'), (context) => {
    const slug = context.req.param('slug') ?? '';
    return answer(context, `voice ${slug}`, async () => {
      const voice = await catalogue.findVoice(slug);
      if (voice === undefined) return undefined;
      const { items } = await catalogue.listAudios(visitor, {
        voiceId: voice.id,
        filter: { free: 'true' },
        limit: maxItems,
      });
      const page = `/creators/${voice.slug}`;
      const description =
        voice.bio ||
        i18n._(/*i18n*/ { id: 'feed.audios-by', message: 'Audios by {name}.', values: { name: voice.name } });
      const { name: title, imageURL: imageUrl, language: spoken } = voice;
      const feed = `${page}/feed.xml`;
      const [recommended, choices] = await Promise.all([
        catalogue.listRecommendedVoices(visitor, voice.id),
        catalogue.findFeedChoices(voice.id),
      ]);
      const heard = await Promise.all(recommended.map(({ id }) => catalogue.hasEpisode({ voiceId: id })));
      const channel = { title, description, page, feed, imageUrl, author: title, language: spoken, ...choices };
      return podcast({ ...channel, recommended: recommended.filter((_, index) => heard[index]) }, items);
    });
  });
  app.on('GET', inLanguages('/series/:slug/feed.xml'), (context) => {
    const slug = context.req.param('slug') ?? '';
    return answer(context, `series ${slug}`, async () => {
      const series = await catalogue.findSeries(slug);
      if (series === undefined) return undefined;
      const { items } = await catalogue.listSeriesAudios(visitor, series.id, { limit: maxSeriesAudios });
      const page = `/series/${series.slug}`;
      const { title } = series;
      // Podcast directories reject a feed without a cover.
      const imageUrl = series.imageUrl ?? series.voice?.imageUrl ?? items[0]?.imageUrl ?? null;
      const description = series.description || title;
      const author = series.voice?.name;
      const [parts, choices] = await Promise.all([
        catalogue.findPartNumbers(series.id),
        catalogue.findFeedChoices(series.voice?.id),
      ]);
      const channel = { title, description, page, feed: `${page}/feed.xml`, imageUrl, parts, ...choices };
      return podcast({ ...channel, recommended: [], ...(author && { author }) }, items);
    });
  });
  // As its transcript, the chapters of an audio are for those who may hear it: here, everyone.
  app.get('/audio/:slug/chapters.json', async (context) => {
    const slug = context.req.param('slug');
    return cachedText(context.req.raw, {
      cache,
      key: `chapters ${slug}`,
      type: chaptersType,
      changeTimes,
      async make() {
        const audio = await catalogue.findAudio(slug);
        const chapters = audio?.isFree === true ? await site.listening.findChapters(visitor, audio) : [];
        if (audio === undefined || chapters.length === 0) return undefined;
        return writeChapters({ title: audio.title, author: audio.voice.name, chapters });
      },
    });
  });
  return app;
}

type Facts = Site['facts'];

function blogFeed(
  { name, url: site, languages, feedHub }: Facts,
  articles: Awaited<ReturnType<Site['editorial']['listWholeArticles']>>,
): string {
  const url = site + prefixOf(language(), languages);
  const spoken = mainLanguage(articles);
  return rss(
    {
      title: i18n._(/*i18n*/ { id: 'feed.blog', message: '{name}: Blog', values: { name } }),
      link: `${url}/blog`,
      description: i18n._(
        /*i18n*/ { id: 'feed.blog-about', message: 'On listening, reading aloud, and the voices who do it.' },
      ),
      language: spoken,
      ...feedLinks(`${url}/blog/feed.xml`, feedHub),
      lastBuildDate: newest(articles.map(({ publishedAt }) => publishedAt)),
      item: articles.map((article) => ({
        title: article.title,
        link: `${url}/blog/${article.slug}`,
        guid: { '@isPermaLink': 'false', '#text': article.id },
        pubDate: rfc822(article.publishedAt),
        category: topicText(article.topic, article.topicLabel),
        ...itemLanguage(spoken, article),
        description: feedDescription(article.description),
        'content:encoded': absolute(article.html, `${url}/blog/${article.slug}`),
      })),
    },
    { atom, content: 'http://purl.org/rss/1.0/modules/content/', dc: dublinCore },
  );
}

function podcastFeed(
  facts: Facts,
  channel: Channel,
  {
    episodes,
    enclosures,
    covers,
  }: {
    episodes: Audio[];
    enclosures: Awaited<ReturnType<typeof findEnclosures>>;
    /** Paths of covers that directories accept; others are omitted. */
    covers: Set<string | null>;
  },
): string {
  const url = facts.url + prefixOf(language(), facts.languages);
  const coverOf = (imageUrl: string | null) =>
    imageUrl === null || !covers.has(imageUrl) ? undefined : feedCoverOf(facts.url, imageUrl);
  const feed = url + channel.feed;
  const page = url + channel.page;
  const times = episodes.map(({ publishedAt }) => publishedAt);
  const spoken = channel.language ?? mainLanguage(episodes);
  return rss(
    podcastChannel(
      facts,
      {
        title: channel.title,
        description: channel.description,
        page,
        feed,
        // One podcast in all languages.
        guid: podcastGuid(facts.url + channel.feed),
        author: channel.author,
        cover: coverOf(channel.imageUrl),
        language: spoken,
        isSerial: channel.parts !== undefined,
        times,
      },
      episodes.map((audio) => {
        const enclosure = enclosures.get(audio.id);
        return {
          title: audio.title,
          link: `${url}/audio/${audio.slug}`,
          // GUIDs of several creators could be the same.
          guid: episodeGuid(audio.id, channel.parts === undefined ? enclosure?.guid : null),
          pubDate: rfc822(audio.publishedAt),
          description: episodeDescription(audio),
          enclosure: enclosure && {
            // Podcast directories require a file extension, despite the media type.
            '@url': facts.url + audio.audioFileUrl + enclosure.extension,
            '@length': enclosure.bytes,
            '@type': enclosure.mime,
          },
          ...itemLanguage(spoken, audio),
          'itunes:duration': Math.round(audio.numberDuration),
          'itunes:explicit': 'true',
          'itunes:episode': channel.parts ? channel.parts.get(audio.id) : (enclosure?.number ?? undefined),
          'itunes:image': coverOf(audio.imageUrl) && { '@href': coverOf(audio.imageUrl) },
          'podcast:chapters': enclosure?.hasChapters
            ? chaptersAt(`${facts.url}/audio/${audio.slug}/chapters.json`)
            : undefined,
          'podcast:person': personsOf(url, audio),
        };
      }),
      podcastFacts(facts, url, { ...channel, page, times }),
    ),
    podcastNamespaces,
  );
}

/** Feed readers cannot resolve relative links, so make them absolute. @param base URL of the page */
function absolute(html: string, base: string): string {
  return html.replaceAll(
    /(<a href=")(?![a-z][a-z\d+.-]*:)([^"]*)/gi,
    (_, start: string, address: string) => start + (URL.parse(address, base)?.href ?? base),
  );
}
