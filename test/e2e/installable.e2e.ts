import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { desktop, hydrated, useBrowser, workerInCharge } from '../support/browser/browser.ts';
import { useForwardProxy } from '../support/servers/forward-proxy.ts';
import { newListener, openAs } from '../support/listener.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser();
const proxies = useForwardProxy();
const firstVisit = { ...desktop, isFirstVisit: true };

/** Paths in the worker's caches. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const addresses: string[] = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) addresses.push(new URL(request.url).pathname);
    return addresses;
  });
}

const pressPlay = (page: Page) => page.locator('main').getByRole('button', { name: /^Play/ }).first().click();

test('the manifest has what a home screen needs, and each picture is what it says', async () => {
  const site = inject('siteUrl');
  const response = await fetch(`${site}/manifest.webmanifest`);
  expect(response.headers.get('content-type')).toBe('application/manifest+json');
  const manifest = (await response.json()) as {
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
    shortcuts: { name: string; url: string }[];
  };
  expect(manifest).toMatchObject({ id: '/', name: 'Sotto', start_url: '/', scope: '/', display: 'standalone' });
  for (const { src, sizes, type } of manifest.icons) {
    const picture = await fetch(site + src);
    expect([src, picture.status, picture.headers.get('content-type')?.split(';')[0]]).toEqual([src, 200, type]);
    if (sizes === 'any') continue;
    const { width, height } = await sharp(new Uint8Array(await picture.arrayBuffer())).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1);
  expect(manifest.shortcuts.map(({ name }) => name)).toEqual(['Library', 'Search', 'Sleep', 'Blog']);
  for (const { url } of manifest.shortcuts) expect([url, (await fetch(site + url)).status]).toEqual([url, 200]);
});

test(
  'the worker keeps built files and the offline page, no page that was seen, and leaves calls and sound alone',
  slow,
  async () => {
    const { page, quiet } = await openAs(browser, await newListener(), '/account', firstVisit);
    await workerInCharge(page);
    const byWorker: string[] = [];
    const byNetwork: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      (response.fromServiceWorker() ? byWorker : byNetwork).push(pathname);
    });
    await page.goto('/audio/bright-star');
    await hydrated(page);
    await pressPlay(page);
    await expect.poll(() => byNetwork.some((path) => path.startsWith('/media/'))).toBe(true);
    await expect.poll(() => byNetwork.some((path) => path.startsWith('/v1/'))).toBe(true);
    expect(byWorker.filter((path) => !path.startsWith('/assets/') && path !== '/audio/bright-star')).toEqual([]);
    expect(byWorker.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(3);

    const kept = await keptPaths(page);
    expect(kept).toContain('/offline');
    expect(kept.filter((path) => path !== '/offline' && !path.startsWith('/assets/'))).toEqual([]);

    await page.context().setOffline(true);
    await page.goto('/library');
    expect(await page.locator('h1').textContent()).toBe('No internet connection');
    expect(new URL(page.url()).pathname).toBe('/library');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    // The browser logs the failed offline request; the page does not.
    await quiet(expect.arrayContaining([]));
  },
);

/** Scripts of pages that were never opened. */
const isPageScript = (path: string) => /^\/assets\/(?:blog|library|creators|search)-[\w-]{7}\.js$/.test(path);

