import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { seesEverything } from '#domain/catalogue/visibility.ts';
import type { FeedContent } from '#domain/feeds/content.ts';
import type { OpenedFeed } from '#domain/feeds/feeds.ts';
import type { FeedRecording } from '#domain/feeds/rules.ts';
import { isEntitled } from '#domain/membership/rules.ts';
import type { Site } from '#domain/site.ts';
import { firstOffered } from '#formats/languages.ts';
import { inLanguage, language } from '#i18n';
import { tagOf } from '../cached-text.ts';
import { type CachedBody, toCachedBody } from '../compression.ts';
import { type Notice, type NoticeSound, feedXml, noticeXml } from './private-feed-xml.ts';

/** Placeholder for a token in a text that several feeds share. Random per process, so that no title contains it. */
const tokenMark = `token-${crypto.randomUUID()}`;

/** How long a content is served without asking the database again. */
const freshMs = 30_000;
const maxContentBytes = 48 * 1024 * 1024;
const maxBodyBytes = 48 * 1024 * 1024;

type Entry = { version: string; xml: string; until: number };

/** `body` is rendered on demand: a podcast app with the current version needs none. */
export type FeedText = { etag: string; body(): CachedBody };

/**
 * The XML of private feeds. Feeds with the same content share one text, rendered again only when the content changes;
 * they differ in the token.
 */
export function openFeedTexts({
  site,
  sound,
  now = Date.now,
}: {
  site: Site;
  /** The sound of items that explain something, where the creator has none of their own. */
  sound: NoticeSound;
  now?: () => number;
}) {
  const { facts } = site;
  const baseOf = (token: string) => `${facts.url}/feeds/${token}`;
  const entries = new LRUCache<string, Entry>({
    maxSize: maxContentBytes,
    sizeCalculation: ({ xml }) => 2 * xml.length + 1,
  });
  const reading = new Map<string, Promise<Entry | Notice>>();
  const bodies = new LRUCache<string, CachedBody>({
    maxSize: maxBodyBytes,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });

  async function read(key: string, feed: OpenedFeed): Promise<Entry | Notice> {
    const since = dueSince(feed);
    const [content, due] = await Promise.all([
      site.feeds.findContent(feed),
      since && soundOf(feed, 'payment').then((own) => ({ since, sound: own })),
    ]);
    if (content === undefined) return 'gone';
    if (content.episodes.length === 0) return 'empty';
    const version = versionOf(content, due);
    const before = entries.get(key);
    const xml = before?.version === version ? before.xml : feedXml(facts, feed, baseOf(tokenMark), content, due);
    const entry = { version, xml, until: now() + freshMs };
    entries.set(key, entry);
    return entry;
  }

  /** The creator's own recording, or the site's. */
  async function soundOf(feed: OpenedFeed, what: FeedRecording): Promise<NoticeSound> {
    const own = await site.feeds.findFeedRecording(feed, what);
    return own === undefined ? sound : { ...own, path: `${what}/${own.slug}${own.extension}` };
  }

  function versionOf(content: FeedContent, due: unknown): string {
    const { name, url, operator } = facts;
    return createHash('sha256')
      .update(JSON.stringify([name, url, operator, language(), content, due]))
      .digest('base64url');
  }

  async function find(feed: OpenedFeed): Promise<Entry | Notice> {
    const key = contentKey(feed);
    const entry = entries.get(key);
    if (entry !== undefined && entry.until > now()) return entry;
    const running = reading.get(key) ?? read(key, feed).finally(() => reading.delete(key));
    reading.set(key, running);
    return running;
  }

  async function textOf(feed: OpenedFeed, token: string, asksAge: boolean): Promise<FeedText> {
    const content = noticeOf(feed, asksAge) ?? (await find(feed));
    if (typeof content === 'string') {
      const own = content === 'ended' ? await soundOf(feed, 'farewell') : sound;
      const xml = noticeXml(facts, feed, baseOf(token), { notice: content, sound: own });
      const body = new TextEncoder().encode(xml);
      const etag = tagOf(body);
      return { etag, body: () => toCachedBody(body, etag) };
    }
    const etag = createHash('sha256').update(`${content.version} ${token}`).digest('base64url').slice(0, 22);
    return {
      etag,
      body() {
        const cachedBody = bodies.get(etag);
        if (cachedBody !== undefined) return cachedBody;
        const newBody = toCachedBody(new TextEncoder().encode(content.xml.replaceAll(tokenMark, token)), etag);
        bodies.set(etag, newBody);
        return newBody;
      },
    };
  }

  return {
    /** Current response for this feed's address. @param token of that address @param asksAge its account has to confirm */
    textOf: (feed: OpenedFeed, token: string, asksAge = false): Promise<FeedText> =>
      inFeedLanguage(site, feed, () => textOf(feed, token, asksAge)),
  };
}

function noticeOf({ isStopped, viewer, hold }: OpenedFeed, asksAge: boolean): Notice | undefined {
  if (isStopped) return 'stopped';
  if (!isEntitled(viewer)) return hold?.state === 'paused' ? 'paused' : 'ended';
  return asksAge ? 'age' : undefined;
}

const dueSince = ({ hold }: OpenedFeed) => (hold?.state === 'past-due' ? hold.since : undefined);

/** Feeds with the same key have the same content. */
function contentKey(feed: OpenedFeed): string {
  const { kind, subjectId, viewer } = feed;
  const isOwn = kind === 'library' || kind === 'userPlaylist' || !seesEverything(viewer);
  return [kind, subjectId ?? '', isOwn ? viewer.id : '', language(), dueSince(feed)?.toISOString() ?? ''].join(' ');
}

/** A podcast app names no language that people chose for this site, so that of the account counts. */
export function inFeedLanguage<Result>(
  { facts }: Pick<Site, 'facts'>,
  { viewer }: OpenedFeed,
  act: () => Result,
): Result {
  return inLanguage(firstOffered(facts.languages, [viewer.language]), act);
}
