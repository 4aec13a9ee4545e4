/** @module-tag slow */
import { eq, sql } from 'drizzle-orm';
import { formatDay } from '#formats/times.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pauses } from '#domain/membership/keeping/tables.ts';
import { keepingSetting } from '#domain/membership/keeping/settings.ts';
import { addMonths } from '#domain/kernel/calendar/months.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { type Member, expectCleanForAxe, expectSoundModal, modalOf, visitorOf } from '../../support/accounts.ts';
import { button, openAccount, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, inBothSizes, mobile, sound, useBrowser } from '../../support/browser/browser.ts';
import { createAudio } from '../../support/factories.ts';
import { memberOf, startPayingSite, subscribed } from '../../support/payments/paying-site.ts';
import { tone, wavOf } from '../../support/sound/sounds.ts';

const site = await startPayingSite();
const browser = useBrowser({ images: false });
// Uses up the trial of the test card, so that no later subscription starts with one.
await subscribed(site, await memberOf(site));
const open = (person: Member, layout = desktop) => openAccount(browser, site, person, layout, 'subscription');
const sectionOf = (page: Page) => page.locator('#subscription');
const stateOf = ({ id }: Member) => site.site.membership.findSubscriptionState(id);
const file = wavOf(tone(220), { seconds: 60, rate: 8000 });

async function subscriber(): Promise<Member> {
  const person = await memberOf(site);
  await subscribed(site, person);
  return person;
}

/** The paid time is over since a minute. */
async function begin({ id }: Member): Promise<void> {
  await site.db
    .update(pauses)
    .set({ fromAt: sql`now() - interval '1 minute'` })
    .where(eq(pauses.userId, id));
}

test('a pause is agreed with its dates, and taken back', async () => {
  const person = await subscriber();
  const page = await open(person, mobile);
  const section = sectionOf(page);
  const from = (await stateOf(person)).renewsAt ?? expect.fail();
  const until = addMonths(from, 2);
  await button(section, 'Pause subscription').click();
  await expectSoundModal(page, 'Pause your subscription');
  await modalOf(page).getByText('2 months', { exact: true }).click();
  await modalOf(page)
    .getByText(`Until ${formatDay(until)}`)
    .waitFor();
  await button(modalOf(page), 'Pause for 2 months').click();
  await section
    .getByText(`Paused from ${formatDay(from)} to ${formatDay(until)}. Nothing is charged in that time.`)
    .waitFor();
  await section.getByText(`$7.99 on ${formatDay(until)}`).waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
  await section.getByText(`If you cancel, you keep access until ${formatDay(from)}.`).waitFor();
  await inBothSizes(page, () => expectCleanForAxe(page, 'main'));
  await button(section, 'Do not pause').click();
  await seeNotice(page, 'Your subscription goes on without a pause');
  await button(section, 'Pause subscription').waitFor();
  expect((await stateOf(person)).renewsAt).toEqual(from);
});

test('a locked audio of a paused subscriber offers to resume, and starts once the payment is made', async () => {
  const person = await subscriber();
  await site.site.membership.pauseSubscription(person.id, 3);
  await begin(person);
  const { pause } = await stateOf(person);
  const until = formatDay(pause?.until ?? expect.fail());
  const page = await open(person);
  await sectionOf(page).getByText('Paused', { exact: true }).waitFor();
  await inBothSizes(page, () => expectCleanForAxe(page, 'main'));
  const audio = { publishedAt: new Date(), fileMime: 'audio/wav', fileBytes: file.length };
  const { id, slug, fileKey } = await createAudio(site.db, audio);
  await site.blobs.write(fileKey, file);
  await page.goto(`/audio/${slug}`);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await expectSoundModal(page, `Your subscription is paused until ${until}`);
  await modalOf(page)
    .getByText('If you resume now, $7.99 is charged at once, and you can hear everything again.')
    .waitFor();
  await button(modalOf(page), 'Resume now').click();
  await seeNotice(page, 'Thank you. You have unlimited access again.');
  await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0.2);
  expect((await sound(page)).src).toContain(id);
  expect(await stateOf(person)).toMatchObject({ state: 'active', isSubscribed: true });
});

test('canceling stays two presses beside the offer and the pause; either of them ends the window', async () => {
  const value = { ...keepingSetting.schema.parse({}), stayPercent: 50 };
  await site.db.insert(siteSettings).values({ key: keepingSetting.key, value });
  const stays = await subscriber();
  const page = await open(stays, mobile);
  await button(sectionOf(page), 'Cancel subscription').click();
  await expectSoundModal(page, 'Cancel your subscription?');
  const labels = await modalOf(page).getByRole('button').allInnerTexts();
  expect(labels.filter((label) => label !== '')).toEqual([
    'Cancel subscription',
    'Keep it',
    'Stay for 50% off for 3 months',
    'Pause for 1 month',
  ]);
  await button(modalOf(page), 'Stay for 50% off for 3 months').click();
  await seeNotice(page, 'Your discount counts from now on');
  await modalOf(page).waitFor({ state: 'detached' });
  await sectionOf(page)
    .getByText(/^\$4\.00 on |^\$3\.99 on /)
    .waitFor();
  await button(sectionOf(page), 'Cancel subscription').click();
  expect(await modalOf(page).getByRole('button', { name: /^Stay/ }).count()).toBe(0);
  await button(modalOf(page), 'Pause for 1 month').click();
  await sectionOf(page)
    .getByText(/Paused from /)
    .waitFor();
  await modalOf(page).waitFor({ state: 'detached' });

  const leaves = await open(await subscriber());
  await button(sectionOf(leaves), 'Cancel subscription').click();
  await button(modalOf(leaves), 'Cancel subscription').click();
  await sectionOf(leaves)
    .getByText(/^Your subscription ends on /)
    .waitFor();
});

test('without script the dates of a pause are readable', async () => {
  const person = await subscriber();
  await site.site.membership.pauseSubscription(person.id, 1);
  const page = await open(person);
  const { cookies } = await page.context().storageState();
  const { page: plain } = await browser.open('/account/subscription', {
    ...visitorOf(site, desktop),
    javaScriptEnabled: false,
    storageState: { cookies, origins: [] },
  });
  await plain.getByText(/Paused from .+ to .+\. Nothing is charged in that time\./).waitFor();
  expect(await plain.locator('#subscription').getByRole('button').count()).toBe(0);
});
