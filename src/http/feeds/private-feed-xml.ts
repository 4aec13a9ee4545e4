import type { Episode } from '#domain/catalogue/episodes.ts';
import type { FeedContent } from '#domain/feeds/content.ts';
import type { OpenedFeed } from '#domain/feeds/feeds.ts';
import type { FeedKind } from '#domain/feeds/rules.ts';
import type { Site } from '#domain/site.ts';
import {
  type PodcastChannel,
  chaptersAt,
  episodeDescription,
  episodeGuid,
  feedCoverOf,
  feedDescription,
  itemLanguage,
  mainLanguage,
  personsOf,
  podcastChannel,
  podcastGuid,
  podcastNamespaces,
  rfc822,
  rss,
} from './rss.ts';
import { i18n } from '#i18n';
import type { XmlNode } from './xml.ts';

type Facts = Site['facts'];

/** Reason why a feed has a single explaining item instead of audios, or one before them (`payment`). */
export type Notice = 'ended' | 'paused' | 'payment' | 'stopped' | 'gone' | 'empty' | 'age';

/** Sound of an explaining item: podcast apps show none without one. `path`: below the address of the feed. */
export type NoticeSound = { path: string; mime: string; bytes: number; seconds: number };

const noticeTexts: Record<Notice, (facts: Facts) => { title: string; text: string; page: string }> = {
  ended: ({ name }) => ({
    title: i18n._(/*i18n*/ { id: 'feed.ended', message: 'Your subscription has ended' }),
    text: i18n._(
      /*i18n*/ {
        id: 'feed.ended-why',
        message:
          'This feed is part of a subscription to {name}, and yours has ended. Subscribe again, and your audios return to this feed automatically.',
        values: { name },
      },
    ),
    page: '/account/subscription',
  }),
  paused: ({ name }) => ({
    title: i18n._(/*i18n*/ { id: 'feed.paused', message: 'Your subscription is paused' }),
    text: i18n._(
      /*i18n*/ {
        id: 'feed.paused-why',
        message:
          'This feed is part of a subscription to {name}, and yours is paused. When it goes on, your audios return to this feed automatically.',
        values: { name },
      },
    ),
    page: '/account/subscription',
  }),
  payment: ({ name }) => ({
    title: i18n._(/*i18n*/ { id: 'feed.payment', message: 'Your last payment failed' }),
    text: i18n._(
      /*i18n*/ {
        id: 'feed.payment-why',
        message:
          'The last payment for your subscription to {name} did not go through. Update your payment method, and this feed goes on.',
        values: { name },
      },
    ),
    page: '/account/subscription',
  }),
  stopped: ({ name }) => ({
    title: i18n._(/*i18n*/ { id: 'feed.stopped', message: 'This feed was stopped' }),
    text: i18n._(
      /*i18n*/ {
        id: 'feed.stopped-why',
        message:
          'The address of this feed was used from too many places on one day. If you are its owner, make a new address in your account at {name}, and add that one to this app.',
        values: { name },
      },
    ),
    page: '/account/feeds',
  }),
  gone: ({ name }) => ({
    title: i18n._(/*i18n*/ { id: 'feed.gone', message: 'This feed is no longer available' }),
    text: i18n._(
      /*i18n*/ {
        id: 'feed.gone-why',
        message:
          'The creator, series or playlist of this feed is no longer at {name}. You can remove the feed from this app.',
        values: { name },
      },
    ),
    page: '/account/feeds',
  }),
  age: ({ name }) => ({
    title: i18n._(/*i18n*/ { id: 'feed.age', message: 'Confirm your age' }),
    text: i18n._(
      /*i18n*/ {
        id: 'feed.age-why',
        message:
          'Your region asks for your age. Confirm it once at {name} while you are logged in, and your audios return to this feed automatically.',
        values: { name },
      },
    ),
    page: '/age/statement',
  }),
  empty: ({ name }) => ({
    title: i18n._(/*i18n*/ { id: 'feed.empty', message: 'No audios yet' }),
    text: i18n._(
      /*i18n*/ {
        id: 'feed.empty-why',
        message: 'Audios appear here as soon as there are some at {name}.',
        values: { name },
      },
    ),
    page: '/account/feeds',
  }),
};

