import { Hono } from 'hono';
import { v5 } from 'uuid';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { Enclosure } from '#domain/catalogue/enclosures.ts';
import { topicLabels } from '#domain/editorial/rules.ts';
import { visitor } from '#domain/identity/rules.ts';
import type { Site } from '#domain/site.ts';
import { errorResponse } from './errors.ts';
import { keptText } from './kept-text.ts';
import type { PublicCache } from './public-cache.ts';
import type { XmlNode } from './xml.ts';
import { toXml } from './xml.ts';

const mostItems = 100;
const type = 'application/rss+xml; charset=utf-8';
/** Of the podcast namespace: a feed's guid is the v5 of its address in here (podcast-namespace, tag "guid"). */
const podcastNamespace = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6';

type Channel = {
  title: string;
  description: string;
  /** Paths. */
  page: string;
  feed: string;
  imageUrl: string | null;
  author?: string;
  /** A list of parts in their order, instead of the newest first. */
  isSerial?: boolean;
};

/** RSS 2.0: the blog, and for each voice and series, with the podcast namespace, the audios that anyone may hear. */
export function feedRoutes({ site, cache }: { site: Site; cache: PublicCache }): Hono {
  const app = new Hono();
  const { catalogue, editorial, facts } = site;

  async function answer(request: Request, key: string, make: () => Promise<string | undefined>): Promise<Response> {
    return (await keptText(request, { cache, key: `feed ${key}`, type, make })) ?? errorResponse('request/not-found');
  }

  async function podcast(channel: Channel, audios: Audio[]): Promise<string> {
    const free = audios.filter(({ isFree }) => isFree);
    const enclosures = await catalogue.findEnclosures(free.map(({ id }) => id));
    return podcastFeed(facts, channel, free, enclosures);
  }

  app.get('/blog/feed.xml', ({ req }) =>
    answer(req.raw, 'blog', async () => blogFeed(facts, await editorial.listWholeArticles(mostItems))),
  );
  app.get('/creators/:slug/feed.xml', ({ req }) =>
    answer(req.raw, `voice ${req.param('slug')}`, async () => {
      const voice = await catalogue.findVoice(req.param('slug'));
      if (voice === undefined) return undefined;
      const { items } = await catalogue.listAudios(visitor, {
        voiceId: voice.id,
        filter: { free: 'true' },
        limit: mostItems,
      });
      const page = `/creators/${voice.slug}`;
      const description = voice.bio || `Audios by ${voice.name}.`;
      const { name: title, imageURL: imageUrl } = voice;
      return podcast({ title, description, page, feed: `${page}/feed.xml`, imageUrl, author: title }, items);
    }),
  );
  app.get('/series/:slug/feed.xml', ({ req }) =>
    answer(req.raw, `series ${req.param('slug')}`, async () => {
      const series = await catalogue.findSeries(req.param('slug'));
      if (series === undefined) return undefined;
      const { items } = await catalogue.listSeriesAudios(visitor, series.id, { limit: mostItems });
      const page = `/series/${series.slug}`;
      const { title, imageUrl } = series;
      const description = series.description || title;
      const author = series.voice?.name;
      return podcast(
        { title, description, page, feed: `${page}/feed.xml`, imageUrl, isSerial: true, ...(author && { author }) },
        items,
      );
    }),
  );
  return app;
}

type Facts = { name: string; url: string };

function rss(channel: XmlNode, namespaces: Record<string, string>): string {
  const attributes = Object.fromEntries(Object.entries(namespaces).map(([name, uri]) => [`@xmlns:${name}`, uri]));
  return toXml({ rss: { '@version': '2.0', ...attributes, channel } });
}

const atom = 'http://www.w3.org/2005/Atom';

