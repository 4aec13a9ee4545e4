import { createHmac } from 'node:crypto';
import { and, eq, inArray, isNotNull, isNull, lt, notInArray, or, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Mail } from '../gateways.ts';
import { widerNetworkOf } from '../identity/networks.ts';
import { users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import { purgeRows } from '../kernel/purge.ts';
import { formatDay } from '#formats/times.ts';
import type { Limits } from '../settings/limits.ts';
import { mailTo } from '../identity/account-language.ts';
import { feedStoppedMail } from './mails.ts';
import { feedUses, privateFeeds } from './tables.ts';

/** `audioId`: the downloaded one; undefined for other content, for which only the network counts. */
export type Use = { feedId: string; audioId: string | undefined; address: string };
/** `isFirst`: of this audio by this feed today. */
export type UseOutcome = { ok: true; isFirst: boolean } | { ok: false; reason: 'too-many' | 'stopped' };

type FeedRow = typeof privateFeeds.$inferSelect;

/** Remembered uses: the ranges of one download and repeated requests cause few writes. */
const maxRemembered = 50_000;
/** A run ends after this many failed mails: the mail server is down. */
const maxFailed = 10;

/**
 * Counts the audios that a feed downloads and the networks that use its address, by the day (UTC), and stops a feed
 * that too many networks use. Both are kept as keyed hashes of that feed and day only.
 */
export function openUses({
  db,
  secret,
  limits,
  mail,
  site,
}: {
  db: Db;
  secret: string;
  limits: () => Pick<Limits, 'feedDownloadsPerDay' | 'feedNetworksPerDay'>;
  mail: Pick<Mail, 'send'>;
  site: MailSite;
}) {
  const counted = new LRUCache<string, true>({ max: maxRemembered });

  /**
   * Tells each user once that a feed was stopped. A failed mail is retried with the next call, and does not block the
   * others.
   * @returns how many were told
   * @throws the first failure, after all others were tried
   */
  async function notifyOfStopped(): Promise<number> {
    const failed: string[] = [];
    let failure: { error: unknown } | undefined;
    for (let notified = 0; failed.length < maxFailed;) {
      const feed = await claimStopped(failed);
      if (feed === undefined && failure === undefined) return notified;
      if (feed === undefined) break;
      const isFeed = eq(privateFeeds.id, feed.id);
      try {
        await sendStoppedMail(feed);
        await db
          .update(privateFeeds)
          .set({ notifiedAt: sql`now()`, notifyingUntil: null })
          .where(isFeed);
        notified += 1;
      } catch (error) {
        failure ??= { error };
        failed.push(feed.id);
        await db.update(privateFeeds).set({ notifyingUntil: null }).where(isFeed);
      }
    }
    throw failure?.error;
  }

  /** For ten minutes, in case this process dies; another one may send the next mail meanwhile. */
  async function claimStopped(except: string[]): Promise<FeedRow | undefined> {
    const isWaiting = and(isNotNull(privateFeeds.stoppedAt), isNull(privateFeeds.notifiedAt));
    const isFree = or(isNull(privateFeeds.notifyingUntil), lt(privateFeeds.notifyingUntil, sql`now()`));
    const free = db
      .select({ id: privateFeeds.id })
      .from(privateFeeds)
      .where(and(isWaiting, isFree, notInArray(privateFeeds.id, except)))
      .limit(1)
      .for('no key update', { skipLocked: true });
    const [feed] = await db
      .update(privateFeeds)
      .set({ notifyingUntil: sql`now() + interval '10 minutes'` })
      .where(inArray(privateFeeds.id, free))
      .returning();
    return feed;
  }

  /** Sent before it is marked, so that no mail is lost; a duplicate has the same Message-ID. */
  async function sendStoppedMail({ id, userId, createdAt, stoppedAt }: FeedRow): Promise<void> {
    const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
    if (user === undefined || user.email === null) return;
    const messageMark = markOf(`feed ${id} stopped ${stoppedAt?.toISOString()}`);
    const message = await mailTo(db, user.email, () =>
      feedStoppedMail(site, { made: formatDay(createdAt), networks: limits().feedNetworksPerDay }),
    );
    await mail.send({ ...message, messageMark });
  }

  function markOf(what: string): string {
    return createHmac('sha256', secret).update(what).digest('base64url').slice(0, 32);
  }

  return {
    notifyOfStopped,

    /** Call before answering: a refused use gets no content. */
    async countUse({ feedId, audioId, address }: Use): Promise<UseOutcome> {
      const day = new Date().toISOString().slice(0, 10);
      const ofToday = (what: string) => markOf(`feed ${feedId} ${day} ${what}`);
      const download = audioId === undefined ? undefined : ofToday(`audio ${audioId}`);
      const network = ofToday(`network ${placeOf(address)}`);
      const key = `${feedId} ${download ?? ''} ${network}`;
      if (counted.has(key)) return { ok: true, isFirst: false };
      const outcome = await db.transaction(async (tx): Promise<UseOutcome> => {
        const [feed] = await tx
          .select({ stoppedAt: privateFeeds.stoppedAt })
          .from(privateFeeds)
          .where(eq(privateFeeds.id, feedId))
          .for('no key update');
        if (feed === undefined || feed.stoppedAt !== null) return { ok: false, reason: 'stopped' };
        const count = (kind: 'download' | 'network') =>
          tx.$count(feedUses, and(eq(feedUses.feedId, feedId), eq(feedUses.day, day), eq(feedUses.kind, kind)));
        const add = async (kind: 'download' | 'network', mark: string) =>
          (await tx.insert(feedUses).values({ feedId, day, kind, mark }).onConflictDoNothing()).rowCount === 1;
        const { feedDownloadsPerDay, feedNetworksPerDay } = limits();
        if ((await add('network', network)) && (await count('network')) > feedNetworksPerDay) {
          await tx
            .update(privateFeeds)
            .set({ stoppedAt: sql`now()` })
            .where(eq(privateFeeds.id, feedId));
          return { ok: false, reason: 'stopped' };
        }
        if (download === undefined || !(await add('download', download))) return { ok: true, isFirst: false };
        if ((await count('download')) <= feedDownloadsPerDay) return { ok: true, isFirst: true };
        await tx
          .delete(feedUses)
          .where(
            and(
              eq(feedUses.feedId, feedId),
              eq(feedUses.day, day),
              eq(feedUses.kind, 'download'),
              eq(feedUses.mark, download),
            ),
          );
        return { ok: false, reason: 'too-many' };
      });
      if (outcome.ok) counted.set(key, true);
      // The job retries failures.
      else if (outcome.reason === 'stopped') await notifyOfStopped().catch(() => undefined);
      return outcome;
    },

    /** Keeps yesterday, so that a night in any time zone stays whole. @returns how many were deleted */
    purgeOldUses: (signal?: AbortSignal) =>
      purgeRows(db, feedUses, lt(feedUses.day, sql`(now() at time zone 'UTC')::date - 1`), signal, feedUses.day),
  };
}

/** A provider's customers move within these networks: /24 of IPv4, /48 of IPv6. @param address as of `networkOf` */
function placeOf(address: string): string {
  return widerNetworkOf(address) ?? address.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1');
}
