/** @module-tag slow */
import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { voices } from '#domain/catalogue/tables.ts';
import { voiceOwners } from '#domain/community/tables.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { expectCleanForAxe, visitorOf } from '../../support/accounts.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createSeries, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';
import { memberState } from '../../support/payments/member-state.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

test('a page of the Studio that loads slowly shows its shape, and what was loaded stays when newer data fails', async () => {
  const creator = await newMember(site);
  const voice = await createVoice(site.db);
  await createAudio(site.db, { voiceId: voice.id });
  await site.db.insert(voiceOwners).values({ voiceId: voice.id, userId: creator.id });
  const { page } = await browser.open(`/studio/${voice.slug}/comments/settings`, {
    ...visitorOf(site, mobile),
    storageState: await memberState(site, creator.id),
  });
  const choice = page.getByRole('group', { name: 'Who may comment on new audios' });
  await choice.getByRole('button', { name: 'Subscribers' }).press('Enter');
  await page.getByText(/^Saved at/).waitFor();
  expect(await choice.getByRole('button', { name: 'Subscribers' }).getAttribute('aria-pressed')).toBe('true');
  expect(await site.db.select().from(voices).where(eq(voices.id, voice.id))).toMatchObject([
    { commenters: 'subscribers' },
  ]);
  await expectCleanForAxe(page);

  // The site's responses are lost.
  await page.context().route('**/*.data*', (route) => route.abort());
  await choice.getByRole('button', { name: 'Everyone' }).click();
  const notice = page.getByRole('alert').filter({ hasText: /As of \d\d:\d\d/ });
  await notice.waitFor();
  await page.context().unroute('**/*.data*');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(await choice.getByRole('button', { name: 'Everyone' }).getAttribute('aria-pressed')).toBe('true');

  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.context().route('**/*.data*', async (route) => {
    await mayGoOn;
    await route.continue();
  });
  await page.locator('summary').first().click();
  await page.getByRole('link', { name: 'Audios' }).last().click();
  await page.getByText('Loading audios').waitFor({ state: 'attached' });
  goOn();
  await page.getByRole('heading', { name: 'Audios', level: 1 }).waitFor();
  expect(await page.getByText('Loading audios').count()).toBe(0);
});

test('a page of Studio or Admin that fails names its request, and loaded data stays in Admin too', async () => {
  const operator = await newMember(site);
  await setAdmin(site.db, operator.id, true);
  const voice = await createVoice(site.db);
  const series = await createSeries(site.db, { voiceId: voice.id });
  await site.db.insert(voiceOwners).values({ voiceId: voice.id, userId: operator.id });
  const { page } = await browser.open(`/studio/${voice.slug}`, {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, operator.id),
  });
  for (const path of [`/studio/${voice.slug}/series`, '/admin/series']) {
    await site.db.execute(sql`alter table deleted_series rename column title to title_away`);
    try {
      const response = await page.goto(path);
      await page.getByRole('heading', { name: 'Something went wrong', level: 1 }).waitFor();
      const requestId = response?.headers()['x-request-id'];
      const quoted = new RegExp(`^To report this, quote request ${requestId}, \\d\\d:\\d\\d UTC`);
      await page.getByText(quoted).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Series' }).waitFor();
    } finally {
      await site.db.execute(sql`alter table deleted_series rename column title_away to title`);
    }
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Series', level: 1 }).waitFor();
  }

  await page.context().route('**/*.data*', (route) => route.abort());
  await page.getByRole('button', { name: `More for ${series.title}` }).click();
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  const notice = page.getByRole('alert').filter({ hasText: /As of \d\d:\d\d/ });
  await notice.waitFor();
  await page.getByRole('link', { name: series.title }).first().waitFor();
  await page.context().unroute('**/*.data*');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await notice.waitFor({ state: 'detached' });
});

test('with comments for subscribers only, others can read, and are offered a subscription', async () => {
  const audio = await createAudio(site.db, { commentsForSubscribers: true });
  const writer = await newMember(site);
  await site.db.insert(voiceOwners).values({ voiceId: audio.voiceId, userId: writer.id });
  const outcome = await site.site.community.writeComment(
    { kind: 'user', id: writer.id, isSubscribed: false, isComplete: true, voiceRoles: { [audio.voiceId]: 'owner' } },
    audio.id,
    { text: 'For those who stay.' },
  );
  expect(outcome.ok).toBe(true);
  const { page, quiet } = await browser.open(`/audio/${audio.slug}`, visitorOf(site, mobile));
  const comments = page.getByRole('region', { name: 'Comments' });
  await comments.getByText('For those who stay.').waitFor();
  await comments.getByText('Only subscribers can comment here.').waitFor();
  expect(await comments.getByRole('button', { name: /Reply|kind/ }).count()).toBe(0);
  await comments.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('dialog').waitFor();
  await quiet();
});

test('with the browser’s text at 200 %, pages take the layout of a narrower window, and nothing is too wide', async () => {
  const creator = await newMember(site);
  const voice = await createVoice(site.db);
  await createAudio(site.db, { voiceId: voice.id, title: 'A title of some length, read slowly' });
  await site.db.insert(voiceOwners).values({ voiceId: voice.id, userId: creator.id });
  const { page, quiet } = await browser.open(`/studio/${voice.slug}/audios`, {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, creator.id),
  });
  const navigation = page.getByRole('complementary');
  await page.getByRole('columnheader', { name: 'Audio', exact: true }).waitFor();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await page.getByRole('columnheader', { name: 'Audio', exact: true }).waitFor({ state: 'hidden' });
  expect(await navigation.isVisible()).toBe(false);
  for (const path of [`/studio/${voice.slug}/audios`, '/audios']) {
    await page.goto(path);
    const title = page.getByRole('link', { name: /^A title of some length/ }).first();
    await title.waitFor();
    // The line is as high as its letters.
    expect(await title.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(0);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0);
  }
  await quiet();
});

test.each([desktop, mobile])('a creator whom the operators have hidden is told so on each page', async (layout) => {
  const creator = await newMember(site);
  const voice = await createVoice(site.db);
  await site.db.insert(voiceOwners).values({ voiceId: voice.id, userId: creator.id });
  const { page, quiet } = await browser.open(`/studio/${voice.slug}/audios`, {
    ...visitorOf(site, layout),
    storageState: await memberState(site, creator.id),
  });
  const notice = page.getByText(`The operators of this site have hidden ${voice.name}`);
  expect(await notice.count()).toBe(0);
  await site.db
    .update(voices)
    .set({ hiddenAt: sql`now()` })
    .where(eq(voices.id, voice.id));
  await page.reload();
  await notice.waitFor();
  await expectCleanForAxe(page);
  await quiet();
});
