import type { License } from '#domain/catalogue/rules.ts';
import type { Site } from '#domain/site.ts';
import { i18n } from '#i18n';
import type { XmlNode } from './xml.ts';
import { podcastGuid } from './rss.ts';

type Facts = Site['facts'];

export type PodcastFacts = {
  title: string;
  /** Absolute address of its page. */
  page: string;
  /** Publication times of the items, in ISO 8601. */
  times: string[];
  /** The choice of its creator. */
  license: License | '';
  directoryText: string;
  /** Creators with a feed. */
  recommended: { slug: string; name: string }[];
};

/**
 * Facts of a public feed in the podcast namespace (https://podcasting2.org/docs/podcast-namespace).
 * @param url of the site in the feed’s language
 */
export function podcastFacts(
  facts: Facts,
  url: string,
  { title, page, times, license, directoryText, recommended }: PodcastFacts,
  now = Date.now(),
): Record<string, XmlNode> {
  const email = facts.operator?.email;
  return {
    'podcast:funding': {
      '@url': page,
      // The namespace's limit.
      '#text': [...support(facts, title)].slice(0, 128).join(''),
    },
    // Other hosts ask the owner before they import it.
    'podcast:locked': email === undefined ? undefined : { '@owner': email, '#text': 'yes' },
    'podcast:updateFrequency': rhythmOf(times, now),
    'podcast:license': license === '' ? undefined : { '@url': licenseUrl(license), '#text': license },
    'podcast:txt': directoryText === '' ? undefined : { '@purpose': 'verify', '#text': directoryText },
    'podcast:podroll': recommended.length === 0 ? undefined : podroll(facts.url, url, recommended),
  };
}

const support = ({ name }: Facts, title: string) =>
  i18n._(/*i18n*/ { id: 'feed.support', message: 'Support {title} at {name}', values: { title, name } });

function licenseUrl(license: License): string {
  if (license === 'cc0-1.0') return 'https://creativecommons.org/publicdomain/zero/1.0/';
  const [, terms, version] = /^cc-(.+)-([\d.]+)$/.exec(license) ?? [];
  return `https://creativecommons.org/licenses/${terms}/${version}/`;
}

/** From the shortest; the rule is that of RFC 5545. */
const rhythms: { days: number; rule?: string; text: () => string }[] = [
  { days: 1.5, rule: 'FREQ=DAILY', text: () => i18n._(/*i18n*/ { id: 'feed.daily', message: 'Every day' }) },
  { days: 4.5, text: () => i18n._(/*i18n*/ { id: 'feed.often', message: 'Several times a week' }) },
  { days: 10, rule: 'FREQ=WEEKLY', text: () => i18n._(/*i18n*/ { id: 'feed.weekly', message: 'Every week' }) },
  {
    days: 20,
    rule: 'FREQ=WEEKLY;INTERVAL=2',
    text: () => i18n._(/*i18n*/ { id: 'feed.fortnightly', message: 'Every two weeks' }),
  },
  { days: 45, rule: 'FREQ=MONTHLY', text: () => i18n._(/*i18n*/ { id: 'feed.monthly', message: 'Every month' }) },
];
const fewest = 4;
const latest = 10;
const dayMs = 86_400_000;

/** How often new audios come, by the median of the latest gaps; undefined for few, seldom ones and a pause. */
function rhythmOf(times: string[], now: number): XmlNode | undefined {
  const published = times.map((time) => Date.parse(time)).toSorted((one, other) => other - one);
  const [newest] = published;
  if (newest === undefined || published.length < fewest) return undefined;
  const gaps = published
    .slice(1, latest + 1)
    .map((time, index) => (published[index] ?? time) - time)
    .toSorted((one, other) => one - other);
  const days = (gaps[Math.floor(gaps.length / 2)] ?? 0) / dayMs;
  const rhythm = rhythms.find((one) => days <= one.days);
  if (rhythm === undefined || now - newest > 3 * rhythm.days * dayMs) return undefined;
  return { '@rrule': rhythm.rule, '#text': rhythm.text() };
}

/** Feeds that a creator recommends. */
function podroll(siteUrl: string, url: string, recommended: PodcastFacts['recommended']): XmlNode {
  const items = recommended.map(({ slug, name }) => ({
    '@feedGuid': podcastGuid(`${siteUrl}/creators/${slug}/feed.xml`),
    '@feedUrl': `${url}/creators/${slug}/feed.xml`,
    '@medium': 'podcast',
    '@title': name,
  }));
  return { 'podcast:remoteItem': items };
}
