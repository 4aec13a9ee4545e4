import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { countOf } from '#formats/numbers.ts';

test.each([
  [0, '0 replies'],
  [1, '1 reply'],
  [1204, '1,204 replies'],
])('%i is written with its noun: %s', (count, text) => {
  expect(countOf(count, 'reply', 'replies')).toBe(text);
});

const source = fileURLToPath(new URL('../..', import.meta.url));
const nouns =
  'accounts|articles|audios|bytes|cards|categories|codes|comments|creators|cues|days|drafts|errors|favorites|files|hours|items|listeners|mails|minutes|moods|months|owners|parts|playlists|plays|replies|results|rows|steps|tables|voices|years';
const counted = [
  // A count or a markup expression followed by a plural noun. Quoted text is SQL.
  new RegExp(String.raw`\}(?: |\{' '\})+(?:more )?(?:${nouns})\b(?!'| =|=)`, 'g'),
  // An inline choice between singular and plural.
  new RegExp(String.raw`=== 1 \? '[^']*'\s*:\s*[\x27\x60][^\n]*\b(?:${nouns})\b`, 'g'),
];

test('every count with its noun is a plural, or goes through countOf', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/kernel\//.test(name),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((name) => {
    // A form of a plural is a whole text.
    const text = readFileSync(join(source, name), 'utf8').replaceAll(/\bother: `[^`]*`|message: [^\n]*/g, '');
    return counted.flatMap((pattern) => [...text.matchAll(pattern)].map(([hit]) => `${name}: ${hit}`));
  });
  expect(found).toEqual([]);
});
