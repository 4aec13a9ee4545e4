import { expect, test } from 'vitest';
import { totalText } from './rules.ts';

test('a total of a reconciliation is said with its month, its amounts and both sides', () => {
  expect(totalText({ of: 'paying', atProvider: 1200, here: 1 })).toBe(
    'Paying subscriptions: 1,200 at the provider, 1 here',
  );
  const money = { month: '2026-06', currency: 'usd', atProvider: 5988, here: 5189 };
  expect(totalText({ of: 'paid', ...money })).toMatch(/^Paid in Jun\w* 2026: \$59\.88 at the provider, \$51\.89 here$/);
  expect(totalText({ of: 'refunded', ...money })).toMatch(/^Refunded of what was paid in Jun\w* 2026: \$59\.88 at/);
});
