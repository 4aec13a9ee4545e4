/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { publishAudio } from '#domain/catalogue/editing/publishing.ts';
import { operator } from '#domain/kernel/actor.ts';
import { expectCleanForAxe, visitorOf } from '../support/accounts.ts';
import { desktop, mobile, useBrowser } from '../support/browser/browser.ts';
import { createAudio } from '../support/factories.ts';
import { memberState } from '../support/payments/member-state.ts';
import { newMember, startLibrarySite, visit } from '../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

/** A follower of the voice with three notifications. */
async function newFollower() {
  const reader = await newMember(site);
  const viewer = { kind: 'user', id: reader.id, isSubscribed: false, isComplete: true } as const;
  await site.site.library.setFavorite(viewer, { contentTypeId: 'voice', id: site.voice.id, isFavorite: true });
  for (const title of ['First light', 'Second wind', 'Third time']) {
    const { id } = await createAudio(site.db, {
      title,
      slug: crypto.randomUUID(),
      voiceId: site.voice.id,
      publishedAt: null,
    });
    await publishAudio(site.db, id);
    await site.site.notifications.notifyFollowers(id);
  }
  return { reader, viewer };
}

test('the bell counts what is new, lists it, and what is read is read on other devices', async () => {
  const { reader, viewer } = await newFollower();
  const { page, quiet } = await site.openAs(browser, reader, '/', desktop);
  const bell = page.getByRole('button', { name: 'News, 3 unread' });
  await bell.click();
  const list = page.getByRole('dialog', { name: 'News' });
  await list.getByRole('link', { name: /Maren Holt published “Third time”/ }).waitFor();
  await expectCleanForAxe(page, '.menu');
  await list.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('button', { name: 'News', exact: true }).waitFor();
  await expect.poll(() => site.site.notifications.countUnread(viewer)).toBe(0);
  // By keyboard: Escape closes it and returns the focus to the bell.
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await list.getByRole('link', { name: 'All news and settings' }).click();
  await page.getByRole('heading', { name: 'News', level: 1 }).waitFor();
  await quiet();
});

test('on a phone the page lists news, and what is chosen there is kept', async () => {
  const { reader, viewer } = await newFollower();
  const { page, quiet } = await site.openAs(browser, reader, '/account/notifications', mobile);
  await expectCleanForAxe(page);
  await visit(page, '/account/notifications');
  await page.getByLabel('Email', { exact: true }).selectOption('weekly');
  await page.getByLabel('On', { exact: true }).selectOption('Sunday');
  const topics = page.getByRole('group', { name: 'Tell me about' });
  await topics.getByText('Their emails, such as receipts and failed payments, are always sent.').waitFor();
  await topics.getByText('Payments', { exact: true }).click();
  await page.getByText('Pause notifications at set hours').click();
  const until = page.getByLabel('Until', { exact: true });
  await until.selectOption('22:00');
  const fault = 'Quiet hours begin and end at the same time. Choose different hours.';
  await page.getByText(fault).waitFor();
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect.poll(() => until.evaluate((field) => field === document.activeElement)).toBe(true);
  await expectCleanForAxe(page);
  await until.selectOption('08:00');
  await page.getByText(fault).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect(await site.site.notifications.findPreferences(viewer.id)).toMatchObject({
    email: 'weekly',
    digestWeekday: 0,
    isPushOn: false,
    mutedKinds: ['payment'],
    quiet: { from: 22, until: 8 },
  });
  const mute = page.getByRole('button', { name: 'News of Maren Holt' });
  await mute.click();
  await expect.poll(() => mute.getAttribute('aria-pressed')).toBe('false');
  await expect.poll(async () => (await site.site.notifications.listFollowedVoices(viewer.id))[0]?.isOn).toBe(false);
  for (const width of [320, 390])
    expect(
      await page
        .setViewportSize({ width, height: 800 })
        .then(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)),
    ).toBeLessThanOrEqual(0);
  await quiet();
});

test('without JavaScript the account lists news, and the page of a mail’s link ends these mails', async () => {
  const { reader, viewer } = await newFollower();
  await site.site.notifications.savePreferences(viewer.id, {
    ...(await site.site.notifications.findPreferences(viewer.id)),
    email: 'at-once',
  });
  const { page } = await browser.open('/account', {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, reader.id),
    javaScriptEnabled: false,
  });
  await page.getByRole('link', { name: 'News', exact: true }).first().click();
  await page.getByRole('link', { name: /Maren Holt published “First light”/ }).waitFor();
  await site.site.notifications.sendNewsMails();
  const { unsubscribeToken } = await import('#domain/notifications/unsubscribe.ts');
  const { testSecret } = await import('../support/identity.ts');
  await page.goto(`/unsubscribe/${unsubscribeToken(testSecret, viewer.id)}`);
  expect(await site.site.notifications.findPreferences(viewer.id)).toMatchObject({ email: 'at-once' });
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  expect(await site.site.notifications.findPreferences(viewer.id)).toMatchObject({ email: 'off' });
});

test('a damaged unsubscribe link says so, and where to change the settings, without JavaScript', async () => {
  const { page } = await browser.open('/', { ...visitorOf(site, desktop), javaScriptEnabled: false });
  for (const path of ['/unsubscribe', '/unsubscribe/', '/unsubscribe/AZ2x', `/unsubscribe/${'A'.repeat(43)}`]) {
    const response = await page.goto(path);
    expect([path, response?.status()]).toEqual([path, 404]);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toMatch(/^noindex\b/);
  }
  await page.getByRole('link', { name: 'Change notification settings' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account/notifications');

  // Without news there are no such settings.
  const { value, revision } = (await site.site.admin.site.findSiteSettings(operator)).features;
  await site.site.admin.site.changeSection(operator, 'features', { value: { ...value, news: false }, revision });
  expect((await page.goto('/unsubscribe/busy'))?.status()).toBe(429);
  await page.getByRole('heading', { name: 'Please try again in a minute' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Your account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  await site.site.admin.site.changeSection(operator, 'features', { value, revision: revision + 1 });
});
