import { type SQL, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { type Db, allowLongStatements } from '#domain/kernel/db.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openDatabase } from './database.ts';

const database = await createTestDatabase();

test.each(['40P01', '40001', '23503', '23505'])(
  'a transaction that %s ended is begun once more, and no third time',
  async (state) => {
    for (const [failures, outcome] of [
      [1, 'done'],
      [2, state],
    ] as const) {
      let begun = 0;
      const result = database.db
        .transaction(async (tx) => {
          begun += 1;
          if (begun <= failures)
            await tx.execute(sql.raw(`do $$ begin raise exception using errcode = '${state}'; end $$`));
          return 'done';
        })
        .catch((error: { cause?: { code?: string } }) => error.cause?.code);
      expect([await result, begun]).toEqual([outcome, 2]);
    }
  },
);

test('a transaction may allow its statements more time, for itself only', async () => {
  const hasty = openDatabase({ url: database.url, poolSize: 1, maxWaitMs: 200 });
  try {
    const sleep = (db: Db) =>
      db.execute(sql`select pg_sleep(0.4)`).then(
        () => 'done',
        (error: Error) => (error.cause as Error).message,
      );
    const both = await hasty.db.transaction(async (tx) => {
      await allowLongStatements(tx);
      const { rows } = await tx.execute(sql`select current_setting('statement_timeout') as most`);
      return [await sleep(tx), rows];
    });
    expect(both).toEqual(['done', [{ most: '5min' }]]);
    expect(await sleep(hasty.db)).toBe('Query read timeout');
  } finally {
    await hasty.close();
  }
});

describe('reads that belong together', () => {
  const own = openDatabase({ url: database.url, poolSize: 6 });
  afterAll(() => own.close());
  const backend = sql`pg_backend_pid() as pid`;
  const ask = async (query: SQL) => (await own.db.execute<{ pid: number }>(query)).rows[0]?.pid;

  test('share a connection, and get each their own answer', async () => {
    const answers = await own.together(() =>
      Promise.all(
        [1, 2, 3, 4].map(async (number) => {
          const { rows } = await own.db.execute<{ pid: number; number: number }>(
            sql`select ${backend}, ${number}::int as number`,
          );
          return rows[0];
        }),
      ),
    );
    expect(answers.map((answer) => answer?.number)).toEqual([1, 2, 3, 4]);
    expect(new Set(answers.map((answer) => answer?.pid)).size).toBe(1);
    expect(own.pool.totalCount).toBe(1);
  });

  test('fail each for itself, and the next ones are answered', async () => {
    const outcomes = await own.together(() =>
      Promise.allSettled([ask(sql`select ${backend}`), ask(sql`select 1 / 0 as pid`), ask(sql`select ${backend}`)]),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await own.together(() => Promise.all([ask(sql`select 1 as pid`), ask(sql`select 2 as pid`)]))).toEqual([
      1, 2,
    ]);
    expect(own.pool.waitingCount).toBe(0);
  });

  test('never wait for a write, nor outside of it for each other', async () => {
    await own.together(async () => {
      const write = own.db.execute(sql`select pg_sleep(0.3) for update`).catch(() => 'refused');
      const began = performance.now();
      await Promise.all([ask(sql`select 1 as pid`), ask(sql`select 2 as pid`)]);
      expect(performance.now() - began).toBeLessThan(250);
      await write;
    });
    const apart = await Promise.all([ask(sql`select ${backend}, pg_sleep(0.05)`), ask(sql`select ${backend}`)]);
    expect(new Set(apart).size).toBe(2);
  });
});
