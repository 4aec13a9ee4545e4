import { HtmlValidate } from 'html-validate';
import { expect, inject, test } from 'vitest';
import { cookieOf } from '../support/listener.ts';
import { linksOf } from '../support/browser/page-links.ts';
import { slow } from '../support/tags.ts';

const site = inject('siteUrl');

const validator = new HtmlValidate({
  root: true,
  elements: ['html5'],
  // The rules of the standard, without those of style.
  extends: ['html-validate:standard'],
  rules: { 'input-attributes': 'error' },
});

/** Pages of one kind have the same markup. */
function kindOf(address: string): string {
  return address
    .replace(/\?.*$/, '?')
    .replace(/^\/(audio|creators|series|categories|playlists|users-playlists|blog|account|studio)\/[^/?]+/, '/$1/…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
}

const readers = [
  ['visitors', undefined, /^\//, ['/', '/offline', '/nothing-here', '/search?search=love', '/gift-card/redeem'], 20],
  ['listeners', ['subscriber@sotto.example', 'subscriber'], /^\//, ['/', '/library', '/account/profile'], 25],
  ['creators', ['creator@sotto.example', 'creator'], /^\/studio\b/, ['/studio'], 8],
  ['operators', ['admin@sotto.example', 'adminadmin'], /^\/admin\b/, ['/admin'], 15],
] as const;

test.for(readers)(
  'pages for %s keep to the rules of HTML',
  { ...slow, timeout: 240_000 },
  async ([, who, within, starts, min]) => {
    const headers = {
      accept: 'text/html',
      ...(who && { cookie: await cookieOf({ email: who[0], password: who[1] }) }),
    };
    const met = new Set<string>(starts);
    const kinds = new Set<string>();
    const faults: string[] = [];
    // A set gives its later members too.
    for (const address of met) {
      const kind = kindOf(address);
      if (kinds.has(kind)) continue;
      const response = await fetch(site + address, { headers, redirect: 'manual' });
      const { pathname } = new URL(response.headers.get('location') ?? address, site);
      if (within.test(pathname)) met.add(pathname);
      if (response.headers.get('content-type')?.startsWith('text/html') !== true) continue;
      kinds.add(kind);
      const html = await response.text();
      const { results } = await validator.validateString(html);
      for (const { ruleId, message, offset } of results.flatMap(({ messages }) => messages))
        faults.push(`${address}: ${ruleId}: ${message} at ${html.slice(Math.max(0, offset - 80), offset + 40)}`);
      for (const link of linksOf(html)) if (within.test(link.address)) met.add(link.address);
    }
    expect(faults).toEqual([]);
    expect(kinds.size).toBeGreaterThan(min);
  },
);
