/** @module-tag slow */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../bench/site-process.ts';
import { licenseName, licenses } from '#domain/catalogue/rules.ts';
import { defaultTopics } from '#domain/editorial/rules.ts';
import { providerTitles } from '#domain/membership/capabilities.ts';
import { linksOf } from './support/browser/page-links.ts';
import { listPages } from './support/built-pages.ts';
import { startDemoSite } from './support/demo-site.ts';
import { cookieOf } from './support/listener.ts';
import { readContent } from './support/marked-texts/content.ts';
import { createFinder, textsIn } from './support/marked-texts/strange-texts.ts';

/**
 * Texts that are written in English past the catalogues. In this site German has the English texts between brackets;
 * what stands outside of them has to be content. What only opens in a browser is seen by left-english-windows.test.ts.
 */

const register = new URL('support/marked-texts/register.ts', import.meta.url).href;
const site = await startDemoSite({ NODE_OPTIONS: `--import ${register}` });

const searched = 'azadi';

const readers = [
  [
    'visitors',
    undefined,
    /^\/(?!studio|admin|account|library)/,
    ['/offline?language=de', '/nothing-here', `/search?search=${searched}`],
  ],
  ['listeners', ['subscriber@sotto.example', 'subscriber'], /^\/(?:account|library)/, []],
  ['creators', ['creator@sotto.example', 'creator'], /^\/studio/, ['/studio']],
  ['operators', ['admin@sotto.example', 'adminadmin'], /^\/admin/, ['/admin']],
] as const;

const patterns = listPages().map((path) => path || '/');
const isOf = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/\/:\w+\?/g, '(?:/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
/** Whole texts, of which the site has one in each language; operators edit the English ones. */
const infoPages = ['/about', '/terms', '/privacy'];

async function readInfoTexts(): Promise<string[]> {
  const paths = infoPages.flatMap((path) => [path, `/de${path}`]);
  const texts = paths.map((path) => readFile(join(root, `src/domain/editorial/texts${path}.md`), 'utf8'));
  return (await Promise.all(texts)).map((text) => text.replaceAll('{site}', 'Sotto'));
}

async function read(path: string, cookie?: string): Promise<string> {
  const response = await fetch(site.url + path, { headers: { accept: 'text/html', ...(cookie && { cookie }) } });
  return response.headers.get('content-type')?.startsWith('text/html') === true ? response.text() : '';
}

test.each(readers)('%s', { timeout: 240_000 }, async (who, account, within, starts) => {
  const cookie = account && (await cookieOf({ email: account[0], password: account[1] }, site.url));
  // Operators edit the English labels, and see names of services.
  const labels = {
    operators: ['Stripe Tax', ...Object.values(providerTitles), ...defaultTopics.map(({ label }) => label)],
    creators: licenses.map(licenseName),
  };
  const content = await readContent(site.pool, [
    searched,
    ...(who in labels ? labels[who as keyof typeof labels] : []),
  ]);
  const find = createFinder(content);
  const english = await Promise.all(infoPages.map((path) => read(path)));
  const findOnInfoPage = createFinder([...content, ...english.flatMap(textsIn), ...(await readInfoTexts())]);
  const open = new Set(patterns.filter((path) => within.test(path)));
  // A set gives its later members, too.
  const addresses = new Set<string>([...starts, ...[...open].filter((path) => !path.includes(':'))]);
  const strange = new Map<string, string>();
  let pages = 0;
  for (const address of addresses) {
    const path = address.replace(/\?.*$/, '');
    const pattern = open.has(path) ? path : [...open].find((one) => isOf(one, path));
    if (pattern === undefined && !starts.some((start) => start === address)) continue;
    if (pattern !== undefined) open.delete(pattern);
    const isMail = address.startsWith('/admin/mails/');
    const isInfo = /\/(?:about|terms|privacy)$/.test(address);
    const whole = await read(`/de${address === '/' ? '' : address}`, cookie);
    // Placeholders divide the text that operators edit; listeners read the translation of the site.
    const html = isInfo || isMail ? whole.replaceAll(/<(textarea|article)\b[\s\S]*?<\/\1>| value="[^"]*"/g, '') : whole;
    // The preview says the subject once more.
    const edited = new Set(isMail ? [...whole.matchAll(/ value="([^"]*)"/g)].map(([, text]) => text) : []);
    pages += 1;
    for (const piece of textsIn(html).flatMap(isInfo ? findOnInfoPage : find))
      if (!strange.has(piece) && !edited.has(piece)) strange.set(piece, address);
    for (const link of linksOf(html)) {
      const to = link.address.replace(/^\/de(?=\/|$)/, '') || '/';
      if (within.test(to)) addresses.add(to);
    }
    for (const one of open)
      if (one.startsWith(`${pattern}/`) && !one.slice(pattern?.length).includes(':'))
        addresses.add(path + one.slice(pattern?.length));
  }
  expect([...strange].map(([piece, address]) => `${address} ${piece}`)).toEqual([]);
  expect(pages).toBeGreaterThan(10);
});

test('the web manifest', async () => {
  type Named = { name: string; short_name: string };
  const response = await fetch(`${site.url}/de/manifest.webmanifest`);
  const manifest = (await response.json()) as Named & { description: string; shortcuts: Named[] };
  const { description, shortcuts } = manifest;
  const texts = [description, ...[manifest, ...shortcuts].flatMap((one) => [one.name, one.short_name ?? ''])];
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.flatMap(createFinder(['Sotto']))).toEqual([]);
});

test('mails, errors, pushes and invoices', async () => {
  const program = join(root, 'test/support/marked-texts/texts-of-server.ts');
  const args = ['--disable-warning=ExperimentalWarning', '--import', register, program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  const texts = JSON.parse(stdout) as [string, string][];
  const find = createFinder([]);
  expect(texts.length).toBeGreaterThan(300);
  expect(texts.flatMap(([name, text]) => find(text).map((piece) => `${name} ${piece}`))).toEqual([]);
});