export const kindTitle = (kind: FeedKind) => kindTitles[kind]();

const kindTitles: Record<FeedKind, () => string> = {
  all: () => i18n._(/*i18n*/ { id: 'feed.title.all', message: 'Everything' }),
  library: () => i18n._(/*i18n*/ { id: 'feed.title.library', message: 'My Library' }),
  voice: () => i18n._(/*i18n*/ { id: 'feed.title.voice', message: 'Creator' }),
  series: () => i18n._(/*i18n*/ { id: 'feed.title.series', message: 'Series' }),
  playlist: () => i18n._(/*i18n*/ { id: 'feed.title.playlist', message: 'Playlist' }),
  userPlaylist: () => i18n._(/*i18n*/ { id: 'feed.title.playlist', message: 'Playlist' }),
};

/** Reveals nothing about its user: anyone who sees the app sees the title. */
function titleOf({ name }: Facts, kind: FeedKind, subject: FeedContent['subject']): string {
  return `${subject?.title ?? kindTitle(kind)} · ${name}`;
}

function aboutOf({ name }: Facts, kind: FeedKind): string {
  if (kind === 'all')
    return i18n._(/*i18n*/ { id: 'feed.about-all', message: 'Everything at {name}, newest first.', values: { name } });
  return kind === 'library'
    ? i18n._(/*i18n*/ { id: 'feed.about-library', message: 'The audios of your Library.' })
    : kindTitle(kind);
}

/** @param base address of the feed without `.xml` */
function channelOf(
  facts: Facts,
  feed: OpenedFeed,
  base: string,
  { subject, episodes }: FeedContent,
): Omit<PodcastChannel, 'times'> {
  const { kind } = feed;
  return {
    title: titleOf(facts, kind, subject),
    description: subject?.description ?? aboutOf(facts, kind),
    page: facts.url + (subject?.page ?? (kind === 'library' ? '/library' : '/audios')),
    feed: `${base}.xml`,
    guid: guidOf(facts, feed),
    author: subject?.author,
    language: subject?.language ?? mainLanguage(episodes),
    cover: subject?.imageUrl ? feedCoverOf(facts.url, subject.imageUrl) : `${base}/cover.jpg`,
    isSerial: false,
  };
}

function feedOf(facts: Facts, channel: PodcastChannel, items: XmlNode[]): string {
  const email = facts.operator?.email;
  return rss(
    // No hub may learn a secret address.
    podcastChannel({ ...facts, feedHub: undefined }, channel, items, {
      // Directories must not list it, and other hosts must not import it.
      'itunes:block': 'Yes',
      'podcast:locked': email ? { '@owner': email, '#text': 'yes' } : 'yes',
    }),
    podcastNamespaces,
  );
}

/** Stable for a podcast when its user renews the address. */
function guidOf({ url }: Facts, { kind, subjectId, viewer }: OpenedFeed): string {
  return podcastGuid(`${url}/feeds/${kind}/${subjectId ?? (kind === 'library' ? viewer.id : '')}`);
}

/**
 * @param base address of the feed without `.xml`
 * @param due a payment has failed since then: told before the audios
 */
