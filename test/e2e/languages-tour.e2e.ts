/** @module-tag slow */
import { expect, test } from 'vitest';
import { languages } from '#formats/language-facts.ts';
import type { Language } from '#formats/languages.ts';
import { expectCleanForAxe } from '../support/accounts.ts';
import { desktop, hydrated, mobile, nextFrame, overflowOf, useBrowser } from '../support/browser/browser.ts';
import { areas, tour, tours } from '../support/browser/page-tour.ts';
import { openPageAs } from '../support/listener.ts';

/** Words are longer in German, and Arabic goes from right to left: each page in both sizes, listeners' also on a small phone. */

const browser = useBrowser({ images: false });

const widths = [mobile.viewport, { width: 320, height: 640 }, desktop.viewport];
/** The two that differ most from English. */
const checked: Language[] = ['de', 'ar'];

/** Words of controls and headings that do not fit into their element, and have no ellipsis. */
const cutWords = () =>
  [...document.querySelectorAll<HTMLElement>('button, a, h1, h2, h3, label, summary, th, legend')]
    .filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isCut =
        element.scrollWidth > element.clientWidth + 1 && overflowX !== 'visible' && textOverflow !== 'ellipsis';
      return isCut && element.clientWidth > 2 && element.checkVisibility();
    })
    .map((element) => element.innerText.trim())
    .filter((words) => words !== '');

/** Words that are broken over two lines in their middle; those with a soft hyphen may be. */
const brokenWords = () => {
  const range = document.createRange();
  const broken: string[] = [];
  for (const element of document.querySelectorAll('h1, h2, h3, button, label, legend, summary, th')) {
    if (!element.checkVisibility()) continue;
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/[\p{L}\p{M}\u00AD\u2060]+/gu)) {
        if (word.includes('\u00AD')) continue;
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(word);
      }
  }
  return broken;
};

const walks = checked.flatMap((language) =>
  tours
    .filter(([who]) => who === 'visitors' || who === 'listeners' || !languages[language].isForListenersOnly)
    .map(([who, account]) => [language, who, account] as const),
);

test.for(walks)(
  '%s: the pages of %s fit their window, and axe finds nothing',
  { timeout: 900_000 },
  async ([language, who, account]) => {
    const { begin, left } = areas[who];
    const { page } = account === undefined ? await browser.open(begin) : await openPageAs(browser, account, begin);
    await page.context().addCookies([{ name: 'sotto_language', value: language, url: page.url() }]);
    const faults: unknown[] = [];
    async function visit(address: string): Promise<void> {
      await hydrated(page);
      const lang = await page.evaluate(() => document.documentElement.lang);
      if (lang !== language) faults.push([address, lang]);
      for (const size of widths) {
        if (size.width === 320 && who !== 'visitors' && who !== 'listeners') continue;
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme: size === desktop.viewport ? 'dark' : 'light' });
        await nextFrame(page);
        const over = await overflowOf(page);
        const words = [...(await page.evaluate(cutWords)), ...(await page.evaluate(brokenWords))];
        if (over > 0 || words.length > 0) faults.push([address, size.width, over, words]);
        if (size.width !== 320)
          await expectCleanForAxe(page).catch(({ actual }: { actual?: unknown }) =>
            faults.push([address, size.width, actual]),
          );
      }
    }
    const unvisited = await tour(page, areas[who], visit);
    expect({ faults, unvisited }).toEqual({ faults: [], unvisited: left });
  },
);
