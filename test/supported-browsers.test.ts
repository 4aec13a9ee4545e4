import { globSync, readFileSync } from 'node:fs';
import { resolveConfig } from 'vite';
import { expect, test } from 'vitest';
import { findInScript, findInStyles, ownNames } from './support/browser-support.ts';
import { slow } from './support/tags.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const scripts = globSync('src/{web,embed,player,offline,service-worker}/**/*.{ts,tsx}').filter(
  (path) => !path.includes('.test.'),
);
const styles = globSync('src/{web,embed}/**/*.css');
/** Properties and values whose absence takes no content and no control away. */
const graceful =
  /^(?:backdrop-filter|content-visibility|cursor|field-sizing|forced-color-adjust|overscroll-behavior|resize|scrollbar-width|text-align: match-parent|text-decoration|text-wrap|user-select)(?::|$)/;

test('the build is made for the browsers that package.json lists, and nothing has a target of its own', async () => {
  const { browserslist } = JSON.parse(read('package.json')) as { browserslist: string[] };
  const listed = browserslist.map((query) => query.replace('ios_saf', 'ios').replace(' >= ', ''));
  const { environments } = await resolveConfig({ configFile: 'vite.config.ts' }, 'build', 'production');
  const { target, cssTarget } = environments['client']?.build ?? {};
  expect([target, cssTarget]).toEqual([listed, listed]);
  const builds = ['vite.config.ts', ...globSync('src/{embed,service-worker}/*.ts')].map(read).join('\n');
  expect(builds.match(/\b(?:target|cssTarget): [^,}]*/g)).toEqual(Array(3).fill('target: browserTarget'));
});

test('scripts for browsers use nothing that a supported browser lacks', slow, () => {
  const own = new Set([...scripts, ...globSync('src/domain/**/*.ts')].flatMap((path) => ownNames(read(path))));
  // A path of the API, not the experimental `navigator.login`.
  own.add('login');
  const found = scripts.flatMap((path) => findInScript(path, read(path), own).map((one) => ({ path, ...one })));
  expect(found).toEqual([]);
});

test('style sheets use nothing that a supported browser needs and lacks', () => {
  const found = styles.flatMap((path) => findInStyles(read(path)).map((one) => ({ path, ...one })));
  expect(found.filter(({ name }) => !graceful.test(name))).toEqual([]);
});

test.each([
  ['for await', 'async () => { for await (const piece of stream) use(piece); }'],
  ['dates of en-CA', "new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' })"],
  ['withResolvers', 'Promise.withResolvers()'],
  ['groupBy', 'Object.groupBy(list, keyOf)'],
  ['DurationFormat', "new Intl.DurationFormat('en')"],
  ['cookieStore', "cookieStore.get('x')"],
  ['requestIdleCallback', 'requestIdleCallback(act)'],
  ['startViewTransition', 'document.startViewTransition(act)'],
  ['checkVisibility', 'element.checkVisibility()'],
])('%s is found', (name, code) => {
  expect(findInScript('a.ts', code).map((one) => one.name)).toContain(name);
});

test.each([
  'if (typeof requestIdleCallback === "function") requestIdleCallback(act)',
  'if (document.startViewTransition) document.startViewTransition(act)',
  'document.startViewTransition?.(act)',
  'list.toSorted().at(-1)',
])('%s is not', (code) => {
  expect(findInScript('a.ts', code)).toEqual([]);
});

test.each(['a { anchor-name: --x }', 'p { interpolate-size: allow-keywords }', '@position-try --x { top: 0 }'])(
  '%s is found',
  (code) => {
    expect(findInStyles(code)).not.toEqual([]);
  },
);
