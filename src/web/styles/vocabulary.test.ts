import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'tailwindcss';
import { expect, test } from 'vitest';
import { usedClasses } from '#test/support/browser/used-classes.ts';

const web = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(web, path), 'utf8');
const sheets = globSync('**/*.css', { cwd: web }).map(read);
const withoutComments = sheets.join('\n').replaceAll(/\/\*[\s\S]*?\*\//g, '');

/** The class names in our own style sheets. */
const classes = classesIn(withoutComments);

/** The class names in selectors. */
function classesIn(css: string): Set<string> {
  const selectors = [...css.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector.trim());
  const names = selectors
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => [...selector.matchAll(/\.(?!\d)((?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+)/gi)]);
  return new Set(names.map(([, name = '']) => withoutEscapes(name)));
}

function withoutEscapes(name: string): string {
  return name.replaceAll(/\\(?:([0-9a-f]{1,6}) ?|(.))/gi, (_, code?: string, character?: string) =>
    code === undefined ? (character ?? '') : String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

/** The class names among these for which Tailwind generates CSS, with this site's tokens and variants. */
async function utilitiesAmong(among: Iterable<string>): Promise<string[]> {
  const names = [...among];
  const theme = readFileSync(new URL(import.meta.resolve('tailwindcss/theme.css')), 'utf8');
  const own = read('styles/theme.css').replaceAll(/@import[^;]*;/g, '');
  const { build } = await compile(`${theme}\n${own}\n@tailwind utilities;`);
  const generated = classesIn(build(names));
  return names.filter((name) => generated.has(name));
}

test('no class of ours has the name of a Tailwind utility', async () => {
  expect(classes.size).toBeGreaterThan(50);
  expect(await utilitiesAmong(['grid', 'truncate', 'text-26', 'bg-teal', 'btn'])).toEqual([
    'grid',
    'truncate',
    'text-26',
  ]);
  expect(await utilitiesAmong(classes)).toEqual([]);
});

test('each class name of an element exists in a style sheet', async () => {
  const used = usedClasses(web);
  expect(used.size).toBeGreaterThan(1000);
  // Variants such as `group-hover:` refer to these.
  const isMarker = (name: string) => /^(group|peer)(\/|$)/.test(name);
  const utilities = new Set(await utilitiesAmong(used.keys()));
  const unknown = [...used].filter(([name]) => !classes.has(name) && !utilities.has(name) && !isMarker(name));
  expect(unknown.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
});

test('no element has a class that the style sheet leaves out', () => {
  const leftOut = /@source not inline\('\{([^}]*)\}'\)/.exec(read('app.css'))?.[1]?.split(',') ?? [];
  expect(leftOut).toContain('blur');
  const used = globSync('**/*.tsx', { cwd: web }).flatMap((path) =>
    [...read(path).matchAll(/className="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')),
  );
  expect(used.filter((name) => leftOut.includes(name.split(':').at(-1) ?? ''))).toEqual([]);
});

test('states are attributes, not classes', () => {
  expect([...classes].filter((name) => /^(is|has|js)-/.test(name))).toEqual([]);
});

test('scripts find elements by attributes, not by classes', () => {
  const lookUps = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/*.test.{ts,tsx}'] }).flatMap((path) =>
    [...read(path).matchAll(/(?:querySelector(?:All)?|closest|matches)(?:<\w+>)?\('([^']*)'/g)].map(
      ([, sought = '']) => sought,
    ),
  );
  expect(lookUps.length).toBeGreaterThan(10);
  expect(lookUps.filter((sought) => /\.[a-z]/.test(sought))).toEqual([]);
});

test('only the position that the library writes inline is overridden with !important', () => {
  const important = [...withoutComments.matchAll(/([\w-]+):[^;{}]*!important/g)].map(([, property]) => property);
  expect(important).toEqual(['position', 'inset', 'transform']);
  const utilities = globSync('**/*.tsx', { cwd: web }).filter((path) =>
    /["'` ][a-z]+-[^\s"'`]*!["'` ]/.test(read(path)),
  );
  expect(utilities).toEqual([]);
});

test('the light theme is stated once', () => {
  expect(withoutComments.match(/prefers-color-scheme/g)).toHaveLength(1);
  expect(withoutComments.match(/data-theme='light'/g)).toHaveLength(1);
});

test('`:has` follows a class, an attribute or a tag: browsers would test it on each element of the page', () => {
  expect(withoutComments).toContain(':has(');
  expect(withoutComments.match(/(?<=^|[{};]\s*|[>+~*]\s*):has\([^)]*\)/gm)).toBeNull();
});
