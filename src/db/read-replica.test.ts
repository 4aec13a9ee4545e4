import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openDatabaseProxy } from '#test/support/servers/database-proxy.ts';
import { openDatabase } from './database.ts';

// Two databases instead of replication, so that each answer shows its source.
const [main, copy] = [await createTestDatabase(), await createTestDatabase()];
await main.pool.query('create table who as select $1::text as name', ['primary']);
await copy.pool.query('create table who as select $1::text as name', ['replica']);
const name = new URL(copy.url).pathname.slice(1);
await copy.pool.query(`alter database ${name} set default_transaction_read_only = on`);
const proxy = await openDatabaseProxy(copy.url);
const lost: Error[] = [];
const database = openDatabase({
  url: main.url,
  readUrl: proxy.url,
  poolSize: 4,
  onError: (error) => void lost.push(error),
});
afterAll(async () => {
  await database.close();
  await proxy.close();
});
beforeEach(() => void (lost.length = 0));

const { db, primary, fromReplica } = database;
const ask = async (from: Pick<typeof db, 'execute'>) =>
  (await from.execute<{ name: string }>(sql`select name from who`)).rows[0]?.name;

/** Sent within `fromReplica`: a query of Drizzle's is sent when it is awaited. */
const askReplica = (query: SQL) => fromReplica(async () => (await db.execute(query)).rows);

test('only what is read for visitors comes from the replica', async () => {
  expect(await ask(db)).toBe('primary');
  expect(await fromReplica(() => ask(db))).toBe('replica');
  expect(await fromReplica(() => ask(primary))).toBe('primary');
  expect(await fromReplica(() => db.transaction((tx) => ask(tx)))).toBe('primary');
  const [there, here] = await Promise.all([fromReplica(() => ask(db)), ask(db)]);
  expect([there, here]).toEqual(['replica', 'primary']);
});

test('writes go to the primary, even when only the replica detects them', async () => {
  await fromReplica(async () => {
    await db.execute(sql`insert into site_settings (key, value) values ('one', '1')`);
    await db.execute(
      sql`with made as (insert into site_settings (key, value) values ('two', '2') returning key) select key from made`,
    );
    await db.execute(
      sql`create function make() returns void language sql as $$ insert into site_settings (key, value) values ('three', '3') $$`,
    );
    await db.execute(sql`select make()`);
  });
  expect((await main.pool.query('select from site_settings')).rowCount).toBe(3);
  await expect(askReplica(sql`select 1 / 0`)).rejects.toThrow();
});

test('a query that is too slow for the replica is not repeated on the primary, and the replica stays', async () => {
  const limit = (milliseconds: string) =>
    askReplica(sql`select set_config('statement_timeout', ${milliseconds}, false)`);
  await limit('200');
  await expect(askReplica(sql`select pg_sleep(3)`)).rejects.toThrow();
  await limit('0');
  expect(lost).toEqual([]);
  expect(await fromReplica(() => ask(db))).toBe('replica');
});

test('while the replica is away the primary answers, without a try for each query', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await proxy.set('refuse');
  expect(await fromReplica(() => Promise.all([ask(db), ask(db)]))).toEqual(['primary', 'primary']);
  await proxy.set('pass');
  expect(await fromReplica(() => ask(db))).toBe('primary');
  expect(lost.length).toBeGreaterThan(0);
  vi.setSystemTime(Date.now() + 5000);
  expect(await fromReplica(() => ask(db))).toBe('replica');
  vi.useRealTimers();
});

test('a replica that takes connections and never answers costs those who ask first a second', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await proxy.set('refuse');
  await proxy.set('hold');
  expect(await fromReplica(() => ask(db))).toBe('primary');
  const began = performance.now();
  expect(await fromReplica(() => ask(db))).toBe('primary');
  expect(performance.now() - began).toBeLessThan(500);
  await proxy.set('pass');
  vi.useRealTimers();
});
