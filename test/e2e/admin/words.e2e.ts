/** @module-tag slow */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setAdmin } from '#domain/identity/operators.ts';
import { sessions } from '#domain/identity/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import {
  expectCleanForAxe,
  expectCleanInBothSizes,
  fillLogIn,
  modalOf,
  registered,
  visitorOf,
} from '../../support/accounts.ts';
import { type AdminSite, expectToFit, startAdminSite } from '../../support/admin-site.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { newMember } from '../../support/library-site.ts';
import { memberState } from '../../support/payments/member-state.ts';

const browser = useBrowser({ images: false });
let site: AdminSite['site'];
let open: AdminSite['open'];

beforeAll(async () => {
  ({ site, open } = await startAdminSite(browser));
});

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });

test('an article is written beside its preview, saved, published, taken back, deleted and restored', async () => {
  const { page, quiet } = await open('/admin/articles', mobile);
  await button(page, 'New article').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('On Rain');
  await button(page.getByRole('dialog'), 'Create article').click();
  await page.getByRole('heading', { level: 1, name: 'On Rain' }).waitFor();

  // Shortcuts add marks, and the preview shows the listeners' view.
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.fill('It rains. ');
  await text.press('End');
  await text.press('Control+b');
  await page.keyboard.type('Softly');
  await text.press('ControlOrMeta+a');
  await button(page, 'Quote').click();
  expect(await text.inputValue()).toBe('> It rains. **Softly**');
  expect(await hasFocus(text)).toBe(true);
  await button(page, 'Quote').click();
  await page.keyboard.press('End');
  await page.keyboard.type('\n\n<script>window.bad = 1</script><img src=x onerror="window.bad=1">');
  await page.setViewportSize(desktop.viewport);
  if (await button(page, 'Preview').isVisible()) await button(page, 'Preview').click();
  await preview(page).locator('strong', { hasText: 'Softly' }).waitFor();
  await page.setViewportSize(mobile.viewport);
  if (await button(page, 'Preview').isVisible()) await button(page, 'Preview').click();
  await preview(page).locator('strong', { hasText: 'Softly' }).waitFor();
  expect(await preview(page).locator('script, img').count()).toBe(0);
  await button(page, 'Write').click();

  const find = page.getByRole('combobox', { name: 'Add an audio' });
  await find.fill('bright');
  await page.getByRole('option').first().waitFor();
  await find.press('Enter');
  await page.getByRole('combobox', { name: 'Topic' }).selectOption({ label: 'Culture' });
  // Publishing saves unsaved input first.
  await button(page, 'Publish now').click();
  await seeNotice(page, 'Published');
  await page.getByRole('radio', { name: /^Not published/ }).check();
  await button(page, 'Unpublish').waitFor();
  await button(page, 'Cancel').click();
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));
  const path = '/blog/on-rain';
  const published = await page.request.get(path);
  expect(published.status()).toBe(200);
  expect(await published.text()).toContain('<strong>Softly</strong>');

  // A renamed article is still found under its old address.
  await page.getByRole('textbox', { name: 'Address' }).fill('rain');
  await text.focus();
  await page.keyboard.press('Control+s');
  await seeNotice(page, 'Saved');
  const lead = async () => {
    const led = await page.request.get(path, { maxRedirects: 0 });
    return [led.status(), led.headers()['location']];
  };
  // The notice may belong to the previous save.
  await expect.poll(lead).toEqual([301, '/blog/rain']);

  // A picture that is chosen during a save is no conflict with it.
  const unsaved = page.getByRole('region', { name: 'Unsaved changes' });
  await unsaved.waitFor({ state: 'detached' });
  const held = Promise.withResolvers<void>();
  const saving = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.route('**/articles/*', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise;
    await route.continue();
  });
  await text.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' Still.');
  await page.keyboard.press('Control+s');
  await saving;
  await button(page, 'Generate one').click();
  await button(page, 'Generate one').and(page.locator(':disabled')).waitFor();
  held.resolve();
  await page.getByRole('group', { name: /^Crop/ }).waitFor();
  await unsaved.waitFor({ state: 'detached' });
  await button(page, 'Delete').click();
  await modalOf(page).getByText('You can restore it for 30 days.').waitFor();
  expect((await page.request.get('/blog/rain')).status()).toBe(200);
  await button(modalOf(page), 'Delete article').click();
  await seeNotice(page, 'On Rain is deleted');
  expect((await page.request.get('/blog/rain')).status()).toBe(404);
  await page.getByRole('link', { name: 'Deleted' }).click();
  await button(page, 'Restore On Rain').click();
  await seeNotice(page, 'On Rain is restored');
  await expect.poll(async () => (await page.request.get('/blog/rain')).status()).toBe(200);
  await page.getByRole('link', { name: 'Culture' }).click();
  await page.getByText('No results found').waitFor();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByRole('link', { name: 'On Rain' }).waitFor();
  await expectCleanInBothSizes(page);
  await quiet();
});

