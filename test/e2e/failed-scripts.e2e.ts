import type { Page } from 'playwright-core';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { seeNotice } from '../support/browser/account-page.ts';
import { useBrowser } from '../support/browser/browser.ts';
import { call, newListener, openAs, playing } from '../support/listener.ts';
import { type EnginePage, enginePage } from '../support/browser/engine-page.ts';
import { type Engine, keyCodes, openChromium, openFirefox, openWebKit } from '../support/browser/engines.ts';
import { openSiteProxy } from '../support/servers/site-proxy.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser({ images: false });
const { firefox, webkit } = inject('otherBrowsers');
const proxy = await openSiteProxy(inject('siteUrl'));

type Item = { id: string; slug: string; isFree: boolean };

const others = [
  ['Firefox', firefox && (() => openFirefox(firefox))],
  ['WebKit', webkit && (() => openWebKit(webkit))],
] as const;

/** Presses until it opens: at most one press meets the failed code of the control, and one that of what it opens. */
async function pressUntil(page: EnginePage, control: [string, string], appears: string): Promise<void> {
  const isAnswered = async () => (await page.isShown(appears)) || (await page.isShown('[data-toast]'));
  for (let presses = 0; presses < 3 && !(await page.isShown(appears)); presses += 1) {
    // The notice of the press before.
    await page.gone('[data-toast]');
    await page.press(...control);
    await expect.poll(isAnswered).toBe(true);
  }
  expect(await page.isShown(appears)).toBe(true);
}

async function expectLaterPressesToWork(engine: Engine): Promise<void> {
  onTestFinished(() => engine.close());
  proxy.breakWhere(() => false);
  const page = enginePage(await engine.newTab(), proxy.url);
  await page.goTo('/categories');
  await page.read(`window.isSame = true`);
  proxy.breakEachScriptOnce();

  await pressUntil(page, ['header button', 'Menu'], '[role=menu]');
  await page.type(keyCodes['Escape'] ?? expect.fail());
  await page.gone('[role=menu]');
  await pressUntil(page, ['header a', 'Log in'], '[role=dialog] input[type=password]');
  expect(proxy.broken.length).toBeGreaterThan(10);
  expect(await page.read('window.isSame')).toBe(true);
}

const name = 'what fails to load at first works with the next press, in the same document';

test(`Chromium: ${name}`, slow, async () =>
  expectLaterPressesToWork(await openChromium({ browser: inject('browserPath') })),
);

test.for(others)(`%s: ${name}`, slow, async ([, open], { skip }) => {
  if (open === undefined) return skip('It is not installed here.');
  await expectLaterPressesToWork(await open());
});

/** Controls that open something whose code is late, and what they open. */
const lateOnes: [control: [selector: string, name: string], opened: string][] = [
  [['header button', 'Menu'], '[role=menu]'],
  [['main button', 'Say something kind'], '[role=dialog]'],
  [['header a', 'Log in'], '[role=dialog] input[type=password]'],
];

async function expectBackToTakePressesBack(engine: Engine): Promise<void> {
  onTestFinished(() => engine.close());
  onTestFinished(() => proxy.release());
  proxy.breakWhere(() => false);
  const page = enginePage(await engine.newTab(), proxy.url);
  const layers = () => page.read<number>('(history.state?.layers ?? []).length');
  const goBack = () => page.read('history.back() ?? null');
  await page.goTo('/about');
  proxy.holdWhere((path) => path.startsWith('/assets/comments-'));
  await page.goTo('/audio/bright-star');
  await page.read(`window.isSame = true`);
  // Comes right after the page, and has run once it can be imported.
  const findHistory = `performance.getEntriesByType('resource').find(({ name }) => name.includes('/layer-history-'))`;
  await expect.poll(() => page.read(`${findHistory} !== undefined`)).toBe(true);
  await page.read(`import(${findHistory}.name).then(() => (window.hasHistory = true)) && null`);
  await expect.poll(() => page.read('window.hasHistory ?? false')).toBe(true);
  proxy.holdWhere((path) => path.endsWith('.js'));
  for (const [control] of lateOnes) {
    await page.press(...control);
    await expect.poll(layers, { message: `${control[1]} can be taken back` }).toBe(1);
    await goBack();
    await expect.poll(layers).toBe(0);
    expect(await page.read('window.isSame ?? false')).toBe(true);
  }
  proxy.release();
  // The last one comes with all the code before it; a press that was kept would have opened something by then.
  for (const [control, opened] of lateOnes) {
    expect(await page.isShown('[role=menu], [role=dialog]')).toBe(false);
    await page.press(...control);
    await page.see(opened);
    await expect.poll(layers).toBe(1);
    await goBack();
    await page.gone(opened);
    await expect.poll(layers).toBe(0);
  }
  expect(await page.read('window.isSame ?? false')).toBe(true);
  await goBack();
  await expect.poll(() => page.read('location.pathname')).toBe('/about');
}

const engines = [['Chromium', () => openChromium({ browser: inject('browserPath') })], ...others] as const;

test.for(engines)('%s: Back takes back a press whose code has not arrived', slow, async ([, open], { skip }) => {
  if (open === undefined) return skip('It is not installed here.');
  await expectBackToTakePressesBack(await open());
});

describe('a press in a part whose code does not load', slow, () => {
  /** An audio's page with a comment by its listener, whose code is lost. */
  async function openComments() {
    const { page: before } = await openAs(browser, await newListener(), '/about');
    const { data } = await call(before, 'GET', '/audios');
    const { id, slug } = (data as { items: Item[] }).items.find(({ isFree }) => isFree) ?? expect.fail();
    expect(await call(before, 'POST', `/audios/${id}/comments`, { text: 'Lovely.' })).toMatchObject({ status: 201 });
    await before.close();
    proxy.breakWhere((path) => path.startsWith('/assets/comments-'));
    const { page } = await browser.open(new URL(`/audio/${slug}`, proxy.url).href);
    await page.evaluate(() => document.body.setAttribute('data-same', ''));
    return { page, author: page.getByRole('region', { name: 'Comments' }).locator('.comment__head a').first() };
  }
  const isSame = (page: Page) => page.locator('[data-same]').count();

  test('goes to the browser, which follows the link', async () => {
    const { page, author } = await openComments();
    await author.click();
    await page.waitForURL('**/account/*');
    expect(await isSame(page)).toBe(0);
  });

  test('opens the linked page within the app while something plays', async () => {
    const { page, author } = await openComments();
    await page.getByRole('main').getByRole('button', { name: /^Play/ }).first().click();
    await playing(page);
    await author.click();
    await page.waitForURL('**/account/*');
    expect(await isSame(page)).toBe(1);
  });

  test('is answered by a notice where only the code can act, and the next press tries again', async () => {
    const { page } = await openComments();
    const write = page.getByRole('button', { name: 'Say something kind' });
    await write.click();
    await seeNotice(page, 'This could not be loaded. Please try again.');
    proxy.breakWhere(() => false);
    await write.click();
    await page.getByRole('dialog', { name: /^Sign in to comment/ }).waitFor();
    expect(await isSame(page)).toBe(1);
  });
});
