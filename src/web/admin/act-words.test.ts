import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wordsOf } from './act-words.ts';

const domain = fileURLToPath(new URL('../../domain', import.meta.url));

/** Acts that the code names in full, such as `action: 'tag.merge'`. */
const acts = readdirSync(domain, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
  .flatMap((path) => readFileSync(join(domain, path), 'utf8').split('\n'))
  .filter((line) => /\baction:|\? '[a-z-]+\.[a-z-]+'/.test(line))
  .flatMap((line) => [...line.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, act = '']) => act));

test('each act that the log has reads as a sentence', () => {
  expect(acts.length).toBeGreaterThan(50);
  expect(acts.filter((action) => wordsOf({ action }).verb.startsWith('did “'))).toEqual([]);
});
