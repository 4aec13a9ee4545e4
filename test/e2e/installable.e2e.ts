import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import { desktop, hydrated, useBrowser } from '../support/browser.ts';
import { newListener, openAs } from '../support/listener.ts';

const browser = useBrowser();
const withWorker = { ...desktop, serviceWorkers: 'allow' } as const;

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

test('the worker keeps built files and the offline page, no page that was seen, and leaves calls and sound alone', async () => {
  const { page, quiet } = await openAs(browser, await newListener(), '/account', withWorker);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
  });
  const byWorker: string[] = [];
  const byNetwork: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    (response.fromServiceWorker() ? byWorker : byNetwork).push(pathname);
  });
  await page.goto('/audio/bright-star');
  await hydrated(page);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await expect.poll(() => byNetwork.some((path) => path.startsWith('/media/'))).toBe(true);
  await expect.poll(() => byNetwork.some((path) => path.startsWith('/v1/'))).toBe(true);
  expect(byWorker.filter((path) => !path.startsWith('/assets/') && path !== '/audio/bright-star')).toEqual([]);
  expect(byWorker.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(3);

  const kept = await page.evaluate(async () => {
    const addresses: string[] = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) addresses.push(new URL(request.url).pathname);
    return addresses;
  });
  expect(kept).toContain('/offline');
  expect(kept.filter((path) => path !== '/offline' && !path.startsWith('/assets/'))).toEqual([]);

  await page.context().setOffline(true);
  await page.goto('/library');
  expect(await page.locator('h1').textContent()).toBe('No internet connection');
  expect(new URL(page.url()).pathname).toBe('/library');
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
  // The browser says that a request without a connection failed; the page did not.
  await quiet(expect.arrayContaining([]) as never);
});
