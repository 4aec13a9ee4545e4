/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { expectToFit, openWorkshop } from '../../support/admin-site.ts';
import { expectCleanInBothSizes } from '../../support/accounts.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { inBothSizes, useBrowser } from '../../support/browser/browser.ts';
import { createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

test('an owner enters who is paid and reads all of it again but the account; another owner reads nothing of it', async () => {
  const voice = await createVoice(site.db);
  const [owner, other] = [await newMember(site), await newMember(site)];
  for (const { id } of [owner, other]) await setVoiceOwner(site.db, voice.id, id, true);
  const earnings = `/studio/${voice.slug}/earnings`;
  const { page, quiet } = await openWorkshop(site, browser, owner, earnings);
  await button(page, 'Enter who is paid').click();
  await button(page, 'Save').click();
  await page.getByText('Choose a country').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));

  await page.getByLabel('Legal name').fill('Maren Holt');
  await page.getByLabel('Address').fill('Lindenstraße 14\n10969 Berlin');
  await page.getByLabel('Country').selectOption('DE');
  await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 01');
  await button(page, 'Save').click();
  await page.getByText('This IBAN is not right').waitFor();
  await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
  await button(page, 'Save').click();
  await seeNotice(page, 'Saved. The owners are mailed.');
  await page.getByText('Maren Holt, account ending in 3000').waitFor();
  await expectCleanInBothSizes(page);

  await page.reload();
  await button(page, 'Change').click();
  expect(await page.getByLabel('Address').inputValue()).toBe('Lindenstraße 14\n10969 Berlin');
  await page.getByLabel('Legal name').fill('Maren A. Holt');
  await button(page, 'Save').click();
  await page.getByText('Maren A. Holt, account ending in 3000').waitFor();
  expect(await page.content()).not.toContain('0532013000');

  const theirs = await openWorkshop(site, browser, other, earnings);
  await theirs.page.getByText('Only they see what they entered.').waitFor();
  await button(theirs.page, 'Be paid instead').waitFor();
  expect(await theirs.page.content()).not.toContain('Holt');

  await button(page, 'Remove').click();
  await button(page.getByRole('dialog'), 'Remove').click();
  await button(page, 'Enter who is paid').waitFor();
  await quiet();
  await theirs.quiet();
});
