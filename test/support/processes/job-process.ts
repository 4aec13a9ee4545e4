/** A process of the site that only runs payment jobs; `job-processes.ts` starts several. */
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabase } from '#db/database.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { openJobs } from '../../../src/jobs/open-jobs.ts';
import { type SiteJobsOptions, siteJobs } from '../../../src/jobs/site-jobs.ts';
import { mailInto } from '../servers/mail-box.ts';
import { openPlainPayments } from '../payments/plain-payments.ts';

const url = process.env['JOBS_DATABASE_URL'] ?? '';
/** After this many responses the provider stops answering this process. */
const hangAfter = Number(process.env['JOBS_HANG_AFTER'] ?? Number.POSITIVE_INFINITY);

/** It takes no jobs until other processes have called the provider this often. */
const after = Number(process.env['JOBS_AFTER'] ?? 0);

const log = pino({ level: 'fatal' });
const database = openDatabase({ url, poolSize: 6 });
const { provider } = openPlainPayments();
let asked = 0;
provider.readCustomer = async (customerId) => {
  asked += 1;
  await database.pool.query('insert into asked_customers (customer_id, pid) values ($1, $2)', [
    customerId,
    process.pid,
  ]);
  if (asked > hangAfter) await new Promise(() => {});
  return { subscriptions: [], invoices: [], givenUpId: undefined };
};
const membership = openMembership({
  db: database.db,
  secret: 'test',
  payments: provider,
  mail: mailInto([]),
  site: { name: 'Sotto', url: 'https://sotto.example' },
});
// The other jobs are not run here.
const site = { membership } as SiteJobsOptions['site'];
const gateways = { payments: { played: [] as unknown[] } } as SiteJobsOptions['gateways'];
for (let count = 0; count < after; await setTimeout(20)) {
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from asked_customers');
  count = rows[0]?.count ?? 0;
}
const jobs = openJobs({
  connectionString: url,
  log,
  ...(process.env['JOBS_PACE'] === 'fast' && { pace: { cron: 1, poll: 0.5, supervise: 1 } }),
  jobs: (add) => siteJobs({ site, gateways, log }, add).filter(({ name }) => name.includes('payment-event')),
});
await jobs.started;
process.stdout.write('started\n');
