import { glob, readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '#config';
import { StartError } from '#db/embedded/start-error.ts';
import { writeCustomer } from '#domain/membership/customers.ts';
import { purgeLivePayments } from '#domain/membership/live-payments.ts';
import { PlansMissingError } from '#domain/membership/payment-provider.ts';
import { openSettings } from '#domain/settings/open-settings.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { checkPlans, openPayments } from './open-payments.ts';

const { db, pool, url: databaseUrl } = await createTestDatabase();
const log = pino({ level: 'silent' });
const siteSettings = await openSettings({ db });

const keysOf = (mode: 'live' | 'test') => ({
  STRIPE_SECRET_KEY: `sk_${mode}_abc`,
  STRIPE_PUBLISHABLE_KEY: `pk_${mode}_abc`,
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
});

const open = (settings: Record<string, string> = {}) =>
  openPayments({
    config: parseConfig(settings),
    db,
    databaseUrl,
    log,
    settings: siteSettings,
    siteName: () => 'Sotto',
  });

const hasSandbox = async () =>
  (await pool.query(`select from information_schema.schemata where schema_name = 'stripe_sandbox'`)).rowCount === 1;

test('with keys of Stripe there is no sandbox, and nothing of it in the database', async () => {
  const payments = await open(keysOf('test'));
  expect(payments).toMatchObject({
    mode: 'test',
    played: [],
    testCards: [],
    card: { isSandbox: false, scriptSrc: null },
  });
  expect(payments.browser()).toBe(payments.card);
  expect(await hasSandbox()).toBe(false);
});

test('without keys the sandbox answers, and the form can list its cards', async () => {
  const payments = await open();
  expect(payments.mode).toBe('sandbox');
  expect(payments.browser()).toMatchObject({ isSandbox: true, scriptSrc: '/stripe-sandbox/v3.js' });
  expect(payments.testCards.map(({ number }) => number)).toContain('4242424242424242');
  expect(await hasSandbox()).toBe(true);
  await payments.close();
});

test('a public site takes test cards only when it is told to', async () => {
  const site = { SITE_URL: 'https://sotto.example' };
  await expect(open(site)).rejects.toThrow(/^anyone could subscribe at https:\/\/sotto\.example .* PAYMENTS=sandbox /);
  await expect(open(site)).rejects.toThrow(StartError);
  await (await open({ ...site, PAYMENTS: 'sandbox' })).close();
  await (await open({ SITE_URL: 'http://localhost:8080' })).close();
  expect((await open({ ...site, ...keysOf('test') })).played).toEqual([]);
  expect(() => parseConfig({ ...keysOf('test'), PAYMENTS: 'sandbox' })).toThrow('exclude each other');
});

test('after real cards, neither a sandbox nor test keys reach the customers', async () => {
  expect((await open(keysOf('live'))).played).toEqual([]);
  const { id } = await createUser(db);
  await writeCustomer(db, id, 'cus_real');
  await expect(open()).rejects.toThrow(StartError);
  await expect(open(keysOf('test'))).rejects.toThrow('real cards were taken');
  await open(keysOf('live'));
  expect(await purgeLivePayments(db)).toBe(1);
  await (await open()).close();
});

test('a live account without the prices stops the start; a provider that is away does not', async () => {
  const plain = openPlainPayments();
  const site = await openTestSite(db, undefined, plain.provider);
  plain.failWith = new PlansMissingError('the Stripe account has no price of 799 usd');
  await expect(checkPlans(() => site.membership.checkPlans(), log)).rejects.toThrow(StartError);
  plain.failWith = new Error('away');
  await checkPlans(() => site.membership.checkPlans(), log);
});

test('only the composition of the site knows that the sandbox is there', async () => {
  for await (const path of glob('src/{domain,web,player,db,gateways}/**/*.{ts,tsx}')) {
    if (path.includes('.test.')) continue;
    expect([path, (await readFile(path, 'utf8')).includes("'stripe-sandbox")]).toEqual([path, false]);
  }
});
