/** @module-tag slow */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { voiceOwners } from '#domain/community/tables.ts';
import type { User } from '#domain/kernel/viewer.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { expectCleanForAxe, modalOf, visitorOf } from '../../support/accounts.ts';
import { desktop, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createSeries, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite, visit } from '../../support/library-site.ts';
import { memberState } from '../../support/payments/member-state.ts';

const browser = useBrowser();
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

type Member = Awaited<ReturnType<typeof newMember>>;

/** A creator with a voice and one audio. */
async function newCreator(role: 'owner' | 'editor' = 'owner') {
  const creator = await newMember(site);
  const voice = await createVoice(site.db);
  const audio = await createAudio(site.db, { voiceId: voice.id, isFree: true });
  await site.db.insert(voiceOwners).values({ voiceId: voice.id, userId: creator.id, role });
  return { creator, voice, audio };
}

async function openAs(user: { id: string }, path: string, layout: BrowserContextOptions = desktop) {
  const opened = await browser.open(path, {
    ...visitorOf(site, layout),
    storageState: await memberState(site, user.id),
  });
  await opened.page.locator('main h1, .page-head h1').first().waitFor();
  return opened;
}

async function write(user: Member, audio: { id: string }, text: string, parentId?: string): Promise<string> {
  const viewer = { kind: 'user', id: user.id, isSubscribed: false, isComplete: true } as const;
  const outcome = await site.site.community.writeComment(viewer, audio.id, { text, parentId });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.comment.id;
}

const threadOf = (page: Page, text: string): Locator => page.locator('[data-thread]').filter({ hasText: text });
const chip = (page: Page, name: string) => page.getByRole('navigation', { name: 'Show' }).getByRole('link', { name });
const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('a creator answers, hides, shows again and blocks, and listeners see what they should', async () => {
  const { creator, voice, audio } = await newCreator();
  const [ada, bo] = [await newMember(site), await newMember(site)];
  await write(ada, audio, 'I had to stop walking.');
  await write(bo, audio, 'Boring.');
  const studio = `/studio/${voice.slug}/comments`;
  const { page, quiet } = await openAs(creator, studio, mobile);
  await chip(page, 'Unanswered 2').waitFor();

  await button(threadOf(page, 'stop walking'), 'Reply').click();
  const field = page.getByRole('textbox', { name: `Reply to ${ada.username}` });
  await expect.poll(() => hasFocus(field)).toBe(true);
  await field.fill('Thank you for listening.');
  await field.press('Control+Enter');
  await seeNotice(page, 'Reply published');
  await chip(page, 'Unanswered 1').waitFor();
  expect(await threadOf(page, 'stop walking').count()).toBe(0);

  await button(threadOf(page, 'Boring.'), 'Hide').click();
  await seeNotice(page, 'Comment hidden');
  await page.getByRole('heading', { name: 'No unanswered comments' }).waitFor();
  const { page: visitors } = await browser.open(`/audio/${audio.slug}`, visitorOf(site, mobile));
  await visitors.getByText('Thank you for listening.').waitFor();
  expect(await visitors.getByText('Boring.').count()).toBe(0);
  await visitors.getByRole('heading', { name: 'Comments 2' }).waitFor();
  const { page: authors } = await openAs(bo, `/audio/${audio.slug}`, mobile);
  await authors.getByText('Boring.').waitFor();

  await chip(page, 'Hidden 1').click();
  await button(threadOf(page, 'Boring.'), 'Show again').click();
  await seeNotice(page, 'Comment shown again');
  await chip(page, 'Hidden 0').waitFor();
  await chip(page, 'All 2').click();
  await button(threadOf(page, 'Boring.'), `Block ${bo.username}`).click();
  await seeNotice(page, `${bo.username} cannot comment here anymore`);
  await threadOf(page, 'Boring.').getByText('Blocked', { exact: true }).waitFor();
  await authors.getByRole('textbox', { name: 'Comment' }).fill('Once more');
  await authors.getByRole('textbox', { name: 'Comment' }).press('Control+Enter');
  await seeNotice(authors, 'This creator does not accept comments from you.');

  await button(page, `Unblock ${bo.username}`).last().click();
  await seeNotice(page, `You unblocked ${bo.username}`);
  await expect.poll(() => button(threadOf(page, 'Boring.'), `Block ${bo.username}`).count()).toBe(1);
  await inBothSizes(page, async () => expect(await fits(page)).toBe(true));
  await quiet();
});

