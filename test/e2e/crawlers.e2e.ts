import { expect, inject, test } from 'vitest';
import { splitPrefix } from '#formats/languages.ts';
import { linksOf } from '../support/browser/page-links.ts';
import { slow } from '../support/tags.ts';

const site = inject('siteUrl');

/** Whether robots.txt lets crawlers load an address; `*` in its rules stands for any text (RFC 9309, 2.2.3). */
async function readRobots(): Promise<(address: string) => boolean> {
  const text = await (await fetch(`${site}/robots.txt`)).text();
  const closed = [...text.matchAll(/^Disallow: (.*)$/gm)].map(
    ([, rule = '']) => new RegExp(`^${rule.replaceAll(/[$()+.?[\\\]^{|}]/g, '\\$&').replaceAll('*', '.*')}`),
  );
  return (address) => !closed.some((rule) => rule.test(address));
}

test('filters read that a page is for adults', async () => {
  const response = await fetch(`${site}/audio/mondnacht`, { headers: { accept: 'text/html' } });
  const html = await response.text();
  const label = 'RTA-5042-1996-1400-1577-RTA';
  expect(response.headers.get('rating')).toBe(label);
  expect(html.split(`<meta name="rating" content="${label}"/>`)).toHaveLength(2);
  expect(html).toMatch(/"@type":"AudioObject"[^<]*"isFamilyFriendly":false/);
});

test('a crawler meets the catalogue, and no combination of filters', { ...slow, timeout: 240_000 }, async () => {
  const isOpen = await readRobots();
  const met = new Set(['/']);
  const avoided = new Set<string>();
  // A set gives its later members too.
  for (const address of met) {
    // Thrice as many as there are; combinations of filters were thousands.
    if (met.size > 1000) break;
    const response = await fetch(site + address, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([address, response.status < 500]).toEqual([address, true]);
    for (const { address: next, isFollowed } of linksOf(await response.text())) {
      // The other languages have the same pages.
      const isEnglish = splitPrefix(next).language === undefined;
      (isFollowed && isOpen(next) && isEnglish ? met : avoided).add(next);
    }
  }
  expect(met.size).toBeLessThan(1000);
  const sitemap = await (await fetch(`${site}/sitemaps/audios.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>[^<]*(\/audio\/[^<]+)/g)].map(([, path = '']) => path);
  expect(listed.length).toBeGreaterThan(50);
  expect(listed.filter((path) => !met.has(path))).toEqual([]);
  // Each of these links says nofollow; robots.txt closes them too.
  const filtered = [...avoided].filter((address) => /^\/(?:audios|blog|creators)\?./.test(address));
  expect(filtered.length).toBeGreaterThan(10);
  expect(filtered.filter(isOpen)).toEqual([]);
});
