/** @module-tag slow */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { expectToFit, newAdmin, openWorkshop } from '../../support/admin-site.ts';
import { expectCleanForAxe, expectCleanInBothSizes, modalOf } from '../../support/accounts.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
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

const asViewer = ({ id }: { id: string }) => ({ kind: 'user', id, isSubscribed: false, isComplete: true }) as const;

/** A comment with a report by a listener. */
async function newReport(text: string, author?: Member) {
  const audio = await createAudio(site.db, { voiceId: site.voice.id, isFree: true });
  const by = author ?? (await newMember(site));
  const outcome = await site.site.community.writeComment(asViewer(by), audio.id, { text, parentId: undefined });
  if (!outcome.ok) throw new Error(outcome.reason);
  const { id } = outcome.comment;
  const reporter = await newMember(site);
  await site.site.community.reportComment(asViewer(reporter), id, { reason: 'threat', details: 'Look at this.' });
  return { id, audio, author: by, reporter };
}

/** Reports of other tests are decided, so that the queue begins with those of this one. */
async function emptyQueue(admin: Member): Promise<void> {
  const viewer = { ...asViewer(admin), isAdmin: true as const };
  const { items } = await site.site.admin.people.listOpenReports(viewer, { limit: 100 });
  for (const { id } of items)
    await site.site.admin.people.decideReport(viewer, id, {
      verb: 'keep',
      note: undefined,
      notifiesOwners: false,
      paysBack: false,
    });
}

const flagged = (page: Page) => page.getByRole('article', { name: 'The reported comment' });
const queued = (page: Page) => page.getByRole('navigation', { name: 'Open notices' }).getByRole('link');
const decided = (page: Page, verb: string) => page.locator(`[data-verb="${verb}"]`);

test('a report is read in context, decided, and undone', async () => {
  const ada = await newAdmin(site);
  await emptyQueue(ada);
  const first = await newReport('I worked out which street you record on.');
  const second = await newReport('Buy this at my shop.');
  const { page, quiet } = await openAdmin(ada, '/admin/desk/notices');
  await flagged(page).getByText('I worked out which street you record on.').waitFor();
  await page.getByText('“Look at this.”').waitFor();
  // Reporters are not named.
  expect(await page.locator('main').textContent()).not.toContain(first.reporter.username);
  expect(await queued(page).count()).toBe(2);
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));

  await decided(page, 'remove').click();
  await seeNotice(page, 'Comment removed');
  await flagged(page).getByText('Buy this at my shop.').waitFor();
  expect(await queued(page).count()).toBe(1);
  await button(page.locator('[data-toast]'), 'Undo').click();
  await seeNotice(page, 'Undone');
  await flagged(page).getByText('I worked out which street you record on.').waitFor();
  expect(await queued(page).count()).toBe(2);

  await decided(page, 'suspend').click();
  await modalOf(page)
    .getByRole('heading', { name: `Suspend ${first.author.username}` })
    .waitFor();
  await expectCleanInBothSizes(page, '.modal');
  await button(modalOf(page), 'Remove and suspend').click();
  await seeNotice(page, `Comment removed, ${first.author.username} suspended`);
  await flagged(page).getByText('Buy this at my shop.').waitFor();
  await page.getByRole('textbox', { name: 'Note for other operators' }).fill('A shop again.');
  await decided(page, 'warn').click();
  await page.getByText('Nothing waits').waitFor();
  await expectCleanInBothSizes(page);

  await page.getByRole('link', { name: 'Decided' }).click();
  await page.getByRole('link', { name: 'Reported comments' }).click();
  await page.getByText('Note: A shop again.').first().waitFor();
  await expectCleanInBothSizes(page);
  await page.getByRole('button', { name: `Undo: Warned, ${second.author.username}` }).click();
  await seeNotice(page, 'Undone');
  await page.getByText('Warned, undone').first().waitFor();
  await quiet();
});

test('by keys: arrows move, letters decide, Z takes back; fields and the switch turn them off', async () => {
  const ada = await newAdmin(site);
  await emptyQueue(ada);
  await newReport('First of three.');
  await newReport('Second of three.');
  await newReport('Third of three.');
  const { page, quiet } = await openAdmin(ada, '/admin/desk/notices');
  await flagged(page).getByText('First of three.').waitFor();
  await page.keyboard.press('ArrowDown');
  await flagged(page).getByText('Second of three.').waitFor();
  await page.keyboard.press('k');
  await seeNotice(page, 'Comment kept');
  await flagged(page).getByText('Third of three.').waitFor();
  await page.keyboard.press('z');
  await seeNotice(page, 'Undone');
  await flagged(page).getByText('Second of three.').waitFor();
  await page.keyboard.press('ArrowUp');
  await flagged(page).getByText('First of three.').waitFor();
  await page.keyboard.press('s');
  await modalOf(page).waitFor();
  await page.keyboard.press('Escape');
  await modalOf(page).waitFor({ state: 'detached' });

  const note = page.getByRole('textbox', { name: 'Note for other operators' });
  await note.focus();
  await page.keyboard.type('kr');
  expect(await note.inputValue()).toBe('kr');
  const keys = page.getByRole('switch', { name: 'Single-key shortcuts' });
  await keys.focus();
  await page.keyboard.press('Space');
  expect(await keys.getAttribute('aria-checked')).toBe('false');
  await page.keyboard.press('r');
  await page.keyboard.press('ArrowDown');
  await flagged(page).getByText('First of three.').waitFor();
  expect(await queued(page).count()).toBe(3);
  await page.keyboard.press('Space');
  await page.keyboard.press('w');
  await seeNotice(page, /^Comment removed, .* warned/);
  await expect.poll(() => queued(page).count()).toBe(2);
  await quiet();
});

test('two operators decide: the second learns who decided what, and sees the current queue', async () => {
  const [ada, bo] = [await newAdmin(site), await newAdmin(site)];
  await emptyQueue(ada);
  await newReport('Only one may decide.');
  await newReport('What comes next.');
  const { page: hers } = await openAdmin(ada, '/admin/desk/notices');
  const { page: his, quiet } = await openAdmin(bo, '/admin/desk/notices', mobile);
  await flagged(hers).getByText('Only one may decide.').waitFor();
  await flagged(his).getByText('Only one may decide.').waitFor();
  await decided(hers, 'warn').click();
  await seeNotice(hers, /^Comment removed, .* warned/);
  await decided(his, 'keep').click();
  await seeNotice(his, `${ada.username} decided on this report: Removed, and its author warned.`);
  await flagged(his).getByText('What comes next.').waitFor();
  await quiet([expect.stringContaining('409')]);
});

test('comments that the creator reported are hidden and marked, and others find no page here', async () => {
  const [ada, owner] = [await newAdmin(site), await newMember(site)];
  await emptyQueue(ada);
  await setVoiceOwner(site.db, site.voice.id, owner.id, true);
  const { id, audio } = await newReport('The creator did not like this.');
  await site.site.community.reportComment(asViewer(owner), id, { reason: 'unkind' });
  const { page, quiet } = await openAdmin(ada, '/admin/desk/notices', { ...desktop, colorScheme: 'light' });
  await flagged(page).getByText('Reported, hidden').waitFor();
  await page.getByText('Maren Holt, owner of the audio').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Tell Maren Holt what was done' }).isChecked()).toBe(true);
  await expectCleanForAxe(page);
  await quiet();
  const { page: theirs } = await site.openAs(browser, owner, `/audio/${audio.slug}`);
  await theirs.getByText('No comments').first().waitFor();
  const response = await theirs.goto('/admin/desk/notices');
  expect(response?.status()).toBe(404);
});
