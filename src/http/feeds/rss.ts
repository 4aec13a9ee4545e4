import { i18n, language } from '#i18n';
import { v5 } from 'uuid';
import { ratingLabel } from '#formats/rating.ts';
import { creditDescriptions } from '#domain/catalogue/credits/rules.ts';
import type { Credit } from '#domain/catalogue/credits/credits.ts';
import type { Site } from '#domain/site.ts';
import { type XmlNode, toXml } from './xml.ts';

/** Apple's limit for descriptions (A Podcaster's Guide to RSS). */
const maxBytes = 4000;
export const rssType = 'application/rss+xml; charset=utf-8';

/** For filters of parents; podcast apps read `itunes:explicit`. */
export function ratingHeader({ age }: Pick<Site, 'age'>): Record<string, string> {
  return age.isLabelled() ? { rating: ratingLabel } : {};
}

export const atom = 'http://www.w3.org/2005/Atom';
/** RSS has a language for the whole feed only. */
export const dublinCore = 'http://purl.org/dc/elements/1.1/';
export const podcastNamespaces = {
  atom,
  itunes: 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  podcast: 'https://podcastindex.org/namespace/1.0',
  dc: dublinCore,
};

/** Podcast namespace: a feed's guid is the v5 UUID of its URL in this namespace (podcast-namespace, tag "guid"). */
const guidNamespace = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6';

export function podcastGuid(feed: string): string {
  return v5(feed.replace(/^https?:\/\//, ''), guidNamespace);
}

/** @param imported GUID of the feed that the audio was imported from: apps know the episode by it */
export function episodeGuid(audioId: string, imported: string | null | undefined): XmlNode {
  return { '@isPermaLink': 'false', '#text': imported ?? audioId };
}

export function rss(channel: XmlNode, namespaces: Record<string, string>): string {
  const attributes = Object.fromEntries(Object.entries(namespaces).map(([name, uri]) => [`@xmlns:${name}`, uri]));
  return toXml({ rss: { '@version': '2.0', ...attributes, channel } });
}

export type PodcastChannel = {
  title: string;
  description: string;
  /** Address of its page. */
  page: string;
  /** Its own address. */
  feed: string;
  guid: string;
  /** Undefined: the site. */
  author: string | undefined;
  cover: string | undefined;
  language: string;
  /** Listed in order instead of newest first. */
  isSerial: boolean;
  /** Publication times of the items, in ISO 8601. */
  times: string[];
};

/** @param more elements of this kind of feed */
export function podcastChannel(
  { name, operator, feedHub }: Pick<Site['facts'], 'name' | 'operator' | 'feedHub'>,
  { title, description, page, feed, guid, author, cover, language, isSerial, times }: PodcastChannel,
  item: XmlNode[],
  more: Record<string, XmlNode> = {},
): XmlNode {
  return {
    title,
    link: page,
    description: feedDescription(description),
    language,
    ...feedLinks(feed, feedHub),
    lastBuildDate: newest(times),
    image: cover === undefined ? undefined : { url: cover, title, link: page },
    'itunes:author': author ?? name,
    'itunes:owner': operator?.email && { 'itunes:name': operator.name ?? name, 'itunes:email': operator.email },
    'itunes:type': isSerial ? 'serial' : 'episodic',
    'itunes:explicit': 'true',
    'itunes:category': { '@text': 'Arts', 'itunes:category': { '@text': 'Performing Arts' } },
    'itunes:image': cover === undefined ? undefined : { '@href': cover },
    ...more,
    'podcast:guid': guid,
    'podcast:medium': 'podcast',
    item,
  };
}

const htmlSigns: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' };

/** Plain text as HTML, which readers take a description for (RSS 2.0, "item"). Cut between characters. */
export function feedDescription(text: string): string {
  let html = '';
  let bytes = 0;
  for (const character of text.trim().replaceAll(/\r\n?/g, '\n')) {
    const written = htmlSigns[character] ?? character;
    bytes += Buffer.byteLength(written);
    if (bytes > maxBytes) break;
    html += written;
  }
  return html;
}

/** Content notes come first: apps cut long descriptions. */
export function episodeDescription({
  title,
  description,
  contentNotes,
}: {
  title: string;
  description: string;
  contentNotes: readonly { label: string }[];
}): string {
  const text = description || title;
  if (contentNotes.length === 0) return feedDescription(text);
  const notes = i18n._(
    /*i18n*/ {
      id: 'feed.content-notes',
      message: 'Content notes: {names}',
      values: { names: contentNotes.map(({ label }) => label).join(', ') },
    },
  );
  return feedDescription(`${notes}\n\n${text}`);
}

/** People of an episode: its creator reads it, unless the credits say who does. @param url of the site, in the feed’s language */
export function personsOf(
  url: string,
  { credits, voice }: { credits: readonly Credit[]; voice: { name: string; slug: string } },
): XmlNode[] {
  const isRead = credits.some(({ role }) => role === 'performer');
  return [...(isRead ? [] : [{ role: 'performer' as const, name: voice.name, voice }]), ...credits].flatMap(
    (credit) => {
      const { person } = creditDescriptions[credit.role];
      if (person === undefined) return [];
      const href = credit.voice === null ? undefined : `${url}/creators/${credit.voice.slug}`;
      return [{ '@role': person.role, '@group': person.group, '@href': href, '#text': credit.name }];
    },
  );
}

export const chaptersType = 'application/json+chapters';

/** @param url of its file of chapters */
export function chaptersAt(url: string): XmlNode {
  return { '@url': url, '@type': chaptersType };
}

/** @param hub of WebSub, for feeds that everyone may read */
export function feedLinks(feed: string, hub?: string): { 'atom:link': XmlNode | XmlNode[] } {
  const self = { '@href': feed, '@rel': 'self', '@type': 'application/rss+xml' };
  return { 'atom:link': hub === undefined ? self : [self, { '@href': hub, '@rel': 'hub' }] };
}

/** A square JPEG as directories accept it, with a matching name. @param imageUrl path of the image route */
export function feedCoverOf(siteUrl: string, imageUrl: string): string {
  return `${siteUrl}/feed-covers/${imageUrl.replace(/^\/images\//, '')}.jpg`;
}

/** `Sat, 14 Nov 2026 21:30:00 GMT` (RFC 822, as RSS requires) */
export function rfc822(iso: string): string {
  return new Date(iso).toUTCString();
}

/** @param times ISO 8601 */
export function newest(times: string[]): string | undefined {
  const latest = times.toSorted().at(-1);
  return latest && rfc822(latest);
}

/** The language that most of the items have; that of the feed without items. */
export function mainLanguage(items: readonly { language: string }[]): string {
  const counts = new Map<string, number>();
  for (const { language } of items) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? language();
}

/** `dc:language` of an item that has another language than its feed. */
export function itemLanguage(feed: string, { language }: { language: string }): { 'dc:language': string | undefined } {
  return { 'dc:language': language === feed ? undefined : language };
}
