import { expect, test } from 'vitest';
import { inLanguage, language } from '#i18n';
import { cacheChecks } from './cached-checks.ts';

const messageOf = (run: number) => () => (language() === 'en' ? String(run) : `Lauf ${run}`);

test('the checks run once for all readers of a minute, and at once when asked to', async () => {
  let [now, runs] = [0, 0];
  const checks = cacheChecks(
    async () => [{ level: 'ok' as const, about: 'Run', say: messageOf((runs += 1)) }],
    () => now,
  );
  const firstMessage = async (read: typeof checks.read) => (await read()).findings[0]?.message;
  expect(await Promise.all([firstMessage(checks.read), firstMessage(checks.read)])).toEqual(['1', '1']);
  now = 59_000;
  expect(await inLanguage('de', () => firstMessage(checks.read))).toBe('Lauf 1');
  expect(await firstMessage(checks.read)).toBe('1');
  expect(await firstMessage(checks.runAgain)).toBe('2');
  now += 61_000;
  // The reader does not wait, and the next one sees the new result.
  expect(await firstMessage(checks.read)).toBe('2');
  expect(await checks.read()).toEqual({ findings: [{ level: 'ok', about: 'Run', message: '3' }], asOf: new Date(now) });
  now += 16 * 60_000;
  expect(await firstMessage(checks.read)).toBe('4');
});
