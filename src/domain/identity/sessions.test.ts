import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { giveMonths } from '../membership/entitlement.ts';
import { userSql } from '../site.ts';
import { endAllSessions, endSessionOf, openSession, prepareFindSessions } from './sessions.ts';
import { sessions, users } from './tables.ts';

const { db } = await createTestDatabase();
const findSessions = prepareFindSessions({ db, userSql, adminSecondFactor: 'optional' });

async function logIn() {
  const user = await createUser(db);
  return { userId: user.id, ...(await createSession(db, user.id)) };
}

test('tokens that are looked up together each find their own session or none', async () => {
  const [one, two, ended, expired, suspended, nameless] = await Promise.all(Array.from({ length: 6 }, logIn));
  if (!one || !two || !ended || !expired || !suspended || !nameless) throw new Error('six were opened');
  await giveMonths(db, two.userId, 1);
  await db.delete(sessions).where(eq(sessions.id, ended.id));
  await db
    .update(sessions)
    .set({ expiresAt: sql`now()` })
    .where(eq(sessions.id, expired.id));
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.userId));
  await db.update(users).set({ username: null }).where(eq(users.id, nameless.userId));

  const tokens = [two, one, ended, expired, suspended, nameless, one].map(({ token }) => token);
  const viewer = (userId: string, isSubscribed: boolean, isComplete: boolean) => ({
    kind: 'user',
    id: userId,
    isSubscribed,
    isComplete,
    hidesNothing: true,
  });
  const first = { id: one.id, viewer: viewer(one.userId, false, true), isExtended: false };
  expect(await findSessions(['', ...tokens, 'x'.repeat(43), `${one.token}\0`])).toEqual([
    undefined,
    { id: two.id, viewer: viewer(two.userId, true, true), isExtended: false },
    first,
    undefined,
    undefined,
    undefined,
    { id: nameless.id, viewer: viewer(nameless.userId, false, false), isExtended: false },
    first,
    undefined,
    undefined,
  ]);
});

test('hiding a tag or blocking a user shows in the session from the next request on', async () => {
  const { userId, token } = await logIn();
  const { library, community } = await openTestSite(db);
  await createAudio(db, { tagLabels: ['Thunder'] });
  const somebody = await createUser(db);
  const hidesNothing = async () => (await findSessions([token]))[0]?.viewer.hidesNothing;
  const viewer = { kind: 'user', id: userId, isSubscribed: false, isComplete: true } as const;
  expect(await hidesNothing()).toBe(true);
  await library.setTagHidden(userId, 'thunder', true);
  expect(await hidesNothing()).toBeUndefined();
  await library.setTagHidden(userId, 'thunder', false);
  expect(await hidesNothing()).toBe(true);
  await community.setBlocked(viewer, somebody.id, true);
  expect(await hidesNothing()).toBeUndefined();
});

test('using a session extends it, and the use is recorded at most once an hour', async () => {
  const { id, token } = await logIn();
  const row = async () => (await db.select().from(sessions).where(eq(sessions.id, id)))[0];
  const before = await row();
  await findSessions([token]);
  expect(await row()).toEqual(before);
  const minute = 60 * 1000;
  const usedBefore = async (minutes: number) => {
    const lastUsedAt = new Date(Date.now() - minutes * minute);
    const expiresAt = new Date(Date.now() + 24 * 60 * minute);
    await db.update(sessions).set({ lastUsedAt, expiresAt }).where(eq(sessions.id, id));
    await findSessions([token, token]);
    const { lastUsedAt: now, expiresAt: end } = (await row()) ?? expect.fail();
    return [now.getTime() !== lastUsedAt.getTime(), Math.round((end.getTime() - Date.now()) / (24 * 60 * minute))];
  };
  expect(await usedBefore(59.9)).toEqual([false, 1]);
  expect(await usedBefore(60.1)).toEqual([true, 90]);
});

test('a log-out everywhere ends all sessions of a user, and nobody else’s', async () => {
  const [one, other] = [await logIn(), await logIn()];
  const second = await createSession(db, one.userId);
  const signedInBefore = new Date(Date.now() - 1000);
  await endAllSessions(db, one.userId);
  const found = await findSessions([one.token, second.token, other.token]);
  expect(found.map((session) => session?.id)).toEqual([undefined, undefined, other.id]);
  // A sign-in of before opens no session any more; one without a time is of this moment.
  expect(await openSession(db, one.userId, 'Firefox on Linux', signedInBefore)).toBeUndefined();
  expect(await openSession(db, one.userId, 'Firefox on Linux')).toBeDefined();
});

test('an ended session is gone once its end is answered', async () => {
  const { id, token } = await logIn();
  await endSessionOf(db, token);
  expect(await db.$count(sessions, eq(sessions.id, id))).toBe(0);
});

test('an ended session is refused at once in every process', async () => {
  const [here, elsewhere] = [await openTestSite(db), await openTestSite(db)];
  const { id, token, userId } = await logIn();
  expect(await elsewhere.identity.findSession(token)).toMatchObject({ id });
  await here.identity.endSession(userId, id);
  for (const site of [here, elsewhere]) expect(await site.identity.findSession(token)).toBeUndefined();
});