/** Files that a built script needs to run at all. */
async function importsOf(path: string): Promise<string[]> {
  const script = await (await fetch(inject('siteUrl') + path)).text();
  return [...script.matchAll(/(?:import|from)["']\.\/([\w.-]+\.js)["']/g)].map(([, name]) => `/assets/${name}`);
}

test('a first visit pays for the worker with two requests, after the page', async () => {
  const proxy = await proxies.open();
  async function visit(serviceWorkers: 'allow' | 'block') {
    const from = proxy.passed.length;
    const options = { ...firstVisit, proxy: { server: proxy.server }, serviceWorkers };
    const { page, quiet } = await browser.open('/about', options);
    const ofPage = proxy.passed.length;
    if (serviceWorkers === 'allow') await workerInCharge(page);
    await page.waitForLoadState('networkidle');
    const kept = serviceWorkers === 'allow' ? await keptPaths(page) : [];
    await quiet();
    return { all: proxy.passed.slice(from), early: proxy.passed.slice(from, ofPage), kept };
  }
  const without = await visit('block');
  const { all, early, kept } = await visit('allow');
  const isOfWorker = ({ path }: { path: string }) => path === '/service-worker.js' || path === '/offline';
  expect(all.filter(isOfWorker).map(({ path }) => path)).toEqual(['/service-worker.js', '/offline']);
  expect(early.filter(isOfWorker)).toEqual([]);
  // Events are sent after some time, and fonts loaded by their letters.
  const isOfPage = (one: { path: string }) => !isOfWorker(one) && !/^\/v1\/|\.woff2$/.test(one.path);
  const pathsOf = (some: { path: string }[]) => some.map(({ path }) => path).toSorted();
  expect(pathsOf(all.filter(isOfPage))).toEqual(pathsOf(without.all.filter(isOfPage)));
  const fonts = pathsOf(all).filter((path) => path.endsWith('.woff2'));
  expect(fonts).toEqual([...new Set(fonts)]);
  const bytes = all.filter(isOfWorker).reduce((sum, one) => sum + one.bytes, 0);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(15 * 1024);
  // Files that the page loaded are stored without another request.
  expect(kept).toContain('/offline');
  expect(kept.some((path) => path.startsWith('/assets/react-'))).toBe(true);
  expect(kept.filter(isPageScript)).toEqual([]);
});

/** Opens the page as the installed app does, which DevTools cannot emulate. */
async function openInstalled(path: string): Promise<Awaited<ReturnType<typeof browser.open>>> {
  const opened = await browser.open('/offline', firstVisit);
  await opened.page.addInitScript(() => {
    const matchMedia = window.matchMedia.bind(window);
    window.matchMedia = (query) => matchMedia(query.replace('(display-mode: standalone)', 'all'));
  });
  await opened.page.goto(path);
  await hydrated(opened.page);
  return opened;
}

test(
  'in the installed app the worker keeps the scripts of all listeners’ pages with all they import, and none of Studio and Admin',
  slow,
  async () => {
    const { page, quiet } = await openInstalled('/about');
    await workerInCharge(page);
    await expect.poll(async () => (await keptPaths(page)).filter(isPageScript).length).toBe(4);
    await page.waitForLoadState('networkidle');
    const settled = async () => {
      const kept = await keptPaths(page);
      const scripts = kept.filter((path) => path.endsWith('.js'));
      const imported = (await Promise.all(scripts.map(importsOf))).flat();
      return { kept, scripts, missing: imported.filter((path) => !kept.includes(path) && !isPayment(path)) };
    };
    // Paying needs a connection.
    const isPayment = (path: string) => /\/(?:card-form-(?!wait)|stripe-)/.test(path);
    await expect.poll(async () => (await settled()).missing).toEqual([]);
    const { kept, scripts } = await settled();
    expect(kept.filter((path) => /\/(?:studio-(?!audio-preview)|admin|workshop)/.test(path))).toEqual([]);
    expect(scripts.length).toBeGreaterThan(100);
    await quiet();
  },
);

test('the first play preloads the listeners’ pages, and nothing of Admin', slow, async () => {
  const { page, quiet } = await browser.open('/about', firstVisit);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/playlists/start-here');
  await hydrated(page);
  await pressPlay(page);
  await expect.poll(() => asked.filter(isPageScript).length).toBeGreaterThan(1);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => /\/(?:admin|workshop)/.test(path))).toEqual([]);
  await quiet();
});

test('with data saving, the first play preloads no pages', slow, async () => {
  const { page, quiet } = await browser.open('/about', firstVisit);
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/playlists/start-here');
  await hydrated(page);
  await pressPlay(page);
  await expect.poll(() => asked.some((path) => path.startsWith('/media/'))).toBe(true);
  await page.waitForLoadState('networkidle');
  expect(asked.filter(isPageScript)).toEqual([]);
  await quiet();
});

test('an answer that is no file is not kept in the place of one', slow, async () => {
  const { page } = await browser.open('/about', firstVisit);
  await workerInCharge(page);
  const there = (await keptPaths(page)).find((path) => path.endsWith('.js')) ?? expect.fail();
  const [gone, later] = ['/assets/gone-00000000.js', `${there}?later`];
  const ask = (path: string) => page.evaluate(async (address) => (await fetch(address)).status, path);
  const isKept = (path: string) => page.evaluate(async (address) => (await caches.match(address)) !== undefined, path);
  expect(await ask(gone)).toBe(404);
  // Kept behind the former answer, if that was kept at all.
  expect(await ask(later)).toBe(200);
  await expect.poll(() => isKept(later)).toBe(true);
  expect(await isKept(gone)).toBe(false);
});

test('a new worker leaves the former one and its files alone while a tab uses them', slow, async () => {
  const { page } = await browser.open('/about', firstVisit);
  await workerInCharge(page);
  const former = 'sotto-shell-former';
  const state = await page.evaluate(async (name) => {
    await (await caches.open(name)).put('/assets/former.js', new Response('former'));
    // Another address of the same worker: an update to the browser.
    const registration = await navigator.serviceWorker.register('/service-worker.js?next');
    const next = registration.installing ?? registration.waiting;
    await new Promise<void>((resolve) => {
      const check = () => next?.state !== 'installing' && resolve();
      next?.addEventListener('statechange', check);
      check();
    });
    return { next: next?.state, inCharge: navigator.serviceWorker.controller?.scriptURL, caches: await caches.keys() };
  }, former);
  expect(state.next).toBe('installed');
  expect(state.inCharge).not.toContain('next');
  expect(state.caches).toContain(former);
});

test('calls of a page that its worker has taken over can be intercepted, as tests do', slow, async () => {
  const { page } = await browser.open('/privacy', { ...desktop, isFirstVisit: true });
  await workerInCharge(page);
  await page.route('**/v1/api/**', (route) => route.abort());
  const status = (path: string) =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          ({ status: code }) => code,
          () => 'failed',
        ),
      path,
    );
  expect(await status('/v1/api/user/me')).toBe('failed');
  // Starts the worker again.
  expect(await status('/audio/bright-star.data')).toBe(200);
  expect(await status('/v1/api/user/me')).toBe('failed');
});
