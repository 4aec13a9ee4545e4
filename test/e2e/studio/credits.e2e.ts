/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { expectToFit, openWorkshop } from '../../support/admin-site.ts';
import { expectCleanInBothSizes, visitorOf } from '../../support/accounts.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, inBothSizes, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

/** A public audio, its owner, and another creator with an owner. */
async function newAudio(guestName: string) {
  const [owner, guestOwner] = [await newMember(site), await newMember(site)];
  const guest = await createVoice(site.db, { name: guestName });
  await setVoiceOwner(site.db, site.voice.id, owner.id, true);
  await setVoiceOwner(site.db, guest.id, guestOwner.id, true);
  const audio = await createAudio(site.db, { title: `With ${guestName}`, voiceId: site.voice.id });
  const credits = `/studio/${site.voice.slug}/audios/${audio.id}/credits`;
  return { owner, guest, guestOwner, audio, credits };
}

test('a creator is found by name and asked, accepts in the Studio, is shown to listeners, and takes it back', async () => {
  const { owner, guest, guestOwner, audio, credits } = await newAudio('Thaddeus Quince');
  const { page, quiet } = await openWorkshop(site, browser, owner, credits);
  await page.getByText('Nobody is credited').waitFor();
  // By keyboard alone.
  await page.getByRole('combobox', { name: 'Who' }).focus();
  await page.keyboard.type('Emily Dickinson');
  await page.getByRole('option', { name: /Emily Dickinson/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Part' }).selectOption({ label: 'Writer' });
  await button(page, 'Add').click();
  await page.getByRole('button', { name: 'Move Emily Dickinson, 1 of 1' }).waitFor();
  await page.getByRole('combobox', { name: 'Who' }).fill('Thaddeus');
  await page.getByRole('option', { name: /Creator here/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Part', exact: true }).selectOption({ label: 'Performer' });
  await button(page, 'Ask them').click();
  await page.getByText(/^Asked/).waitFor();
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));
  await page.getByRole('button', { name: /Move Thaddeus Quince/ }).focus();
  for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key);
  await seeNotice(page, 'Order saved');
  await page.getByRole('button', { name: 'Move Thaddeus Quince, 1 of 2' }).waitFor();

  const public_ = await browser.open(`/audio/${audio.slug}`, visitorOf(site, desktop));
  await public_.page.getByRole('heading', { name: 'Credits' }).waitFor();
  expect(await public_.page.getByText('Thaddeus Quince', { exact: true }).count()).toBe(0);

  const theirs = await openWorkshop(site, browser, guestOwner, `/studio/${guest.slug}/credits`);
  await theirs.page.getByText(audio.title).waitFor();
  await expectCleanInBothSizes(theirs.page);
  await inBothSizes(theirs.page, () => expectToFit(theirs.page));
  await button(theirs.page, `Accept: ${audio.title}`).click();
  await theirs.page
    .getByText(/^Accepted/)
    .last()
    .waitFor();

  await expect
    .poll(async () => {
      await public_.page.reload();
      return public_.page.getByRole('link', { name: 'Thaddeus Quince' }).count();
    })
    .toBe(1);
  await hydrated(public_.page);
  const described = await public_.page.locator('script[type="application/ld+json"]').allTextContents();
  expect(described.map((text) => JSON.parse(text) as object)).toContainEqual(
    expect.objectContaining({
      author: [{ '@type': 'Person', name: 'Emily Dickinson' }],
      creator: expect.objectContaining({ name: site.voice.name }),
      contributor: [expect.objectContaining({ name: 'Thaddeus Quince', url: expect.stringContaining(guest.slug) })],
    }),
  );
  await public_.page.getByRole('link', { name: 'Thaddeus Quince' }).click();
  await public_.page.getByRole('link', { name: /Credited in/ }).click();
  await public_.page.getByRole('link', { name: audio.title }).waitFor();
  await expectCleanInBothSizes(public_.page);

  await button(theirs.page, `Take back: ${audio.title}`).click();
  await theirs.page
    .getByText(/^Declined/)
    .last()
    .waitFor();
  await page.reload();
  await hydrated(page);
  await page.getByText(/^Declined/).waitFor();
  for (const { quiet: done } of [{ quiet }, theirs, public_]) await done();
});

test('a refusal leaves what was chosen in the form', async () => {
  const { owner, credits } = await newAudio('Wystan Bell');
  const { page, quiet } = await openWorkshop(site, browser, owner, credits);
  const add = async () => {
    await page.getByRole('combobox', { name: 'Who' }).fill('Sappho');
    await page.getByRole('option', { name: /Sappho/ }).click();
    await button(page, 'Add').click();
  };
  await add();
  await page.getByRole('button', { name: /Move Sappho/ }).waitFor();
  await add();
  await page.getByText('This name is in the credits of this audio already.').waitFor();
  await page.getByRole('combobox', { name: 'Part', exact: true }).selectOption({ label: 'Writer' });
  await button(page, 'Add').click();
  await page.getByRole('button', { name: 'Move Sappho, 2 of 2' }).waitFor();
  await button(page, 'Remove: Sappho').first().click();
  await seeNotice(page, 'Sappho is removed');
  await page.getByRole('button', { name: 'Move Sappho, 1 of 1' }).waitFor();
  await quiet([expect.stringContaining('409')]);
});
