import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'tailwindcss';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(web, path), 'utf8');
const sheets = globSync('**/*.css', { cwd: web }).map(read);
const withoutComments = sheets.join('\n').replaceAll(/\/\*[\s\S]*?\*\//g, '');

/** The class names in our own style sheets. */
const classes = new Set(
  [...withoutComments.matchAll(/([^{};]+)\{/g)]
    .map(([, selector = '']) => selector.trim())
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)),
);

/** Class names that Tailwind also defines, with this site's tokens. */
async function utilitiesAmong(names: Iterable<string>): Promise<string[]> {
  const theme = readFileSync(new URL(import.meta.resolve('tailwindcss/theme.css')), 'utf8');
  const tokens = /@theme inline reference \{[\s\S]*?\n\}/.exec(read('styles/theme.css'))?.[0] ?? '';
  const { build } = await compile(`${theme}\n${tokens}\n@tailwind utilities;`);
  const css = build([...names]);
  return [...names].filter((name) => css.includes(`.${name} {`));
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
  const lookUps = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/*.test.ts'] }).flatMap((path) =>
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