test('a page and a mail are changed with a preview, refused by name, and given back to the site', async () => {
  const { page, quiet } = await open('/admin/info-pages', { ...desktop, colorScheme: 'light' });
  await expectCleanInBothSizes(page);
  await page.getByRole('link', { name: 'About', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.fill('# Over us\n\nWho we are.\n\n{sight} reads.');
  await page.getByText('{sight} is no placeholder. These are: {site}').first().waitFor();
  await text.fill('# Over us\n\nWho we are.\n\n{site} reads.');
  await button(page, 'Save').click();
  await seeNotice(page, 'Saved');
  await expect.poll(async () => (await page.request.get('/about')).text()).toMatch(/Over us[\s\S]*Sotto reads\./);
  await expectCleanInBothSizes(page);
  await button(page, 'Restore the default text').click();
  await seeNotice(page, 'The default text is restored');
  await expect.poll(async () => (await page.request.get('/about')).text()).not.toContain('Over us');

  await page.goto('/admin/mails');
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));
  await page.getByRole('link', { name: 'New password', exact: true }).click();
  await page.getByRole('textbox', { name: 'Subject' }).fill('A key for {site}');
  const shown = page.frameLocator('iframe[title="The mail as HTML"]');
  await shown.getByRole('heading', { name: 'A key for Sotto' }).waitFor();
  await text.fill('No link.');
  const missing = page.getByText('{link} is missing, and the mail is of no use without it.');
  await missing.waitFor();
  await button(page, 'Save').click();
  await missing.nth(1).waitFor();
  await text.fill('Here it is.\n\n[Choose]({link})');
  await button(page, 'Save').click();
  await seeNotice(page, 'Saved');
  await shown.getByRole('link', { name: 'Choose' }).waitFor();
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));
  await button(page, 'Restore the default text').click();
  await seeNotice(page, 'The default text is restored');
  await quiet(Array.from({ length: 3 }, () => expect.stringContaining('400') as string));
});

test('topics are ordered, renamed and added, and the blog follows', async () => {
  const { page, quiet } = await open('/admin/articles/topics');
  await page.getByRole('textbox', { name: 'Name of Culture' }).fill('Books');
  await button(page, 'Add topic').click();
  await page.getByRole('textbox', { name: 'Name of the new topic' }).fill('Sleep');
  await page.getByRole('button', { name: 'Move Sleep, ' }).focus();
  for (const key of ['Space', 'Home', 'Space']) await page.keyboard.press(key);
  await expectCleanForAxe(page);
  await button(page, 'Save').click();
  await seeNotice(page, 'Saved');
  await expect
    .poll(async () => {
      const html = await (await page.request.get('/blog')).text();
      return [...html.matchAll(/topics=[^"]*"[^>]*>([^<]+)</g)].map(([, label]) => label);
    })
    .toEqual(['Sleep', 'Sex', 'Wellness', 'Books', 'Relationships']);
  await quiet();
});

test('two operators change one article: the second keeps her text, and chooses', async () => {
  const id = await site.site.admin.texts.createArticle(operator, { title: 'Shared' });
  const { page: hers } = await open(`/admin/articles/${id}`);
  const { page: his, quiet } = await open(`/admin/articles/${id}`, mobile);
  for (const [page, title] of [
    [hers, 'Hers'],
    [his, 'His'],
  ] as const)
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await button(hers, 'Save').click();
  await seeNotice(hers, 'Saved');
  await button(his, 'Save').click();
  await his.getByText(/ changed this meanwhile, .*Your changes are still here\./).waitFor();
  expect(await his.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('His');
  await expectCleanForAxe(his, '.stick');
  // Unsaved text survives a visit to another page.
  await his.getByRole('link', { name: 'Articles', exact: true }).first().click();
  await his.getByRole('link', { name: 'Hers' }).click();
  await expect.poll(() => his.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('His');
  // So does the conflict.
  await button(his, 'Save mine instead').waitFor();
  await button(his, 'Load theirs').click();
  await expect.poll(() => his.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Hers');
  await quiet([expect.stringContaining('409')]);
});

test('others find none of these pages', async () => {
  const listener = await newMember(site);
  const { page } = await browser.open('/', {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, listener.id),
  });
  for (const path of ['articles', 'articles/topics', 'info-pages', 'info-pages/about', 'mails', 'mails/gift'])
    expect([path, (await page.request.get(`/admin/${path}`)).status()]).toEqual([path, 404]);
});

test('a session that ends in the middle of an edit loses nothing that was typed', async () => {
  const { page, quiet } = await open('/admin/info-pages/about');
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.fill('Typed at night.');
  await site.db.delete(sessions);
  await button(page, 'Save').click();
  await page.getByText('You are logged out. What you typed stays here').waitFor();
  expect(await text.inputValue()).toBe('Typed at night.');
  await expectCleanForAxe(page);
  await page.getByRole('link', { name: 'Sotto, home' }).first().click();
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).waitFor();
  // The preview of the text and the page's token may be refused as well.
  await quiet(expect.not.arrayContaining([expect.not.stringContaining('401')]));
});

test('a link that is pressed after the session ended asks to log in, and leads there', async () => {
  const person = await registered(site);
  await setAdmin(site.db, person.id, true);
  const { page, quiet } = await browser.open('/admin/info-pages', {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, person.id),
  });
  // A call by the page itself would notice the end of the session before the link is pressed.
  await page.waitForLoadState('networkidle');
  await site.db.delete(sessions);
  await page.getByRole('link', { name: 'Mails', exact: true }).first().click();
  await page.getByRole('heading', { name: 'You are logged out', level: 1 }).waitFor();
  await expectCleanForAxe(page);
  await button(page, 'Log in').click();
  await fillLogIn(modalOf(page), person);
  await page.getByRole('heading', { name: 'Mails', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/admin/mails');
  await quiet(expect.not.arrayContaining([expect.not.stringMatching(/40[14]/)]));
});
