import pg from 'pg';
import type { Database } from '#db/database.ts';
import { purgeOldEvents } from '#domain/analytics/events.ts';
import { type Figure, atMost } from './figures.ts';
import { measureOnOwnDatabase } from './own-database.ts';

/** 5 million take half a minute to generate; PURGED_EVENTS=50000000 for the full proof. */
const oldEvents = Number(process.env['PURGED_EVENTS'] ?? 5_000_000);

/** A purge with much to delete, beside a transaction that keeps deleted rows in the table. */
export function benchPurge(): Promise<Figure[]> {
  return measureOnOwnDatabase(async ({ database, url }) => {
    // Filling and counting tens of millions takes longer than the site's statement limit.
    const patient = new pg.Client({ connectionString: url });
    await patient.connect();
    try {
      return await measurePurge(database, patient);
    } finally {
      await patient.end();
    }
  });
}

async function measurePurge({ db, pool }: Database, patient: pg.Client): Promise<Figure[]> {
  const perStatement = 50_000;
  for (let made = 0; made < oldEvents; made += perStatement)
    await patient.query(
      `insert into analytics_events (id, name, properties, created_at)
       select uuidv7(), 'play_audio', '{}', now() - interval '91 days' - n * interval '1 second' from generate_series(1, $1) n`,
      [Math.min(perStatement, oldEvents - made)],
    );
  await patient.query(`
    insert into analytics_events (id, name, properties, created_at)
    select uuidv7(), 'play_audio', '{}', now() - n * interval '1 second' from generate_series(1, 100000) n`);
  await patient.query('analyze analytics_events');
  const times: number[] = [];
  const { execute } = db;
  db.execute = (async (query) => {
    const began = performance.now();
    const result = await execute.call(db, query);
    times.push(performance.now() - began);
    return result;
  }) as typeof execute;
  // Like a backup: deleted rows stay in the table and its index until it ends.
  const older = await pool.connect();
  await older.query('begin isolation level repeatable read');
  await older.query('set local idle_in_transaction_session_timeout = 0');
  await older.query('select from users limit 1');
  const began = performance.now();
  const { events: deleted } = await purgeOldEvents(db, 90);
  const seconds = (performance.now() - began) / 1000;
  await older.query('rollback');
  older.release();
  db.execute = execute;
  const { rows } = await patient.query<{ count: number }>('select count(*)::int as count from analytics_events');
  const name = `Purge of ${oldEvents / 1e6} million old events beside an older transaction`;
  return [
    atMost(`${name}, longest of ${times.length} statements`, Math.max(...times), 1000, 'ms'),
    {
      name: `${name}: deleted, and left`,
      value: `${deleted}, ${rows[0]?.count}`,
      limit: `${oldEvents}, 100000`,
      ok: deleted === oldEvents && rows[0]?.count === 100_000,
    },
    { name, value: `${seconds.toFixed(0)} s`, limit: '', ok: undefined },
  ];
}
