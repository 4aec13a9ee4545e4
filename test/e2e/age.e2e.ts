import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { AgeSettings } from '#domain/age/settings.ts';
import { answerWith, issueProof, makeCertificate } from '#domain/age/wallet/stand-in.ts';
import { base64url } from '#domain/age/wallet/mdoc.ts';
import { ofDirectPost } from '#domain/age/wallet/transcripts.ts';
import { expectCleanInBothLooks, fillLogIn, modalOf, visitorOf } from '../support/accounts.ts';
import {
  type PageOptions,
  desktop,
  layouts,
  mobile,
  overflowOf,
  sound,
  useBrowser,
} from '../support/browser/browser.ts';
import { startDemoSite } from '../support/demo-site.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser({ images: false });
const site = await startDemoSite({ REGION_HEADER: 'CF-IPCountry' });
const audio = '/audio/how-do-i-love-thee';

let issuer: Awaited<ReturnType<typeof makeCertificate>>;

beforeAll(async () => {
  issuer = await makeCertificate({ name: 'CN=Ages, C=FR' });
  const rules = [
    { place: 'FR', rule: 'proof', again: 'year' },
    { place: 'DE', rule: 'proof', again: 'device' },
  ];
  for (const [key, value] of [
    ['age', AgeSettings.parse({ rules })],
    ['age-issuers', { certificates: [issuer.pem] }],
  ])
    await site.pool.query('insert into site_settings (key, value) values ($1, $2)', [key, JSON.stringify(value)]);
  const headers = { 'cf-ipcountry': 'FR', 'x-forwarded-for': '203.0.113.7' };
  const isOpen = async () => (await fetch(site.url + audio, { headers, redirect: 'manual' })).status !== 302;
  while (await isOpen()) await new Promise((resolve) => setTimeout(resolve, 100));
});

const open = (path: string, layout: PageOptions, region = 'FR') =>
  browser.open(path, { ...visitorOf(site, layout), extraHTTPHeaders: { 'cf-ipcountry': region } });

async function isHeard(page: Page): Promise<void> {
  await expect.poll(async () => (await sound(page)).time, { timeout: 15_000, interval: 50 }).toBeGreaterThan(0);
}

/** From the press on the age page until sound is heard. */
async function pressToSound(page: Page): Promise<number> {
  const from = performance.now();
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('link', { name: 'Go on to the audio' }).click();
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await isHeard(page);
  return performance.now() - from;
}

describe.each(layouts)('on %s', (name, layout) => {
  const tags = name === 'desktop' ? slow : {};

  test('a press on the stand-in wallet leads to the sound that was wanted', tags, async () => {
    const { page, quiet } = await open(audio, layout);
    await page.waitForURL('**/age?to=*');
    await page.getByRole('heading', { name: 'Confirm your age', level: 1 }).waitFor();
    await page.getByText('You are visiting from France.').waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await pressToSound(page)).toBeLessThan(15_000);
    await quiet();
  });

  test('an answer that the wallet of another device sends is taken by this page', tags, async () => {
    const { page, quiet } = await open(audio, layout);
    const href = await page.getByRole('link', { name: 'Open wallet on this device' }).getAttribute('href');
    const asked = new URL(href ?? '').searchParams;
    const [responseUri, nonce] = [asked.get('response_uri') ?? '', asked.get('nonce') ?? ''];
    const proof = await issueProof({ chain: [issuer] });
    const answer = base64url.encode(await answerWith(proof, await ofDirectPost(responseUri, nonce)));
    const body = new URLSearchParams({ vp_token: JSON.stringify({ age: [answer] }) });
    expect((await fetch(responseUri, { method: 'POST', body })).status).toBe(200);
    await page.waitForURL('**/age/done?to=*');
    await page.getByText('Age verification app').waitFor();
    // It goes on by itself.
    await page.waitForURL(`**${audio}`);
    await page.getByRole('heading', { level: 1, name: /How Do I Love Thee/ }).waitFor();
    await quiet();
  });

  test('its pages are clean for axe, in both themes', slow, async () => {
    const { page } = await open(audio, layout);
    for (const path of ['/age?to=/', '/age/waiting?to=/', '/age/refused?to=/&why=not-of-age']) {
      await page.goto(path);
      await expectCleanInBothLooks(page);
    }
    await page.goto('/age?to=/');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('heading', { name: 'Your age is confirmed' }).click();
    await expectCleanInBothLooks(page);
  });
});

test('press to sound takes less than 10 s, median of ten', { ...slow, timeout: 240_000 }, async () => {
  const times: number[] = [];
  for (let one = 0; one < 10; one += 1) {
    const { page, quiet } = await open(audio, one % 2 === 0 ? desktop : mobile);
    times.push(await pressToSound(page));
    await quiet();
  }
  const [, , , , lower = 0, upper = 0] = times.toSorted((a, b) => a - b);
  expect((lower + upper) / 2, times.join()).toBeLessThan(10_000);
});

test('by keyboard alone', async () => {
  const { page, quiet } = await open(audio, desktop);
  const isAt = (text: string) => page.evaluate((named) => document.activeElement?.textContent?.trim() === named, text);
  for (let presses = 0; !(await isAt('Use it')); presses += 1) {
    expect(presses).toBeLessThan(30);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your age is confirmed' }).waitFor();
  // A key stops the page from going on.
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Go on to the audio' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${audio}`);
  await quiet();
});

test('without JavaScript', async () => {
  const { page, quiet } = await open(audio, { ...desktop, javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Check again' }).click();
  await page.getByRole('heading', { name: 'Continue on your phone' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('You did not allow it. Nothing was kept.').waitFor();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('This device needs no further check until').waitFor();
  await page.getByRole('link', { name: 'Go on to the audio' }).click();
  await page.getByRole('heading', { level: 1, name: /How Do I Love Thee/ }).waitFor();
  await quiet();
});

test('in Germany, no day ends the answer', async () => {
  const { page, quiet } = await open('/age?to=/blog', mobile, 'DE');
  await page.getByText('A cookie keeps the answer on this device. With an account, it is kept there.').last().waitFor();
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('This device needs no further check.').waitFor();
  await page.waitForURL('**/blog');
  await quiet();
});

test('an account that has proven leads straight back', async () => {
  await site.pool.query(
    `insert into age_confirmations (user_id, method, place, again, confirmed_at)
     select id, 'wallet', 'FR', 'year', now() from users where username = 'listener'`,
  );
  const { page, quiet } = await open('/blog', desktop);
  await page.getByRole('link', { name: 'Log in' }).last().click();
  await fillLogIn(modalOf(page), { email: 'listener@sotto.example', password: 'listener' });
  await page.waitForURL('**/blog');
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await quiet();
});
