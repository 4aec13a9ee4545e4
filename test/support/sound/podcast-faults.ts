import { XMLParser, XMLValidator } from 'fast-xml-parser';
import sanitizeHtml from 'sanitize-html';

type Node = Record<string, unknown>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => name === 'item',
});
const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {});
const textOf = (value: unknown): string =>
  String(typeof value === 'object' ? (nodeOf(value)['#text'] ?? '') : (value ?? ''));

/** RFC 822 with the year in four digits, as the RSS Advisory Board's profile asks for, and the right day of the week. */
function isDate(text: string): boolean {
  const isForm =
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/.test(
      text,
    );
  return isForm && new Date(text).toUTCString() === text;
}

const isAddress = (text: string) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
const isCount = (value: unknown) => /^[1-9]\d*$/.test(textOf(value));
const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const audioTypes = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
};

/** A description as podcast apps show it, by an HTML parser: its text with its lines, and the names of its elements. */
export function readAsHtml(description: string | undefined): { text: string; elements: string[] } {
  const elements = new Set<string>();
  const note = (tagName: string, attribs: sanitizeHtml.Attributes) => {
    elements.add(tagName);
    return { tagName, attribs };
  };
  const lines = sanitizeHtml((description ?? '').replaceAll(/<br ?\/?>/g, '<br>\n'), {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: [],
    transformTags: { '*': note },
  });
  const text = lines.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return { text, elements: [...elements] };
}

const isPlain = (description: unknown) => readAsHtml(textOf(description)).elements.every((name) => name === 'br');

/**
 * Faults that podcast directories and feed checkers would report: RSS 2.0 and the RSS Advisory Board's profile, the rules of
 * the W3C's feed checker, Apple's requirements, and the Podcast namespace.
 * @param address of the feed
 */
export function podcastFaults(xml: string, address: string): string[] {
  if (XMLValidator.validate(xml) !== true) return ['is not well-formed XML'];
  const rss = nodeOf((parser.parse(xml) as Node)['rss']);
  const channel = nodeOf(rss['channel']);
  const items = (channel['item'] ?? []) as Node[];
  const self =
    [channel['atom:link']]
      .flat()
      .map(nodeOf)
      .find((link) => link['@rel'] === 'self') ?? {};
  const category = textOf(nodeOf(channel['itunes:category'])['@text']);
  const picture = nodeOf(channel['image']);
  const cover = textOf(nodeOf(channel['itunes:image'])['@href']);
  const faults = Object.entries({
    'version is not 2.0': rss['@version'] === '2.0',
    'a namespace is missing': ['atom', 'itunes', 'podcast'].every((name) => isAddress(textOf(rss[`@xmlns:${name}`]))),
    'no title': textOf(channel['title']) !== '',
    'link is no address': isAddress(textOf(channel['link'])),
    'no description, or a long one':
      textOf(channel['description']) !== '' && bytesOf(textOf(channel['description'])) <= 4000,
    'description has elements besides line breaks': isPlain(channel['description']),
    'language is not RFC 5646': /^[a-z]{2}(-[A-Z]{2})?$/.test(textOf(channel['language'])),
    'atom:link does not name the feed':
      self['@href'] === address && self['@rel'] === 'self' && self['@type'] === 'application/rss+xml',
    'lastBuildDate is no date': isDate(textOf(channel['lastBuildDate'])),
    'image does not repeat title and link':
      channel['image'] === undefined ||
      (picture['title'] === channel['title'] &&
        picture['link'] === channel['link'] &&
        isAddress(textOf(picture['url']))),
    'no author': textOf(channel['itunes:author']) !== '',
    'explicit is neither true nor false': /^(true|false)$/.test(textOf(channel['itunes:explicit'])),
    'type is neither serial nor episodic': /^(serial|episodic)$/.test(textOf(channel['itunes:type'])),
    'category is none of Apple’s': category === 'Arts',
    'cover is no JPEG or PNG': cover === '' || (isAddress(cover) && /\.(jpg|png)$/.test(cover)),
    'podcast:guid is no UUID of version 5':
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(textOf(channel['podcast:guid'])),
    'a guid is there twice': new Set(items.map(({ guid }) => textOf(guid))).size === items.length,
    'an episode number is there twice': isDistinct(items.map((item) => textOf(item['itunes:episode'])).filter(Boolean)),
    'a serial episode has no number':
      channel['itunes:type'] !== 'serial' || items.every((item) => isCount(item['itunes:episode'])),
  }).flatMap(([fault, isGood]) => (isGood ? [] : [fault]));
  return [...faults, ...items.flatMap((item) => itemFaults(item).map((fault) => `${textOf(item['title'])}: ${fault}`))];
}

const isDistinct = (values: string[]) => new Set(values).size === values.length;

function itemFaults(item: Node): string[] {
  const { enclosure, guid } = item;
  const file = nodeOf(enclosure);
  const extension = /\.(\w+)$/.exec(URL.parse(textOf(file['@url']))?.pathname ?? '')?.[1] ?? '';
  const picture = textOf(nodeOf(item['itunes:image'])['@href']);
  return Object.entries({
    'no title': textOf(item['title']) !== '',

    'link is no address': isAddress(textOf(item['link'])),
    'guid is no permanent name':
      textOf(guid) !== '' && nodeOf(guid)['@isPermaLink'] === 'false' && !isAddress(textOf(guid)),
    'pubDate is no date': isDate(textOf(item['pubDate'])),
    'no description, or a long one': textOf(item['description']) !== '' && bytesOf(textOf(item['description'])) <= 4000,
    'description has elements besides line breaks': isPlain(item['description']),
    'not one enclosure': !Array.isArray(enclosure) && isAddress(textOf(file['@url'])),
    'enclosure has no length': isCount(file['@length']),
    'enclosure’s type and extension differ': audioTypes[extension as keyof typeof audioTypes] === file['@type'],
    'duration is no seconds': isCount(item['itunes:duration']),
    'explicit is neither true nor false': /^(true|false)$/.test(textOf(item['itunes:explicit'])),
    'episode or season is no number': ['itunes:episode', 'itunes:season'].every(
      (name) => item[name] === undefined || isCount(item[name]),
    ),
    'cover is no JPEG or PNG': picture === '' || (isAddress(picture) && /\.(jpg|png)$/.test(picture)),
  }).flatMap(([fault, isGood]) => (isGood ? [] : [fault]));
}
