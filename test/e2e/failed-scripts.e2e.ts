import type { Page } from 'playwright-core';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { seeNotice } from '../support/account-page.ts';
import { useBrowser } from '../support/browser.ts';
import { call, newListener, openAs, playing } from '../support/listener.ts';
import { openFirefox, openWebKit, press } from '../support/other-browsers.ts';
import type { OtherPage } from '../support/other-browsers.ts';
import { openSiteProxy } from '../support/site-proxy.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser({ images: false });
const { firefox, webkit } = inject('otherBrowsers');
const proxy = await openSiteProxy(inject('siteUrl'));
const hydrated = `Object.keys(document.body.firstElementChild).some((key) => key.startsWith('__react'))`;

type Item = { id: string; slug: string; isFree: boolean };
type PointerActions = { actions: { type: string; x: number; y: number }[] };

function asOtherPage(page: Page): OtherPage {
  return {
    goTo: async (url) => void (await page.goto(url)),
    read: (expression) => page.evaluate(expression),
    async act(source) {
      for (const { type, x, y } of (source as PointerActions).actions) {
        if (type === 'pointerMove') await page.mouse.move(x, y);
        if (type === 'pointerDown') await page.mouse.down();
        if (type === 'pointerUp') await page.mouse.up();
      }
    },
    close: async () => undefined,
  };
}

const others = [
  ['Firefox', firefox && (() => openFirefox(firefox))],
  ['WebKit', webkit && (() => openWebKit(webkit))],
] as const;

/** Presses until it opens: at most one press meets the failed code of the control, and one that of what it opens. */
async function pressUntil(page: OtherPage, name: string, text: string, appears: string): Promise<void> {
  const isThere = () => page.read(`document.querySelector('${appears}') !== null`);
  const isAnswered = () => page.read(`document.querySelector('${appears}, [data-toast]') !== null`);
  for (let presses = 0; presses < 3 && (await isThere()) !== true; presses += 1) {
    // The notice of the press before.
    await expect.poll(() => page.read(`document.querySelector('[data-toast]') === null`)).toBe(true);
    await press(page, name, text);
    await expect.poll(isAnswered).toBe(true);
  }
  expect(await isThere()).toBe(true);
}

async function expectLaterPressesToWork(page: OtherPage): Promise<void> {
  proxy.breakWhere(() => false);
  await page.goTo(new URL('/categories', proxy.url).href);
  await expect.poll(() => page.read(hydrated)).toBe(true);
  await page.read(`window.isSame = true`);
  proxy.breakEachScriptOnce();

  await pressUntil(page, 'header button[aria-label="Menu"]', '', '[role=menu]');
  await page.act({
    type: 'key',
    id: 'keyboard',
    actions: [
      { type: 'keyDown', value: '\uE00C' },
      { type: 'keyUp', value: '\uE00C' },
    ],
  });
  await pressUntil(page, 'header a', 'Log in', '[role=dialog] input[type=password]');
  expect(proxy.broken.length).toBeGreaterThan(10);
  expect(await page.read('window.isSame')).toBe(true);
}

const name = 'what fails to load at first works with the next press, in the same document';

test(`Chromium: ${name}`, async () => {
  await expectLaterPressesToWork(asOtherPage((await browser.open('/about')).page));
});

test.for(others)(`%s: ${name}`, slow, async ([, open], { skip }) => {
  if (open === undefined) return skip('It is not installed here.');
  const page = await open();
  onTestFinished(() => page.close());
  await expectLaterPressesToWork(page);
});

describe('a press in a part whose code does not load', () => {
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
    return { page, author: page.getByRole('region', { name: 'Comments' }).locator('.cm__h a').first() };
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
