/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { categories } from '#domain/catalogue/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { Languages } from '#domain/settings/languages.ts';
import { visitorOf } from '../support/accounts.ts';
import { desktop, hydrated, useBrowser, workerInCharge } from '../support/browser/browser.ts';
import { keep } from '../support/browser/downloads.ts';
import { createAudio } from '../support/factories.ts';
import { newMember, startLibrarySite } from '../support/library-site.ts';
import { tone, wavOf } from '../support/sound/sounds.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

/** In German, and on offer in English and French; its operators write in German. */
beforeAll(async () => {
  site = await startLibrarySite();
  const value = Languages.parse({ fr: true, default: 'de', ownTexts: 'de' });
  await site.site.admin.site.changeSection(operator, 'languages', { value, revision: 0 });
  await site.db.update(categories).set({ label: 'Sonette' });
  await site.site.admin.texts.changeTranslations(operator, [
    { key: `category/${site.category.id}/label`, language: 'en', text: 'Sonnets' },
  ]);
  const file = wavOf(tone(220), { seconds: 2, rate: 8000 });
  const audio = {
    title: 'Kept',
    slug: 'kept',
    voiceId: site.voice.id,
    categoryIds: [site.category.id],
    fileMime: 'audio/wav',
    fileBytes: file.length,
  };
  const { fileKey } = await createAudio(site.db, { ...audio, durationMs: 2000, isFree: true });
  await site.blobs.write(fileKey, file);
});

async function ask(path: string, cookie = '') {
  const answer = await fetch(site.url + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' });
  const text = await answer.text();
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    language: /<html[^>]* lang="([^"]+)"/.exec(text)?.[1],
    text,
  };
}

test.each([
  ['/categories/sonnets', '', 'de', 'Sonette'],
  ['/en/categories/sonnets', '', 'en', 'Sonnets'],
  // Without a French text there is the one of the operators.
  ['/fr/categories/sonnets', '', 'fr', 'Sonette'],
  ['/categories/sonnets', 'sotto_language=en', 'en', 'Sonnets'],
])('%s with “%s” is in %s, and the category is “%s”', async (path, cookie, language, label) => {
  const page = await ask(path, cookie);
  expect([page.status, page.language]).toEqual([200, language]);
  expect(page.text).toContain(`>${label}</h1>`);
});

test.each([
  ['/de', '/'],
  ['/de/audios?sort=a-z', '/audios?sort=a-z'],
  ['/de/creators/maren-holt/feed.xml', '/creators/maren-holt/feed.xml'],
])('%s leads to %s, for now', async (path, location) => {
  const page = await ask(path);
  expect([page.status, page.location?.replace(site.url, '')]).toEqual([302, location]);
});

test('search engines find German pages without a prefix, and English ones below /en', async () => {
  const { text } = await ask('/en/categories');
  const links = text.matchAll(/<link rel="(canonical|alternate)"(?: hrefLang="([\w-]+)")? href="([^"]+)"/g);
  expect([...links].map(([, rel, language = rel, href = '']) => [language, href.slice(site.url.length)])).toEqual([
    ['canonical', '/en/categories'],
    ['de', '/categories'],
    ['en', '/en/categories'],
    ['fr', '/fr/categories'],
    ['x-default', '/categories'],
  ]);
  const listed = async (query: string) => (await ask(`/sitemaps/pages.xml${query}`)).text;
  expect(await listed('')).toContain(`<loc>${site.url}/categories</loc>`);
  expect(await listed('?language=en')).toContain(`<loc>${site.url}/en/categories</loc>`);
  const index = (await ask('/sitemap.xml')).text;
  expect(index.match(/language=[a-z]+/g)?.filter((one, at, all) => all.indexOf(one) === at)).toEqual([
    'language=en',
    'language=fr',
  ]);
});

test('another default language counts at once, for pages that were cached too', async () => {
  const change = (byDefault: 'de' | 'fr', revision: number) =>
    site.site.admin.site.changeSection(operator, 'languages', {
      value: Languages.parse({ fr: true, de: true, default: byDefault, ownTexts: 'de' }),
      revision,
    });
  expect((await ask('/about')).language).toBe('de');
  await change('fr', 1);
  try {
    await expect.poll(async () => (await ask('/about')).language).toBe('fr');
    expect([(await ask('/de/about')).status, (await ask('/fr/about')).location]).toEqual([200, '/about']);
  } finally {
    await change('de', 2);
  }
  await expect.poll(async () => (await ask('/about')).language).toBe('de');
});

test('who chooses English gets addresses below /en, and German ones have none', async () => {
  const { page, quiet } = await browser.open('/categories', visitorOf(site, desktop));
  const languageOfPage = () => page.locator('html').getAttribute('lang');
  expect(await languageOfPage()).toBe('de');
  await page.getByRole('button', { name: 'Sprache: Deutsch' }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.waitForURL('**/en/categories');
  await hydrated(page);
  await page.getByRole('link', { name: 'Sonnets' }).first().click();
  await page.waitForURL('**/en/categories/sonnets');
  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.waitForURL(`${site.url}/categories/sonnets`);
  await hydrated(page);
  expect(await languageOfPage()).toBe('de');
  await quiet();
});

test.each(['', '/en'])(
  'without a connection, pages that were stored from “%s” open at their own address, whatever was asked for',
  async (prefix) => {
    const user = await newMember(site);
    await giveMonths(site.db, user.id, 1);
    await site.site.identity.savePreferences(user.id, { language: 'en' });
    const list = `${prefix}/categories/sonnets`;
    const { page } = await site.openAs(browser, user, list, { ...desktop, isFirstVisit: true });
    await workerInCharge(page);
    await keep(page, ['Kept']);
    const storedPages = () =>
      page.evaluate(async () => (await (await caches.open('kept')).keys()).filter(({ url }) => url.endsWith('/page')));
    await expect.poll(storedPages).toHaveLength(1);
    await page.context().setOffline(true);
    const visit = async (path: string) => {
      await page.goto(path);
      await hydrated(page);
      return [new URL(page.url()).pathname, await page.locator('main h1').textContent()];
    };
    expect(await visit('/audio/kept')).toEqual(['/en/audio/kept', 'Kept']);
    expect(await visit('/en/audio/kept')).toEqual(['/en/audio/kept', 'Kept']);
    expect(await visit('/library/downloads')).toEqual(['/en/library/downloads', 'Library']);
    expect(await visit('/blog')).toEqual(['/en/library/downloads', 'Library']);
  },
);
