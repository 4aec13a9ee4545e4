import { decodeHTML } from 'entities/decode';
import { parseFeed } from 'feedsmith';
import sanitizeHtml from 'sanitize-html';
import type { FeedFile, FeedItem, FeedPage } from '#domain/gateways.ts';

const maxItemsOfPage = 6000;
const maxText = 20_000;
const maxAddress = 2000;
const maxFiles = 20;

/** @throws for what is no feed, or declares entities, which none needs */
export function parseFeedPage(content: Uint8Array, url: string | undefined): FeedPage {
  const text = decode(content);
  if (/<!ENTITY/i.test(text)) throw new Error('It declares entities');
  const parsed = parseFeed(text);
  const at = (address: string | undefined) => addressOf(address, url);
  switch (parsed.format) {
    case 'rss':
      return rssPage(parsed.feed as RssFeed, at);
    case 'atom':
      return atomPage(parsed.feed as AtomFeed, at);
    case 'json':
      return jsonPage(parsed.feed as JsonFeed, at);
    case 'rdf':
      return rssPage(parsed.feed as RssFeed, at);
    default:
      throw new Error('It is not a feed');
  }
}

type At = (address: string | undefined) => string | undefined;
type Link = { href?: string; rel?: string; type?: string; length?: number };
type Enclosure = { url?: string; type?: string; length?: number };
type Itunes = {
  duration?: number;
  image?: string;
  explicit?: boolean;
  episode?: number;
  season?: number;
  title?: string;
  summary?: string;
  owner?: { email?: string };
};
type Podcast = {
  transcripts?: { url?: string; type?: string; language?: string }[];
  chapters?: { url?: string; type?: string };
  locked?: { value?: boolean; owner?: string };
  episode?: { number?: number };
  season?: { number?: number };
};
type Extensions = {
  itunes?: Itunes;
  podcast?: Podcast;
  content?: { encoded?: string };
  atom?: { links?: Link[] };
  dc?: { dates?: string[]; date?: string };
};
type RssItem = Extensions & {
  title?: string;
  link?: string;
  description?: string;
  enclosures?: Enclosure[];
  guid?: { value?: string; isPermaLink?: boolean };
  pubDate?: string;
};
type RssFeed = Extensions & { title?: string; language?: string; image?: { url?: string }; items?: RssItem[] };
type Text = { value?: string };
type AtomEntry = Extensions & {
  id?: string;
  title?: Text;
  content?: Text;
  summary?: Text;
  published?: string;
  updated?: string;
  links?: Link[];
};
type AtomFeed = Extensions & { title?: Text; links?: Link[]; logo?: string; entries?: AtomEntry[] };
type JsonItem = {
  id?: string;
  url?: string;
  title?: string;
  content_html?: string;
  content_text?: string;
  summary?: string;
  image?: string;
  date_published?: string;
  attachments?: { url?: string; mime_type?: string; size_in_bytes?: number; duration_in_seconds?: number }[];
};
type JsonFeed = { title?: string; language?: string; icon?: string; next_url?: string; items?: JsonItem[] };

function rssPage(feed: RssFeed, at: At): FeedPage {
  return {
    ...channelFacts(feed, at),
    title: lineOf(feed.title),
    language: lineOf(feed.language),
    image: at(feed.itunes?.image) ?? at(feed.image?.url),
    next: at(linkOf(feed.atom?.links, 'next')?.href),
    items: (feed.items ?? []).slice(0, maxItemsOfPage).map((item) =>
      itemOf(
        {
          guid: item.guid?.value ?? item.link,
          title: item.title ?? item.itunes?.title,
          html: item.content?.encoded ?? item.description ?? item.itunes?.summary,
          date: item.pubDate ?? item.dc?.dates?.[0] ?? item.dc?.date,
          link: item.link ?? permaLinkOf(item.guid),
          enclosures: item.enclosures ?? [],
        },
        item,
        at,
      ),
    ),
  };
}

/** A GUID is the address of its page, unless it says otherwise; many say nothing, and are none. */
function permaLinkOf(guid: RssItem['guid']): string | undefined {
  return guid?.isPermaLink !== false && URL.canParse(guid?.value ?? '') ? guid?.value : undefined;
}

function atomPage(feed: AtomFeed, at: At): FeedPage {
  return {
    ...channelFacts(feed, at),
    title: lineOf(feed.title?.value),
    language: undefined,
    image: at(feed.itunes?.image) ?? at(feed.logo),
    next: at(linkOf(feed.links, 'next')?.href),
    items: (feed.entries ?? []).slice(0, maxItemsOfPage).map((entry) =>
      itemOf(
        {
          guid: entry.id,
          title: entry.title?.value,
          html: entry.content?.value ?? entry.summary?.value,
          date: entry.published ?? entry.updated,
          link: linkOf(entry.links, 'alternate')?.href,
          enclosures: (entry.links ?? [])
            .filter(({ rel }) => rel === 'enclosure')
            .map(({ href, ...link }) => ({ ...link, ...(href !== undefined && { url: href }) })),
        },
        entry,
        at,
      ),
    ),
  };
}

function jsonPage(feed: JsonFeed, at: At): FeedPage {
  return {
    ...channelFacts({}, at),
    title: lineOf(feed.title),
    language: lineOf(feed.language),
    image: at(feed.icon),
    next: at(feed.next_url),
    items: (feed.items ?? []).slice(0, maxItemsOfPage).map((item) => {
      const files = item.attachments ?? [];
      return itemOf(
        {
          guid: item.id,
          title: item.title,
          html: item.content_html,
          text: item.content_text ?? item.summary,
          date: item.date_published,
          link: item.url,
          enclosures: files.map((file) => ({
            ...(file.url !== undefined && { url: file.url }),
            ...(file.mime_type !== undefined && { type: file.mime_type }),
            ...(file.size_in_bytes !== undefined && { length: file.size_in_bytes }),
          })),
        },
        {
          itunes: { ...numbered('duration', files[0]?.duration_in_seconds), ...(item.image && { image: item.image }) },
        },
        at,
      );
    }),
  };
}

