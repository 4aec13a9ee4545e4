import { sql } from 'drizzle-orm';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { administratorsOnly } from './administrators-only.ts';

/** The rows of Admin's lists without any filter. */
const lists = {
  users: sql`users`,
  log: sql`audit_entries`,
  tags: sql`tags`,
  series: sql`series`,
  voices: sql`voices where merged_into is null and deleted_at is null`,
  articles: sql`articles where deleted_at is null`,
  subscriptions: sql`subscriptions`,
  giftCards: sql`gift_cards`,
  tips: sql`tips`,
  paymentEvents: sql`payment_events`,
};
export type AdminList = keyof typeof lists;

/** Counting goes no further. */
const max = 10_000;

/** How many a list has without its filters, if these leave nothing; undefined otherwise. @param page of the list */
export async function countAll(db: Db, actor: Actor, list: AdminList, page: { items: unknown[] }) {
  administratorsOnly(actor, list === 'log' ? 'log' : 'everything');
  if (page.items.length > 0) return undefined;
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (select from ${lists[list]} limit ${max + 1}) listed`,
  );
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, max), isMore: count > max };
}