test('hiding is undone from its notice, and by the keys of the list', async () => {
  const { creator, voice, audio } = await newCreator();
  const ada = await newMember(site);
  for (const text of ['first', 'second']) await write(ada, audio, text);
  const { page, quiet } = await openAs(creator, `/studio/${voice.slug}/comments?show=all`);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(() => hasFocus(threadOf(page, 'first'))).toBe(true);
  await page.keyboard.press('k');
  await page.keyboard.press('h');
  await chip(page, 'Hidden 1').waitFor();
  await threadOf(page, 'second').getByText('Hidden', { exact: true }).waitFor();
  await button(page, 'Undo').click();
  await chip(page, 'Hidden 0').waitFor();
  await threadOf(page, 'second').focus();
  await page.keyboard.press('r');
  const field = page.getByRole('textbox', { name: `Reply to ${ada.username}` });
  await expect.poll(() => hasFocus(field)).toBe(true);
  // Keys go into the field.
  await field.pressSequentially('hj');
  expect(await field.inputValue()).toBe('hj');
  await button(page, 'Cancel').click();
  await expect.poll(() => hasFocus(threadOf(page, 'second'))).toBe(true);
  await quiet();
});

test('a reported comment waits for the operators; search and filters are in the address', async () => {
  const { creator, voice, audio } = await newCreator('editor');
  const ada = await newMember(site);
  await write(ada, audio, 'I know where you live');
  await write(ada, audio, 'Lovely');
  const { page, quiet } = await openAs(creator, `/studio/${voice.slug}/comments`);
  await button(threadOf(page, 'where you live'), 'Report').click();
  await modalOf(page).getByRole('radio', { name: 'It threatens someone' }).press('Space');
  await button(modalOf(page), 'Report').click();
  await seeNotice(page, 'Reported to the operators');
  await chip(page, 'Reported 1').click();
  await threadOf(page, 'where you live').getByText('Reported, not decided').waitFor();
  await visit(page, `/studio/${voice.slug}/comments?show=all`);
  await page.getByRole('searchbox', { name: 'Search comments' }).fill('love');
  await page.keyboard.press('Enter');
  await page.waitForURL(/show=all&q=love/);
  await expect.poll(() => page.locator('[data-thread]').count()).toBe(1);
  await page.getByRole('searchbox').fill('nothing like it');
  await page.keyboard.press('Enter');
  await page.getByText('No results found').waitFor();
  await page.getByRole('link', { name: 'Remove the search' }).click();
  await threadOf(page, 'Lovely').waitFor();
  await quiet();
});

