import { createHmac } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Mail } from '../gateways.ts';
import { widerNetworkOf } from '../identity/networks.ts';
import { users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import { purgeRows } from '../kernel/purge.ts';
import { formatDay } from '../kernel/rules.ts';
import type { Limits } from '../settings/limits.ts';
import { feedStoppedMail } from './mails.ts';
import { feedUses, privateFeeds } from './tables.ts';

export type Use = { feedId: string; audioId: string; address: string };
/** `isFirst`: of this audio by this feed today. */
export type UseOutcome = { ok: true; isFirst: boolean } | { ok: false; reason: 'too-many' | 'stopped' };

/** The uses of two processes and of the ranges of one download, so that few of them write. */
const mostRemembered = 50_000;

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
  const counted = new LRUCache<string, true>({ max: mostRemembered });

  /** Tells each user once that a feed was stopped. @returns how many were told */
  async function tellOfStopped(): Promise<number> {
    const { rows } = await db.execute<{ id: string; user_id: string; created_at: string }>(sql`
      update private_feeds set told_at = now() where id in (
        select id from private_feeds where stopped_at is not null and told_at is null limit 100 for update skip locked)
      returning id, user_id, created_at`);
    for (const { user_id: userId, created_at: createdAt } of rows) {
      const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
      if (user === undefined || user.email === null) continue;
      const values = { made: formatDay(new Date(createdAt)), networks: limits().feedNetworksPerDay };
      await mail.send({ to: user.email, ...feedStoppedMail(site, values) });
    }
    return rows.length;
  }

  return {
    tellOfStopped,

    /** Call before the answer: what is refused is not given. */
    async countUse({ feedId, audioId, address }: Use): Promise<UseOutcome> {
      const day = new Date().toISOString().slice(0, 10);
      const markOf = (what: string) =>
        createHmac('sha256', secret).update(`feed ${feedId} ${day} ${what}`).digest('base64url').slice(0, 32);
      const [download, network] = [markOf(`audio ${audioId}`), markOf(`network ${placeOf(address)}`)];
      const key = `${feedId} ${download} ${network}`;
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
        if (!(await add('download', download))) return { ok: true, isFirst: false };
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
      else if (outcome.reason === 'stopped') await tellOfStopped();
      return outcome;
    },

    /** Yesterday's stay for a night, whatever the zone of who looks. @returns how many were deleted */
    purgeOldUses: (signal?: AbortSignal) =>
      purgeRows(db, feedUses, lt(feedUses.day, sql`(now() at time zone 'UTC')::date - 1`), signal, feedUses.day),
  };
}

/** A provider's customers move within these: /24 of IPv4, /48 of IPv6. @param address as of `networkOf` */
function placeOf(address: string): string {
  return widerNetworkOf(address) ?? address.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1');
}
