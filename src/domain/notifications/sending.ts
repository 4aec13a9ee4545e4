import { setTimeout as wait } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { inLanguage } from '#i18n';
import type { Mail, Push } from '../gateways.ts';
import { batch } from '../kernel/batch.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { afterQuietHours } from './delivery-times.ts';
import { type DueUser, readNews } from './notification-lists.ts';
import { findPreferencesOf } from './preferences.ts';
import { type NewsPreferences, canReceiveNews } from './rules.ts';

export type SendingParts = {
  db: Db;
  mail: Mail;
  push: Push;
  site: MailSite;
  secret: string;
};

/** After this time a claim expires: its process was probably killed. */
const claimedMinutes = 10;

type Channel = 'mail' | 'push';

const claimedUsers = 500;
/** Messages sent concurrently. They share writes, and so need few database connections. */
const atOnce = 24;

const columns = { mail: sql`mail_due_at`, push: sql`push_due_at` };

/** The due news of one user, for one message. */
type Message = DueUser & {
  ids: string[];
  preferences: NewsPreferences;
  /** The news are sent, or due again at that time. */
  settle(againAt?: Date | null): Promise<void>;
};

/** Ids of due news by user. */
type Claimed = Map<string, string[]>;

type Round = {
  send(message: Message): Promise<void>;
  /** Default: all. The news of others count as sent. */
  isReached?(userId: string): boolean;
};

export type OpenRound = (
  claimed: Claimed,
  settle: (ids: string[], againAt?: Date | null) => Promise<void>,
) => Round | Promise<Round>;

/**
 * Sends all due news, each user’s as one message and outside their quiet hours.
 * @param openRound prepares the messages to these users
 */
export async function sendDue(db: Db, channel: Channel, openRound: OpenRound, signal?: AbortSignal): Promise<void> {
  const settle = openSettling(db, channel);
  for (;;) {
    signal?.throwIfAborted();
    const claimed = await claimDue(db, channel);
    if (claimed.size === 0) return;
    const [users, preferencesOf, { send, isReached = () => true }] = await Promise.all([
      readNews(db, [...claimed.values()].flat()),
      findPreferencesOf(db, [...claimed.keys()]),
      openRound(claimed, settle),
    ]);
    const reached = new Map(users.flatMap((user) => (isReached(user.userId) ? [[user.userId, user] as const] : [])));
    await settle([...claimed].flatMap(([userId, ids]) => (reached.has(userId) ? [] : ids)));
    await settleEach(
      [...reached.values()],
      async (user) => {
        // Unsent ones are due again when the lease of a dead process expires.
        if (signal?.aborted === true) return;
        const ids = claimed.get(user.userId) ?? [];
        const preferences = preferencesOf(user.userId);
        // Retries, and news that waited for this job, may be due in quiet hours.
        const now = new Date();
        const allowedAt = afterQuietHours(now, preferences);
        if (allowedAt > now) return settle(ids, allowedAt);
        const news = user.news.filter(({ kind }) => canReceiveNews(preferences, channel, kind));
        const message = { ...user, news, ids, preferences, settle: (againAt?: Date | null) => settle(ids, againAt) };
        await inLanguage(user.language, () => send(message));
      },
      { atOnce },
    );
  }
}

/** Leases due news; each goes to one process. */
export async function claimDue(db: Db, channel: Channel): Promise<Claimed> {
  const dueAt = columns[channel];
  // All due news of one user, so that they become one message.
  const { rows } = await db.execute<{ id: string; userId: string }>(sql`
    with due as (select distinct user_id from
      (select user_id from notifications where ${dueAt} <= now() order by ${dueAt} limit ${claimedUsers}) first)
    update notifications n set ${dueAt} = now() + make_interval(mins => ${claimedMinutes})
    from due where n.user_id = due.user_id and n.${dueAt} <= now()
    returning n.id, n.user_id as "userId"`);
  const claimed: Claimed = new Map();
  for (const { id, userId } of rows) claimed.set(userId, [...(claimed.get(userId) ?? []), id]);
  return claimed;
}

/** Writes of the same moment in one call of `write`, 500 at most. */
export function batchWrites<Input>(write: (inputs: Input[]) => PromiseLike<unknown>): (input: Input) => Promise<void> {
  return batch<Input, void>({
    max: 500,
    async run(inputs) {
      await write(inputs);
      return inputs.map(() => undefined);
    },
  });
}

type Settled = { ids: string[]; againAt: Date | null };

/** Ends a claim: done, or retried at that time. Claims that end at the same moment share one statement. */
function openSettling(db: Db, channel: Channel): (ids: string[], againAt?: Date | null) => Promise<void> {
  const dueAt = columns[channel];
  const settle = batchWrites(async (all: Settled[]) => {
    const rows = all.flatMap(({ ids, againAt }) => ids.map((id) => ({ id, at: againAt?.toISOString() ?? null })));
    await db.execute(sql`
      update notifications n set ${dueAt} = s.at
      from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(rows.map(({ at }) => at))}::timestamptz[])
        s (id, at) where n.id = s.id`);
  });
  return async (ids, againAt = null) => {
    if (ids.length > 0) await settle({ ids, againAt });
  };
}

/** Same for the same news, so that mail programs and push services recognize a repetition. */
export function markOf(userId: string, ids: string[]): string {
  return createHash('sha256')
    .update([userId, ...ids.toSorted()].join(' '))
    .digest('base64url')
    .slice(0, 32);
}

/** Limits the rate per second, in short intervals. */
export function createPace(perSecond: number): (count: number, signal?: AbortSignal) => Promise<void> {
  let freeAt = performance.now();
  return async (count, signal) => {
    freeAt = Math.max(freeAt, performance.now() - 1000) + (count * 1000) / perSecond;
    const ahead = freeAt - performance.now();
    if (ahead > 0) await wait(ahead, undefined, signal && { signal });
  };
}