test('what a creator holds waits, marked, until it is shown or kept hidden, by keys too', async () => {
  const { creator, voice, audio } = await newCreator();
  const [ada, bo] = [await newMember(site), await newMember(site)];
  const studio = `/studio/${voice.slug}/comments`;
  const { page, quiet } = await openAs(creator, `${studio}/settings`);
  await page.getByRole('radio', { name: /^Likely unkind, and with links/ }).check();
  await page.getByText(/^Saved at/).waitFor();
  const words = page.getByRole('combobox', { name: 'Your own words' });
  await words.fill('hometown');
  await words.press('Enter');
  await expect.poll(async () => (await site.site.community.findCommentSettings(voice.id))?.words).toEqual(['hometown']);
  await words.fill('Hometown');
  await words.press('Enter');
  await page.getByText('1 of 200').waitFor();
  await page.getByRole('combobox', { name: 'First' }).selectOption({ label: 'Oldest' });
  await expect.poll(async () => (await site.site.community.findCommentSettings(voice.id))?.order).toBe('oldest');
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expectCleanForAxe(page);
    expect([width, await fits(page)]).toEqual([width, true]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  await write(ada, audio, 'See https://one.example');
  await write(bo, audio, 'What is your HOMETOWN?');
  await write(bo, audio, 'So stupid');
  const hers = await openAs(ada, `/audio/${audio.slug}`);
  await hers.page.getByText(`Has a link: only you see it until ${voice.name} has read it.`).waitFor();
  expect(await hers.page.getByText('HOMETOWN').count()).toBe(0);
  await hers.quiet();

  await page.goto(`${studio}?show=waiting`);
  await page.waitForURL(`**${studio}/held`);
  await page.getByRole('link', { name: 'Held 3 waiting' }).waitFor();
  await threadOf(page, 'HOMETOWN').getByText('Your word “hometown”').waitFor();
  expect(await page.locator('mark').allTextContents()).toEqual(['stupid', 'HOMETOWN', 'https://one.example']);
  await expectCleanForAxe(page);
  await inBothSizes(page, async () => expect(await fits(page)).toBe(true));
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-thread]')?.textContent ?? '');
  await button(threadOf(page, 'stupid'), 'Keep hidden').press('Enter');
  await page.getByRole('link', { name: 'Held 2 waiting' }).waitFor();
  await expect.poll(focused).toContain('HOMETOWN');
  await page.keyboard.press('s');
  await page.getByRole('link', { name: 'Held 1 waiting' }).waitFor();
  await expect.poll(focused).toContain('one.example');
  await page.keyboard.press('h');
  await page.getByRole('heading', { name: 'No held comments' }).waitFor();
  const { page: visitors } = await browser.open(`/audio/${audio.slug}`, visitorOf(site, mobile));
  await visitors.getByText('HOMETOWN').waitFor();
  expect(await visitors.getByText('stupid').count()).toBe(0);
  await quiet();
});

test('a pin and a heart show under the audio, and are undone; a break says so to listeners', async () => {
  const { creator, voice, audio } = await newCreator();
  const ada = await newMember(site);
  const [first] = [
    await write(ada, audio, 'first'),
    await write(ada, audio, 'second'),
    await write(ada, audio, 'third'),
  ];
  await write(ada, audio, 'an answer', first);
  const { page, quiet } = await openAs(creator, `/studio/${voice.slug}/comments?show=all`);
  await button(threadOf(page, 'second'), 'Pin').click();
  await threadOf(page, 'second').getByText('Pinned', { exact: true }).waitFor();
  await button(threadOf(page, 'third'), 'Pin').click();
  await threadOf(page, 'third').getByText('Pinned', { exact: true }).waitFor();
  await button(page, 'Undo').last().click();
  await threadOf(page, 'second').getByText('Pinned', { exact: true }).waitFor();
  expect(await threadOf(page, 'third').getByText('Pinned', { exact: true }).count()).toBe(0);
  await button(threadOf(page, 'third'), 'Heart').click();
  await threadOf(page, 'third').getByText('Has your heart').waitFor();
  await visit(page, `/studio/${voice.slug}/comments/settings`);
  await button(page, `Unpin the comment by ${ada.username}`).waitFor();

  const listener = await openAs(ada, `/audio/${audio.slug}`, mobile);
  const texts = () => listener.page.locator('main ul > .comment > div > .comment__text').allTextContents();
  await listener.page.getByText(`Pinned by ${voice.name}`).waitFor();
  await expect.poll(texts).toEqual(['second', 'third', 'first', 'an answer']);
  await listener.page.getByText(`${voice.name} likes this`).waitFor();
  await listener.page.getByRole('link', { name: 'Most answered' }).click();
  await listener.page.waitForURL(/sort=answered/);
  await expect.poll(texts).toEqual(['second', 'first', 'an answer', 'third']);
  // The choice is kept, without the address.
  await listener.page.goto(`/audio/${audio.slug}`);
  await expect.poll(texts).toEqual(['second', 'first', 'an answer', 'third']);
  await expectCleanForAxe(listener.page);

  await button(listener.page, 'Edit your comment').nth(3).click();
  const field = modalOf(listener.page).getByRole('textbox', { name: 'Comment' });
  expect(await field.inputValue()).toBe('third');
  await field.fill('third, said better');
  await field.press('Control+Enter');
  await seeNotice(listener.page, 'Your comment is changed');
  await expect.poll(texts).toEqual(['second', 'first', 'an answer', 'third, said better']);
  expect(await listener.page.getByText(`${voice.name} likes this`).count()).toBe(0);

  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Pause new comments until').fill(day);
  await button(page, 'Pause').click();
  await page.getByText(/^New comments are paused until /).waitFor();
  await listener.page.reload();
  await listener.page.getByText(/^New comments are paused until /).waitFor();
  expect(await listener.page.getByRole('textbox', { name: 'Comment' }).count()).toBe(0);
  await button(page, 'End the break').click();
  await page.getByLabel('Pause new comments until').waitFor();
  await listener.quiet();
  await quiet();
});

