import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { slow } from '#test/support/tags.ts';

/** Every pattern of the code that a server runs is timed, so a new one needs no entry here. */
const sources = ['domain', 'gateways', 'http', 'web', 'player'].map((folder) => `src/${folder}`);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Characters, and the milliseconds that they may take; a quadratic pattern is caught by the first, at little cost. */
const trials = [
  [5_000, 15],
  [100_000, 60],
] as const;

/** Matches a regular expression literal: it is in an operand position, unlike a comment or a division. */
const literal =
  /(?<=(?:[(,=:!&|?[{;\n]|=>|\breturn|\bof)\s*)\/((?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/g;

function patternsOf(file: string): { pattern: string; flags: string }[] {
  const code = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(?:\*|\/\*\*?|\/\/).*$/gm, '');
  return [...code.matchAll(literal)].map(([, pattern = '', flags = '']) => ({ pattern, flags }));
}

const files = globSync(
  [...sources, 'packages/stripe-sandbox/src'].map((folder) => `${folder}/**/*.{ts,tsx}`),
  { cwd: root },
).filter((file) => !/\.test\.tsx?$|browser\/client\//.test(file));
const found = files.flatMap((file) => patternsOf(file).map((one) => ({ file, ...one })));

/** Long runs of repeated characters, after the pattern's beginning and before a character that it cannot end with. */
function hostileTexts(pattern: string, size: number): string[] {
  const prefix = /^\^?((?:[\w =:./-]|\\[/.[-])*)/.exec(pattern)?.[1]?.replaceAll('\\', '') ?? '';
  const own = [...new Set(pattern.replaceAll(/\\[a-zA-Z](?:\{\w+\})?/g, ''))].filter(
    (sign) => !'^$?+*|'.includes(sign),
  );
  const units = [...new Set([' ', '\n', 'a', '0', '-', '\u0301', '’', ...own, ' \n', 'a-', ']('])];
  const runs = units.map((unit) => unit.repeat(Math.ceil(size / unit.length)));
  return [...runs.map((run) => `${run}\u0001`), ...(prefix === '' ? [] : runs.map((run) => `${prefix}${run}\u0001`))];
}

function milliseconds(pattern: RegExp, text: string): number {
  const start = performance.now();
  if (pattern.global) text.replace(pattern, '');
  else pattern.exec(text);
  return performance.now() - start;
}

/** Tries a few times: one try may have waited for another process. */
function isSlow(pattern: RegExp, text: string, max: number): boolean {
  return Array.from({ length: 5 }).every(() => milliseconds(pattern, text) > max);
}

function slowText({ pattern, flags }: { pattern: string; flags: string }): string | undefined {
  const regex = new RegExp(pattern, flags);
  for (const [size, max] of trials)
    for (const text of hostileTexts(pattern, size))
      if (isSlow(regex, text, max)) return JSON.stringify(text.slice(0, 20));
  return undefined;
}

test('no pattern that a server runs takes long for 100 KB of what anyone may send', slow, () => {
  expect(found.length).toBeGreaterThan(100);
  const all = new Map(found.map((one) => [`/${one.pattern}/${one.flags}`, one]));
  const slow = [...all].flatMap(([name, one]) => {
    const text = slowText(one);
    return text === undefined ? [] : [`${one.file}: ${name} with ${text}`];
  });
  expect(slow).toEqual([]);
});
