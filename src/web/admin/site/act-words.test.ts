import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isKnownAct, valueText } from './act-words.tsx';

const domain = fileURLToPath(new URL('../../../domain', import.meta.url));

/** Acts that the code names in full, such as `action: 'tag.merge'`. */
const acts = readdirSync(domain, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
  .flatMap((path) => readFileSync(join(domain, path), 'utf8').split('\n'))
  .filter((line) => /\baction:|\? '[a-z-]+\.[a-z-]+'/.test(line))
  .flatMap((line) => [...line.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, act = '']) => act));

test('each act that the log has reads as a sentence', () => {
  expect(acts.length).toBeGreaterThan(50);
  expect(acts.filter((action) => !isKnownAct(action))).toEqual([]);
});

test('recorded values read as people write them', () => {
  expect(valueText('2026-12-04T03:32:35.840Z', undefined)).toBe('4 Dec 2026, 03:32 UTC');
  expect(valueText('2026-12-04T03:32:35.840Z', 'America/Bogota')).toBe('3 Dec 2026, 22:32');
  expect(valueText(15_001, undefined, 'pool', { pool: 15_001, currency: 'usd' })).toBe('$150.01');
  expect(valueText({ year: 5988, month: 899 }, undefined, 'plans')).toBe('Year: 59.88, Month: 8.99');
  expect(valueText({ accent: '#9fd8ff', ground: null }, undefined, 'dark')).toBe('Accent: #9fd8ff, Ground: None');
  expect(valueText(['Night', 'Rain'], undefined)).toBe('Night, Rain');
  expect([
    valueText(12, undefined, 'months'),
    valueText('2026-10', undefined, 'month'),
    valueText([], undefined),
  ]).toEqual(['12', '2026-10', 'None']);
});