const numbered = <Name extends string>(name: Name, value: number | undefined) =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, number>);

/** `podcast:locked` names whom another host asks; directories know the owner by `itunes:owner`. */
function channelFacts({ itunes, podcast }: Extensions, _at: At): Pick<FeedPage, 'ownerEmail' | 'isLocked'> {
  return {
    ownerEmail: emailOf(podcast?.locked?.owner) ?? emailOf(itunes?.owner?.email),
    isLocked: podcast?.locked?.value === true,
  };
}

type Facts = {
  guid: string | undefined;
  title: string | undefined;
  html?: string | undefined;
  text?: string | undefined;
  date: string | undefined;
  link: string | undefined;
  enclosures: Enclosure[];
};

function itemOf(
  { guid, title, html, text, date, link, enclosures }: Facts,
  { itunes, podcast }: Extensions,
  at: At,
): FeedItem {
  const files = enclosures.slice(0, maxFiles).flatMap(({ url, type, length }) => {
    const address = at(url);
    return address === undefined
      ? []
      : [{ url: address, type: lineOf(type)?.toLowerCase(), bytes: wholeNumber(length, 2 ** 50) }];
  });
  const sound = files.find(isSound);
  const hasVideo = files.some(isVideo);
  const chapters = podcast?.chapters && fileOf(podcast.chapters, at);
  const page = at(link);
  return {
    guid: (lineOf(guid) ?? sound?.url ?? page ?? '').slice(0, maxAddress),
    title: lineOf(title),
    description: html === undefined ? (text ?? '').slice(0, maxText) : plainText(html),
    publishedAt: timeOf(date),
    link: page,
    sound,
    hasVideo,
    seconds: wholeNumber(itunes?.duration, 1_000_000),
    season: wholeNumber(itunes?.season ?? podcast?.season?.number, 100_000),
    episode: wholeNumber(itunes?.episode ?? podcast?.episode?.number, 1_000_000),
    isExplicit: itunes?.explicit,
    image: at(itunes?.image),
    transcripts: (podcast?.transcripts ?? []).slice(0, maxFiles).flatMap((file) => fileOf(file, at) ?? []),
    chapters,
  };
}

type SentFile = { url: string; type: string | undefined };

function isVideo({ url, type }: SentFile): boolean {
  return type === undefined ? /\.(?:mp4|m4v|mov|webm|mkv|avi)(?:$|[?#])/i.test(url) : type.startsWith('video/');
}

/** Hosts that say nothing, or `application/octet-stream`, are believed: the content decides. */
function isSound(file: SentFile): boolean {
  const { type } = file;
  const isUnsaid = type === undefined || ['application/octet-stream', 'application/ogg', ''].includes(type);
  return !isVideo(file) && (isUnsaid || type?.startsWith('audio/') === true);
}

function fileOf(
  { url, type, language }: { url?: string; type?: string; language?: string },
  at: At,
): FeedFile | undefined {
  const address = at(url);
  return address === undefined
    ? undefined
    : { url: address, type: lineOf(type)?.toLowerCase(), language: lineOf(language) };
}

/** Without `rel`, a link of Atom is the page. */
function linkOf(links: Link[] | undefined, rel: string): Link | undefined {
  return links?.find((link) => (link.rel ?? 'alternate') === rel);
}

function addressOf(address: string | undefined, base: string | undefined): string | undefined {
  if (typeof address !== 'string') return undefined;
  const url = URL.parse(address.trim(), base);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.href.length > maxAddress) return undefined;
  return url.href;
}

function emailOf(text: string | undefined): string | undefined {
  const email = lineOf(text)?.replace(/^mailto:/i, '');
  return email !== undefined && email.length <= 254 && /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/.test(email)
    ? email
    : undefined;
}

function lineOf(text: string | undefined): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = text
    .slice(0, maxText)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line;
}

function timeOf(text: string | undefined): string | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function wholeNumber(value: number | undefined, max: number): number | undefined {
  return typeof value === 'number' && value > 0 && value <= max ? Math.round(value) : undefined;
}

const breaks = /<(?:br|hr)\b[^>]*>|<\/(?:p|div|h[1-6]|blockquote|tr|table|ul|ol)>/gi;

/** HTML as text with its paragraphs. Scripts and styles lose their content too. */
function plainText(html: string): string {
  const source = html.slice(0, 4 * maxText);
  if (!/[<&]/.test(source)) return source.slice(0, maxText).trim();
  const spaced = /<[a-z]/i.test(source)
    ? source
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/<li\b[^>]*>/gi, '\n• ')
        .replaceAll(breaks, (tag) => (/^<br/i.test(tag) ? '\n' : '\n\n'))
    : source;
  const text = decodeHTML(sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} }));
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, maxText);
}

/** In the encoding that its first line names. */
function decode(content: Uint8Array): string {
  const start = Buffer.from(content.subarray(0, 200)).toString('latin1');
  const [, label = 'utf-8'] = /^[^<]*<\?xml[^>]*\bencoding=["']([\w-]+)["']/i.exec(start) ?? [];
  try {
    return new TextDecoder(label).decode(content);
  } catch {
    return new TextDecoder().decode(content);
  }
}