export function feedXml(
  facts: Facts,
  feed: OpenedFeed,
  base: string,
  content: FeedContent,
  due?: { since: Date; sound: NoticeSound },
): string {
  const { episodes, welcomeId } = content;
  const times = episodes.map(({ publishedAt }) => publishedAt.toISOString());
  const channel = { ...channelOf(facts, feed, base, content), isSerial: feed.kind === 'series', times };
  const items = episodes.map((episode) =>
    itemOf(facts, base, episode, {
      feedLanguage: channel.language,
      isTrailer: episode.id === welcomeId,
      // GUIDs of several creators could be the same.
      keepsGuids: feed.kind === 'voice',
    }),
  );
  return feedOf(facts, channel, [
    ...(due ? [noticeItem(facts, base, 'payment', due.since.toISOString(), due.sound, 'due')] : []),
    ...items,
  ]);
}

/** @param options `isTrailer`: apps show it first; `keepsGuids`: of the feed that its episodes were imported from */
function itemOf(
  { url }: Facts,
  base: string,
  episode: Episode,
  { feedLanguage, isTrailer, keepsGuids }: { feedLanguage: string; isTrailer: boolean; keepsGuids: boolean },
): XmlNode {
  const { id, slug, title, imageUrl, durationMs, number, voice } = episode;
  const files = `${base}/${id}`;
  return {
    title,
    link: `${url}/audio/${slug}`,
    guid: episodeGuid(id, keepsGuids ? episode.guid : null),
    pubDate: rfc822(episode.publishedAt.toISOString()),
    description: episodeDescription(episode),
    enclosure: {
      '@url': `${files}/${slug}${episode.extension}`,
      '@length': episode.bytes,
      '@type': episode.mime,
    },
    ...itemLanguage(feedLanguage, episode),
    'itunes:title': title,
    'itunes:author': voice.name,
    'itunes:duration': Math.max(1, Math.round(durationMs / 1000)),
    'itunes:explicit': 'true',
    'itunes:episodeType': isTrailer ? 'trailer' : 'full',
    'itunes:episode': number ?? undefined,
    'itunes:image': imageUrl === null ? undefined : { '@href': feedCoverOf(url, imageUrl) },
    'podcast:transcript': episode.transcripts?.map((language, index) => ({
      '@url': `${files}/transcript${index === 0 ? '' : `.${language}`}.vtt`,
      '@type': 'text/vtt',
      '@language': language,
    })),
    'podcast:chapters': episode.hasChapters ? chaptersAt(`${files}/chapters.json`) : undefined,
    'podcast:person': personsOf(url, episode),
  };
}

/**
 * @param time of what happened
 * @param id of the feed, or of what its readers have in common
 */
function noticeItem(
  facts: Facts,
  base: string,
  notice: Notice,
  time: string,
  { path, mime, bytes, seconds }: NoticeSound,
  id: string,
): XmlNode {
  const { title, text, page } = noticeTexts[notice](facts);
  return {
    title,
    link: facts.url + page,
    // A new id for each time that it happens, so that apps show it again.
    guid: { '@isPermaLink': 'false', '#text': `${id} ${notice} ${time.slice(0, 10)}` },
    pubDate: rfc822(time),
    description: feedDescription(text),
    enclosure: { '@url': `${base}/${path}`, '@length': bytes, '@type': mime },
    'itunes:duration': seconds,
    'itunes:explicit': 'true',
    'itunes:episodeType': 'full',
  };
}

/** A valid feed with one item that explains why there are no audios. */
export function noticeXml(
  facts: Facts,
  feed: OpenedFeed,
  base: string,
  { notice, sound }: { notice: Notice; sound: NoticeSound },
): string {
  const { id, createdAt, endedAt, hold } = feed;
  const channel = channelOf(facts, feed, base, { subject: undefined, episodes: [] });
  const since = notice === 'ended' ? endedAt : notice === 'paused' ? hold?.since : undefined;
  const time = (since ?? createdAt).toISOString();
  return feedOf(
    facts,
    {
      ...channel,
      description: noticeTexts[notice](facts).text,
      // Nothing is drawn for a subject that is gone.
      cover: notice === 'gone' ? undefined : channel.cover,
      times: [time],
    },
    [noticeItem(facts, base, notice, time, sound, id)],
  );
}
