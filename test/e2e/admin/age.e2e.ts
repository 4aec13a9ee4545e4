/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { expectCleanInBothLooks } from '../../support/accounts.ts';
import { type AdminSite, expectToFit, startAdminSite } from '../../support/admin-site.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { hydrated, inBothSizes, useBrowser } from '../../support/browser/browser.ts';

const browser = useBrowser({ images: false });
let open: AdminSite['open'];

beforeAll(async () => {
  ({ open } = await startAdminSite(browser));
});

test('rules of age are added, tried, saved, weakened after a question, and kept in a conflict', async () => {
  const { page, quiet } = await open('/admin/settings/age');
  await expectCleanInBothLooks(page);
  await inBothSizes(page, () => expectToFit(page));
  const ruleOf = (place: string) => page.getByRole('group', { name: `Rule for ${place}`, exact: true });
  const proofs = [
    button(page, 'Add: European Union'),
    ruleOf('Everywhere else').getByRole('button', { name: 'Proof' }),
  ];
  const areOff = () => Promise.all(proofs.map((one) => one.isDisabled()));
  // The stand-in is a way on a site of this machine; without a way, nothing can ask for proof.
  expect(await areOff()).toEqual([false, false]);
  await page.getByRole('switch', { name: 'Stand-in' }).click();
  expect(await areOff()).toEqual([true, true]);
  await button(page, 'Undo').click();

  const save = page.getByRole('button', { name: 'Save', exact: true });
  const tried = page.getByRole('status').filter({ hasText: 'by the rule for' });
  await button(page, 'Country or state').click();
  await page.getByRole('dialog').getByLabel('Country or state').selectOption({ label: 'Texas, United States' });
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Texas, United States: asked again').selectOption('quarter');
  await page.getByLabel('Visitor from').selectOption('US-TX');
  await tried.getByText('Statement, by the rule for Texas, United States · After 90 days').waitFor();
  await save.click();
  await seeNotice(page, 'Saved');

  // Another operator changes the same rules meanwhile.
  const other = await page.context().newPage();
  await other.goto('/admin/settings/age');
  await hydrated(other);
  await other.getByLabel('Texas, United States: asked again').selectOption('year');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await other.getByText('Ask for less?').waitFor();
  await other.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await seeNotice(other, 'Saved');
  await other.close();
  await ruleOf('Texas, United States').getByRole('button', { name: 'None', exact: true }).click();
  await save.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/ changed this meanwhile, /).waitFor();
  await page.getByText('Yours: Texas, United States: None').waitFor();
  await page.getByText('Theirs: Texas, United States: Statement, After 1 year').waitFor();
  await button(page, 'Load theirs').click();
  await expect.poll(() => page.getByLabel('Texas, United States: asked again').inputValue()).toBe('year');

  await button(page, 'Remove Texas, United States').click();
  await tried.getByText('by the rule for Everywhere else').waitFor();
  await button(page, 'Undo').click();
  await ruleOf('Texas, United States').waitFor();
  await quiet([expect.stringContaining('409')]);
});

test('an operator sees the site as a visitor from elsewhere, until they end it', async () => {
  const { page } = await open('/admin/settings/age');
  await page.getByLabel('Visitor from').selectOption('FR');
  await page.locator('#see-as').getByRole('button', { name: 'See as a visitor' }).click();
  const mark = page.getByText('You see the site as a visitor from France.');
  await mark.waitFor();
  await hydrated(page);
  expect(new URL(page.url()).pathname).toBe('/');
  await inBothSizes(page, () => expectToFit(page));
  // It stays on pages that scripts load.
  await page.locator('main a[href^="/audio/"]').first().click();
  await page.waitForURL('**/audio/**');
  await mark.waitFor();
  const visitor = await (await fetch(new URL('/', page.url()))).text();
  expect(visitor).not.toContain('You see the site as a visitor');
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.waitForURL('**/admin/settings/age');
  await page.goto('/');
  expect(await mark.count()).toBe(0);
});
