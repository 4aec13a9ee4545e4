import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { modalOf } from '../support/accounts.ts';
import { desktop, sound, useBrowser, workerInCharge } from '../support/browser/browser.ts';
import { newListener, openAs } from '../support/listener.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser();
/** Chromium and Firefox send this; they get other codings than most programs. */
const asBrowser = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(inject('siteUrl') + path, { headers: { ...asBrowser, ...headers } });

test.each([
  '/',
  '/audios',
  '/_.data',
  '/audio/bright-star.data',
  '/v1/api/audios',
  '/v1/api/openapi.json',
  '/service-worker.js',
  '/sitemaps/audios.xml',
  '/creators/maren-holt/feed.xml',
])('%s is compressed for browsers, and is not sent again while it is the same', async (path) => {
  const { status, headers } = await get(path);
  expect([status, headers.get('content-encoding')]).toEqual([200, expect.stringMatching(/^(?:zstd|br)$/)]);
  const again = await get(path, { 'if-none-match': headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test.each(['/', '/audio/bright-star', '/account'])(
  'the scripts of %s are asked for together, and after the styles',
  async (path) => {
    const html = await (await get(path)).text();
    expect(html).not.toContain('<link rel="modulepreload"');
    const [, list = '[]'] = /for\(const href of (\[[^\]]*\])/.exec(html) ?? [];
    const listed = new Set(JSON.parse(list) as string[]);
    expect(listed).toContainEqual(expect.stringMatching(/^\/assets\/entry\.client-/));
    const [, module = ''] = /<script type="text\/plain"[^>]*>([^]*?)<\/script>/.exec(html) ?? [];
    const wanted = [...module.matchAll(/(?:from|import) "(\/assets\/[^"]+)"/g)].map(([, address = '']) => address);
    expect(wanted.length).toBeGreaterThan(2);
    for (const address of [...wanted, ...listed]) {
      expect(listed).toContain(address);
      const script = await (await get(address)).text();
      for (const [, name = ''] of script.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
        expect([...listed, address]).toContain(`/assets/${name}`);
    }
  },
);

test('scripts wait for the first frame; a page in the background has none to wait for', async () => {
  const { page, quiet } = await browser.open('/about');
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const scripts = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length);
  async function openWithoutFrames(isHidden: boolean): Promise<void> {
    const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `{
        const waiting = [];
        window.requestAnimationFrame = (callback) => waiting.push(callback);
        window.showFrame = () => waiting.splice(0).forEach((callback) => callback(performance.now()));
        Object.defineProperty(document, 'hidden', { get: () => ${isHidden} });
      }`,
    });
    await page.goto('/');
    await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  }
  await openWithoutFrames(false);
  expect(await scripts()).toBe(0);
  await page.evaluate('showFrame()');
  await expect.poll(scripts).toBeGreaterThan(10);
  await openWithoutFrames(true);
  await expect.poll(scripts).toBeGreaterThan(10);
  // A frame is seen later than it is made.
  await page.goto('/creators');
  await expect.poll(scripts).toBeGreaterThan(10);
  const [seen = Number.NaN, first] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    Math.min(
      ...performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ startTime }) => startTime),
    ),
  ]);
  expect(first).toBeGreaterThanOrEqual(seen);
  await page.goto('/about');
  await quiet();
});

test('forms break no rule of the page’s policy', slow, async () => {
  const { page, quiet } = await browser.open('/about');
  await page.evaluate(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) => {
      document.body.dataset.violations = `${document.body.dataset.violations ?? ''} ${violatedDirective} ${sourceFile}`;
    });
  });
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: /gift card/i })
    .first()
    .click();
  await page.getByRole('textbox', { name: /email/i }).first().waitFor();
  expect(await page.evaluate(() => document.body.dataset.violations)).toBeUndefined();
  await quiet();
});

test('a press before the scripts are there counts once they are', async () => {
  const { page, quiet } = await browser.open('/about', { ...desktop, isFirstVisit: true });
  // The service worker of this visit would answer instead of the delayed network.
  await workerInCharge(page);
  await page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  });
  const answered = Promise.withResolvers<void>();
  await page.route('**/assets/entry.client-*.js', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto('/audio/bright-star', { waitUntil: 'commit' });
  const play = page.locator('main').getByRole('button', { name: /^Play/ }).first();
  await play.click();
  // A second, impatient press does not count.
  await play.click();
  expect((await sound(page)).paused).toBe(true);
  answered.resolve();
  await expect.poll(async () => (await sound(page)).paused).toBe(false);
  await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0);
  await quiet();
});

/** The page's own script waits until the returned function is called. */
async function openBeforeScripts(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The worker has stored all scripts, so none would be requested.
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  await page.route('**/assets/entry.client-*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return resolve;
}

test('what is typed, and Enter, before the scripts are there count once they are', slow, async () => {
  const { page, quiet } = await browser.open('/about');
  const start = await openBeforeScripts(page, '/reset-password?token=used');
  await page.getByRole('textbox', { name: 'New password' }).fill('long enough 9');
  await page.keyboard.press('Enter');
  const answered = page.waitForResponse('**/identity/reset-password');
  start();
  expect((await answered).ok()).toBe(false);
  await page.getByText('This link was already used or has expired.').waitFor();
  // The browser does not always complain of the refusal.
  await quiet(expect.not.arrayContaining([expect.not.stringContaining('/identity/reset-password')]));
});

test('a press on “Log in” before the scripts are there opens the window on this page', slow, async () => {
  const { page, quiet } = await browser.open('/about');
  const start = await openBeforeScripts(page, '/categories');
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
  start();
  await modalOf(page).getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/categories');
  await quiet();
});

test('a code that is typed and sent before the scripts are there counts once they are', slow, async () => {
  const { page, quiet } = await browser.open('/about');
  const start = await openBeforeScripts(page, '/gift-card/redeem');
  const code = page.getByRole('textbox', { name: /code/i }).first();
  await code.fill('ABCD');
  await page.getByRole('button', { name: 'Redeem' }).click();
  start();
  await page.getByRole('dialog', { name: 'Sign in to redeem your gift' }).waitFor();
  expect(await page.getByLabel('Code').inputValue()).toBe('ABCD');
  await quiet();
});

test('what is chosen and saved before the scripts are there counts once they are', slow, async () => {
  const { page, quiet } = await openAs(browser, await newListener(), '/about');
  const start = await openBeforeScripts(page, '/account/notifications');
  const email = page.getByLabel('Email', { exact: true });
  await email.selectOption('weekly');
  await page.getByText('Show titles.').click();
  await page.getByRole('button', { name: 'Save' }).click();
  start();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await page.unrouteAll();
  await page.reload();
  expect(await email.inputValue()).toBe('weekly');
  expect(await page.getByLabel('Show titles.').isChecked()).toBe(true);
  await quiet();
});

test('nothing on the page moves when the form of gift cards comes', async () => {
  const { page, quiet } = await browser.open('/about');
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as (PerformanceEntry & { value: number })[])
        Object.assign(window, { moved: (window as unknown as { moved: number }).moved + shift.value });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/gift-card');
  await page.getByRole('textbox', { name: /email/i }).first().waitFor();
  const moved = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return (window as unknown as { moved: number }).moved;
  });
  expect(moved).toBeLessThan(0.05);
  await quiet();
});
