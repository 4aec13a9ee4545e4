/** @module-tag slow */
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findOverview } from '#domain/admin/site/overview.ts';
import { findPayouts, listPayoutMonths } from '#domain/admin/money/payouts.ts';
import { listReconciliations } from '#domain/admin/money/reconciliations.ts';
import { users } from '#domain/identity/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { reconcile } from '#domain/membership/sync/reconcile.ts';
import { giftCards, invoices, paymentEvents, subscriptions } from '#domain/membership/tables.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { createLog } from '#start/log.ts';
import { openDemoPayments } from './open-payments.ts';
import { addDemoPayments, paymentsDue } from './payments.ts';
import { people } from './people.ts';
import { deleteObjects } from 'stripe-sandbox/delete-objects';
import { removeDemo } from './removal.ts';

const { db, pool, url } = await createTestDatabase();
const open = () =>
  openDemoPayments({
    config: { siteUrl: 'http://127.0.0.1:3000' },
    databaseUrl: url,
    log: createLog('silent'),
    siteName: () => 'Sotto',
  });
const demoDir = fileURLToPath(new URL('../../demo', import.meta.url));
const day = 24 * 60 * 60 * 1000;
/** One of each kind: paying each month and each year, refunded, cancelled, ended, in trial, and with failed payments. */
const chosen = ['wintering', 'northwindow', 'm.castellan', 'rosa_b', 'eleven_pm', 'jonas', 'greta_m', 'kit_o', 'moss'];
const members = people.subscribers.filter(({ username }) => chosen.includes(username));

test(
  'the demo’s payments are those of the provider, to the cent, and go away whole',
  { timeout: 300_000 },
  async () => {
    expect(await addDemoPayments(db, open)).toBe(false);
    const voice = await createVoice(db);
    const publishedAt = new Date(Date.now() - 300 * day);
    const audio = await createAudio(db, { voiceId: voice.id, publishedAt, plays: 4000, durationMs: 300_000 });
    // The day of a favorite already has a row.
    await pool.query(`insert into audio_days (audio_id, day, favorites_added) values ($1, current_date - 1, 1)`, [
      audio.id,
    ]);
    await pool.query(`insert into voice_days (voice_id, day, favorites_added) values ($1, current_date - 1, 1)`, [
      voice.id,
    ]);
    await db.insert(siteSettings).values({ key: 'demo_accounts', value: paymentsDue });
    await expect(addDemoPayments(db, open, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await addDemoPayments(db, open, { members })).toBe(true);
    expect(await addDemoPayments(db, open)).toBe(false);

    const byStatus = Object.fromEntries(
      (
        await db
          .select({ status: subscriptions.status, count: sql<number>`count(*)::int` })
          .from(subscriptions)
          .groupBy(subscriptions.status)
      ).map(({ status, count }) => [status, count]),
    );
    expect(byStatus).toEqual({ active: 5, trialing: 1, 'past-due': 1, ended: 2 });
    expect(await db.$count(invoices, sql`amount_paid > 0`)).toBeGreaterThan(8);
    expect(await db.$count(invoices, sql`refunded > 0`)).toBe(1);
    expect(await db.$count(giftCards)).toBe(7);
    expect(await db.$count(paymentEvents, eq(paymentEvents.status, 'failed'))).toBe(1);
    expect(await db.$count(paymentEvents, eq(paymentEvents.status, 'done'))).toBeGreaterThan(3);

    const months = await listPayoutMonths(db, operator);
    expect(months.map(({ isLocked }) => isLocked)).toEqual([false, false, true, true]);
    const locked = await findPayouts(db, operator, months[2]?.month ?? '');
    expect(locked?.shares.reduce((sum, { amount }) => sum + (amount ?? 0), 0)).toBe(locked?.pool);

    const { items: nights } = await listReconciliations(db, operator, { limit: 50 });
    expect(nights).toHaveLength(21);
    expect(nights.filter(({ atProvider, hereAfter }) => atProvider !== hereAfter)).toEqual([]);
    expect(nights[0]?.atProvider).toBeGreaterThan(nights.at(-1)?.atProvider ?? 0);

    const payments = await open();
    const parts = {
      db,
      payments: payments.provider,
      mail: mailInto([]),
      site: { name: 'Sotto', url: 'https://s.example' },
    };
    const report = await reconcile(parts);
    await payments.close();
    expect(report).toMatchObject({ customers: expect.any(Number) as number, mended: 0, corrections: [], failed: [] });
    expect(report.atProvider).toBe(report.hereBefore);
    expect(report.atProvider).toBeGreaterThan(10_000);
    // A year of months, less those before the demo; all alike at the provider and here.
    expect(report.totals.length).toBeGreaterThan(4);
    expect(report.totals.filter(({ atProvider, here }) => atProvider !== here)).toEqual([]);
    const { rows: sums } = await pool.query<{ of_audio: number; of_voice: number }>(
      `select (select sum(plays) from audio_days)::int as of_audio, (select sum(plays) from voice_days)::int as of_voice`,
    );
    expect(sums[0]?.of_audio).toBeGreaterThan(1000);
    expect(sums[0]?.of_voice).toBe(sums[0]?.of_audio);
    const overview = await findOverview({ db }, operator);
    expect(overview.subscribers.now).toBe(6);
    expect(overview.money[0].income.days.reduce((sum, cents) => sum + cents, 0)).toBeGreaterThan(0);

    await db.insert(siteSettings).values({ key: 'demo', value: {} });
    const removed = await removeDemo({
      db,
      demoDir,
      isDryRun: false,
      deletePayments: deleteObjects,
    });
    expect(removed?.removed).toMatchObject({ users: 40, accounts: 0 });
    expect(await db.$count(users)).toBe(0);
    expect(await db.$count(giftCards)).toBe(0);
    expect(await db.$count(paymentEvents)).toBe(0);
    expect(await db.execute(sql`select month from payout_months`)).toMatchObject({ rows: [] });
    const { rows } = await pool.query<{ kind: string }>(
      `select distinct kind from stripe_sandbox.objects where kind <> 'event' order by kind`,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['price', 'product']);
  },
);
