import type { Page } from 'playwright-core';
import { splitPrefix } from '#formats/languages.ts';
import { listPages } from '../built-pages.ts';
import type { Listener } from '../listener.ts';

/** Without files, which have no controls. */
const patterns = listPages()
  .map((path) => path || '/')
  .filter((path) => !/[*.]|\/export$/.test(path));
const isOf = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:[a-z]+\??/gi, '[^/?#]+')}$`);

/** Paths of pages, with their parameters. Only mails link to the ones of visitors that stay unvisited. */
export const areas = {
  visitors: {
    also: ['/search?search=love', '/age/under'],
    begin: '/',
    within: /^\/(?!studio|admin|account|library)/,
    left: ['/gift-card/:id', '/tip/:slug', '/report/:token', '/unsubscribe/:token?', '/consent/:token/:step?'],
  },
  // Gift time has no invoice.
  listeners: {
    begin: '/',
    also: ['/library?tab=own'],
    within: /^\/(?:account|library)/,
    left: ['/account/invoices/:id'],
  },
  creators: { begin: '/studio', also: [], within: /^\/studio/, left: [] },
  // Nothing of the demo waits for a review.
  operators: { begin: '/admin', also: [], within: /^\/admin/, left: ['/admin/desk/review/:id'] },
} as const;

const account = (name: string) => ({ email: `${name}@sotto.example`, password: name });

/** The demo account of each area; none for visitors. */
export const tours: [who: keyof typeof areas, account: Listener | undefined][] = [
  ['visitors', undefined],
  ['listeners', account('subscriber')],
  ['creators', account('creator')],
  ['operators', { email: 'admin@sotto.example', password: 'adminadmin' }],
];

/**
 * Visits each page of an area once, by an address that other pages link to.
 * @returns patterns of the pages to which none links
 */
export async function tour(
  page: Page,
  { begin, within, also }: { begin: string; within: RegExp; also: readonly string[] },
  visit: (address: string) => Promise<void>,
  goTo: (address: string) => Promise<unknown> = (address) => page.goto(address),
): Promise<string[]> {
  const open = new Set(patterns.filter((path) => within.test(path)));
  const addresses = new Set([begin, ...also, ...[...open].filter((path) => !path.includes(':'))]);
  const isReached = (path: string) => (open.has(path) ? path : [...open].find((pattern) => isOf(pattern).test(path)));
  for (const address of addresses) {
    const pattern = isReached(address.split('?')[0] ?? '');
    if (pattern === undefined) continue;
    open.delete(pattern);
    for (const one of open)
      if (one.startsWith(`${pattern}/`) && !one.slice(pattern.length).includes(':'))
        addresses.add(address + one.slice(pattern.length));
    await goTo(address);
    // Before the visit, which may leave the page.
    for (const path of await page.evaluate(() => [...document.links].map(({ pathname }) => pathname)))
      addresses.add(splitPrefix(path).path);
    await visit(address);
  }
  return [...open];
}
