import { inArray } from 'drizzle-orm';
import { beforeAll, expect, inject, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { createAudio, createSeries } from '../../support/factories.ts';
import { visitorOf } from '../../support/accounts.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { newMember, rowTitles, seeTitles, startLibrarySite, visit } from '../../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
  const german = site.audios.slice(1, 3).map(({ id }) => id);
  await site.db.update(audios).set({ language: 'de' }).where(inArray(audios.id, german));
  await createSeries(site.db, {
    slug: 'nights',
    voiceId: site.voice.id,
    audioIds: site.audios.slice(0, 3).map(({ id }) => id),
  });
  await createAudio(site.db, {
    title: 'Vague',
    language: 'fr',
    voiceId: site.voice.id,
    isFree: true,
    publishedAt: new Date(Date.now() - 36e5),
  });
});

const german = ['Echo', 'Wild Nights'];
const all = ['Bright Star', ...german, 'Silent Noon', 'A Birthday', 'The Tide', 'Élan', 'Ode', 'Vague'];

const html = async (path: string, cookie = 'sotto_listens=de', url = site.url) =>
  (await (await fetch(url + path, { headers: { cookie } })).text()).replaceAll('<!-- -->', '');

test.each([
  ['/audios', '7 audios in other languages.'],
  ['/categories/sonnets', '6 audios in other languages.'],
  ['/creators/maren-holt', '7 audios in other languages.'],
  ['/series/nights', '1 audio in other languages.'],
  ['/', 'Audios in German.'],
  ['/audio/tale-2', 'Audios in German.'],
  ['/search?search=night', 'Audios in German.'],
  ['/search?search=silent', 'Audios in German.'],
])('%s says that it leaves out other languages, and leads to all of them', async (path, sentence) => {
  const [address, query] = path.split('?');
  const to = `href="${address}?languages=all${query ? `&amp;${query}` : ''}"`;
  const page = await html(path);
  expect(page).toContain(sentence);
  expect(page).toContain(to);
  const whole = await html(`${path}${query ? '&' : '?'}languages=all`);
  expect(whole).toContain('Show only audios in German');
  expect(whole).not.toContain(sentence);
  for (const cookie of ['', 'sotto_language=en'])
    expect(await html(path, cookie)).not.toMatch(/other languages|languages=all/);
});

test('a list without other languages says nothing of them', async () => {
  expect(await html('/series/nights', 'sotto_listens=de.en')).not.toContain('languages=all');
});

test('the sentence is in the language of the page', async () => {
  const demo = inject('siteUrl');
  expect(await html('/de/audios', 'sotto_listens=fr', demo)).toMatch(
    /\d Audios in anderen Sprachen\..*Alle Sprachen zeigen/,
  );
  expect(await html('/de', 'sotto_listens=de.en', demo)).toContain('Audios auf Deutsch und Englisch.');
});

test('without JavaScript, a visitor chooses languages by a form', async () => {
  const options = { ...visitorOf(site, desktop), javaScriptEnabled: false };
  const { page } = await browser.open('/audios', options);
  await page.goto('/languages');
  const box = (name: string) => page.getByRole('checkbox', { name });
  for (const name of ['English', 'French', 'German']) expect(await box(name).isChecked()).toBe(true);
  for (const name of ['English', 'French']) await page.locator('label', { has: box(name) }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/languages');
  expect([await box('German').isChecked(), await box('English').isChecked()]).toEqual([true, false]);
  await page.locator('label', { has: box('German') }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Choose at least one language').waitFor();
  expect(await box('German').isChecked()).toBe(true);

  await page.goto('/audios');
  expect(await rowTitles(page)).toEqual(german);
  await page.getByRole('link', { name: 'Show all languages' }).click();
  await page.waitForURL('**/audios?languages=all');
  expect(await rowTitles(page)).toEqual(all);
});

test('a visitor finds the choice in the menu of languages, and each press counts at once', async () => {
  const { page, quiet } = await browser.open('/about', visitorOf(site, mobile));
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: /^Language/ })
    .click();
  await page.getByRole('menuitem', { name: 'Languages I listen to' }).click();
  await page.waitForURL('**/languages');
  for (const name of ['English', 'French']) await page.locator('label', { hasText: name }).click();
  await page.locator('label', { hasText: 'German' }).click();
  await page.getByText('Choose at least one language').first().waitFor();
  expect(await page.getByRole('checkbox', { name: 'German' }).isChecked()).toBe(true);
  await visit(page, '/audios');
  await seeTitles(page, german);
  await page.getByRole('link', { name: 'Show all languages' }).click();
  await seeTitles(page, all);
  await page.getByRole('link', { name: 'Show only audios in German' }).click();
  await seeTitles(page, german);
  await quiet();
});

test('a user’s choice is kept in the account, with the switch for comments', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, '/account/language', desktop);
  const saved = () => page.waitForResponse((answer) => answer.url().endsWith('/v1/api/user/languages'));
  const comments = page.getByRole('switch', { name: 'Comments in other languages' });
  expect(await comments.count()).toBe(0);
  await Promise.all([saved(), page.locator('label', { hasText: 'French' }).click()]);
  expect(await page.getByText('Off: only comments in English and German.').count()).toBe(1);
  await Promise.all([saved(), comments.click()]);
  expect(await comments.getAttribute('aria-checked')).toBe('false');
  await page.reload();
  await expect.poll(() => page.getByRole('checkbox', { name: 'French' }).isChecked()).toBe(false);
  expect(await comments.getAttribute('aria-checked')).toBe('false');
  await visit(page, '/audios');
  await seeTitles(page, all.slice(0, -1));
  await visit(page, '/languages');
  await page.waitForURL('**/account/language');
  await quiet();
});
