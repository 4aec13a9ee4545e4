import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import type { Database } from '#db/database.ts';
import { openDatabase } from '#db/database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { startEmbeddedServer } from '#db/embedded-server.ts';
import { purgeOldEvents } from '#domain/analytics/events.ts';
import { writeCustomer } from '#domain/membership/customers.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { createFailures } from '#http/errors.ts';
import { openPaymentEventIntake, webhookRoutes } from '#http/webhooks.ts';
import { createUser } from '#test/support/factories.ts';
import { countSettled, startJobProcess, storeDueEvents } from '#test/support/job-processes.ts';
import { mailInto } from '#test/support/mail-box.ts';
import { openPlainPayments } from '#test/support/plain-payments.ts';
import type { Figure } from './figures.ts';
import { atMost, quantile } from './figures.ts';

const dueJobs = 10_000;
const customersAtOnce = 200;
/** 5 million take half a minute to generate; PURGED_EVENTS=50000000 for the full proof. */
const oldEvents = Number(process.env['PURGED_EVENTS'] ?? 5_000_000);

/** Jobs of several processes of which one dies, a burst of webhooks, and a purge that has much to delete. */
export async function benchJobs(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-jobs-'));
  const server = await startEmbeddedServer({ dataDir, log: { info: () => {}, warn: () => {} } });
  const database = openDatabase({ url: server.url, poolSize: 10 });
  try {
    await migrateDatabase(database);
    return [
      ...(await benchWebhooks(database)),
      ...(await benchProcesses(database, server.url)),
      ...(await benchPurge(database)),
    ];
  } finally {
    await database.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchProcesses({ pool }: Database, url: string): Promise<Figure[]> {
  await storeDueEvents(pool, dueJobs);
  const [victim, ...others] = await Promise.all([1, 2, 3].map(() => startJobProcess(url)));
  try {
    const began = performance.now();
    let killedAt = 0;
    for (;;) {
      const { waiting, settled } = await countSettled(pool);
      if (waiting === 0) break;
      if (killedAt === 0 && settled > dueJobs / 3) {
        victim?.kill('SIGKILL');
        killedAt = performance.now() - began;
      }
      if (performance.now() - began > 600_000) throw new Error(`${waiting} events wait after ten minutes`);
      await wait(500);
    }
    const seconds = (performance.now() - began) / 1000;
    const { settled, twice, repeated } = await countSettled(pool);
    const name = `${dueJobs} due jobs, 3 processes, one killed after ${Math.round(killedAt / 1000)} s`;
    return [
      {
        name,
        value: `${settled} done once, ${twice} twice`,
        limit: `${dueJobs}, 0`,
        ok: settled === dueJobs && twice === 0,
      },
      { name: `${name}: all done`, value: `${seconds.toFixed(0)} s`, limit: '', ok: undefined },
      {
        name: `${name}: tried again from the dead process`,
        value: `${repeated}`,
        limit: '≤ 5',
        ok: repeated <= 5,
      },
    ];
  } finally {
    for (const child of [victim, ...others]) child?.kill('SIGKILL');
  }
}

async function benchWebhooks({ db, pool }: Database): Promise<Figure[]> {
  const plain = openPlainPayments();
  // As slow as a provider over the network.
  plain.provider.readCustomer = async () => {
    await wait(300);
    return { subscriptions: [], invoices: [], givenUpId: undefined };
  };
  const membership = openMembership({
    db,
    secret: 'test',
    payments: plain.provider,
    mail: mailInto([]),
    site: { name: 'Sotto', url: 'https://sotto.example' },
  });
  const failures = createFailures({ log: pino({ level: 'silent' }), isUnavailable: () => false });
  const intake = openPaymentEventIntake({ membership, log: pino({ level: 'silent' }), most: 5 });
  const server = createServer(getRequestListener(webhookRoutes({ site: { membership }, intake, failures }).fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/payments`;
  const customers = await Promise.all(
    Array.from({ length: customersAtOnce }, async (_, index) => {
      const { id } = await createUser(db, { email: `payer-${index}@example.org` });
      await writeCustomer(db, id, `cus_${index}`);
      return `cus_${index}`;
    }),
  );
  const times: number[] = [];
  const agent = new Agent({ keepAlive: true });
  const post = (customerId: string) =>
    new Promise<void>((resolve, reject) => {
      const { body, headers } = plain.eventFor({ customerId });
      const began = performance.now();
      const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
        times.push(performance.now() - began);
        answer.resume();
        if (answer.statusCode === 200) answer.once('end', resolve);
        else reject(new Error(`answered with ${answer.statusCode}`));
      });
      sent.once('error', reject).end(body);
    });
  try {
    // The first round opens the connections.
    for (let round = 0; round < 4; round += 1) {
      if (round === 1) times.length = 0;
      await Promise.all(customers.map(post));
      await wait(1000);
    }
    await intake.settled();
    const { rows } = await pool.query<{ lost: number; waiting: number }>(`
      select ${customersAtOnce * 4} - count(*)::int as lost, (count(*) filter (where status <> 'done'))::int as waiting
      from payment_events`);
    const [counts] = rows;
    return [
      atMost(`${customersAtOnce} webhooks at once, p99 of three bursts`, quantile(times, 0.99), 100, 'ms'),
      { name: 'Webhooks lost', value: `${counts?.lost}`, limit: '0', ok: counts?.lost === 0 },
      { name: 'Webhooks that wait for the job', value: `${counts?.waiting}`, limit: '', ok: undefined },
    ];
  } finally {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await pool.query('truncate payment_events, payment_customers');
  }
}

async function benchPurge({ db, pool }: Database): Promise<Figure[]> {
  // Filling and counting tens of millions takes longer than the site lets a statement run.
  const patient = await pool.connect();
  await patient.query('set statement_timeout = 0');
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
  // Such as a backup: deleted rows stay in the table and its index until it ends.
  const older = await pool.connect();
  await older.query('begin isolation level repeatable read');
  await older.query('set local idle_in_transaction_session_timeout = 0');
  await older.query('select from users limit 1');
  const began = performance.now();
  const deleted = await purgeOldEvents(db, 90);
  const seconds = (performance.now() - began) / 1000;
  await older.query('rollback');
  older.release();
  db.execute = execute;
  const { rows } = await patient.query<{ count: number }>('select count(*)::int as count from analytics_events');
  patient.release(true);
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
