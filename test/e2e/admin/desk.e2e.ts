/** @module-tag slow */
import type { BrowserContextOptions } from 'playwright-core';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { operator } from '#domain/kernel/actor.ts';
import { notices } from '#domain/notices/tables.ts';
import { expectToFit, newAdmin, openWorkshop } from '../../support/admin-site.ts';
import { expectCleanInBothSizes, visitorOf } from '../../support/accounts.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;
type Member = Awaited<ReturnType<typeof newMember>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

const openAdmin = (user: Member, path: string, layout: BrowserContextOptions = desktop) =>
  openWorkshop(site, browser, user, path, layout);

const publishedAt = async (id: string) => {
  const [row] = await site.db.select({ at: audios.publishedAt }).from(audios).where(eq(audios.id, id));
  return row?.at ?? null;
};

test('a visitor reports an audio, an operator hides it, the appeal is read by another one who shows it again', async () => {
  const audio = await createAudio(site.db, { voiceId: site.voice.id, isFree: true, title: 'Under Doubt' });
  const { page: theirs, quiet } = await browser.open(`/audio/${audio.slug}`, visitorOf(site, mobile));
  await theirs.locator('main').getByRole('button', { name: 'More', exact: true }).first().click();
  await theirs.getByRole('menuitem', { name: 'Report' }).click();
  await theirs.getByRole('heading', { name: 'Report content' }).waitFor();
  await theirs.getByText('Under Doubt').first().waitFor();
  await expectCleanInBothSizes(theirs);
  await inBothSizes(theirs, () => expectToFit(theirs));

  // Missing fields are named, and nothing is lost.
  await theirs.getByRole('radio', { name: 'It infringes a copyright' }).check();
  await theirs.getByLabel('What did you hear, and where?').fill('At 0:10 my own text is read.');
  await button(theirs, 'Send report').click();
  await theirs.getByText(/The report was not sent\. \d fields need you/).waitFor();
  await expectCleanInBothSizes(theirs);
  await theirs.getByLabel('Whose work is it?').fill('My Book');
  await theirs.getByRole('radio', { name: 'I own the copyright.' }).check();
  await theirs.getByLabel('Name', { exact: true }).fill('Ann Author');
  await theirs.locator('input[name="email"]').fill('ann@example.org');
  await theirs.getByText('I believe in good faith').click();
  expect(await theirs.getByLabel('What did you hear, and where?').inputValue()).toBe('At 0:10 my own text is read.');
  await button(theirs, 'Send report').click();
  await theirs.getByRole('heading', { name: 'We received your report' }).waitFor();
  await expectCleanInBothSizes(theirs);
  await inBothSizes(theirs, () => expectToFit(theirs));
  await theirs.getByRole('link', { name: 'Open your page' }).click();
  await theirs.getByRole('heading', { name: 'We are looking at it' }).waitFor();
  const own = theirs.url();

  const ada = await newAdmin(site);
  const { page: hers, quiet: hersQuiet } = await openAdmin(ada, '/admin/desk');
  await expectCleanInBothSizes(hers);
  await hers.goto(`${site.url}/admin/desk/notices`);
  await hydrated(hers);
  await hers.getByText('At 0:10 my own text is read.').first().waitFor();
  // Reporters are not named until somebody asks.
  expect(await hers.locator('main').textContent()).not.toContain('ann@example.org');
  await expectCleanInBothSizes(hers);
  await inBothSizes(hers, () => expectToFit(hers));
  await hers.keyboard.press('2');
  expect(await hers.getByRole('radio', { name: 'Hide' }).isChecked()).toBe(true);
  await hers.getByRole('heading', { name: 'Performers and consents' }).waitFor();
  await hers.getByText('Single-key shortcuts').waitFor();
  await hers.getByRole('combobox', { name: 'Standard reason' }).selectOption('Work of someone else');
  const reasons = hers.getByRole('textbox', { name: /^Reasons/ });
  await reasons.fill('It is her text.');
  await reasons.press('Control+Enter');
  await seeNotice(hers, /^Decided: .* Both sides are told in ten seconds/);
  expect(await publishedAt(audio.id)).toBeNull();

  // It can be taken back for some seconds, and is told after that.
  await expect.poll(async () => (await site.site.notices.doDueNotices()).told, { timeout: 20_000 }).toBe(1);
  await theirs.goto(own);
  await hydrated(theirs);
  await theirs.getByText('It is her text.').waitFor();
  await theirs.getByText('The recording uses a work of someone else').waitFor();
  await expectCleanInBothSizes(theirs);
  await theirs.getByRole('textbox').first().fill('I said remove.');
  await theirs.locator('form .check-box').last().click();
  await button(theirs, 'Send appeal').click();
  await theirs.getByRole('heading', { name: 'Your appeal is being read' }).waitFor();
  await quiet();

  await hers.goto(`${site.url}/admin/desk/appeals`);
  await hydrated(hers);
  await expectCleanInBothSizes(hers);
  await hers.getByText('Under Doubt').first().waitFor();
  expect(await hers.getByRole('link', { name: /^Decide: / }).count()).toBe(0);
  await hersQuiet();
  const { page: his, quiet: hisQuiet } = await openAdmin(await newAdmin(site), '/admin/desk/appeals');
  await his.getByRole('link', { name: /^Decide: / }).click();
  await his.getByRole('radio', { name: 'Show again' }).check();
  await his.getByRole('textbox', { name: 'Reasons' }).fill('It was licensed.');
  await button(his, 'Show again and tell both sides').click();
  await seeNotice(his, /^Decided: /);
  expect(await publishedAt(audio.id)).not.toBeNull();
  await hisQuiet();
});

