/** @module-tag slow */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Page } from 'playwright-core';
import Stripe from 'stripe';
import { type Rollup, build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedServer } from '#db/embedded/server.ts';
import { type StripeSandbox, openStripeSandbox } from 'stripe-sandbox';
import { desktop, inBothSizes, mobile, useBrowser } from '../support/browser/browser.ts';

const browser = useBrowser();
const quietLog = { info: () => {}, warn: () => {} };

let sandbox: StripeSandbox;
let stripe: Stripe;
let origin = '';
const closers: (() => Promise<unknown>)[] = [];

/** As strict as the policy of the site's pages. */
const policy =
  "default-src 'none'; script-src 'self' 'nonce-n0nce'; style-src 'self' 'nonce-n0nce'; connect-src 'self'; img-src 'self' data:; base-uri 'none'";

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-stripe-'));
  const database = await startEmbeddedServer({ dataDir, log: quietLog });
  closers.push(
    () => rm(dataDir, { recursive: true, force: true }),
    () => database.stop(),
  );
  const bundle = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Otherwise the tests' NODE_ENV selects development, for which React's production build lacks functions.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'stripe-elements', 'page.tsx'), formats: ['es'], fileName: 'page' },
    },
  })) as Rollup.RollupOutput[];
  const page = bundle[0]?.output[0].code ?? '';

  const app = new Hono();
  app.get('/form', (context) => {
    const { secret = '' } = context.req.query();
    return context.html(
      `<!doctype html><html lang="en"><head><title>Pay</title><link rel="icon" href="data:,"></head><body><div id="root" data-key="${sandbox.publishableKey}" data-secret="${secret}" data-script="${sandbox.browserScript.src}"></div>
       <script type="module" src="/page.js" nonce="n0nce"></script></body></html>`,
      200,
      { 'content-security-policy': policy },
    );
  });
  app.get('/page.js', (context) => context.body(page, 200, { 'content-type': 'text/javascript' }));
  const server = createServer(getRequestListener((request) => app.fetch(request)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sandbox = await openStripeSandbox({ databaseUrl: database.url, siteUrl: origin, log: quietLog });
  app.route('/', sandbox.browser);
  stripe = new Stripe(sandbox.apiKey, { ...sandbox.connection, telemetry: false });
  closers.push(
    () => sandbox.close(),
    () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(resolve);
      });
    },
  );
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const number = (page: Page) => page.getByRole('textbox', { name: 'Credit or debit card number' });
const expiry = (page: Page) => page.getByRole('textbox', { name: 'Credit or debit card expiration date' });
const cvc = (page: Page) => page.getByRole('textbox', { name: 'Credit or debit card CVC/CVV' });

async function openForm(secret = '', options = desktop) {
  const opened = await browser.open(`${origin}/form?secret=${secret}`, options);
  await number(opened.page).waitFor();
  return opened;
}

async function fill(page: Page, digits: string): Promise<void> {
  await number(page).pressSequentially(digits);
  await expiry(page).pressSequentially('1240');
  await cvc(page).pressSequentially('123');
}

async function answerOf(page: Page) {
  await expect.poll(() => page.locator('output').textContent()).not.toBe('');
  return JSON.parse((await page.locator('output').textContent()) ?? '');
}

test('the official elements make a payment method under a strict policy', async () => {
  const { page, quiet } = await openForm('', mobile);
  await fill(page, '4242424242424242');
  expect([await number(page).inputValue(), await expiry(page).inputValue()]).toEqual([
    '4242 4242 4242 4242',
    '12 / 40',
  ]);
  // The fields' events are no React events, so React renders what they say a little later.
  await expect
    .poll(() => page.locator('li').allTextContents())
    .toEqual(['cardNumber: complete visa', 'cardExpiry: complete', 'cardCvc: complete']);
  expect(await number(page).evaluate((input) => getComputedStyle(input).fontSize)).toBe('18px');
  await inBothSizes(page, async () => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
  await page.getByRole('button', { name: 'Make a payment method' }).click();
  const { paymentMethod } = await answerOf(page);
  expect(paymentMethod).toMatchObject({
    object: 'payment_method',
    billing_details: { name: 'Ada' },
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 },
  });
  expect((await stripe.paymentMethods.retrieve(paymentMethod.id)).card?.fingerprint).toMatch(/^[\w-]{16}$/);
  await quiet();
});

