import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { splitPrefix } from '#formats/languages.ts';
import { desktop, hydrated, useBrowser, workerInCharge } from '../support/browser/browser.ts';
import { newListener, openAs } from '../support/listener.ts';

const browser = useBrowser({ images: false });
const germanCookie = () => ({
  name: 'sotto_language',
  value: 'de',
  domain: new URL(inject('siteUrl')).hostname,
  path: '/',
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: 'Lax' as const,
});

/** Paths of scripts and data that a page asks for from now on. */
function watchPaths(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\.(?:js|data)$/.test(pathname)) paths.push(pathname);
  });
  return paths;
}

test.each([
  ['de', 'ltr', 'Hauptnavigation', 'Bibliothek'],
  ['fr', 'ltr', 'Navigation principale', 'Bibliothèque'],
  ['es', 'ltr', 'Navegación principal', 'Biblioteca'],
  ['ar', 'rtl', 'التنقل الرئيسي', 'المكتبة'],
])('a page below /%s is %s, and so is each page that its links lead to', async (code, direction, main, library) => {
  const { page, quiet } = await browser.open(`/${code}/about`);
  const html = page.locator('html');
  expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual([code, direction]);
  const paths = watchPaths(page);
  const navigation = page.getByRole('navigation', { name: main, exact: true });
  expect(await navigation.getByRole('link').first().textContent()).toBe(library);

  await navigation.getByRole('link', { name: library }).click();
  await page.waitForURL(`**/${code}/library`);
  await page.locator('.logo').first().click();
  await page.waitForURL(`**/${code}`);
  await page.goBack();
  await page.waitForURL(`**/${code}/library`);
  expect(paths.filter((path) => splitPrefix(path.replace('/assets', '')).language !== code)).toEqual([]);
  expect(paths).toContain(`/${code}/library.data`);
  expect(paths.some((path) => path.startsWith(`/assets/${code}/library-`))).toBe(true);

  await page.reload();
  await hydrated(page);
  expect(await page.getByRole('navigation', { name: main, exact: true }).count()).toBe(1);
  await quiet();
});

test('without a prefix, the browser’s choice counts, and links have none', async () => {
  const { page, quiet } = await browser.open('/about', {
    ...desktop,
    storageState: { cookies: [germanCookie()], origins: [] },
  });
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByRole('link', { name: 'Kategorien' }).first().click();
  await page.waitForURL('**/categories');
  expect(new URL(page.url()).pathname).toBe('/categories');
  await quiet();
});

test('search engines find a page in each language by the others, with one address for each', async () => {
  const site = inject('siteUrl');
  const head = async (path: string) => {
    const html = await (await fetch(site + path)).text();
    const links = html.matchAll(/<link rel="(canonical|alternate)"(?: hrefLang="([\w-]+)")? href="([^"]+)"/g);
    return {
      links: [...links].map(([, rel, language = rel, href = '']) => [language, href.slice(site.length)]),
      locale: /<meta property="og:locale" content="(\w+)"/.exec(html)?.[1],
    };
  };
  const others = ['en', 'de', 'fr', 'es', 'ar'].map((code) => [code, `${code === 'en' ? '' : `/${code}`}/categories`]);
  const all = [...others, ['x-default', '/categories']];
  expect(await head('/categories')).toEqual({ links: [['canonical', '/categories'], ...all], locale: 'en_US' });
  expect(await head('/de/categories')).toEqual({ links: [['canonical', '/de/categories'], ...all], locale: 'de_DE' });
  expect((await head('/de')).links).toContainEqual(['canonical', '/de']);

  const index = await (await fetch(`${site}/sitemap.xml`)).text();
  const file = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => loc.replaceAll('&amp;', '&'));
  const pages = file.find((loc) => loc.includes('/pages.xml') && loc.includes('language=de')) ?? '';
  const listed = await (await fetch(pages)).text();
  expect(listed).toContain(`<loc>${site}/de</loc>`);
  expect(listed).toContain(`<loc>${site}/de/categories</loc>`);
  expect(listed).not.toContain(`<loc>${site}/categories</loc>`);
});

test('the worker keeps scripts of the page’s language alone', async () => {
  const { page, quiet } = await browser.open('/de/about', { ...desktop, isFirstVisit: true });
  await workerInCharge(page);
  const kept = await page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(url);
    return paths.map((url) => new URL(url)).map(({ pathname, search }) => pathname + search);
  });
  expect(kept).toContain('/offline?language=de');
  const scripts = kept.filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.filter((path) => !path.startsWith('/assets/de/'))).toEqual([]);

  await page.context().setOffline(true);
  await page.goto('/de/library');
  expect(await page.locator('h1').textContent()).toBe('Keine Internetverbindung');
  await page.context().setOffline(false);
  await quiet(expect.arrayContaining([]));
});

test('another language keeps the page, and is kept by the browser and by the account', async () => {
  const listener = await newListener();
  const { page, quiet } = await openAs(browser, listener, '/categories?utm_source=mail');
  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.waitForURL('**/de/categories?utm_source=mail');
  await hydrated(page);
  await page.getByRole('button', { name: 'Sprache: Deutsch' }).waitFor();

  // The account's choice counts in a browser that has made none.
  await page.context().clearCookies({ name: 'sotto_language' });
  await page.goto('/about');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await hydrated(page);

  await page.getByRole('button', { name: 'Menü', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.waitForFunction(() => document.documentElement.lang === 'en');
  expect(new URL(page.url()).pathname).toBe('/about');
  await hydrated(page);
  await quiet();
});

test('without JavaScript, the languages are links below the footer', async () => {
  const { page, quiet } = await browser.open('/de/audios?sort=a-z', { ...desktop, javaScriptEnabled: false });
  const links = page.locator('noscript a[hreflang]');
  expect(await links.allTextContents()).toEqual(['English', 'Deutsch', 'Français', 'Español', 'العربية']);
  await links.getByText('Français').click();
  await page.waitForURL('**/fr/audios?sort=a-z');
  await links.getByText('English').click();
  await page.waitForURL('**/audios?sort=a-z');
  expect(new URL(page.url()).pathname).toBe('/audios');
  await quiet();
});

test('a browser that asks for another language is offered the page in it, until the line is closed', async () => {
  const { page, quiet } = await browser.open('/about', { ...desktop, locale: 'de-AT' });
  const offer = page.getByRole('button', { name: 'Diese Seite auf Deutsch' });
  await offer.click();
  await page.waitForURL('**/de/about');
  await hydrated(page);
  await page.context().clearCookies({ name: 'sotto_language' });
  await page.goto('/about');
  await offer.waitFor();
  await page.getByRole('complementary', { name: 'Language' }).getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await hydrated(page);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  await page.waitForLoadState('networkidle');
  expect(await offer.count()).toBe(0);
  await quiet();
});
