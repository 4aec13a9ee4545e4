import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Links between the documents, and the index of decisions. */

const withoutBlocks = (text: string) => text.replaceAll(/^ *```.*\n[^]*?^ *```$/gm, '');

test('every link leads to a file and a section', () => {
  const pages = globSync(['*.md', 'docs/**/*.md']);
  expect(pages.length).toBeGreaterThan(70);
  const broken = pages.flatMap((page) =>
    [...withoutBlocks(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', section] = link.split('#');
  const path = file === '' ? page : join(dirname(page), file);
  if (!existsSync(path)) return false;
  return section === undefined || sectionsOf(readFileSync(path, 'utf8')).includes(section);
}

/** As GitHub names them. */
function sectionsOf(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\d -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every file that they name exists', () => {
  const files = globSync(['*', '{bench,demo,deploy,docs,packages,scripts,src,test}/**/*'], {
    exclude: (path) => path.endsWith('node_modules'),
  }).map((path) => `/${path}`);
  const missing = globSync(['*.md', 'docs/**/*.md']).flatMap((page) =>
    [...withoutBlocks(readFileSync(page, 'utf8')).matchAll(/`([\w@./-]+\.(?:css|md|mjs|sql|ts|tsx|yaml))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('/') && !files.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the index lists every decision with its title, and those that replace it', () => {
  const lines = globSync('docs/decisions/[0-9]*.md')
    .toSorted()
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      const [, number, title] = /^# (\d{3}) (.+)\n/.exec(text) ?? [];
      const [, replacedBy] = /^# .+\n\n\*Partly replaced by (.+?):/.exec(text) ?? [];
      const note =
        replacedBy === undefined ? '' : ` (partly replaced by ${replacedBy.replaceAll(/[[\]]|\(.+?\)/g, '')})`;
      return `| [${number}](${basename(path)}) | ${title}${note} |`;
    });
  const index = readFileSync('docs/decisions/README.md', 'utf8');
  expect(index.split('\n').filter((line) => line.startsWith('| ['))).toEqual(lines);
});

test('the newest version of the changelog is that of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const [unreleased, newest] = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\S+)/gm)].map(
    ([, name]) => name,
  );
  expect([unreleased, newest]).toEqual(['Unreleased', version]);
});

test('the pages that the list of features names exist', () => {
  const routes = readFileSync('src/web/routes.ts', 'utf8').replaceAll(/:(\w+)\??/g, '{$1}');
  const pages = readFileSync('docs/features.md', 'utf8').matchAll(/`\/([a-z][^`]*)`/g);
  const names = [...pages].map(([, page = '']) => page);
  expect(names.length).toBeGreaterThan(20);
  const isRoute = (name: string) =>
    routes.includes(`'${name}'`) || routes.includes(`'${name.replace('account/', '')}'`);
  expect(names.filter((name) => !isRoute(name))).toEqual([]);
});
