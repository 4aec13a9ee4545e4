/** @module-tag slow */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { press } from 'payment-stand-ins/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { clusterName, processesOf } from '#db/embedded/processes.ts';
import { findRunningServer } from '#db/embedded/server.ts';
import { inParallel } from '#test/support/payments/billing-storm.ts';
import { createListeners } from '../../bench/listeners.ts';
import { type SiteProcess, startSite } from '../../bench/site-process.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const buyers = 30;
let site: SiteProcess | undefined;
let dataDir = '';

afterEach(async () => {
  await site?.stop();
  const name = clusterName(join(dataDir, 'postgres'));
  await vi.waitFor(() => {
    for (const pid of processesOf(name) ?? []) process.kill(pid, 'SIGKILL');
    expect(processesOf(name)).toEqual([]);
  });
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function openSiteDatabase() {
  const url = await findRunningServer(dataDir);
  if (url === undefined) throw new Error('the database does not answer');
  return { ...openDatabase({ url, poolSize: 2 }), url };
}

type Kept = { paid: number; usable: number; wrong: number; unsettled: number };

/** Sales that are paid at the stand-in, and what the site made of them. */
const keptSql = `
  select count(*) filter (where is_paid)::int as paid,
    count(*) filter (where is_paid and s.status = 'active')::int as usable,
    count(*) filter (where charges <> case when is_paid then 1 else 0 end)::int as wrong,
    (select count(*)::int from payment_events where status not in ('done', 'ignored')) as unsettled
  from (
    select o.user_id, sale.document->>'status' = 'active' as is_paid,
      (select count(*)::int from invoices i where i.user_id = o.user_id and i.amount_paid > 0) as charges
    from payment_stand_ins.sales sale join payment_orders o on o.reference = sale.document->>'reference') made
  left join subscriptions s using (user_id)`;

// A payment on a chain is certain an hour later.
test.each(['verotel', 'ccbill'])('kill -9 while buyers pay at %s counts each payment once', async (name) => {
  dataDir = mkdtempSync(join(tmpdir(), 'sotto-kill-'));
  // The server may run as another user.
  chmodSync(dataDir, 0o755);
  const settings = { DATA_DIR: dataDir, DEMO: 'false', PAYMENT_STAND_INS: name };
  site = await startSite(settings);
  const before = await openSiteDatabase();
  const listeners = await createListeners(before.url, buyers);
  await before.pool.query('insert into memberships (user_id, trial_used_at) select id, now() from users');
  await before.close();

  const { url } = site;
  const pages = await Promise.all(
    listeners.map(async ({ token }) => {
      // oxlint-disable-next-line no-restricted-globals -- of tests
      const answer = await fetch(`${url}/v1/api/user/subscription/checkout`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ period: 'month' }),
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { url: string }).url;
    }),
  );
  let pressed = 0;
  const paying = inParallel(6, pages, async (page) => {
    await press(page, 'Pay').catch(() => undefined);
    pressed += 1;
    if (pressed === buyers / 3) await site?.kill();
  });
  await paying;

  // On another port: what was not told is told there.
  site = await startSite(settings);
  const after = await openSiteDatabase();
  const kept = async () => (await after.pool.query<Kept>(keptSql)).rows[0];
  const found = await vi.waitFor(
    async () => {
      const now = await kept();
      expect(now).toMatchObject({ usable: now?.paid, wrong: 0, unsettled: 0 });
      return now;
    },
    { timeout: 90_000, interval: 1000 },
  );
  await after.close();
  expect(found?.paid).toBeGreaterThanOrEqual(buyers / 3 - 1);
  expect(found?.paid).toBeLessThan(buyers);
});
