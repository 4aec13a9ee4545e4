/** @module-tag slow */
import { type Page, chromium } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { findBrowser } from '../scripts/browser.mjs';
import { socialProviders } from '#domain/identity/social-rules.ts';
import { findControls, refuseWrites } from './support/browser/controls.ts';
import { areas, tour, tours } from './support/browser/page-tour.ts';
import { startDemoSite } from './support/demo-site.ts';
import { signIn } from './support/listener.ts';
import { readContent, sentencesOf } from './support/marked-texts/content.ts';
import { createFinder } from './support/marked-texts/strange-texts.ts';
import { createTranslated } from './support/marked-texts/translated.ts';

/**
 * English in what opens in a browser: menus, popovers, dialogs and messages. On each German page each control is
 * pressed, and so is each item of the menus that open; what is shown then has to be a translation or content. The
 * controls are those of the pages, so that a new window needs no line here; nothing is written.
 */

const site = await startDemoSite();
const browser = await chromium.launch({ executablePath: await findBrowser() });
afterAll(() => browser.close());

const providers = Object.values(socialProviders).map(({ name }) => name);
/** For the covers of playlists. */
const fonts = ['Helvetica Neue', 'Lora Bold', 'Playfair Display Semibold', 'Teko Regular'];
const windows = '[data-menu], [role=dialog], [role=alertdialog], [data-toast], details[open] > :is(form, nav)';
const items = '[data-menu] :is(button, [role=menuitem]):not(a)';

/** Texts of what is open above the page, and what it says without showing it. */
function readWindows(page: Page): Promise<string[]> {
  return page.evaluate((windows) => {
    const unread = 'script, style, noscript, iframe, [lang=en]';
    const found: string[] = [];
    for (const one of document.querySelectorAll<HTMLElement>(windows)) {
      if (!one.checkVisibility() || one.closest('[lang=en]')) continue;
      const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      for (let node: Node | null = one; node !== null; node = walk.nextNode()) {
        if (node instanceof Element) {
          if (node.closest(unread)) continue;
          for (const name of ['aria-label', 'aria-description', 'placeholder', 'title', 'alt'])
            if (node.hasAttribute(name)) found.push(node.getAttribute(name) ?? '');
        } else if (!node.parentElement?.closest(`${unread}, textarea`)) found.push(node.textContent ?? '');
      }
    }
    return found.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
  }, windows);
}

test.for(tours)('windows of %s', { timeout: 600_000 }, async ([who, person]) => {
  const isTranslated = createTranslated('de');
  const find = createFinder(await readContent(site.pool, [...providers, ...fonts]));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${site.url}/de/about`);
  if (person !== undefined) await signIn(page, person, site.url);
  await page.addInitScript(refuseWrites);
  const strange = new Map<string, string>();
  const seen: string[] = [];
  let opened = 0;
  const look = async (place: string) => {
    const texts = await readWindows(page);
    if (texts.length > 0) opened += 1;
    const sentences = texts.flatMap((text) => (isTranslated(text) ? [] : sentencesOf(text)));
    for (const text of sentences)
      if (!isTranslated(text))
        for (const piece of find(text)) if (!isTranslated(piece) && !strange.has(piece)) strange.set(piece, place);
  };
  const press = async (path: string, { id, name }: { id: string; name: string }) => {
    const control = page.locator(`[data-control="${id}"]`);
    const address = page.url();
    const open = async () => {
      if (!(await control.isVisible()) || !(await control.isEnabled())) return false;
      await control.press('Enter', { timeout: 2000 }).catch(() => undefined);
      await page.waitForTimeout(250);
      return page.url() === address;
    };
    if (await open()) {
      await look(`${path} ${name}`);
      const count = await page.locator(items).count();
      for (let index = 0; index < count; index += 1) {
        const item = page.locator(items).nth(index);
        const text = (await item.textContent().catch(() => '')) ?? '';
        if (seen.includes(`item ${text}`) || !(await item.isVisible()) || !(await item.isEnabled())) continue;
        seen.push(`item ${text}`);
        await item.press('Enter', { timeout: 2000 }).catch(() => undefined);
        await page.waitForTimeout(300);
        await look(`${path} ${name} › ${text}`);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await page.waitForTimeout(150);
        if (page.url() !== address || !(await open())) break;
      }
    }
    await page.keyboard.press('Escape');
    await page.waitForTimeout(100);
    if (page.url() !== address) await page.goto(address);
  };
  await tour(
    page,
    areas[who],
    async (path) => {
      await page.waitForLoadState('networkidle');
      for (const control of await findControls(page, seen)) {
        seen.push(control.name);
        await press(path, control);
      }
      // Help with keys.
      if (path === areas[who].begin) {
        await page.keyboard.press('?');
        await page.waitForTimeout(300);
        await look(`${path} ?`);
      }
    },
    (address) => page.goto(`${site.url}/de${address === '/' ? '' : address.replace(/^\/de(?=\/|$)/, '')}`),
  );
  await context.close();
  expect([...strange].map(([piece, place]) => `${place}: ${piece}`)).toEqual([]);
  expect(opened).toBeGreaterThan(10);
});
