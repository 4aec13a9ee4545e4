import { readFileSync, statSync } from 'node:fs';
import { type Context, Hono } from 'hono';
import { writeChapters } from '#domain/catalogue/chapter-rules.ts';
import { writeVtt } from '#domain/catalogue/cue-rules.ts';
import type { OpenedFeed } from '#domain/feeds/feeds.ts';
import { hasSubject } from '#domain/feeds/rules.ts';
import type { Cards } from '#domain/gateways.ts';
import { isEntitled } from '#domain/membership/rules.ts';
import type { Site } from '#domain/site.ts';
import type { AgeGates } from '../age/age-gate.ts';
import { createChangeTimes } from '../change-times.ts';
import { tagOf } from '../cached-text.ts';
import { sendCached, tagsOfCopies, toCachedBody } from '../compression.ts';
import { drawnPictures } from '../files/drawn-pictures.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import type { PlayableFile } from '#domain/listening/media.ts';
import { inDrawnLanguage } from '../files/address-language.ts';
import { type FileOptions, answerFile, answerWithFile } from '../files/media.ts';
import { inFeedLanguage, openFeedTexts } from './private-feed-texts.ts';
import { kindTitle } from './private-feed-xml.ts';
import { evaluatePreconditions } from '../files/ranges.ts';
import { type RateLimit, clientAddress } from '../limits/rate-limit.ts';
import { chaptersType, ratingHeader, rssType } from './rss.ts';

type PrivateFeedOptions = FileOptions & {
  site: Site;
  cards: Pick<Cards, 'drawFeedCover'>;
  rateLimit: RateLimit;
  trustProxy: number;
  ages: Pick<AgeGates, 'ofAccount'>;
};

/** Unknown addresses that a network may request per minute. */
const guessesPerMinute = 60;

const token = ':token{[A-Za-z0-9_-]{32}}';
const soundFiles = 'mp3|m4a|ogg|opus|flac|wav';

/** The address is a secret: no referrer, no search engine, no shared cache. */
const secretHeaders = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'private, no-cache',
};

/** Two soft tones, three seconds, for explaining items. */
const noticeUrl = new URL('./notice.m4a', import.meta.url);
const notice = readFileSync(noticeUrl);
const noticeFile: PlayableFile = {
  key: 'notice.m4a',
  mime: 'audio/mp4',
  bytes: notice.byteLength,
  etag: tagOf(notice),
  modifiedAt: statSync(noticeUrl).mtime,
  cache: 'private',
};
const noticeSound = { path: noticeFile.key, mime: noticeFile.mime, bytes: noticeFile.bytes, seconds: 3 };

/**
 * Feeds of subscribers for podcast apps: `/feeds/{token}.xml`, and below `/feeds/{token}/` their sound, chapters,
 * transcripts and cover. Each request checks the feed and its user's subscription.
 */
