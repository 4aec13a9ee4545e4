import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { type Actor, operator } from './actor.ts';
import { auditEntries, recordChange } from './audit.ts';
import { roleIn } from './rules.ts';

const { db } = await createTestDatabase();
const subject = { type: 'audio', id: 'a', name: 'Night Rain' };

const user: Actor = { kind: 'user', id: 'u', isSubscribed: false, isComplete: true };

test.each<[string, Actor, string | undefined]>([
  ['the operator', operator, 'operator'],
  ['a listener', user, undefined],
  ['an owner', { ...user, voiceRoles: { v: 'owner' } }, 'owner'],
  ['an editor', { ...user, voiceRoles: { v: 'editor' } }, 'editor'],
  ['an owner of another voice', { ...user, voiceRoles: { w: 'owner' } }, undefined],
  ['an admin', { ...user, isAdmin: true }, 'admin'],
  ['an admin who owns the voice', { ...user, isAdmin: true, voiceRoles: { v: 'owner' } }, 'owner'],
])('%s changes a voice in the right role', (_name, actor, role) => {
  expect(roleIn(actor, 'v')).toBe(role);
});

test('a change stores only the fields that differ, and nothing when none do', async () => {
  const change = { actor: operator, role: 'operator', action: 'audio.edit', subject } as const;
  await recordChange(db, {
    ...change,
    before: { title: 'Rain', isFree: true },
    after: { title: 'Night', isFree: true },
  });
  await recordChange(db, { ...change, before: { title: 'Night' }, after: { title: 'Night' } });
  expect(await db.select().from(auditEntries)).toMatchObject([
    { actorId: null, actorRole: 'operator', before: { title: 'Rain' }, after: { title: 'Night' } },
  ]);
});

test('entries cannot be changed or deleted; a deleted account only takes its name with it', async () => {
  const { id } = await createUser(db);
  await recordChange(db, { actor: { ...user, id }, role: 'admin', action: 'audio.hide', subject, after: {} });
  const refused = { cause: { message: 'audit entries are not changed' } };
  await expect(db.execute(sql`update audit_entries set action = 'audio.show'`)).rejects.toMatchObject(refused);
  await expect(db.execute(sql`delete from audit_entries`)).rejects.toMatchObject(refused);
  await db.execute(sql`delete from users where id = ${id}`);
  const entries = await db.select({ by: auditEntries.actorId, action: auditEntries.action }).from(auditEntries);
  expect(entries).toContainEqual({ by: null, action: 'audio.hide' });
});
