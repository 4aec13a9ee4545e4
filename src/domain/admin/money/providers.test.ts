import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { hostedHarness } from '#test/support/payments/hosted-harness.ts';
import { addSubscribers } from '#test/support/payments/many-subscribers.ts';
import { openSilentProvider } from '#test/support/payments/silent-provider.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { newId } from '../../kernel/ids.ts';
import { moveJob, runMove } from '../../membership/moving/run-move.ts';
import { movedSubscriptions } from '../../membership/moving/tables.ts';
import { paymentSetting } from '../../membership/settings.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { openMoney } from './open-money.ts';

const { db, url } = await createTestDatabase();
const off = openSilentProvider('ccbill');
const { parts } = await hostedHarness({ db, databaseUrl: url, name: 'verotel', others: [off.provider] });
const jobs: string[] = [];
const money = openMoney(parts, async (name, keys) => void jobs.push(`${name} ${keys.join()}`));
await addSubscribers(db, 20);

test('providers are listed with what they can do; one that is gone only while it has customers', async () => {
  const listed = await money.listProviders(operator);
  expect(listed.map(({ name, isMain, running }) => [name, isMain, running])).toEqual([
    ['verotel', true, 0],
    ['stripe', false, 20],
    ['ccbill', false, 0],
  ]);
  expect(listed.map(({ capabilities }) => capabilities?.cancel)).toEqual(['page', undefined, 'api']);
});

test('the main provider is changed and logged once; one that is gone or silent cannot be', async () => {
  await money.makeMainProvider(operator, 'verotel');
  await money.makeMainProvider(operator, 'verotel');
  expect((await findSetting(db, paymentSetting)).value.main).toBe('verotel');
  await expect(money.makeMainProvider(operator, 'stripe')).rejects.toMatchObject({ code: 'payment/provider-gone' });
  await expect(money.makeMainProvider(operator, 'ccbill')).rejects.toMatchObject({ code: 'payment/unavailable' });
  expect((await findSetting(db, paymentSetting)).value.main).toBe('verotel');
});

test('only operators see and act', async () => {
  const { id } = await createUser(db);
  const actor: Actor = { kind: 'user', id, isSubscribed: true, isComplete: true };
  const pair = { from: 'stripe', to: 'verotel' } as const;
  for (const act of [
    () => money.listProviders(actor),
    () => money.makeMainProvider(actor, 'verotel'),
    () => money.planProviderMove(actor, pair),
    () => money.startProviderMove(actor, pair),
    () => money.listProviderMoves(actor),
    () => money.actOnProviderMove(actor, newId(), 'pause'),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'request/not-found' });
});

test('a move is planned, started once, paused, resumed, and shows its progress', async () => {
  const pair = { from: 'stripe', to: 'verotel' } as const;
  expect(await money.planProviderMove(operator, pair)).toMatchObject({ stoppedBy: 'gone', withGiftTime: 2 });
  await expect(money.startProviderMove(operator, { from: 'stripe', to: 'stripe' })).rejects.toMatchObject({
    code: 'request/invalid',
  });
  const { id, total } = await money.startProviderMove(operator, pair);
  expect(total).toBe(20);
  expect(jobs).toEqual([`${moveJob} ${id}`]);
  await expect(money.startProviderMove(operator, pair)).rejects.toMatchObject({ code: 'provider-move/running' });
  expect(await money.actOnProviderMove(operator, id, 'pause')).toEqual({ changed: 1 });
  await runMove(parts, id);
  const [paused] = await money.listProviderMoves(operator);
  expect(paused).toMatchObject({ id, state: 'paused', waiting: 20, moved: 0 });
  expect(await money.actOnProviderMove(operator, id, 'resume')).toEqual({ changed: 1 });
  await runMove(parts, id);
  const [done] = await money.listProviderMoves(operator);
  expect(done).toMatchObject({ state: 'done', waiting: 0, moved: 20, unstopped: 20, failed: 0 });
  expect(done?.problems.map(({ is }) => is)).toEqual(Array.from({ length: 20 }, () => 'unstopped'));
  expect(await money.actOnProviderMove(operator, newId(), 'pause')).toBeUndefined();
  // Gone by now, as nobody pays there any more.
  expect((await money.listProviders(operator)).map(({ name }) => name)).toEqual(['verotel', 'ccbill']);
  const acts = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id));
  expect(acts.map(({ action }) => action).toSorted()).toEqual([
    'provider-move.pause',
    'provider-move.resume',
    'provider-move.start',
  ]);
});

test('what failed is tried again by an operator', async () => {
  const [move] = await money.listProviderMoves(operator);
  const id = move?.id ?? '';
  await db.update(movedSubscriptions).set({ state: 'failed', error: 'no luck' });
  expect((await money.listProviderMoves(operator))[0]).toMatchObject({ failed: 20 });
  expect(await money.actOnProviderMove(operator, id, 'retry')).toEqual({ changed: 20 });
  expect((await money.listProviderMoves(operator))[0]).toMatchObject({ failed: 0, waiting: 20, state: 'running' });
  await runMove(parts, id);
  // They have nothing at the former provider any more.
  expect((await money.listProviderMoves(operator))[0]).toMatchObject({ left: 20, state: 'done' });
});
