/** @module-tag slow */
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { expectCleanInBothLooks } from '../../support/accounts.ts';
import { type AdminSite, expectToFit, startAdminSite } from '../../support/admin-site.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { hydrated, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';

const browser = useBrowser({ images: false });
let site: AdminSite['site'];
let open: AdminSite['open'];

beforeAll(async () => {
  ({ site, open } = await startAdminSite(browser));
});

test('a feature is turned off by keyboard, disappears for visitors, and is turned on again', async () => {
  const { page, quiet } = await open('/admin/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await expectCleanInBothLooks(page);
  await inBothSizes(page, () => expectToFit(page));
  expect(await button(page, 'Save: Features').isDisabled()).toBe(true);
  const statusOf = async () => (await fetch(`${site.url}/blog`)).status;
  for (const status of [404, 200]) {
    await page.getByRole('switch', { name: 'Blog' }).focus();
    await page.keyboard.press('Space');
    await button(page, 'Undo: Features').waitFor();
    await button(page, 'Save: Features').press('Enter');
    await seeNotice(page, 'Saved');
    await button(page, 'Undo: Features').waitFor({ state: 'detached' });
    await expect.poll(statusOf).toBe(status);
  }
  await page.getByRole('textbox', { name: 'Trial, in days' }).fill('a week');
  await button(page, 'Save: Prices and trial').click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Trial, in days' }).getAttribute('aria-invalid'))
    .toBe('true');
  await button(page, 'Undo: Prices and trial').click();
  const trial = page.getByRole('textbox', { name: 'Trial, in days' });
  expect(await trial.inputValue()).toBe('7');
  await trial.fill('999');
  await button(page, 'Save: Prices and trial').click();
  await page.getByText('Enter a whole number from 0 to 365').waitFor();
  await button(page, 'Undo: Prices and trial').click();

  // Another operator saves meanwhile: nothing is lost, and what is there now is shown on request.
  const comments = page.getByRole('textbox', { name: 'Comments in an hour' });
  const other = await page.context().newPage();
  await other.goto('/admin/settings');
  await hydrated(other);
  await comments.fill('60');
  await other.getByRole('textbox', { name: 'Comments in an hour' }).fill('50');
  await button(other, 'Save: Limits').click();
  await seeNotice(other, 'Saved');
  await other.close();
  await trial.fill('8');
  await button(page, 'Save: Limits').click();
  await page.getByText(/ changed this meanwhile, /).waitFor();
  expect([await comments.inputValue(), await trial.inputValue()]).toEqual(['60', '8']);
  await page.getByText('Yours: 60').waitFor();
  await page.getByText('Theirs: 50').waitFor();
  await button(page, 'Load theirs: Limits').click();
  // The other section keeps what was typed.
  await expect.poll(() => comments.inputValue()).toBe('50');
  expect(await trial.inputValue()).toBe('8');
  await button(page, 'Undo: Prices and trial').click();
  await comments.fill('120');
  await button(page, 'Save: Limits').click();
  await seeNotice(page, 'Saved');
  await quiet([expect.stringContaining('409')]);
});

/** On a regularly started site: the tests' own one has no jobs or backups. */
async function openAsDemoAdmin(path: string, layout: BrowserContextOptions) {
  const opened = await browser.open('/about', layout);
  const { request } = opened.page.context();
  const headers = { origin: new URL(inject('siteUrl')).origin };
  const data = { email: 'admin@sotto.example', password: 'adminadmin' };
  expect((await request.post('/identity/sign-in/email', { data, headers })).status()).toBe(200);
  const { token } = (await (await request.get('/identity/token')).json()) as { token: string };
  const login = await request.post('/v1/api/auth/login', { data: { firebaseIdtoken: token }, headers });
  expect(login.status()).toBe(200);
  await opened.page.goto(path);
  await hydrated(opened.page);
  return opened;
}

test('System says how the site runs, and tries the storage', async () => {
  const { page, quiet } = await openAsDemoAdmin('/admin/system', mobile);
  await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
  await expectCleanInBothLooks(page);
  await inBothSizes(page, () => expectToFit(page));
  await page.getByText('up to date').waitFor();
  await button(page, 'Test storage').click();
  await seeNotice(page, 'A file was written, read and removed');
  await page.getByText('Tested just now').waitFor();
  await quiet();
});
