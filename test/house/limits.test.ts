import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Limit, attemptLimits } from '#domain/identity/attempts.ts';

/** Checks docs/limits.md against the code. */

const lines = readFileSync('docs/limits.md', 'utf8').split('\n');
const scopes = ['account', 'address', 'pair', 'device'] as const;
const seconds: Record<string, number> = { seconds: 1, minutes: 60, days: 24 * 60 * 60 };

function worded(limit: Limit | undefined): string {
  if (limit === undefined) return '–';
  const { points, duration } = limit;
  return duration % 3600 === 0 ? `${points} in ${duration / 3600} h` : `${points} in ${duration / 60} min`;
}

test('each limit of content is the one in use', async () => {
  const rows = lines.flatMap((line) => {
    const [, what, limit, file, name] = /^\| (.+) \| (.+) \| `(.+)` `(.+)` \|$/.exec(line) ?? [];
    return what && limit && file && name ? [{ what, limit, file, name }] : [];
  });
  expect(rows.length).toBeGreaterThan(30);
  for (const { what, limit, file, name } of rows) {
    const [, amount = '', unit = ''] = /^([\d,]+) ?(\S*)/.exec(limit) ?? [];
    const factor = unit === 'MiB' ? 1024 * 1024 : /seconds$/i.test(name) ? seconds[unit] : 1;
    const module = (await import(new URL(`../../src/${file}`, import.meta.url).href)) as Record<string, unknown>;
    expect(Number(amount.replaceAll(',', '')) * (factor ?? Number.NaN), what).toBe(module[name]);
  }
});

test('each limit of attempts is documented', () => {
  const rows = lines.filter((line) => line.startsWith('| `'));
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
