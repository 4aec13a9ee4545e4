/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { listPages } from '../support/built-pages.ts';
import { mobile, useBrowser } from '../support/browser.ts';
import type { Listener } from '../support/listener.ts';
import { openPageAs } from '../support/listener.ts';

const browser = useBrowser({ images: false });
const account = (name: string) => ({ email: `${name}@sotto.example`, password: name });
const allPages = listPages();
const isOfWorkshop = (path: string) => /^\/(?:studio|admin)/.test(path);
const pages = allPages.filter((path) => !path.includes(':') && !isOfWorkshop(path));
const studio = allPages
  .filter((path) => path.startsWith('/studio'))
  .map((path) => path.replace(':voice', 'maren-holt'));
const parts = ['/audio/bright-star', '/categories/longing', '/creators/maren-holt', '/playlists/start-here'];
const tours: [who: string, account: Listener | undefined, paths: string[]][] = [
  ['a visitor', undefined, [...pages, ...parts, '/search?search=love', '/tags/slow']],
  ['a creator', account('creator'), studio],
  [
    'an operator',
    { email: 'admin@sotto.example', password: 'adminadmin' },
    allPages.filter((path) => path.startsWith('/admin')),
  ],
  ['a listener', account('subscriber'), [...pages.filter((path) => /^\/(?:$|library|account)/.test(path)), ...parts]],
];

/**
 * Controls with less than 44 px to press in a direction (WCAG 2.5.5), whatever they look like. Links within a text are
 * excepted.
 */
function findSmall(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 44;
    const small = new Set<string>();
    const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=slider]';
    for (const control of document.querySelectorAll<HTMLElement>(selector)) {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (control.matches(':disabled, [tabindex="-1"]') || control.closest('[inert], [aria-hidden=true]')) continue;
      const target = control.closest('label') ?? control;
      const text = target.textContent.trim();
      const isInText =
        getComputedStyle(target).display === 'inline' &&
        (target.parentElement?.textContent.trim().length ?? 0) > text.length;
      if (isInText) continue;
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = target.getBoundingClientRect();
      // Only for screen readers, or shown on focus.
      if (width < 2 || height < 2 || top + height < 0) continue;
      const [x, y] = [left + width / 2, top + height / 2];
      const isHit = (atX: number, atY: number) => {
        const hit = document.elementFromPoint(atX, atY);
        const link = hit?.closest<HTMLAnchorElement>('a[href]');
        return (
          target.contains(hit) ||
          hit?.closest('label')?.control === control ||
          (link !== undefined && link !== null && link.href === (control as HTMLAnchorElement).href)
        );
      };
      const reachOf = (dx: number, dy: number) => {
        let reach = 0;
        while (reach < least && isHit(x + dx * (reach + 1), y + dy * (reach + 1))) reach += 1;
        return reach;
      };
      // Half a pixel less on each side: boxes rarely start at whole ones.
      const isWide = reachOf(-1, 0) + reachOf(1, 0) >= least - 2;
      const isHigh = reachOf(0, -1) + reachOf(0, 1) >= least - 2;
      if (isWide && isHigh) continue;
      const name = (control.ariaLabel ?? text).replaceAll(/\s+/g, ' ').slice(0, 30);
      small.add(
        `${control.tagName.toLowerCase()}.${control.className} “${name}” ${Math.round(width)} × ${Math.round(height)}`,
      );
    }
    return [...small];
  });
}

test.for(tours)(
  'on a phone, all controls of the pages of %s are 44 px to press',
  { timeout: 600_000 },
  async ([, who, paths]) => {
    const { page } = await (who === undefined
      ? browser.open('/about', mobile)
      : openPageAs(browser, who, '/about', mobile));
    const found: string[] = [];
    /** Addresses by their pattern, such as `/admin/users/:id`: of the first link that leads there. */
    const met = new Map<string, string>();
    for (const pattern of paths.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')))) {
      const path = pattern.includes(':') ? met.get(pattern) : pattern;
      if (path === undefined) continue;
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      found.push(...(await findSmall(page)).map((one) => `${pattern}: ${one}`));
      const links = await page
        .locator('main a[href]')
        .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).pathname));
      for (const one of paths.filter((path) => path.includes(':') && !met.has(path))) {
        const link = links.find(
          (link) => new RegExp(`^${one.replaceAll(/:\w+/g, '[^/]+')}$`).test(link) && !paths.includes(link),
        );
        if (link !== undefined) met.set(one, link);
      }
    }
    expect(found).toEqual([]);
  },
);
