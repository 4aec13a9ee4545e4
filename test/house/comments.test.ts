import { globSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** docs/writing.md: openings that make a reader parse a comment twice. A block's text may begin on its second line. */
const badOpening =
  /(?:\/\/|\/\*\*?)[ \t]*(?:\n[ \t]*\*[ \t]*)?(?:Of|What|Whatever|Where|Which|Who|Whoever|Whom|Whose)\b/g;

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function findBadOpenings(text: string): number[] {
  return [...text.matchAll(badOpening)].map(({ index }) => lineOf(text, index));
}

test.each([
  ['// Of the newest.', [1]],
  ['const max = 5; // Where it ends', [1]],
  ['\n/** What is shown. */', [2]],
  ['  /**\n   * Who may comment.\n   * @returns all\n   */', [1]],
  ['{/* Which one */}', [1]],
  ['// Often empty.\n/** Shows what is new. */\n/**\n * Lists who\n * is blocked.\n */', []],
])('the opening of %j is judged', (text, lines) => {
  expect(findBadOpenings(text)).toEqual(lines);
});

/** Sentences, headings, list items and table cells of a document; questions are allowed. */
const badSentence =
  /(?<=^(?:#+ |[ >]*(?:[-*]|\d+\.) |\| |\*)?\*{0,2}|\| |[.:;!?]\*{0,2}\s+\*{0,2})(?:Of|What|Whatever|Where|Which|Who|Whoever|Whom|Whose)\b(?![^.!|]*\?)/gm;

function findBadSentences(text: string): number[] {
  const withoutCode = text.replaceAll(/^ *```.*\n[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  return [...withoutCode.matchAll(badSentence)].map(({ index }) => lineOf(withoutCode, index));
}

test.each([
  ['Of all creators, the newest.', [1]],
  ['# What a sketch tells\n\nIt tells', [1]],
  ['It waits. What waits is limited.', [1]],
  ['- **Who waits** holds a lock.', [1]],
  ['| [022](022.md) | Where files are |', [1]],
  ['It is `x`:\nWhich one', [2]],
  ['| Who may hear it? | `rules.ts` |\n\nLists who may.', []],
  ['```\nWhere is it\n```\n\nWhatsoever.', []],
])('the sentences of %j are judged', (text, lines) => {
  expect(findBadSentences(text)).toEqual(lines);
});

test('no sentence of a document opens with such a word, nor does a line of an index', async () => {
  const paths = globSync(['*.md', 'docs/**/*.md', '{contracts,demo/make,packages/*}/README.md']);
  expect(paths.length).toBeGreaterThan(70);
  const found = await Promise.all(
    paths
      // It quotes them.
      .filter((path) => path !== 'docs/writing.md')
      .map(async (path) => findBadSentences(await readFile(path, 'utf8')).map((line) => `${path}:${line}`)),
  );
  expect(found.flat()).toEqual([]);
});

test('no comment opens with a word that has to be decoded', async () => {
  const sources = glob(['{bench,demo/make,packages,scripts,src,test}/**/*.{css,mjs,ts,tsx}', '*.ts'], {
    exclude: (path) => path.endsWith('node_modules'),
  });
  const paths: string[] = [];
  for await (const path of sources) if (path !== 'test/house/comments.test.ts') paths.push(path);
  expect(paths.length).toBeGreaterThan(1000);
  const found = await Promise.all(
    paths.map(async (path) => findBadOpenings(await readFile(path, 'utf8')).map((line) => `${path}:${line}`)),
  );
  expect(found.flat()).toEqual([]);
});
