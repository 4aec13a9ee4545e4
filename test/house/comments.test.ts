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