function blogFeed({ name, url }: Facts, articles: Awaited<ReturnType<Site['editorial']['listWholeArticles']>>): string {
  return rss(
    {
      title: `${name}: Blog`,
      link: `${url}/blog`,
      description: 'On listening, reading aloud, and the voices who do it.',
      language: 'en',
      'atom:link': selfLink(`${url}/blog/feed.xml`),
      lastBuildDate: newest(articles),
      item: articles.map((article) => ({
        title: article.title,
        link: `${url}/blog/${article.slug}`,
        guid: { '@isPermaLink': 'false', '#text': article.id },
        pubDate: rfc822(article.publishedAt),
        category: topicLabels[article.topic],
        description: article.description,
        'content:encoded': absolute(article.html, `${url}/blog/${article.slug}`),
      })),
    },
    { atom, content: 'http://purl.org/rss/1.0/modules/content/' },
  );
}

function podcastFeed(
  { name, url }: Facts,
  channel: Channel,
  audios: Audio[],
  enclosures: Map<string, Enclosure>,
): string {
  const page = url + channel.page;
  const feed = url + channel.feed;
  const picture = channel.imageUrl === null ? undefined : pictureOf(url, channel.imageUrl);
  return rss(
    {
      title: channel.title,
      link: page,
      description: channel.description,
      language: 'en',
      'atom:link': selfLink(feed),
      lastBuildDate: newest(audios),
      image: picture === undefined ? undefined : { url: picture, title: channel.title, link: page },
      'itunes:author': channel.author ?? name,
      'itunes:type': channel.isSerial ? 'serial' : 'episodic',
      'itunes:explicit': 'true',
      'itunes:category': { '@text': 'Arts', 'itunes:category': { '@text': 'Performing Arts' } },
      'itunes:image': picture === undefined ? undefined : { '@href': picture },
      'podcast:guid': v5(feed.replace(/^https?:\/\//, ''), podcastNamespace),
      'podcast:medium': 'podcast',
      item: audios.map((audio, index) => {
        const enclosure = enclosures.get(audio.id);
        return {
          title: audio.title,
          link: `${url}/audio/${audio.slug}`,
          guid: { '@isPermaLink': 'false', '#text': audio.id },
          pubDate: rfc822(audio.publishedAt),
          description: audio.description || audio.title,
          enclosure: enclosure && {
            '@url': url + audio.audioFileUrl,
            '@length': enclosure.bytes,
            '@type': enclosure.mime,
          },
          'itunes:duration': Math.round(audio.numberDuration),
          'itunes:explicit': 'true',
          'itunes:episode': channel.isSerial ? index + 1 : undefined,
          'itunes:image': audio.imageUrl === null ? undefined : { '@href': pictureOf(url, audio.imageUrl) },
          'podcast:person': {
            '@role': 'narrator',
            '@href': `${url}/creators/${audio.voice.slug}`,
            '#text': audio.voice.name,
          },
        };
      }),
    },
    {
      atom,
      itunes: 'http://www.itunes.com/dtds/podcast-1.0.dtd',
      podcast: 'https://podcastindex.org/namespace/1.0',
    },
  );
}

function selfLink(href: string): XmlNode {
  return { '@href': href, '@rel': 'self', '@type': 'application/rss+xml' };
}

function pictureOf(url: string, imageUrl: string): string {
  return `${url}${imageUrl}?width=1600&format=jpeg`;
}

/** Readers show the text far from this site, where what its addresses are counted from is not known. @param base its page */
function absolute(html: string, base: string): string {
  return html.replaceAll(
    /(<a href=")(?![a-z][a-z\d+.-]*:)([^"]*)/gi,
    (_, start: string, address: string) => start + (URL.parse(address, base)?.href ?? base),
  );
}

function newest(items: { publishedAt: string }[]): string | undefined {
  const latest = items
    .map(({ publishedAt }) => publishedAt)
    .toSorted()
    .at(-1);
  return latest && rfc822(latest);
}

/** `Sat, 14 Nov 2026 21:30:00 GMT` (RFC 822, as RSS wants it) */
function rfc822(iso: string): string {
  return new Date(iso).toUTCString();
}