test('without JavaScript, a report is refused with what was written, and then received', async () => {
  const audio = await createAudio(site.db, { voiceId: site.voice.id, isFree: true, title: 'Plain Report' });
  const { page } = await browser.open(`/report?about=/audio/${audio.slug}`, {
    ...visitorOf(site, mobile),
    javaScriptEnabled: false,
  });
  await page.getByRole('radio', { name: 'A minor is heard or described' }).check();
  await button(page, 'Send report').click();
  await page.getByText(/The report was not sent/).waitFor();
  expect(await page.getByRole('radio', { name: 'A minor is heard or described' }).isChecked()).toBe(true);
  await page.getByLabel('What did you hear, and where?').fill('A child speaks.');
  await page.getByText('I believe in good faith').click();
  await button(page, 'Send report').click();
  await page.getByRole('heading', { name: 'We received your report' }).waitFor();
  const found = await site.db.select().from(notices).where(eq(notices.subjectId, audio.id));
  expect(found).toMatchObject([{ kind: 'minor', details: 'A child speaks.', name: null, email: null }]);
});

test('an audio waits for its review, is returned with a reason, sent again, and approved by a key', async () => {
  const { revision } = (await site.site.admin.site.findSiteSettings(operator)).review;
  await site.site.admin.site.changeSection(operator, 'review', { value: { mode: 'all' }, revision } as never);
  const owner = await newMember(site);
  await setVoiceOwner(site.db, site.voice.id, owner.id, true);
  const audio = await createAudio(site.db, { voiceId: site.voice.id, title: 'Heard First', publishedAt: null });
  const { page: theirs, quiet } = await openAdmin(owner, `/studio/${site.voice.slug}/audios/${audio.id}`);
  await button(theirs, 'Publish now').first().click();
  await theirs.getByText(/^In review since/).waitFor();
  expect(await publishedAt(audio.id)).toBeNull();
  await expectCleanInBothSizes(theirs);
  await inBothSizes(theirs, () => expectToFit(theirs));

  const { page: hers, quiet: hersQuiet } = await openAdmin(await newAdmin(site), '/admin/desk/review');
  await expectCleanInBothSizes(hers);
  await hers.getByRole('link', { name: 'Review Heard First' }).click();
  await hers.getByRole('heading', { name: 'Heard First' }).waitFor();
  await expectCleanInBothSizes(hers);
  await inBothSizes(hers, () => expectToFit(hers));
  await button(hers, 'Text differs').click();
  await hers.keyboard.press('r');
  await hers.keyboard.type('The cover names another title.');
  await button(hers, 'Return').click();
  await seeNotice(hers, '“Heard First” was returned');

  await theirs.reload();
  await hydrated(theirs);
  await theirs.getByText('The cover names another title.').first().waitFor();
  await theirs.getByText('The text differs from what is heard.').first().waitFor();
  await expectCleanInBothSizes(theirs);
  await inBothSizes(theirs, () => expectToFit(theirs));
  await theirs.getByRole('link', { name: 'See as a listener' }).waitFor();
  await button(theirs, 'Send for review again').click();
  await theirs.getByText(/^In review since/).waitFor();
  await quiet();
  await hers.goto(`${site.url}/admin/desk/review`);
  await hydrated(hers);
  await hers.getByRole('link', { name: 'Review Heard First' }).click();
  await hers.getByRole('heading', { name: 'Heard First' }).waitFor();
  await hers.keyboard.press('a');
  await seeNotice(hers, '“Heard First” was approved');
  expect(await publishedAt(audio.id)).not.toBeNull();
  await hersQuiet();
});

test('refused words are listed with what has them, a search for one shows the help, and a watched comment waits for the desk', async () => {
  const audio = await createAudio(site.db, { voiceId: site.voice.id, isFree: true, title: 'Embers at Night' });
  const { revision } = (await site.site.admin.site.findSiteSettings(operator)).words;
  const value = { refused: ['embers'], watched: ['lantern'], help: 'Call somebody you trust.' };
  await site.site.admin.site.changeSection(operator, 'words', { value, revision } as never);
  const { page, quiet } = await openAdmin(await newAdmin(site), '/admin/refused-words');
  await page.getByRole('link', { name: 'Embers at Night' }).waitFor();
  await page.getByText('1 found').waitFor();
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));

  const { page: theirs, quiet: theirsQuiet } = await browser.open('/search?search=embers', visitorOf(site, mobile));
  await theirs.getByText('This site does not search for this').waitFor();
  await theirs.getByText('Call somebody you trust.').waitFor();
  expect(await theirs.getByRole('link', { name: 'Embers at Night' }).count()).toBe(0);
  await expectCleanInBothSizes(theirs);
  await theirsQuiet();

  const member = await newMember(site);
  const author = { kind: 'user', id: member.id, isSubscribed: false, isComplete: true } as const;
  const written = await site.site.community.writeComment(author, audio.id, {
    text: 'By the lantern.',
    parentId: undefined,
  });
  expect(written).toMatchObject({ ok: true, comment: { waitsForCreator: true } });
  await page.goto(`${site.url}/admin/desk/review`);
  await hydrated(page);
  await page.locator('mark', { hasText: 'lantern' }).waitFor();
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));
  await page.getByRole('button', { name: /^Show the comment of / }).click();
  await seeNotice(page, 'The comment is shown');
  await page.getByText('Nothing waits').waitFor();
  const shown = await site.site.community.listComments(
    { kind: 'visitor' },
    { ...audio, commentsDisabled: false },
    { limit: 9 },
  );
  expect(shown.items).toMatchObject([{ text: 'By the lantern.' }]);
  await quiet();
});
