import { sql } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { purgeRows } from './purge.ts';

const { db, pool } = await createTestDatabase();
const marks = pgTable('purged_marks', { age: integer().notNull() });

test('only old rows are deleted, in batches that grow, and a batch that is slow makes the next one smaller', async () => {
  await pool.query('create table purged_marks (age integer not null)');
  await pool.query('insert into purged_marks select n from generate_series(1, 10500) n');
  const batches: number[] = [];
  const { execute } = db;
  db.execute = (async (query) => {
    const began = performance.now();
    // The second batch is as slow as on a busy disk.
    if (batches.length === 1) await pool.query('select pg_sleep(0.45)');
    const result = await execute.call(db, query);
    batches.push(result.rowCount ?? 0);
    expect(performance.now() - began).toBeLessThan(1000);
    return result;
  }) as typeof execute;
  expect(await purgeRows(db, marks, sql`${marks.age} > 500`)).toBe(10_000);
  db.execute = execute;
  expect(batches[0]).toBe(1000);
  expect(batches[1]).toBe(2000);
  expect(batches[2]).toBeLessThan(1000);
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
