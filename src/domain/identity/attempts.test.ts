import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { countAttempts, forgetOldAttempts } from './attempts.ts';
import { attempts as attemptsTable } from './tables.ts';

const { db } = await createTestDatabase();

test('of fifty tries at once no more than the limit are let through', async () => {
  const attempts = countAttempts(db);
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => attempts.take('log-in', { account: 'ada@lovelace.example' })),
  );
  expect(outcomes.filter((scope) => scope === undefined)).toHaveLength(10);
  expect(outcomes.filter((scope) => scope === 'account')).toHaveLength(40);
});

test('the count is in the database: another process and a restart see it', async () => {
  expect(await countAttempts(db).take('log-in', { account: 'ada@lovelace.example' })).toBe('account');
  expect(await countAttempts(db).take('log-in', { account: 'grace@hopper.example' })).toBeUndefined();
});

test('one address that tries many accounts is stopped too', async () => {
  const attempts = countAttempts(db);
  for (let index = 0; index < 20; index += 1)
    expect(await attempts.take('register', { account: `${index}@example.org`, address: '192.0.2.1' })).toBeUndefined();
  expect(await attempts.take('register', { account: 'new@example.org', address: '192.0.2.1' })).toBe('address');
  expect(await attempts.take('register', { account: 'new@example.org', address: '192.0.2.2' })).toBeUndefined();
});

test('a success forgets the tries of the account, and not those of the address', async () => {
  const attempts = countAttempts(db);
  const of = { account: 'alan@turing.example', address: '192.0.2.3' };
  for (let index = 0; index < 10; index += 1) await attempts.take('log-in', of);
  await attempts.succeeded('log-in', of);
  expect(await attempts.take('log-in', { account: of.account })).toBeUndefined();
  const rows = await db.select().from(attemptsTable);
  expect(rows.find(({ key, points }) => key.startsWith('log-in address') && points === 9)).toBeDefined();
});

test('what is kept names neither the account nor the address', async () => {
  const kept = JSON.stringify(await db.select().from(attemptsTable));
  expect(kept).not.toMatch(/lovelace|192\.0\.2/);
});

test('tries that are over are forgotten, the others stand', async () => {
  const all = await db.select().from(attemptsTable);
  const [over] = all;
  await db
    .update(attemptsTable)
    .set({ expire: new Date(Date.now() - 1000) })
    .where(eq(attemptsTable.key, over?.key ?? ''));
  await forgetOldAttempts(db);
  const left = await db.select().from(attemptsTable);
  expect(left.map(({ key }) => key).toSorted()).toEqual(
    all
      .slice(1)
      .map(({ key }) => key)
      .toSorted(),
  );
});
