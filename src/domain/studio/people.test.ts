import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser, createVoice } from '#test/support/factories.ts';
import { voiceOwners } from '../community/tables.ts';
import { setSuspended } from '../identity/operators.ts';
import { operator } from '../kernel/actor.ts';
import type { User, VoiceRole } from '../kernel/viewer.ts';
import { auditEntries } from '../kernel/audit.ts';
import { maxPeople } from './rules.ts';
import { listPeople, removePerson, setPerson } from './people.ts';

const { db } = await createTestDatabase();

const { id: voiceId } = await createVoice(db);

async function newActor(role?: VoiceRole): Promise<User & { username: string }> {
  const user = await createUser(db);
  if (role !== undefined) await db.insert(voiceOwners).values({ voiceId, userId: user.id, role });
  return {
    kind: 'user',
    id: user.id,
    isSubscribed: false,
    isComplete: true,
    username: user.username ?? '',
    ...(role && { voiceRoles: { [voiceId]: role } }),
  };
}

async function rolesOf(...actors: User[]): Promise<(VoiceRole | undefined)[]> {
  const people = await listPeople(db, voiceId);
  return actors.map(({ id }) => people.find((person) => person.id === id)?.role);
}

const owner = await newActor('owner');

test('owners add people by username or email, change their role and remove them, and each is recorded', async () => {
  const person = await newActor();
  const changed = { ok: true, changed: true };
  expect(await setPerson(db, owner, voiceId, ` ${person.username.toUpperCase()} `, 'editor')).toEqual(changed);
  expect(await setPerson(db, owner, voiceId, person.username, 'editor')).toEqual({ ok: true, changed: false });
  expect(await setPerson(db, owner, voiceId, person.username, 'owner')).toEqual(changed);
  expect(await rolesOf(person)).toEqual(['owner']);
  expect(await removePerson(db, owner, voiceId, person.id)).toEqual(changed);
  expect(await rolesOf(person)).toEqual([undefined]);
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, person.id));
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ['voice.add-person', { role: 'editor' }],
    ['voice.set-role', { role: 'owner' }],
    ['voice.remove-person', { role: null }],
  ]);
});

test('the last owner stays, whoever asks', async () => {
  for (const actor of [owner, operator]) {
    expect(await removePerson(db, actor, voiceId, owner.id)).toEqual({ ok: false, reason: 'last-owner' });
    expect(await setPerson(db, actor, voiceId, owner.username, 'editor')).toEqual({ ok: false, reason: 'last-owner' });
  }
  expect(await rolesOf(owner)).toEqual(['owner']);
});

test('two owners who remove each other at once leave one', async () => {
  const other = await newActor('owner');
  const outcomes = await Promise.all([
    removePerson(db, owner, voiceId, other.id),
    removePerson(db, other, voiceId, owner.id),
  ]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  const left = await rolesOf(owner, other);
  expect(left.filter((role) => role === 'owner')).toHaveLength(1);
  await db.insert(voiceOwners).values({ voiceId, userId: owner.id, role: 'owner' }).onConflictDoNothing();
  await db.delete(voiceOwners).where(eq(voiceOwners.userId, other.id));
});

test('editors add nobody and remove only themselves; strangers find no voice', async () => {
  const [editor, stranger] = [await newActor('editor'), await newActor()];
  const notFound = { ok: false, reason: 'not-found' };
  for (const actor of [editor, stranger]) {
    expect(await setPerson(db, actor, voiceId, stranger.username, 'owner')).toEqual(notFound);
    expect(await removePerson(db, actor, voiceId, owner.id)).toEqual(notFound);
  }
  expect(await removePerson(db, stranger, voiceId, stranger.id)).toEqual(notFound);
  expect(await removePerson(db, editor, voiceId, editor.id)).toEqual({ ok: true, changed: true });
});

test('a creator has fifty people and no more', async () => {
  const { id } = await createVoice(db);
  const add = async () => setPerson(db, operator, id, (await createUser(db)).username ?? '', 'editor');
  await db.execute(sql`
    with made as (
      insert into users (id, username) select gen_random_uuid(), 'crowd-' || n from generate_series(1, ${maxPeople - 1}::int) n
      returning id)
    insert into voice_owners (voice_id, user_id, role) select ${id}, id, 'editor' from made`);
  expect(await add()).toEqual({ ok: true, changed: true });
  expect(await add()).toEqual({ ok: false, reason: 'full' });
});

test('unknown and suspended accounts are not added', async () => {
  const person = await newActor();
  await setSuspended(db, person.id, true);
  for (const name of ['nobody-here', 'nobody@example.org', person.username])
    expect(await setPerson(db, owner, voiceId, name, 'editor')).toEqual({ ok: false, reason: 'no-user' });
});
