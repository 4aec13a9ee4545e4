/** @module-tag slow */
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser } from '#test/support/identity.ts';
import { hasPgBouncer, startPgBouncer } from '#test/support/servers/pgbouncer.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { listenForChanges } from './changes.ts';
import { findMissingLimits, openDatabase } from './database.ts';
import { migrateDatabase } from './migrate.ts';

const direct = await createTestDatabase();
const quiet = { onChange: () => {}, onError: () => {} };

test('a direct connection hears changes, with the table that changed', async () => {
  const tables: (string | undefined)[] = [];
  const changes = await listenForChanges({ ...quiet, url: direct.url, onChange: (table) => void tables.push(table) });
  expect(
    await changes.receives((channel, text) => direct.pool.query('select pg_notify($1, $2)', [channel, text])),
  ).toBe(true);
  await direct.pool.query(`update site_settings set value = '{}'`);
  await expect.poll(() => tables).toEqual([undefined, 'site_settings']);
  await changes.close();
});

// Debian's package; without it these tests are skipped.
describe.skipIf(!hasPgBouncer)(`through PgBouncer in transaction mode${hasPgBouncer ? '' : ' (not installed)'}`, () => {
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  beforeAll(async () => void (bouncer = await startPgBouncer(direct.url)));
  afterAll(() => bouncer.close());

  test('sessions, prepared queries, transactions and migrations work, with many connections of few', async () => {
    const pooled = openDatabase({ url: bouncer.url, directUrl: direct.url, poolSize: 20 });
    await migrateDatabase(pooled);
    await pooled.checkReady();
    const identity = await openTestIdentity(pooled);
    const site = await openTestSite(pooled.db, identity.provider);
    const { token, id } = await registerUser(site, identity);
    const found = await Promise.all(Array.from({ length: 60 }, () => site.identity.findSession(token)));
    expect(new Set(found.map((session) => session?.viewer.id))).toEqual(new Set([id]));
    const named = { name: 'find_nothing', text: 'select $1::text as one' };
    await Promise.all(Array.from({ length: 60 }, () => pooled.pool.query({ ...named, values: ['one'] })));
    const locks = Array.from({ length: 20 }, () =>
      pooled.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(1)`);
        await tx.execute(sql`select pg_sleep(0.001)`);
      }),
    );
    await Promise.all(locks);
    await pooled.close();
  });

  test('the site says which limits its role lacks, and they hold once they are set', async () => {
    const pooled = openDatabase({ url: bouncer.url, directUrl: direct.url, poolSize: 1 });
    const statements = await findMissingLimits(pooled.pool);
    expect(statements).toEqual([
      expect.stringMatching(/^alter role \S+ in database test_\w+ set statement_timeout = 10000$/),
      expect.stringMatching(/^alter role \S+ in database test_\w+ set lock_timeout = 9000$/),
      expect.stringMatching(/ set idle_in_transaction_session_timeout = 30000$/),
    ]);
    for (const statement of statements) await direct.pool.query(statement);
    await pooled.close();
    await bouncer.close();
    bouncer = await startPgBouncer(direct.url);
    const again = openDatabase({ url: bouncer.url, directUrl: direct.url, poolSize: 1 });
    expect(await findMissingLimits(again.pool)).toEqual([]);
    await again.close();
  });

  test('without the direct address, time limits are refused', async () => {
    const pooled = openDatabase({ url: bouncer.url, poolSize: 1 });
    await expect(pooled.ping()).rejects.toThrow('unsupported startup parameter');
    await pooled.close();
  });

  test('the change feed is deaf, and knows it', async () => {
    const changes = await listenForChanges({ ...quiet, url: bouncer.url });
    const other = new pg.Client({ connectionString: direct.url });
    await other.connect();
    expect(await changes.receives((channel, text) => other.query('select pg_notify($1, $2)', [channel, text]))).toBe(
      false,
    );
    await other.end();
    await changes.close();
  });
});
