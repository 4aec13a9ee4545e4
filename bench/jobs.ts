import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import type { Database } from '#db/database.ts';
import { writeCustomer } from '#domain/membership/customers.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { createFailures } from '#http/errors.ts';
import { openPaymentEventIntake, webhookRoutes } from '#http/webhooks.ts';
import { createUser } from '#test/support/factories.ts';
import { countSettled, startJobProcess, storeDueEvents } from '#test/support/processes/job-processes.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { type Figure, atMost, quantile } from './figures.ts';
import { measureOnOwnDatabase } from './own-database.ts';

const dueJobs = 10_000;
const customersAtOnce = 200;

/** Jobs in several processes of which one dies, and a burst of webhooks. */
export function benchJobs(): Promise<Figure[]> {
  return measureOnOwnDatabase(async ({ database, url }) => [
    ...(await benchWebhooks(database)),
    ...(await benchProcesses(database, url)),
  ]);
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
  const failures = createFailures({ log: pino({ level: 'silent' }), outageOf: () => undefined });
  const intake = openPaymentEventIntake({ membership, log: pino({ level: 'silent' }), max: 5 });
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
