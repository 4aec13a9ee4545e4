/** @module-tag slow */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { voiceOwners } from '#domain/community/tables.ts';
import {
  expectCleanForAxe,
  expectCleanInBothSizes,
  fillLogIn,
  keptSession,
  logIn,
  logOut,
  modalOf,
  newPerson,
  registered,
  visitorOf,
} from '../support/accounts.ts';
import { button, hasFocus, seeNotice } from '../support/browser/account-page.ts';
import { desktop, mobile, useBrowser } from '../support/browser/browser.ts';
import { createAudio } from '../support/factories.ts';
import { newMember, startLibrarySite, visit } from '../support/library-site.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

/** An audio without comments. */
async function newAudio(): Promise<{ id: string; path: string; title: string }> {
  const { id, slug, title } = await createAudio(site.db, { voiceId: site.voice.id, isFree: true });
  return { id, title, path: `/audio/${slug}` };
}

function write(user: { id: string }, audio: { id: string }, text: string, parentId?: string) {
  const viewer = { kind: 'user', id: user.id, isSubscribed: false, isComplete: true } as const;
  return site.site.community.writeComment(viewer, audio.id, { text, ...(parentId !== undefined && { parentId }) });
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

const commentsOf = (page: Page) => page.getByRole('region', { name: 'Comments' });
const commentOf = (page: Page, text: string): Locator =>
  commentsOf(page)
    .locator('li.comment')
    .filter({ has: page.locator('> div > .comment__text', { hasText: text }) });

test('one user comments, another replies and reports it, and it is deleted', async () => {
  const [ada, bo] = [await newMember(site), await newMember(site)];
  const audio = await newAudio();
  const { page: hers, quiet } = await site.openAs(browser, ada, audio.path);
  await commentsOf(hers).getByText('No comments').waitFor();
  await hers.getByText('Be warm. A person read this aloud for you.').filter({ visible: true }).waitFor();
  const field = commentsOf(hers).getByRole('textbox', { name: 'Comment' });
  await field.fill(`  ${'𝄞'.repeat(1001)} `);
  await hers.getByText('1,001 / 1,000').waitFor();
  await hers.getByText('A comment can have up to 1,000 characters.').waitFor();
  expect(await button(commentsOf(hers), 'Comment').isDisabled()).toBe(true);
  const text = 'The pause is <b>longer</b> than I expected.\n\nAnd right. 🌙';
  await field.fill(text);
  await button(commentsOf(hers), 'Comment').click();
  await commentOf(hers, 'The pause is <b>longer</b>').getByText('just now').waitFor();
  expect(await field.inputValue()).toBe('');
  // Sent again a moment later: shown once, and counted once.
  await field.fill(text);
  await field.press('Control+Enter');
  await expect.poll(() => commentsOf(hers).locator('li.comment').count()).toBe(1);
  await hers.getByRole('heading', { name: /^Comments 1$/ }).waitFor();

  const { page: his } = await site.openAs(browser, bo, audio.path, mobile);
  const hersThere = commentOf(his, 'The pause is <b>longer</b>');
  await hersThere.getByRole('button', { name: `Reply to ${ada.username}` }).click();
  const reply = his.getByRole('textbox', { name: `Reply to ${ada.username}` });
  await expect.poll(() => hasFocus(reply)).toBe(true);
  await reply.fill('I had to stop walking.');
  await reply.press('Control+Enter');
  await commentOf(his, 'I had to stop walking.').getByText('just now').waitFor();
  await reply.waitFor({ state: 'detached' });
  await his.getByRole('heading', { name: 'Comments 2' }).waitFor();
  await expectCleanInBothSizes(his);

  await hersThere.getByRole('button', { name: `Report the comment by ${ada.username}` }).click();
  const modal = modalOf(his);
  await modal.getByRole('heading', { name: 'Report this comment' }).waitFor();
  expect(await button(modal, 'Report').isDisabled()).toBe(true);
  await modal.getByRole('radio', { name: 'It is unkind' }).press('Space');
  await modal.getByRole('textbox').fill('Look at the second line.');
  await expectCleanInBothSizes(his, '.modal');
  await button(modal, 'Report').click();
  await seeNotice(his, 'Thank you. We will look at it.');

  await hers.reload();
  await hers.getByRole('heading', { name: 'Comments 2' }).waitFor();
  await commentOf(hers, 'I had to stop walking.').waitFor();
  expect(await hers.getByRole('button', { name: `Report the comment by ${ada.username}` }).count()).toBe(0);
  await button(commentOf(hers, 'The pause is'), 'Delete your comment').click();
  await button(modalOf(hers), 'Delete comment').click();
  await commentsOf(hers).getByText('This comment was deleted.').waitFor();
  await commentOf(hers, 'I had to stop walking.').waitFor();
  await hers.getByRole('heading', { name: 'Comments 1' }).waitFor();

  await hersThere.getByRole('button', { name: `Reply to ${ada.username}` }).click();
  await reply.fill('To nobody, as it turns out.');
  await reply.press('Control+Enter');
  await seeNotice(his, 'The comment you replied to was deleted.');
  await expect.poll(() => reply.inputValue()).toBe('To nobody, as it turns out.');
  await quiet();
});

test('a refused comment is removed with a notice, and its text returns to the field', async () => {
  const ada = await newMember(site);
  const audio = await newAudio();
  const { page } = await site.openAs(browser, ada, audio.path);
  await page.route('**/v1/api/audios/*/comments', (route) => route.abort());
  const field = commentsOf(page).getByRole('textbox', { name: 'Comment' });
  await field.fill('Is anybody there?');
  await button(commentsOf(page), 'Comment').click();
  await seeNotice(page, 'No internet connection');
  await commentsOf(page).getByText('No comments').waitFor();
  expect(await field.inputValue()).toBe('Is anybody there?');
  await page.unroute('**/v1/api/audios/*/comments');
  // More was typed before the refusal.
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/api/audios/*/comments', async (route) => {
    await held.promise;
    await route.abort();
  });
  await field.press('Control+Enter');
  await field.fill('Somebody?');
  held.resolve();
  await expect.poll(() => field.inputValue()).toBe('Is anybody there?\n\nSomebody?');
  await page.unroute('**/v1/api/audios/*/comments');
  // Eleven in five minutes are too many; blank ones do not count.
  for (let count = 1; count <= 10; count += 1) {
    await field.fill(`Comment number ${count}`);
    await field.press('Control+Enter');
  }
  await page.getByRole('heading', { name: 'Comments 10' }).waitFor();
  await expect.poll(() => commentsOf(page).locator('[aria-busy]').count()).toBe(0);
  await field.fill('One too many');
  await field.press('Control+Enter');
  await seeNotice(page, /^Too many tries\. The next one is possible in \d+ minutes?\.$/);
  expect(await field.inputValue()).toBe('One too many');
  await page.getByRole('heading', { name: 'Comments 10' }).waitFor();
  await field.fill(' \u200b\n ');
  expect(await button(commentsOf(page), 'Comment').isDisabled()).toBe(true);
});

test('a visitor reads page by page, and writes where they left off once they are in', async () => {
  const ada = await newMember(site);
  const audio = await newAudio();
  const person = newPerson();
  await site.site.identity.signUp(person);
  const ids: string[] = [];
  for (let count = 1; count <= 12; count += 1) {
    const written = await write(ada, audio, `Thought ${count}.`);
    if (written.ok) ids.push(written.comment.id);
  }
  for (let count = 1; count <= 5; count += 1) await write(ada, audio, `Answer ${count}.`, ids[11]);
  const { page, quiet } = await browser.open(audio.path, visitorOf(site, mobile));
  await page.getByRole('heading', { name: 'Comments 17' }).waitFor();
  await button(commentsOf(page), 'Show 2 more replies').click();
  await commentOf(page, 'Answer 5.').waitFor();
  expect(await commentOf(page, 'Thought 1.').count()).toBe(0);
  await commentsOf(page).getByText('Show more comments').click();
  await commentOf(page, 'Thought 1.').waitFor();
  expect(await commentsOf(page).locator('> ul > li.comment').count()).toBe(12);
  await expectCleanForAxe(page);

  await button(commentsOf(page), 'Say something kind…').click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: `Sign in to comment on “${audio.title}”` }).waitFor();
  await modal.getByRole('button', { name: 'Log in' }).click();
  await fillLogIn(modal, person);
  const field = commentsOf(page).getByRole('textbox', { name: 'Comment' });
  await expect.poll(() => hasFocus(field)).toBe(true);
  await quiet();

  const plain = await browser.open(audio.path, { ...visitorOf(site, desktop), javaScriptEnabled: false });
  await plain.page.getByText('Show more comments').click();
  await commentOf(plain.page, 'Thought 1.').waitFor();
  await plain.quiet();
});

test('what was being written when the session ended is sent, or stands in its field, after the next log-in', async () => {
  const [ada, person] = [await newMember(site), await registered(site)];
  const audio = await newAudio();
  for (let count = 1; count <= 11; count += 1) await write(ada, audio, `Thought ${count}.`);
  const { page } = await site.openAs(browser, person, audio.path);
  // The log-in reloads further pages, which lack the comment that is sent meanwhile.
  await commentsOf(page).getByText('Show more comments').click();
  await commentOf(page, 'Thought 1.').waitFor();
  const field = commentsOf(page).getByRole('textbox', { name: 'Comment' });
  await field.fill('A candle would have heard less.');
  await site.site.identity.endSessionOf((await keptSession(page))?.token ?? '');
  await button(commentsOf(page), 'Comment').click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: `Sign in to comment on “${audio.title}”` }).waitFor();
  await page.getByText('Say something kind…').waitFor();
  await modal.getByRole('button', { name: 'Log in' }).click();
  await fillLogIn(modal, person);
  await commentOf(page, 'A candle would have heard less.').getByText('just now').waitFor();
  expect(await field.inputValue()).toBe('');

  // A log-out in another tab; the draft comes back for its author only.
  const replyTo = () => button(commentOf(page, 'Thought 11.'), `Reply to ${ada.username}`).click();
  await replyTo();
  const reply = page.getByRole('textbox', { name: `Reply to ${ada.username}` });
  await reply.fill('Half a thought');
  const tab = await page.context().newPage();
  await visit(tab, '/about');
  await logOut(tab);
  await tab.close();
  await reply.waitFor({ state: 'detached' });
  await logIn(page, person);
  await expect.poll(() => reply.inputValue()).toBe('Half a thought');
  await logOut(page);
  await logIn(page, await registered(site));
  expect(await reply.count()).toBe(0);
  await replyTo();
  expect(await reply.inputValue()).toBe('');
});

test('a comment and a reply on an audio for subscribers are sent after the next log-in, too', async () => {
  const person = await registered(site);
  await giveMonths(site.db, person.id, 1);
  const audio = await createAudio(site.db, { voiceId: site.voice.id, isFree: true, commentsForSubscribers: true });
  const viewer = { kind: 'user', id: person.id, isSubscribed: true, isComplete: true } as const;
  await site.site.community.writeComment(viewer, audio.id, { text: 'Who is up?' });
  const { page } = await site.openAs(browser, person, `/audio/${audio.slug}`);
  const endSession = async () => site.site.identity.endSessionOf((await keptSession(page))?.token ?? '');
  const logInAgain = async () => {
    await modalOf(page).getByRole('button', { name: 'Log in' }).click();
    await fillLogIn(modalOf(page), person);
  };
  await commentsOf(page).getByRole('textbox', { name: 'Comment' }).fill('I am.');
  await endSession();
  await button(commentsOf(page), 'Comment').click();
  await page.getByText('Only subscribers can comment here.').waitFor();
  await logInAgain();
  await commentOf(page, 'I am.').getByText('just now').waitFor();

  await button(commentOf(page, 'Who is up?'), `Reply to ${person.username}`).click();
  const reply = page.getByRole('textbox', { name: `Reply to ${person.username}` });
  await reply.fill('So am I.');
  await endSession();
  await button(commentOf(page, 'Who is up?'), 'Reply').click();
  await logInAgain();
  await commentOf(page, 'So am I.').getByText('just now').waitFor();
  await reply.waitFor({ state: 'detached' });
});

test('news of a reply leads to the reply, also far down and without JavaScript', slow, async () => {
  const [ada, bo] = [await newMember(site), await newMember(site)];
  const audio = await newAudio();
  const asked = await write(ada, audio, 'Which poem is this?');
  if (!asked.ok) throw new Error(asked.reason);
  for (let count = 1; count <= 11; count += 1) await write(bo, audio, `Thought ${count}.`);
  const ids: string[] = [];
  for (let count = 1; count <= 5; count += 1) {
    const written = await write(bo, audio, `Answer ${count}.`, asked.comment.id);
    if (written.ok) ids.push(written.comment.id);
  }
  const link = `${audio.path}?comment=${ids[4]}#comment-${ids[4]}`;
  const { page, quiet } = await site.openAs(browser, ada, '/account/notifications', mobile);
  await page
    .locator('main')
    .getByRole('link', { name: `${bo.username} replied to your comment` })
    .first()
    .click();
  const answer = commentOf(page, 'Answer 5.');
  await expect.poll(() => hasFocus(answer)).toBe(true);
  const { pathname, search, hash } = new URL(page.url());
  expect(pathname + search + hash).toBe(link);
  await expect.poll(() => answer.evaluate(isInView)).toBe(true);
  await expectCleanForAxe(page);
  await commentsOf(page).getByText('Show more comments').click();
  await commentOf(page, 'Thought 1.').waitFor();
  expect(await commentsOf(page).locator('> ul > li.comment').count()).toBe(12);
  // As from a mail or a push.
  await visit(page, '/about');
  await visit(page, link);
  await expect.poll(() => hasFocus(answer)).toBe(true);
  await expect.poll(() => answer.evaluate(isInView)).toBe(true);
  await button(commentsOf(page), 'Show 1 more reply').click();
  await commentOf(page, 'Answer 4.').waitFor();

  const plain = await browser.open(link, { ...visitorOf(site, desktop), javaScriptEnabled: false });
  expect(await commentOf(plain.page, 'Answer 5.').evaluate(isInView)).toBe(true);
  const head = plain.page.locator('head');
  expect(await head.locator('link[rel=canonical]').getAttribute('href')).toMatch(new RegExp(`${audio.path}$`));
  expect(await head.locator('meta[name=robots]').getAttribute('content')).toBe('noindex, follow');
  await plain.quiet();

  const viewer = { kind: 'user', id: ada.id, isSubscribed: false, isComplete: true } as const;
  await site.site.community.setBlocked(viewer, bo.id, true);
  await page.reload();
  await page.getByRole('heading', { name: /^Comments 1$/ }).waitFor();
  await expect.poll(() => commentsOf(page).locator('[aria-current]').count()).toBe(0);
  await quiet();
});

test('a creator turns comments off and on again; listeners see the text of the spec', async () => {
  const creator = await newMember(site);
  const audio = await newAudio();
  await site.db.insert(voiceOwners).values({ voiceId: site.voice.id, userId: creator.id });
  await write(creator, audio, 'Thank you for listening.');
  const { page, quiet } = await site.openAs(browser, creator, audio.path);
  await commentOf(page, 'Thank you for listening.').getByText('Creator').waitFor();
  const allow = commentsOf(page).getByRole('switch', { name: 'Allow comments' });
  expect(await allow.getAttribute('aria-checked')).toBe('true');
  await allow.click();
  const off = 'This creator has turned off their comments.';
  await commentsOf(page).getByText(off).waitFor();
  const { page: visitor } = await browser.open(audio.path, visitorOf(site, desktop));
  await commentsOf(visitor).getByText(off).waitFor();
  expect(await commentsOf(visitor).locator('li, textarea, button').count()).toBe(0);
  await allow.click();
  await commentOf(page, 'Thank you for listening.').waitFor();
  await quiet();
});

test('blocked users are invisible, and listed in the account until they are unblocked', async () => {
  const [ada, bo] = [await newMember(site), await newMember(site)];
  const audio = await newAudio();
  for (let count = 1; count <= 10; count += 1) await write(bo, audio, `I am everywhere, ${count}.`);
  await site.site.library.createUserPlaylist(bo.id, {
    title: 'Rough nights',
    background: 'Pink to Blue',
    font: 'Lora Bold',
    isPublic: true,
  });
  await write(ada, audio, 'And I am here.');
  const { page, quiet } = await site.openAs(browser, ada, audio.path);
  await commentsOf(page).getByText('Show more comments').click();
  await commentOf(page, 'I am everywhere, 1.').getByRole('link', { name: bo.username }).click();
  await page.getByRole('heading', { name: bo.username, level: 1 }).waitFor();
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Rough nights' }).waitFor();
  await expectCleanForAxe(page);
  await button(main, `Block ${bo.username}`).click();
  await main.getByText(`You blocked ${bo.username}.`).waitFor();
  expect(await main.getByRole('link', { name: 'Rough nights' }).count()).toBe(0);
  await expectCleanForAxe(page);
  // As when the page was left.
  await page.goBack();
  await page.getByRole('heading', { name: /^Comments 1$/ }).waitFor();
  await expect.poll(() => commentsOf(page).locator('.comment__text').allTextContents()).toEqual(['And I am here.']);

  await visit(page, '/account#blocked');
  const blocked = page.getByRole('region', { name: 'Blocked users' });
  await blocked.getByRole('link', { name: bo.username }).waitFor();
  await expectCleanForAxe(page, '#blocked');
  await button(blocked, `Unblock ${bo.username}`).click();
  await blocked.getByText('No blocked users').waitFor();
  await visit(page, audio.path);
  await commentOf(page, 'I am everywhere, 10.').waitFor();
  await quiet();
});

test('hidden tags appear nowhere until they are shown again', async () => {
  const ada = await newMember(site);
  const { page, quiet } = await site.openAs(browser, ada, '/account#hidden-tags', { ...mobile, colorScheme: 'light' });
  const part = page.getByRole('region', { name: /^Tags/ });
  await button(part, 'Add a tag').click();
  await button(part, 'rain').click();
  await seeNotice(page, '“rain” is hidden');
  await expectCleanForAxe(page, '#hidden');
  await visit(page, '/audios');
  await page.locator('main').getByRole('link', { name: 'Echo' }).waitFor();
  expect(await page.locator('main').getByRole('link', { name: 'Bright Star' }).count()).toBe(0);
  await visit(page, '/account/hidden-tags');
  expect(await button(part, 'rain').getAttribute('aria-pressed')).toBe('true');
  await button(part, 'rain').click();
  await seeNotice(page, '“rain” is shown again');
  await visit(page, '/audios');
  await page.locator('main').getByRole('link', { name: 'Bright Star' }).waitFor();
  await quiet();
});

test('comments are in the page before their code, which loads near the window; a press meanwhile is not lost', async () => {
  const [ada, audio] = [await newMember(site), await newAudio()];
  await write(ada, audio, 'Heard twice tonight.');
  const viewport = { ...mobile.viewport, height: 50 };
  const { page, quiet } = await browser.open('/about', visitorOf(site, { ...mobile, viewport }));
  // The worker has stored all scripts, so none would be requested.
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  const requested = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(/\/assets\/comments-[\w-]+\.js$/, async (route) => {
    requests += 1;
    requested.resolve();
    await held.promise;
    await route.continue();
  });
  // At its place in the HTML, so that it can be read without JavaScript.
  const html = await (await page.request.get(audio.path)).text();
  expect(html.slice(html.indexOf('aria-label="Comments"'), html.indexOf('</main>'))).toContain('Heard twice tonight.');
  await page.goto(audio.path, { waitUntil: 'networkidle' });
  const comment = await commentOf(page, 'Heard twice tonight.').elementHandle();
  expect([requests, comment === null]).toEqual([0, false]);
  await page.setViewportSize(mobile.viewport);
  await requested.promise;
  // A press before the code is loaded is not lost.
  await page.getByRole('button', { name: `Reply to ${ada.username}` }).click();
  expect(await modalOf(page).count()).toBe(0);
  held.resolve();
  await modalOf(page).getByText(`Sign in to reply to ${ada.username}`).waitFor();
  expect(await comment?.evaluate((element) => element.isConnected)).toBe(true);
  await quiet();
});