export function privateFeedRoutes(options: PrivateFeedOptions): Hono {
  const { site, cards, rateLimit, trustProxy, ages } = options;
  const app = new Hono();
  const texts = openFeedTexts({ site, sound: noticeSound });
  const answerCover = drawnPictures<{ title: string; siteName: string }>({
    draw: ({ title }) => cards.drawFeedCover(title),
    kept: 50,
    line: 50,
    cacheControl: 'private, max-age=86400',
  });

  app.use('/feeds/*', async (c, next) => {
    await next();
    // `context.header()` would rebuild the answer, and files would lose their fast path.
    for (const [name, value] of Object.entries(secretHeaders))
      if (name !== 'cache-control' || !c.res.headers.has(name)) c.res.headers.set(name, value);
  });

  function unknown(c: Context): Response {
    const isWithin = rateLimit(c, { kind: 'feed guesses', perMinute: guessesPerMinute });
    return errorResponse(isWithin ? 'request/not-found' : 'request/too-many');
  }

  /** The feed, if its user may hear this audio by it; otherwise the response. */
  async function feedFor(c: Context, audioId: string): Promise<OpenedFeed | Response> {
    const feed = await site.feeds.findFeed(c.req.param('token') ?? '');
    if (feed === undefined) return unknown(c);
    if (feed.isStopped) return tooMany();
    if (!isEntitled(feed.viewer)) return errorResponse('subscription/required');
    if ((await ages.ofAccount(c, feed.viewer.id)) !== 'open') return errorResponse('age/required');
    return (await site.feeds.feedHas(feed, audioId)) ? feed : errorResponse('request/not-found');
  }

  /**
   * Counts a use of the feed. HEAD transfers nothing, so it counts nothing.
   * @param audioId of a sound; undefined: only the network counts
   * @returns the response, when it is refused
   */
  async function refusalOf(c: Context, feed: OpenedFeed, audioId?: string): Promise<Response | undefined> {
    if (c.req.method === 'HEAD') return undefined;
    const address = clientAddress(c, trustProxy);
    const use = await site.feeds.countUse({ feedId: feed.id, audioId, address });
    if (!use.ok) return tooMany();
    // A play, once a day; the heard seconds are unknown, so the ledger has none.
    if (use.isFirst && audioId !== undefined)
      await site.listening.playAudio(feed.viewer, audioId, address, 'podcast_feed');
    return undefined;
  }

  /** The address belongs to one user, even when the audio is free. */
  const answerSound = (c: Context, { small: _small, ...file }: PlayableFile) =>
    answerFile(c, { ...file, cache: 'private' }, options);

  const changeTimes = createChangeTimes();
  app.get('/feeds/:file{[A-Za-z0-9_-]{32}\\.xml}', async (c) => {
    const secret = c.req.param('file').slice(0, -'.xml'.length);
    const feed = await site.feeds.findFeed(secret);
    if (feed === undefined) return unknown(c);
    const { etag, body } = await texts.textOf(feed, secret, (await ages.ofAccount(c, feed.viewer.id)) !== 'open');
    const modifiedAt = changeTimes(secret, etag);
    const isConditional = c.req.header('if-none-match') ?? c.req.header('if-modified-since');
    const unchanged = isConditional === undefined ? undefined : notModified(c.req.raw.headers, etag, modifiedAt);
    return (
      unchanged ??
      sendCached(body(), c.req.raw, { 'content-type': rssType, ...ratingHeader(site), ...secretHeaders }, modifiedAt)
    );
  });

  app.get(`/feeds/${token}/notice.m4a`, async (c) => {
    if ((await site.feeds.findFeed(c.req.param('token'))) === undefined) return unknown(c);
    // In ranges, because Apple's player refuses files without them.
    return answerWithFile(c.req.raw, noticeFile, notice.byteLength, async ({ start, end }) =>
      new Blob([notice.subarray(start, end + 1)]).stream(),
    );
  });

  // The creator's own recording for an explaining item: nobody else's sound, and only while the feed has the item.
  app.get(`/feeds/${token}/:what{payment|farewell}/:file{[a-z0-9-]{1,120}\\.(?:${soundFiles})}`, async (c) => {
    const feed = await site.feeds.findFeed(c.req.param('token'));
    if (feed === undefined) return unknown(c);
    if (feed.isStopped) return tooMany();
    const isEnded = !isEntitled(feed.viewer);
    const what = c.req.param('what') === 'farewell' ? 'farewell' : 'payment';
    const isDue = what === 'farewell' ? isEnded : !isEnded && feed.hold?.state === 'past-due';
    const recording = isDue ? await site.feeds.findFeedRecording(feed, what) : undefined;
    if (recording === undefined) return errorResponse('request/not-found');
    if ((await ages.ofAccount(c, feed.viewer.id)) !== 'open') return errorResponse('age/required');
    const outcome = await site.listening.findPlayableFile({ ...feed.viewer, isSubscribed: true }, recording.id, 'keep');
    if (!outcome.ok) return errorResponse('request/not-found');
    // Counts as a use of the feed by this network; no play: nobody chose to hear it.
    return (await refusalOf(c, feed)) ?? answerSound(c, outcome.file);
  });

  app.get(`/feeds/${token}/cover.jpg`, async (c) => {
    const feed = await site.feeds.findFeed(c.req.param('token'));
    if (feed === undefined) return unknown(c);
    const { kind, subjectId, viewer } = feed;
    if ((await ages.ofAccount(c, viewer.id)) !== 'open') return errorResponse('age/required');
    const title = hasSubject(kind)
      ? (await site.feeds.findSubject(viewer, kind, subjectId ?? ''))?.title
      : inFeedLanguage(site, feed, () => inDrawnLanguage(() => kindTitle(kind)));
    return answerCover(c.req, title === undefined ? undefined : { title, siteName: site.facts.name });
  });

  app.get(`/feeds/${token}/:audio/chapters.json`, async (c) => {
    const feed = await feedFor(c, c.req.param('audio'));
    if (feed instanceof Response) return feed;
    const audio = await site.catalogue.findAudio(c.req.param('audio'));
    const chapters = audio === undefined ? [] : await site.feeds.findChapters(audio.id);
    if (audio === undefined || chapters.length === 0) return errorResponse('request/not-found');
    const text = writeChapters({ title: audio.title, author: audio.voice.name, chapters });
    return textResponse(c, text, chaptersType);
  });

  app.get(`/feeds/${token}/:audio/:file{transcript(?:\\.[A-Za-z0-9-]{2,35})?\\.vtt}`, async (c) => {
    const id = c.req.param('audio');
    const feed = await feedFor(c, id);
    if (feed instanceof Response) return feed;
    const [, language] = c.req.param('file').split('.').slice(0, -1);
    const cues =
      language === undefined
        ? (await site.feeds.findTranscript(id))?.cues
        : await site.feeds.findTranslation(id, language);
    if (cues === undefined) return errorResponse('request/not-found');
    // Apps read transcripts ahead, so reading one is neither a download nor a play.
    return (await refusalOf(c, feed)) ?? textResponse(c, writeVtt(cues), 'text/vtt; charset=utf-8');
  });

  app.get(`/feeds/${token}/:audio/:file{[a-z0-9-]{1,120}\\.(?:${soundFiles})}`, async (c) => {
    const id = c.req.param('audio');
    const feed = await feedFor(c, id);
    if (feed instanceof Response) return feed;
    const outcome = await site.listening.findPlayableFile(feed.viewer, id, 'keep');
    if (!outcome.ok) return errorResponse(outcome.reason === 'stream-only' ? 'audio/stream-only' : 'request/not-found');
    return (await refusalOf(c, feed, id)) ?? answerSound(c, outcome.file);
  });

  app.get('/feeds/*', unknown);
  app.all('/feeds/*', refuseUnlessRead);
  return app;
}

