import { and, eq, ne } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditEntries } from '#domain/kernel/audit.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { totpOf } from '#test/support/totp.ts';

const { url, db, site } = await startTestSite({ ADMIN_SECOND_FACTOR: 'required' });

/** An operator with an app and recovery codes, and a second session that has not shown the factor. */
async function newOperator() {
  const { id } = await createUser(db);
  await setAdmin(db, id, true);
  const [{ token: first }, { token }] = [await createSession(db, id), await createSession(db, id)];
  const found = await site.identity.findSession(first);
  if (found === undefined) throw new Error('no session');
  const session = { viewer: found.viewer, sessionId: found.id };
  const started = await site.identity.secondFactor.startApp(session);
  if (!started.ok) throw new Error(started.reason);
  const confirmed = await site.identity.secondFactor.confirmApp(session, totpOf(started.key, Date.now()));
  if (!confirmed.ok) throw new Error(confirmed.reason);
  const prove = async (code: string) => {
    const response = await fetch(`${url}/v1/api/admin/second-factor/proof`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    return response.status;
  };
  const logged = async () => {
    const entries = await db
      .select()
      .from(auditEntries)
      .where(
        and(eq(auditEntries.subjectId, id), eq(auditEntries.actorId, id), ne(auditEntries.action, 'user.set-up-app')),
      )
      .orderBy(auditEntries.id);
    return entries.map(({ action, after }) => [action, after]);
  };
  return { prove, logged, recoveryCodes: confirmed.recoveryCodes };
}

const wrong = 'aaaaa-aaaaa';

test('guessing at a second factor leaves one entry when it begins, and one with the count at the lock-out', async () => {
  const { prove, logged, recoveryCodes } = await newOperator();
  const statuses = await Promise.all(Array.from({ length: 16 }, () => prove(wrong)));
  expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  // A right code does not help until the lock-out is over.
  expect(await prove(recoveryCodes[0] ?? '')).toBe(429);
  expect((await logged()).toSorted()).toEqual([
    ['user.fail-second-factor', null],
    ['user.lock-second-factor', { failedTries: 10 }],
  ]);
});

test('a success after several refused codes says how many; one after a slip of the finger does not', async () => {
  const [guessing, slipping] = [await newOperator(), await newOperator()];
  for (const code of [wrong, wrong, wrong]) expect(await guessing.prove(code)).not.toBe(200);
  expect(await guessing.prove(guessing.recoveryCodes[0] ?? '')).toBe(200);
  expect(await guessing.logged()).toEqual([
    ['user.fail-second-factor', null],
    ['user.use-recovery-code', null],
    ['user.pass-second-factor', { failedTries: 3 }],
  ]);
  await slipping.prove(wrong);
  expect(await slipping.prove(slipping.recoveryCodes[0] ?? '')).toBe(200);
  expect(await slipping.logged()).toEqual([
    ['user.fail-second-factor', null],
    ['user.use-recovery-code', null],
  ]);
});

test('guesses at the app’s codes do not lock out the recovery codes, nor the other way round', async () => {
  const { prove, recoveryCodes } = await newOperator();
  for (let tries = 0; tries < 10; tries += 1) expect(await prove('000000')).not.toBe(429);
  expect(await prove('000 000')).toBe(429);
  expect(await prove(recoveryCodes[0] ?? '')).toBe(200);
  for (let tries = 0; tries < 10; tries += 1) expect(await prove(wrong)).not.toBe(429);
  expect(await prove(recoveryCodes[1] ?? '')).toBe(429);
});
