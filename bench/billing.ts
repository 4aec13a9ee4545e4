import { type SQL, eq, sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';
import { newId } from '#domain/kernel/ids.ts';
import { sessions, users } from '#domain/identity/tables.ts';
import { isSubscribedSql } from '#domain/membership/entitlement.ts';
import { memberships } from '#domain/membership/tables.ts';
import { createSession } from '#test/support/factories.ts';
import { stormOfEvents } from '#test/support/payments/billing-storm.ts';
import { stormOfPostbacks } from '#test/support/payments/postback-storm.ts';
import { walkStatedPrices } from '#test/support/payments/stated-prices.ts';
import { type Figure, median } from './figures.ts';
import { measureOnOwnDatabase } from './own-database.ts';

const customers = 500;
const buyers = 200;

/** Billing converges after lost and duplicate events, and the access check costs almost nothing. */
export function benchBilling(): Promise<Figure[]> {
  return measureOnOwnDatabase(async ({ database: { db }, url }) => {
    const check = await measureCheck(db);
    const storm = await stormOfEvents({ db, databaseUrl: url, customers });
    // After the storm, which sends all events of the sandbox.
    const prices = await walkStatedPrices({ db, databaseUrl: url, count: 200 });
    const postbacks: Figure[] = [];
    for (const name of ['verotel', 'ccbill', 'btcpay'] as const) {
      const { deliveries, wrong, unsettled, refused, p99 } = await stormOfPostbacks({
        db,
        databaseUrl: url,
        name,
        customers: buyers,
      });
      postbacks.push({
        name: `${deliveries} words of ${name} about ${buyers} sales, shuffled, doubled, processes killed`,
        value: `${wrong.length + unsettled + refused} wrong, answered in ${p99.toFixed(1)} ms at p99`,
        limit: '0, ≤ 100 ms',
        ok: wrong.length + unsettled + refused === 0 && p99 <= 100,
      });
    }
    return [
      ...postbacks,
      {
        name: `${prices.compared} prices and days said of ${prices.walked} ways to subscribe, against the charges`,
        value: `${prices.wrong.length} wrong`,
        limit: '0',
        ok: prices.wrong.length === 0,
      },
      {
        name: 'Whether a listener may hear everything, at the median of 2,000',
        value: `+${check.toFixed(3)} ms`,
        limit: '≤ 0.2 ms',
        ok: check <= 0.2,
      },
      {
        name: `${storm.deliveries} deliveries to ${storm.customers} customers, shuffled, doubled, ${storm.lost} late`,
        value: `${storm.wrong.length} wrong`,
        limit: '0, of ≥ 10,000',
        ok: storm.wrong.length === 0 && storm.unsettled === 0 && storm.deliveries >= 10_000,
      },
      {
        name: 'Events settled each second',
        value: String(Math.round((storm.deliveries / storm.deliveredMs) * 1000)),
        limit: '',
        ok: undefined,
      },
    ];
  });
}

/**
 * The session query of every listener's request, prepared as on the site, with and without the access check,
 * alternating.
 * @returns milliseconds
 */
async function measureCheck(db: Db): Promise<number> {
  const ids = Array.from({ length: 2000 }, () => newId());
  await db.insert(users).values(ids.map((id) => ({ id, username: `listener-${id.slice(-12)}` })));
  await db.insert(memberships).values(ids.map((userId) => ({ userId, giftUntil: new Date(Date.now() + 1e9) })));
  const [userId = ''] = ids;
  const session = await createSession(db, userId);
  const prepare = (isSubscribed: SQL<boolean>, name: string) =>
    db
      .select({ id: sessions.id, userId: users.id, username: users.username, isSubscribed })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.id, sql.placeholder('id')))
      .prepare(name);
  const asks = { with: prepare(isSubscribedSql(users.id), 'with'), without: prepare(sql<boolean>`false`, 'without') };
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < 2000; round += 1) {
    for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const start = performance.now();
      await asks[kind].execute({ id: session.id });
      times[kind].push(performance.now() - start);
    }
  }
  return median(times.with) - median(times.without);
}
