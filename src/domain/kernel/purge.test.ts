import { sql } from 'drizzle-orm';
import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { purgeRows } from './purge.ts';

const { db, pool } = await createTestDatabase();
const marks = pgTable('purged_marks', { age: integer().notNull() });

test('only old rows are deleted, in batches that grow, and a batch that is slow makes the next one smaller', async () => {
  await pool.query('create table purged_marks (age integer not null)');
  await pool.query('insert into purged_marks select n from generate_series(1, 10500) n');
  const batches: number[] = [];
  // Durations in milliseconds of the statements: the second one is as slow as on a busy disk.
  const durations = [20, 450, 20, 20, 20, 20];
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const { execute } = db;
  db.execute = (async (query) => {
    const began = Date.now();
    const result = await execute.call(db, query);
    expect(Date.now() - began).toBeLessThan(1000);
    clock += durations[batches.length] ?? expect.fail('more statements than expected');
    batches.push((result.rows[0] as { count: number }).count);
    return result;
  }) as typeof execute;
  const deleted = await purgeRows(db, marks, sql`${marks.age} > 500`);
  db.execute = execute;
  now.mockRestore();
  expect(deleted).toBe(10_000);
  // 200 ms are wanted, so 2000 rows in 450 ms make 888, which then double.
  expect(batches).toEqual([1000, 2000, 888, 1776, 3552, 784]);
  const { rows } = await pool.query('select count(*)::int as count, max(age) as oldest from purged_marks');
  expect(rows).toEqual([{ count: 500, oldest: 500 }]);
});

test('a purge stops between two batches', async () => {
  await pool.query('insert into purged_marks select n from generate_series(1, 5000) n');
  const stopping = new AbortController();
  const { execute } = db;
  db.execute = (async (query) => {
    const result = await execute.call(db, query);
    stopping.abort(new Error('the process stops'));
    return result;
  }) as typeof execute;
  await expect(purgeRows(db, marks, sql`${marks.age} > 0`, stopping.signal)).rejects.toThrow('the process stops');
  db.execute = execute;
  const { rows } = await pool.query('select count(*)::int as count from purged_marks');
  expect(rows).toEqual([{ count: 4500 }]);
});

test('a row that is changed while a purge waits for it stays', async () => {
  await pool.query('truncate purged_marks; insert into purged_marks values (1000), (2000)');
  const [, deleted] = await meanwhile(
    db,
    (tx) => tx.execute(sql`update purged_marks set age = 1 where age = 1000`),
    () => purgeRows(db, marks, sql`${marks.age} > 500`),
  );
  expect(deleted).toBe(1);
  expect((await pool.query('select age from purged_marks')).rows).toEqual([{ age: 1 }]);
});

test('a purge along an index does not read again what an older transaction keeps in it', async () => {
  await pool.query(`
    create table purged_events (created_at timestamptz(3) not null);
    create index on purged_events (created_at);
    insert into purged_events select '2025-01-01Z'::timestamptz + n / 3 * interval '1 second' from generate_series(0, 29999) n;
    analyze purged_events`);
  const events = pgTable('purged_events', { createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull() });
  // Such as a backup.
  const older = await pool.connect();
  await older.query('begin isolation level repeatable read');
  await older.query('select from users limit 1');
  try {
    const isOld = sql`${events.createdAt} < '2025-01-01 02:00:00Z'`;
    expect(await purgeRows(db, events, isOld, undefined, events.createdAt)).toBe(21_600);
  } finally {
    await older.query('rollback');
    older.release();
  }
  await Promise.all([1, 2, 3, 4].map(() => pool.query('select pg_stat_force_next_flush()')));
  const { rows } = await pool.query<{ left: number; read: number }>(`
    select (select count(*)::int from purged_events) as left, sum(idx_tup_read)::int as read
    from pg_stat_user_indexes where relname = 'purged_events'`);
  expect(rows[0]?.left).toBe(8400);
  expect(rows[0]?.read).toBeGreaterThanOrEqual(21_600);
  expect(rows[0]?.read).toBeLessThan(23_000);
});
