/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrated, layouts, mobile, nextFrame, useBrowser } from '../support/browser/browser.ts';
import { openPageAs } from '../support/listener.ts';
import { type Control, findControls, refuseWrites } from '../support/browser/controls.ts';
import { areas, tour, tours } from '../support/browser/page-tour.ts';

/**
 * Every menu, popover, list and dialog opens whole within the window, wherever its control stands, is covered by
 * nothing, and gives the focus back when Escape or Back closes it. The controls are those of the pages themselves.
 */

const browser = useBrowser({ images: false });

/** Scrolls the control to the top, middle or bottom of what can be seen of the page. */
function place(page: Page, id: string, at: 'start' | 'center' | 'end'): Promise<void> {
  return page.evaluate(
    ([id, at]) => {
      const control = document.querySelector<HTMLElement>(`[data-control="${id}"]`);
      const player = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? innerHeight;
      control?.scrollIntoView({ block: at as ScrollLogicalPosition, behavior: 'instant' });
      const box = control?.getBoundingClientRect();
      if (box === undefined) return;
      if (at === 'end' && box.bottom > player - 4) scrollBy({ top: box.bottom - player + 4, behavior: 'instant' });
      const header = document.querySelector('[data-site-header]')?.getBoundingClientRect().bottom ?? 0;
      if (at === 'start' && box.top < header + 4) scrollBy({ top: box.top - header - 4, behavior: 'instant' });
    },
    [id, at] as const,
  );
}

/** @returns what is wrong with the open popup; undefined without one */
function lookAtPopup(page: Page): Promise<string[] | undefined> {
  return page.evaluate(() => {
    const shown = [
      ...document.querySelectorAll<HTMLElement>(
        '[data-menu], [role=dialog]:not([data-toast]), details[open] > :is(form, nav)',
      ),
    ].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
    const popup = shown.at(-1);
    if (popup === undefined) return undefined;
    const box = popup.getBoundingClientRect();
    const { left, right, width, height } = box;
    // A long form scrolls in its window.
    const isLong = popup.matches('[data-modal]') && height > innerHeight;
    const [top, bottom] = isLong ? [Math.max(0, box.top), innerHeight] : [box.top, box.bottom];
    const faults: string[] = [];
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
      faults.push(`${[left, top, right, bottom].map(Math.round).join(' ')} of ${innerWidth} × ${innerHeight}`);
    if (height < 60 || width < 80) faults.push(`only ${Math.round(width)} × ${Math.round(height)}`);
    for (const [x, y] of [
      [left + 12, top + 12],
      [right - 12, top + 12],
      [left + 12, bottom - 12],
      [right - 12, bottom - 12],
      [(left + right) / 2, (top + bottom) / 2],
    ] as const) {
      const there = document.elementFromPoint(x, y);
      // Notices of what the site did not take.
      if (there?.closest('[data-toast]')) continue;
      if (there === null || !popup.contains(there))
        faults.push(`covered at ${Math.round(x)}, ${Math.round(y)} by ${there?.className ?? 'nothing'}`);
    }
    return faults;
  });
}

/** @returns whether it comes true in time */
function comesTrue(isTrue: () => Promise<boolean>, timeout: number): Promise<boolean> {
  return expect
    .poll(isTrue, { timeout })
    .toBe(true)
    .then(
      () => true,
      () => false,
    );
}

/** Back to the page’s own entry of the history: on its way there it would leave a page that is opened meanwhile. */
async function isBackOnPage(page: Page): Promise<void> {
  await comesTrue(() => page.evaluate(() => (history.state?.layers ?? []).length === 0), 1000);
}

// PLACES=all takes all three and all buttons in both sizes, which takes ten minutes.
const isWhole = process.env['PLACES'] === 'all';
const tries = (isTouch: boolean) =>
  (
    [
      ['start', 'Escape'],
      ['center', 'Back'],
      ['end', isTouch ? 'Back' : 'Escape'],
    ] as const
  ).filter(([at]) => isWhole || at === 'end' || (at === 'center' && !isTouch));

