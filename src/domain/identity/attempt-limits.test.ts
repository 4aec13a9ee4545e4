import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Limit } from './attempts.ts';
import { attemptLimits } from './attempts.ts';

const scopes = ['account', 'address', 'pair', 'device'] as const;

function worded(limit: Limit | undefined): string {
  if (limit === undefined) return '–';
  const { points, duration } = limit;
  return duration % 3600 === 0 ? `${points} in ${duration / 3600} h` : `${points} in ${duration / 60} min`;
}

test('docs/attempt-limits.md has each limit', () => {
  const rows = readFileSync('docs/attempt-limits.md', 'utf8').match(/^\| `.*$/gm) ?? [];
  const documented = rows.map((row) => {
    const [name = '', , ...limits] = row.slice(2, -2).split(' | ');
    return [name.replaceAll('`', ''), ...limits];
  });
  const used = Object.entries<Partial<Record<(typeof scopes)[number], Limit>>>(attemptLimits).map(([name, own]) => [
    name,
    ...scopes.map((scope) => worded(own[scope])),
  ]);
  expect(documented).toEqual(used);
});