test("errors use Stripe's texts, under their field", async () => {
  const { page, quiet } = await openForm();
  await page.getByText('Card number', { exact: true }).click();
  expect(await number(page).evaluate((input) => input === document.activeElement)).toBe(true);
  await number(page).pressSequentially('4242');
  await number(page).blur();
  await expiry(page).pressSequentially('120');
  await expiry(page).blur();
  await expect
    .poll(() => page.locator('li').allTextContents())
    .toEqual(['cardNumber: Your card number is incomplete.', "cardExpiry: Your card's expiration date is incomplete."]);
  expect(await number(page).getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#number').getAttribute('class')).toContain('StripeElement--invalid');
  expect(await number(page).evaluate((input) => getComputedStyle(input).color)).toBe('rgb(200, 0, 0)');
  await page.getByRole('button', { name: 'Make a payment method' }).click();
  expect((await answerOf(page)).error).toEqual({
    type: 'validation_error',
    code: 'incomplete_number',
    message: 'Your card number is incomplete.',
  });

  await number(page).fill('');
  await number(page).pressSequentially('4242424242424241');
  await expiry(page).fill('');
  await expiry(page).pressSequentially('0120');
  await expect
    .poll(() => page.locator('li').allTextContents())
    .toEqual(['cardNumber: Your card number is invalid.', "cardExpiry: Your card's expiration year is in the past."]);
  await quiet();
});

test('a number is written in its groups, also when something is put into its middle or taken out', async () => {
  const { page, quiet } = await openForm();
  await number(page).pressSequentially('42424242');
  await number(page).press('ArrowLeft');
  await number(page).press('ArrowLeft');
  await number(page).press('Backspace');
  await number(page).pressSequentially('99');
  expect(await number(page).inputValue()).toBe('4242 4994 2');
  await number(page).fill('378282246310005');
  expect(await number(page).inputValue()).toBe('3782 822463 10005');
  await cvc(page).pressSequentially('12345');
  expect(await cvc(page).inputValue()).toBe('1234');
  await expiry(page).pressSequentially('4');
  expect(await expiry(page).inputValue()).toBe('04 / ');
  await expiry(page).pressSequentially('41');
  expect(await expiry(page).inputValue()).toBe('04 / 41');
  for (let presses = 0; presses < 3; presses += 1) await expiry(page).press('Backspace');
  expect(await expiry(page).inputValue()).toBe('0');
  await expiry(page).fill('12/2034');
  expect(await expiry(page).inputValue()).toBe('12 / 34');
  await quiet();
});

test('a bank that asks is answered in its dialog, which keeps Escape and focus to itself', async () => {
  const customer = await stripe.customers.create();
  const intent = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: 'pm_card_authenticationRequiredOnSetup',
    allowed_payment_method_types: ['card'],
  });
  const { page, quiet } = await openForm(String(intent.client_secret));
  await page.getByRole('button', { name: 'Confirm the setup' }).click();
  const dialog = page.getByRole('dialog', { name: '3D Secure 2 Test Page' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await dialog.getByRole('button', { name: 'Fail authentication' }).click();
  expect((await answerOf(page)).error).toMatchObject({ code: 'setup_intent_authentication_failure' });
  await quiet();
});

test('a payment is confirmed with the card in the fields, and the answer of the bank decides', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 2400,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
  });
  const { page, quiet } = await openForm(String(intent.client_secret));
  await fill(page, '4000002760003184');
  const dialog = page.getByRole('dialog', { name: '3D Secure 2 Test Page' });
  await page.getByRole('button', { name: 'Confirm the payment' }).click();
  await dialog.getByRole('button', { name: 'Fail authentication' }).click();
  expect((await answerOf(page)).error).toMatchObject({ code: 'payment_intent_authentication_failure' });
  await page.getByRole('button', { name: 'Confirm the payment' }).click();
  await dialog.getByRole('button', { name: 'Complete authentication' }).click();
  const { paymentIntent } = await answerOf(page);
  expect(paymentIntent).toMatchObject({ status: 'succeeded', amount: 2400 });
  expect(paymentIntent).not.toHaveProperty('metadata');
  expect((await stripe.paymentIntents.retrieve(intent.id)).amount_received).toBe(2400);
  await quiet();
});

test('a card that is declined is an error with its code', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 2400,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
  });
  const { page } = await openForm(String(intent.client_secret));
  await fill(page, '4000000000009995');
  await page.getByRole('button', { name: 'Confirm the payment' }).click();
  expect((await answerOf(page)).error).toMatchObject({
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  });
});