test('without JavaScript, links change the order of comments', async () => {
  const { audio } = await newCreator();
  const ada = await newMember(site);
  for (const text of ['first', 'second']) await write(ada, audio, text);
  const { page } = await browser.open(`/audio/${audio.slug}`, { ...visitorOf(site, mobile), javaScriptEnabled: false });
  const texts = () => page.locator('.comment__text').allTextContents();
  expect(await texts()).toEqual(['second', 'first']);
  await page.getByRole('link', { name: 'Oldest' }).click();
  expect(await texts()).toEqual(['first', 'second']);
  expect(await page.getByRole('link', { name: 'Oldest' }).getAttribute('aria-current')).toBe('true');
});

test('others see no Studio', async () => {
  const { voice } = await newCreator();
  const { creator: other } = await newCreator();
  for (const part of ['comments', 'series', 'voice']) {
    const { page } = await openAs(other, `/studio/${voice.slug}/${part}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('.page-head').count()).toBe(0);
  }
});

test('a creator keeps the own page, its address and its people', async () => {
  const { creator, voice } = await newCreator();
  const [editor, heir] = [await newMember(site), await newMember(site)];
  const { page, quiet } = await openAs(creator, `/studio/${voice.slug}/voice`);
  const slug = `${voice.slug}-now`;
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Éva Renamed');
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill('Not an address');
  await page.getByText('Use small letters, digits and hyphens').waitFor();
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(slug);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Reads <b>slowly</b>.');
  await button(page, 'Add a link').click();
  await page.getByRole('textbox', { name: 'Name of link 1' }).fill('Website');
  await page.getByRole('textbox', { name: 'Address of link 1' }).fill('http://example.org');
  expect(await button(page, 'Save page').isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Address of link 1' }).fill('https://example.org/');
  await button(page, 'Save page').click();
  await seeNotice(page, 'Page saved');
  await page.waitForURL(`**/studio/${slug}/voice`);

  await page.locator('input[type=file]').setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await button(page, 'Save portrait').click();
  await seeNotice(page, 'Portrait saved');
  await page.getByRole('img', { name: 'The portrait' }).first().waitFor();

  const add = async (name: string) => {
    await page.getByRole('textbox', { name: 'Username or email' }).fill(name);
    await button(page, 'Add').click();
  };
  await add('nobody-of-this-name');
  await page.getByText('There is no account with this username or email.').waitFor();
  await add(editor.username);
  await seeNotice(page, `${editor.username} added`);
  expect(await page.getByRole('combobox', { name: `Role of ${creator.username}` }).isDisabled()).toBe(true);
  await add(heir.username);
  await seeNotice(page, `${heir.username} added`);
  await page.getByRole('combobox', { name: `Role of ${heir.username}` }).selectOption('owner');
  await seeNotice(page, `${heir.username} is an owner now`);
  await button(page, `Remove ${heir.username}`).click();
  await seeNotice(page, `${heir.username} removed`);
  await inBothSizes(page, async () => expect(await fits(page)).toBe(true));

  const { page: theirs } = await openAs(editor, `/studio/${slug}/voice`, mobile);
  expect(await theirs.getByRole('textbox', { name: 'Username or email' }).count()).toBe(0);
  await button(theirs, 'Leave').click();
  await button(modalOf(theirs), 'Leave').click();
  await expect.poll(() => new URL(theirs.url()).pathname).toBe('/studio');

  const { page: listeners } = await browser.open(`/creators/${voice.slug}`, visitorOf(site, mobile));
  expect(new URL(listeners.url()).pathname).toBe(`/creators/${slug}`);
  await listeners.getByRole('heading', { name: 'Éva Renamed' }).waitFor();
  await listeners.getByText('Reads <b>slowly</b>.').first().waitFor();
  const link = listeners.getByRole('link', { name: 'Website' });
  expect(await link.getAttribute('rel')).toContain('noopener');
  await quiet([expect.stringContaining('404')]);
});

test('a page text that is not saved survives other pages of the Studio, and the change of another owner', async () => {
  const { creator, voice } = await newCreator();
  const { page, quiet } = await openAs(creator, `/studio/${voice.slug}/voice`);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Text').fill('Mine');
  await page.getByRole('link', { name: 'Comments' }).first().click();
  await page.getByRole('heading', { name: 'Comments', level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(() => field('Text').inputValue()).toBe('Mine');
  const other = {
    kind: 'user',
    ...creator,
    isSubscribed: false,
    isComplete: true,
    voiceRoles: { [voice.id]: 'owner' },
  };
  await site.site.studio.editProfile(other as User, voice.id, { name: 'Theirs', bio: 'Theirs' });
  await button(page, 'Save page').click();
  await page.getByText(/ changed this meanwhile, .*Your changes are still here\./).waitFor();
  expect([await field('Name').inputValue(), await field('Text').inputValue()]).toEqual(['Theirs', 'Mine']);
  await button(page, 'Save mine instead').click();
  await seeNotice(page, 'Page saved');
  expect(await site.site.studio.findProfile(voice.id)).toMatchObject({ name: 'Theirs', bio: 'Mine' });
  await quiet([expect.stringContaining('409')]);
});

test('comments, series and the page are clean for axe and fit, in each size and theme', async () => {
  const { creator, voice, audio } = await newCreator();
  const [ada, bo] = [await newMember(site), await newMember(site)];
  const thread = await write(ada, audio, `Long ${'word'.repeat(60)}`);
  await write(bo, audio, 'A reply', thread);
  const owner = { kind: 'user', id: creator.id, isSubscribed: false, isComplete: true } as const;
  const actor = { ...owner, voiceRoles: { [voice.id]: 'owner' } } as const;
  await site.site.community.setCommentHidden(actor, await write(ada, audio, 'hidden'), true);
  await site.site.community.setVoiceBlock(actor, voice.id, bo.id, true);
  const { id } = await createSeries(site.db, { voiceId: voice.id, audioIds: [audio.id] });
  const { page, quiet } = await openAs(creator, `/studio/${voice.slug}/comments?show=all`);
  for (const path of ['comments?show=all', 'comments?show=blocked', 'series', `series/${id}`, 'voice']) {
    await visit(page, `/studio/${voice.slug}/${path}`);
    for (const [colorScheme, width, rules] of [
      ['dark', 1440, 'all'],
      ['light', 390, 'all'],
      ['dark', 320, 'colors'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await expectCleanForAxe(page, 'body', rules);
      expect([path, width, await fits(page)]).toEqual([path, width, true]);
    }
  }
  await quiet();
});
