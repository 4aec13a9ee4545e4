import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { countAttempts, purgeOldAttempts } from './attempts.ts';
import { attempts as attemptsTable } from './tables.ts';
import { slow } from '#test/support/tags.ts';

const { db, url } = await createTestDatabase();
const secret = 'a secret of this test';

test('fifty concurrent attempts do not exceed the limit', async () => {
  const attempts = countAttempts(db, secret);
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => attempts.take('password', { account: 'ada@lovelace.example' })),
  );
  expect(outcomes.filter((refusal) => refusal === undefined)).toHaveLength(10);
  expect(outcomes.filter((refusal) => refusal?.scope === 'account')).toHaveLength(40);
});

test('the count is in the database: other processes see it, and it survives a restart', async () => {
  const refusal = await countAttempts(db, secret).take('password', { account: 'ada@lovelace.example' });
  expect(refusal).toEqual({ scope: 'account', retryAfter: expect.any(Number) });
  expect(refusal?.retryAfter).toBeGreaterThan(14 * 60);
  expect(await countAttempts(db, secret).take('password', { account: 'grace@hopper.example' })).toBeUndefined();
});

test('a flood of refused attempts is answered from memory, in each process', async () => {
  const subject = { account: 'flood@example.org' };
  // Another process has its own connections.
  const other = openDatabase({ url, poolSize: 1 });
  const [here, there] = [countAttempts(db, secret), countAttempts(other.db, secret)];
  for (let tries = 0; tries < 10; tries += 1) await (tries % 2 === 0 ? here : there).take('password', subject);
  const counted = async () => (await db.select().from(attemptsTable)).reduce((sum, { points }) => sum + points, 0);
  const first = await here.take('password', subject);
  const before = await counted();
  for (let tries = 0; tries < 20; tries += 1) {
    const refusal = await here.take('password', subject);
    expect(refusal?.scope).toBe('account');
    expect(Math.abs((refusal?.retryAfter ?? 0) - (first?.retryAfter ?? 0))).toBeLessThanOrEqual(1);
  }
  expect(await counted()).toBe(before);
  await there.take('password', subject);
  expect(await counted()).toBe(before + 1);
  // The identity provider and the site each have a counter in one process.
  await countAttempts(db, secret).lift('password', subject.account);
  expect(await here.take('password', subject)).toBeUndefined();
  await other.close();
});

test('one address that tries many accounts is limited too', async () => {
  const attempts = countAttempts(db, secret);
  for (let index = 0; index < 20; index += 1)
    expect(await attempts.take('register', { account: `${index}@example.org`, address: '192.0.2.1' })).toBeUndefined();
  expect(await attempts.take('register', { account: 'new@example.org', address: '192.0.2.1' })).toMatchObject({
    scope: 'address',
  });
  expect(await attempts.take('register', { account: 'new@example.org', address: '192.0.2.2' })).toBeUndefined();
});

test('a success clears the attempts of the account but not those of the address', async () => {
  const attempts = countAttempts(db, secret);
  const subject = { account: 'alan@turing.example', address: '192.0.2.3' };
  for (let index = 0; index < 10; index += 1) await attempts.take('log-in', subject);
  await attempts.succeeded('log-in', subject);
  expect(await attempts.take('log-in', { account: subject.account })).toBeUndefined();
  const rows = await db.select().from(attemptsTable);
  expect(rows.find(({ key, points }) => key.startsWith('log-in address') && points === 9)).toBeDefined();
});

test('an IPv6 /64 counts as one client, and its /48 has a larger limit', slow, async () => {
  const attempts = countAttempts(db, secret);
  const take = (network: number) => attempts.take('register', { address: `2001:db8:7:${network.toString(16)}::/64` });
  for (let network = 0; network < 160; network += 1) expect(await take(network % 8)).toBeUndefined();
  expect(await take(0)).toMatchObject({ scope: 'address' });
  expect(await take(9)).toMatchObject({ scope: 'network' });
  expect(await attempts.take('register', { address: '2001:db8:8:0::/64' })).toBeUndefined();
});

test('lifting a limit frees that account for every address', async () => {
  const attempts = countAttempts(db, secret);
  const subject = { account: 'lift@example.org', address: '192.0.2.9' };
  const device = { ...subject, device: 'known' };
  for (let tries = 0; tries < 10; tries += 1) {
    await attempts.take('log-in', subject);
    await attempts.take('log-in', device);
  }
  expect(await attempts.take('log-in', subject)).toMatchObject({ scope: 'pair' });
  expect(await attempts.take('log-in', device)).toMatchObject({ scope: 'device' });
  await attempts.lift('log-in', subject.account);
  expect(await attempts.take('log-in', subject)).toBeUndefined();
  expect(await attempts.take('log-in', device)).toBeUndefined();
});

test('without the site’s secret a stored key cannot be matched to an address', async () => {
  await db.delete(attemptsTable);
  await countAttempts(db, secret).take('log-in', { account: 'a@example.org', address: '192.0.2.1' });
  await countAttempts(db, 'another').take('log-in', { account: 'a@example.org', address: '192.0.2.1' });
  const rows = await db.select().from(attemptsTable);
  expect(rows.map(({ points }) => points)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('stored keys reveal neither the account nor the address', async () => {
  const kept = JSON.stringify(await db.select().from(attemptsTable));
  expect(kept).not.toMatch(/lovelace|192\.0\.2/);
});

test('expired attempts are deleted, the others stay', async () => {
  const all = await db.select().from(attemptsTable);
  const [over] = all;
  await db
    .update(attemptsTable)
    .set({ expire: new Date(Date.now() - 1000) })
    .where(eq(attemptsTable.key, over?.key ?? ''));
  await purgeOldAttempts(db);
  const left = await db.select().from(attemptsTable);
  expect(left.map(({ key }) => key).toSorted()).toEqual(
    all
      .slice(1)
      .map(({ key }) => key)
      .toSorted(),
  );
});