/** A path for the log, without a feed's secret token. */
export function loggedPath(path: string): string {
  return path.replace(/^((?:\/[a-z]{2})?\/(?:feeds|consent)\/)[^/]+/, '$1…');
}

/** Until the next day (UTC), when the counts restart. */
function tooMany(): Response {
  const seconds = Math.ceil(86_400 - ((Date.now() / 1000) % 86_400));
  return errorResponse(
    'request/too-many',
    /*i18n*/ { id: 'error.feed-overused', message: 'This feed was used more than one listener would today.' },
    { 'retry-after': String(seconds) },
  );
}

/** 304 for a client with the current version, in any coding, without rendering the text. */
function notModified(headers: Headers, etag: string, modifiedAt: Date | undefined): Response | undefined {
  for (const tag of tagsOfCopies(etag))
    if (evaluatePreconditions(headers, { etag: tag, ...(modifiedAt && { modifiedAt }) }) === 'not-modified')
      return new Response(null, {
        status: 304,
        headers: {
          etag: `"${tag}"`,
          ...(modifiedAt && { 'last-modified': modifiedAt.toUTCString() }),
          vary: 'Accept-Encoding',
          ...secretHeaders,
        },
      });
  return undefined;
}

function textResponse(c: Context, text: string, type: string): Response | Promise<Response> {
  const body = new TextEncoder().encode(text);
  return sendCached(toCachedBody(body, tagOf(body)), c.req.raw, { 'content-type': type, ...secretHeaders });
}
