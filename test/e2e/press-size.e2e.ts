/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mobile, useBrowser } from '../support/browser/browser.ts';
import { openPageAs } from '../support/listener.ts';
import { areas, tour, tours } from '../support/browser/page-tour.ts';

const browser = useBrowser({ images: false });

/**
 * Controls with less than 44 px to press in a direction (WCAG 2.5.5), whatever they look like. Links within a text are
 * excepted.
 */
function findSmall(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const min = 44;
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
        while (reach < min && isHit(x + dx * (reach + 1), y + dy * (reach + 1))) reach += 1;
        return reach;
      };
      // Half a pixel less on each side: boxes rarely start at whole ones.
      const enough = min - 2;
      const reaches = (dx: number, dy: number) =>
        // Nearly all controls are large, and asked at two points only.
        (isHit(x + (dx * enough) / 2, y + (dy * enough) / 2) && isHit(x - (dx * enough) / 2, y - (dy * enough) / 2)) ||
        reachOf(-dx, -dy) + reachOf(dx, dy) >= enough;
      if (reaches(1, 0) && reaches(0, 1)) continue;
      const name = (control.ariaLabel ?? text).replaceAll(/\s+/g, ' ').slice(0, 30);
      small.add(
        `${control.tagName.toLowerCase()}.${control.className} “${name}” ${Math.round(width)} × ${Math.round(height)}`,
      );
    }
    return [...small];
  });
}

test.for(tours)(
  'on a phone, the pages of %s fit, and all their controls are 44 px to press',
  { timeout: 600_000 },
  async ([who, person]) => {
    const { page } = await (person === undefined
      ? browser.open('/about', mobile)
      : openPageAs(browser, person, '/about', mobile));
    const found: string[] = [];
    const left = await tour(page, areas[who], async (address) => {
      await page.waitForLoadState('networkidle');
      found.push(...(await findSmall(page)).map((one) => `${address}: ${one}`));
      // A phone shows such a page smaller, and everything on it is too small to press.
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > mobile.viewport.width) found.push(`${address}: ${width} px wide`);
    });
    expect({ found, left }).toEqual({ found: [], left: areas[who].left });
  },
);
