import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { layouts, nextFrame, useBrowser } from '../support/browser.ts';
import { slow } from '../support/tags.ts';

/**
 * Every menu, popover and list opens whole within the window, wherever its control stands, is covered by nothing, and
 * gives the focus back when Escape closes it.
 */

const browser = useBrowser();
const tours = [
  ['/', '/categories/longing', '/blog', '/creators', '/audio/bright-star', '/playlists/start-here'],
  ['/categories', '/series', '/search?q=love', '/tags/slow'],
];

type Control = { id: string; name: string };

/** Marks the controls in sight that open something above the page, each kind once. */
function findControls(page: Page, seen: string[]): Promise<Control[]> {
  return page.evaluate((seen) => {
    const known = new Set(seen);
    const found: { id: string; name: string }[] = [];
    const controls = document.querySelectorAll<HTMLElement>(
      'summary:has(+ .menu), summary:has(+ form), [aria-haspopup=menu], [aria-haspopup=dialog]:not([data-opens-modal])',
    );
    for (const [index, control] of [...controls].entries()) {
      const { width, height } = control.getBoundingClientRect();
      if (width < 2 || height < 2 || !control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue;
      const name = `${control.className} ${(control.ariaLabel ?? control.textContent).replaceAll(/[“(].*/g, '').trim()}`;
      if (known.has(name)) continue;
      known.add(name);
      control.dataset['control'] = String(index);
      found.push({ id: String(index), name });
    }
    return found;
  }, seen);
}

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
      ...document.querySelectorAll<HTMLElement>('[data-menu], [role=dialog], details[open] > form'),
    ].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
    const popup = shown.at(-1);
    if (popup === undefined) return undefined;
    const { left, top, right, bottom, width, height } = popup.getBoundingClientRect();
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
      if (there === null || !popup.contains(there))
        faults.push(`covered at ${Math.round(x)}, ${Math.round(y)} by ${there?.className ?? 'nothing'}`);
    }
    return faults;
  });
}

async function tryControl(page: Page, where: string, { id, name }: Control, isTouch: boolean): Promise<string[]> {
  const control = page.locator(`[data-control="${id}"]`);
  const faults: string[] = [];
  for (const at of ['start', 'center', 'end'] as const) {
    await place(page, id, at);
    await nextFrame(page);
    if (isTouch) await control.tap();
    else await control.press('Enter');
    const isOpen = async () => (await lookAtPopup(page)) !== undefined;
    await expect.poll(isOpen, { message: `${where}: ${name} opens` }).toBe(true);
    // It may still be moving into its place.
    let found: string[] | undefined;
    await expect
      .poll(async () => (found = await lookAtPopup(page)), { timeout: 2000 })
      .toEqual([])
      .catch(() => undefined);
    faults.push(...(found ?? []).map((fault) => `${where}, ${name}, ${at}: ${fault}`));
    await page.keyboard.press('Escape');
    await expect.poll(isOpen, { message: `${where}: Escape closes ${name}` }).toBe(false);
    if (!isTouch && !(await control.evaluate((one) => one === document.activeElement)))
      faults.push(`${where}, ${name}: the focus does not come back`);
  }
  return faults;
}

test.for(layouts.flatMap(([layout, options]) => tours.map((paths) => [layout, paths, options] as const)))(
  '%s: menus are whole in sight at the top, middle and bottom of %j',
  { ...slow, timeout: 240_000 },
  async ([layout, paths, options]) => {
    const seen: string[] = [];
    const faults: string[] = [];
    const { page } = await browser.open('/about', options);
    for (const path of paths) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      for (const control of await findControls(page, seen)) {
        seen.push(control.name);
        faults.push(...(await tryControl(page, path, control, layout === 'mobile')));
      }
    }
    expect(seen).not.toEqual([]);
    expect(faults).toEqual([]);
  },
);
