/** @module-tag slow */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { expectCleanForAxe, visitorOf } from '../../support/accounts.ts';
import { type AdminSite, startAdminSite } from '../../support/admin-site.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createCategory } from '../../support/factories.ts';

const browser = useBrowser({ images: false });
let site: AdminSite['site'];
/** A repeated run finds what the previous one saved. */
let runs = 0;
let open: AdminSite['open'];

beforeAll(async () => {
  ({ site, open } = await startAdminSite(browser));
});

const groundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('name, colors, logo, texts and footer are changed, seen by visitors, and made as they were', async () => {
  const visitor = await browser.open('/', visitorOf(site, desktop));
  expect(await visitor.page.locator('link[rel=stylesheet][href^="/look/"]').count()).toBe(0);
  const former = await groundOf(visitor.page);

  const { page, quiet } = await open('/admin/look');
  await expectCleanForAxe(page);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Night Owl ${++runs}`);
  await button(page, 'Save: Name of the site').click();
  await seeNotice(page, 'Name saved');

  const ground = page.getByRole('textbox', { name: 'Ground, dark', exact: true });
  await ground.fill('#8899aa');
  await page.getByText('The ground makes text hard to read').first().waitFor();
  expect(await button(page, 'Save: Colors').isDisabled()).toBe(true);
  await ground.fill('#0d1418');
  // The visitor of these tests has the light theme.
  await page.getByRole('textbox', { name: 'Ground, light', exact: true }).fill('#eef6f4');
  await button(page, 'Save: Colors').click();
  await seeNotice(page, 'Colors saved');

  const buffer = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32"><script>1</script><path d="M0 0h64v32z"/></svg>',
  );
  const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer };
  await page.getByLabel('Upload for the dark theme').last().setInputFiles(file);
  await seeNotice(page, 'Logo saved without script');

  await page.getByRole('textbox', { name: 'First line on Home' }).fill('Poems and letters, read close to you.');
  await button(page, 'Save: Homepage headline').click();
  await seeNotice(page, 'First lines saved');
  await button(page, 'Change the links').click();
  await page.getByRole('textbox', { name: 'Text of link 1' }).fill('Journal');
  await button(page, 'Save: Footer').click();
  await seeNotice(page, 'Footer saved');
  await expectCleanForAxe(page);

  await expect
    .poll(async () => {
      await visitor.page.reload();
      return visitor.page.title();
    })
    .toBe(`Poems and letters, read close to you. · Night Owl ${runs}`);
  await visitor.page.getByRole('heading', { level: 1, name: 'Poems and letters, read close to you.' }).waitFor();
  await visitor.page.getByRole('contentinfo').getByRole('link', { name: 'Journal' }).waitFor();
  expect(await groundOf(visitor.page)).not.toBe(former);
  const logo = visitor.page.locator('header .logo');
  expect(await logo.evaluate((link) => getComputedStyle(link, '::before').backgroundImage)).toMatch(/\/look\/\w+\.svg/);
  await expectCleanForAxe(visitor.page);

  // Another operator renames the site meanwhile: unsaved input stays.
  const { revision } = (await site.site.admin.site.findLook({ kind: 'operator' })).name;
  const value = { name: 'Late Owl' };
  await site.site.admin.site.changeLook({ kind: 'operator' }, 'name', { value, revision });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Early Owl');
  await button(page, 'Save: Name of the site').click();
  const notice = page.getByRole('alert');
  await notice.getByText(/^Someone else changed this meanwhile, /).waitFor();
  await notice.getByText('Yours: Early Owl').waitFor();
  await notice.getByText('Theirs: Late Owl').waitFor();
  expect(await name.inputValue()).toBe('Early Owl');
  await button(page, 'Load theirs: Name of the site').click();
  await expect.poll(() => name.inputValue()).toBe('Late Owl');
  await button(page, 'Back to the default: Name of the site').click();
  await seeNotice(page, 'Reset to the default');
  await expect.poll(() => name.inputValue()).toBe('');
  await quiet([expect.stringContaining('409')]);
  visitor.quiet();
});

test('rails on Home are put in order by keyboard, one of a category is added, and visitors see it', async () => {
  const category = await createCategory(site.db, { label: 'Storms' });
  await createAudio(site.db, { title: 'Rain on tin', categoryIds: [category.id] });
  const { page, quiet } = await open('/admin/home');
  await page.getByRole('combobox', { name: 'Add a rail' }).selectOption({ label: 'Storms' });
  await button(page, 'Add').click();
  const rows = page.getByRole('list', { name: 'Rails on Home' }).locator('li b, li .font-semibold');
  const grip = page.getByRole('button', { name: /^Move Category: Storms, / });
  await grip.focus();
  for (const key of ['Space', 'Home', 'Space']) await page.keyboard.press(key);
  await expect.poll(() => rows.first().textContent()).toBe('Category: Storms');
  await page.getByRole('textbox', { name: 'Title of “Category: Storms”' }).fill('For bad weather');
  await button(page, 'Remove: Creators').click();
  await expectCleanForAxe(page);
  await button(page, 'Save').click();
  await seeNotice(page, 'Home saved');

  const visitor = await browser.open('/', visitorOf(site, mobile));
  const headings = visitor.page.locator('main section h2');
  await expect
    .poll(async () => {
      await visitor.page.reload();
      return headings.first().textContent();
    })
    .toBe('For bad weather');
  await visitor.page.getByRole('region', { name: 'For bad weather' }).getByText('Rain on tin').first().waitFor();
  expect(await headings.allTextContents()).not.toContain('Creators');
  await quiet();
});

test('what is typed in Look and Settings survives other pages of Admin, and meets what another operator saved', async () => {
  const { page, quiet } = await open('/admin/settings');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const goTo = async (name: string) => {
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };
  await field('Trial, in days').fill('9');
  await goTo('Look');
  await field('Note').fill('Mine');
  await field('First line on Home').fill('Kept');
  await goTo('Settings');
  await expect.poll(() => field('Trial, in days').inputValue()).toBe('9');
  await button(page, 'Undo: Prices and trial').click();
  await goTo('Look');
  await expect.poll(() => field('Note').inputValue()).toBe('Mine');

  const { revision } = (await site.site.admin.site.findLook(operator))['sign-up'];
  await site.site.admin.site.changeLook(operator, 'sign-up', { value: { note: 'Theirs' }, revision });
  await button(page, 'Save: Note above the sign-up').click();
  await button(page, 'Take theirs: Note').click();
  await expect.poll(() => field('Note').inputValue()).toBe('Theirs');
  expect(await field('First line on Home').inputValue()).toBe('Kept');
  await field('Note').fill('Mine again');
  await button(page, 'Save: Note above the sign-up').click();
  await seeNotice(page, 'Note saved');
  await quiet([expect.stringContaining('409')]);
});

test('on a phone both pages fit and are clean', async () => {
  for (const path of ['/admin/look', '/admin/home?for=listeners']) {
    const { page, quiet } = await open(path, mobile);
    await expectCleanForAxe(page);
    quiet();
  }
});
