import { setTimeout as wait } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Mail, Push } from '../gateways.ts';
import { batch } from '../kernel/batch.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';

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

/** Messages sent concurrently. They share writes, and so need few database connections. */
export const atOnce = 24;

const columns = { mail: sql`mail_due_at`, push: sql`push_due_at` };

/** Leases due news; each goes to one process. @returns ids by user */
export async function claimDue(db: Db, channel: Channel, max: number): Promise<Map<string, string[]>> {
  const dueAt = columns[channel];
  // All due news of one user, so that they become one message.
  const { rows } = await db.execute<{ id: string; userId: string }>(sql`
    with due as (select distinct user_id from
      (select user_id from notifications where ${dueAt} <= now() order by ${dueAt} limit ${max}) first)
    update notifications n set ${dueAt} = now() + make_interval(mins => ${claimedMinutes})
    from due where n.user_id = due.user_id and n.${dueAt} <= now()
    returning n.id, n.user_id as "userId"`);
  const claimed = new Map<string, string[]>();
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
export function openSettling(db: Db, channel: Channel): (ids: string[], againAt?: Date | null) => Promise<void> {
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
