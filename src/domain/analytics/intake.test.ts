import { expect, test } from 'vitest';
import { createUser } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { setConsent } from './consents.ts';
import type { TakenEvent } from './events.ts';
import { openIntake } from './intake.ts';
import { analyticsEvents } from './tables.ts';

const { db, pool } = await createTestDatabase();

function openForwarder() {
  const forwarded: TakenEvent[] = [];
  const identified: { id: string; email: string | null }[] = [];
  return {
    forwarded,
    identified,
    forward: (events: TakenEvent[]) => void forwarded.push(...events),
    identify: (user: { id: string; email: string | null }) => void identified.push(user),
  };
}

const owners = async () => (await db.select().from(analyticsEvents)).map(({ userId }) => userId);

test('only consenting users are named, in the database and once in the forwarder', async () => {
  const [open, quiet] = [await createUser(db, { email: 'open@example.org' }), await createUser(db)];
  await setConsent(db, open.id, true);
  const forwarder = openForwarder();
  const intake = openIntake({ db, forwarder });
  await Promise.all([
    intake.record([{ name: 'play_click', source: 'blog' }], open.id),
    intake.record([{ name: 'pause_click' }], quiet.id),
    intake.record([{ name: 'screen_viewed' }], undefined),
    intake.record([{ name: 'play_next' }], open.id),
  ]);
  expect((await owners()).toSorted()).toEqual([open.id, open.id, null, null].toSorted());
  expect(forwarder.identified).toEqual([{ id: open.id, email: 'open@example.org' }]);
  expect(forwarder.forwarded.map(({ name, userId }) => [name, userId])).toEqual([
    ['play_click', open.id],
    ['pause_click', undefined],
    ['screen_viewed', undefined],
    ['play_next', open.id],
  ]);

  await setConsent(db, open.id, false);
  expect(await owners()).toEqual([null, null, null, null]);
  await intake.record([{ name: 'play_click' }], open.id);
  expect(await owners()).not.toContain(open.id);
});

test('an event of a user deleted meanwhile becomes anonymous, and the batch succeeds', async () => {
  const intake = openIntake({ db });
  expect(await intake.record([{ name: 'play_click' }], '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b')).toBe(true);
});

test('events beyond the capacity are refused without an error', async () => {
  const intake = openIntake({ db, line: 20 });
  const holder = await pool.connect();
  await holder.query('begin; lock table analytics_events in access exclusive mode');
  const flood = Promise.all(Array.from({ length: 500 }, () => intake.record([{ name: 'play_click' }], undefined)));
  await holder.query('commit');
  holder.release();
  const kept = (await flood).filter(Boolean).length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(500);
});