/** @returns what is wrong; undefined for a control that opens nothing above the page */
async function tryControl(page: Page, { id, name, opens }: Control, isTouch: boolean): Promise<string[] | undefined> {
  const control = page.locator(`[data-control="${id}"]`);
  const faults: string[] = [];
  const address = page.url();
  const isOpen = async () => (await lookAtPopup(page)) !== undefined;
  // The window of another control, which took longer than this test waited.
  if (await isOpen()) {
    await page.keyboard.press('Escape');
    await isBackOnPage(page);
  }
  let isFirst = true;
  for (const [at, way] of tries(isTouch)) {
    await place(page, id, at);
    await nextFrame(page);
    if (isTouch) await control.tap();
    else await control.press('Enter');
    if (!(await comesTrue(isOpen, opens ? 5000 : 600))) {
      if (page.url() !== address) await page.goto(address);
      return isFirst ? undefined : [...faults, `${name}, ${at}: does not open again`];
    }
    isFirst = false;
    // It may still be moving into its place.
    let found: string[] | undefined;
    await comesTrue(async () => (found = await lookAtPopup(page))?.length === 0, 2000);
    faults.push(...(found ?? []).map((fault) => `${name}, ${at}: ${fault}`));
    // A `<details>` opens at once, and tells of it a moment later.
    await comesTrue(() => page.evaluate(() => (history.state?.layers ?? []).length > 0), 1000);
    await (way === 'Back' ? page.goBack() : page.keyboard.press('Escape'));
    const isClosed = await comesTrue(async () => !(await isOpen()), 2000);
    if (!isClosed || page.url() !== address) {
      await page.goto(address);
      return [...faults, `${name}, ${at}: ${way} does not close it, or leaves the page`];
    }
    await isBackOnPage(page);
    const hasFocus = () => control.evaluate((one) => one === document.activeElement);
    if (!isTouch && !(await comesTrue(hasFocus, 1000)))
      faults.push(`${name}: after ${way} the focus does not come back`);
  }
  return faults;
}

/** Dialogs that the items of a menu open, each kind once. @returns what is wrong */
async function tryItems(page: Page, { id, name }: Control, isTouch: boolean, seen: string[]): Promise<string[]> {
  const control = page.locator(`[data-control="${id}"]`);
  const items = page.locator('[data-menu] :is(button, [role=menuitem]):not(a):visible');
  const dialog = page.locator('[role=dialog]:not([data-toast], [data-menu]):visible');
  const faults: string[] = [];
  const address = page.url();
  for (let index = 0; ; index += 1) {
    if (!(await control.isVisible())) return faults;
    await (isTouch ? control.tap() : control.press('Enter'));
    if (!(await comesTrue(() => items.nth(index).isVisible(), index === 0 ? 1000 : 300))) break;
    const item = items.nth(index);
    const text = `${name} › ${(await item.textContent())?.trim()}`;
    if (seen.includes(text) || (await item.isDisabled())) {
      await page.keyboard.press('Escape');
      continue;
    }
    seen.push(text);
    await (isTouch ? item.tap() : item.press('Enter'));
    if (await comesTrue(() => dialog.isVisible(), 800)) {
      let found: string[] | undefined;
      await comesTrue(async () => (found = await lookAtPopup(page))?.length === 0, 2000);
      faults.push(...(found ?? []).map((fault) => `${text}: ${fault}`));
      await page.keyboard.press('Escape');
      if (!(await comesTrue(async () => !(await dialog.isVisible()), 2000))) faults.push(`${text}: Escape leaves it`);
      const hasFocus = () => control.evaluate((one) => one === document.activeElement);
      if (!isTouch && !(await comesTrue(hasFocus, 1000))) faults.push(`${text}: the focus does not come back`);
    }
    await isBackOnPage(page);
    if (page.url() !== address) await page.goto(address);
    // A switch leaves its menu open.
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Escape');
  await isBackOnPage(page);
  return faults;
}

/** Pages that are shown in both sizes are loaded once. */
const bothSizes = { ...mobile, deviceScaleFactor: 1 };

test.for(tours)(
  'what opens above the pages of %s is whole in sight in both sizes',
  { timeout: 600_000 },
  async ([who, person]) => {
    const seen: Record<string, string[]> = { desktop: [], mobile: [] };
    const opened: Record<string, string[]> = { desktop: [], mobile: [] };
    const faults: string[] = [];
    const { page } = await (person === undefined
      ? browser.open('/about', bothSizes)
      : openPageAs(browser, person, '/playlists/start-here', bothSizes));
    await page.addInitScript(refuseWrites);
    const look = async (path: string, layout: (typeof layouts)[number][0]) => {
      const known = (seen[layout] ??= []);
      for (const control of await findControls(page, known)) {
        // Dialogs of other buttons are the same in both sizes, and fit less on a phone.
        if (!isWhole && !control.opens && layout === 'desktop') continue;
        // An act of another one may have taken it away.
        const one = page.locator(`[data-control="${control.id}"]`);
        if (!(await one.isVisible()) || !(await one.isEnabled())) continue;
        known.push(control.name);
        const own = await tryControl(page, control, layout === 'mobile');
        if (own !== undefined) opened[layout]?.push(control.name);
        const ofItems = own === undefined ? [] : await tryItems(page, control, layout === 'mobile', known);
        faults.push(...[...(own ?? []), ...ofItems].map((fault) => `${layout} ${path}: ${fault}`));
      }
    };
    const left = await tour(page, areas[who], async (path) => {
      // A menu opened before would close with it.
      await hydrated(page);
      await page.waitForLoadState('networkidle');
      for (const [layout, { viewport }] of layouts) {
        await page.setViewportSize(viewport);
        await nextFrame(page);
        await look(path, layout);
      }
    });
    for (const [layout] of layouts) expect([layout, opened[layout]?.length]).not.toEqual([layout, 0]);
    expect({ faults, left }).toEqual({ faults: [], left: areas[who].left });
  },
);
