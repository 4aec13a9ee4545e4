/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { expectCleanForAxe, expectCleanInBothSizes } from '../../support/accounts.ts';
import { button, hasFocus } from '../../support/browser/account-page.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { chooseInRow, newMember, rowOf, startLibrarySite, visit } from '../../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

test('“Not for me” keeps the place of a row until the page is left, and the account page shows it again', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, '/audios', desktop);
  // This site has no sound, and a pointer that rests on a row asks for its beginning.
  await page.route('**/media/audios/*', (route) => route.fulfill({ status: 206 }));
  const main = page.locator('main');
  const rows = await main.locator('.row').count();
  await chooseInRow(page, 'Echo', 'Not for me');
  await main.getByText('“Echo” is hidden').waitFor();
  const undo = button(main, 'Undo');
  await expect.poll(() => hasFocus(undo)).toBe(true);
  expect(await main.locator('.row').count()).toBe(rows);
  await expectCleanForAxe(page);
  await undo.press('Enter');
  await rowOf(page, 'Echo').getByRole('link', { name: 'Echo' }).waitFor();
  expect(await main.getByText('“Echo” is hidden').count()).toBe(0);

  await chooseInRow(page, 'Echo', 'Not for me');
  await main.getByText('“Echo” is hidden').waitFor();
  await visit(page, '/account/hidden');
  await main.getByRole('link', { name: 'Echo' }).waitFor();
  await expectCleanInBothSizes(page);
  await visit(page, '/audios');
  await rowOf(page, 'Ode').waitFor();
  expect(await main.getByRole('link', { name: 'Echo' }).count()).toBe(0);

  // By its own address it is still there, and says so.
  await visit(page, '/account/hidden');
  await main.getByRole('link', { name: 'Echo' }).click();
  await main.getByText('You hid this audio').waitFor();
  await visit(page, '/account/hidden');
  await button(main, 'Show again Echo').click();
  await button(main, 'Undo Echo').waitFor();
  await main.getByText('Shown again').waitFor();
  await visit(page, '/audios');
  await rowOf(page, 'Echo').waitFor();
  await quiet();
});

test('a hidden creator’s page says so, and shows the lists again', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, '/audios', mobile);
  const main = page.locator('main');
  const voice = rowOf(page, 'Echo').locator('.row__voice').first();
  const name = (await voice.textContent()) ?? '';
  const path = (await voice.getAttribute('href')) ?? '';
  await chooseInRow(page, 'Echo', `Hide ${name}`);
  await main.getByText(`“${name}” is hidden`).waitFor();
  await visit(page, '/creators');
  expect(await main.getByRole('link', { name }).count()).toBe(0);
  await visit(page, path);
  await main.getByText('You hid this creator').waitFor();
  expect(await main.locator('.row:not(.row--head)').count()).toBe(0);
  await expectCleanForAxe(page);
  await button(main, `Show again ${name}`).click();
  await rowOf(page, 'Echo').waitFor();
  await button(main, `Hide ${name}`).waitFor();
  await quiet();
});

test('the account’s page turns suggestions off and on', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, '/account/hidden', desktop);
  const switchOf = page.getByRole('switch', { name: 'Suggest audios from my history' });
  const isOn = () => switchOf.getAttribute('aria-checked');
  const kept = async () => (await site.site.identity.findMe(reader.id))?.preferences.hasNoSuggestions;
  await expect.poll(isOn).toBe('true');
  await switchOf.press('Space');
  await expect.poll(isOn).toBe('false');
  await expect.poll(kept).toBe(true);
  await expectCleanInBothSizes(page);
  await visit(page, '/account/hidden');
  await expect.poll(isOn).toBe('false');
  await switchOf.click();
  await expect.poll(kept).toBe(false);
  expect(await isOn()).toBe('true');
  await quiet();
});
