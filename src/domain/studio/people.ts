import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { voices } from '../catalogue/tables.ts';
import { voiceOwners } from '../community/tables.ts';
import { liftVoiceBlock } from '../community/voice-blocks.ts';
import { avatarColors, normalizeEmail, normalizeUsername } from '../identity/rules.ts';
import { users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import type { VoiceRole } from '../kernel/viewer.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';
import { canManagePeople, maxPeople } from './rules.ts';

export type PeopleOutcome =
  | { ok: true; changed: boolean }
  | { ok: false; reason: 'not-found' | 'no-user' | 'last-owner' | 'full' };

/** Users who own or edit a voice, owners first; the caller checks the right. */
export async function listPeople(db: Db, voiceId: string) {
  const rows = await db
    .select({
      id: users.id,
      /** Null before the account is complete. */
      username: users.username,
      icon: users.icon,
      color: users.color,
      role: voiceOwners.role,
      since: voiceOwners.createdAt,
    })
    .from(voiceOwners)
    .innerJoin(users, eq(users.id, voiceOwners.userId))
    .where(eq(voiceOwners.voiceId, voiceId))
    .orderBy(sql`${voiceOwners.role} <> 'owner'`, asc(voiceOwners.createdAt), asc(users.id))
    .limit(maxPeople);
  return rows.map(({ color, ...row }) => ({ ...row, color: color ?? avatarColors[0] }));
}
export type VoicePerson = Awaited<ReturnType<typeof listPeople>>[number];

/** Adds a user to a voice, or changes their role. Owners only. @param name username or email of an account */
export async function setPerson(
  db: Db,
  actor: Actor,
  voiceId: string,
  name: string,
  role: VoiceRole,
): Promise<PeopleOutcome> {
  if (!isId(voiceId) || !canManagePeople(actor, voiceId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<PeopleOutcome> => {
    const people = await holdPeople(tx, voiceId);
    if (people === undefined) return { ok: false, reason: 'not-found' };
    const match = or(
      eq(users.email, normalizeEmail(name)),
      sql`lower(${users.username}) = lower(${normalizeUsername(name)})`,
    );
    const [user] = await tx
      .select({ id: users.id, username: users.username })
      .from(users)
      .where(and(match, isNull(users.suspendedAt)))
      .for('key share');
    if (user === undefined) return { ok: false, reason: 'no-user' };
    const before = people.get(user.id);
    if (before === role) return { ok: true, changed: false };
    if (before === undefined && people.size >= maxPeople) return { ok: false, reason: 'full' };
    if (before === 'owner' && countOwners(people) === 1) return { ok: false, reason: 'last-owner' };
    await tx
      .insert(voiceOwners)
      .values({ voiceId, userId: user.id, role })
      .onConflictDoUpdate({ target: [voiceOwners.voiceId, voiceOwners.userId], set: { role } });
    await liftVoiceBlock(tx, voiceId, user.id);
    await record(tx, actor, voiceId, user, { before, after: role });
    return { ok: true, changed: true };
  });
}

/** Owners can remove everyone except the last owner; editors can leave. */
export async function removePerson(db: Db, actor: Actor, voiceId: string, userId: string): Promise<PeopleOutcome> {
  const isOneself = actor.kind === 'user' && actor.id === userId && roleIn(actor, voiceId) !== undefined;
  if (!isId(voiceId) || !isId(userId) || !(isOneself || canManagePeople(actor, voiceId)))
    return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<PeopleOutcome> => {
    const people = await holdPeople(tx, voiceId);
    const before = people?.get(userId);
    if (people === undefined || before === undefined) return { ok: false, reason: 'not-found' };
    if (before === 'owner' && countOwners(people) === 1) return { ok: false, reason: 'last-owner' };
    const [user] = await tx.select({ id: users.id, username: users.username }).from(users).where(eq(users.id, userId));
    if (user === undefined) return { ok: false, reason: 'not-found' };
    await tx.delete(voiceOwners).where(and(eq(voiceOwners.voiceId, voiceId), eq(voiceOwners.userId, userId)));
    await record(tx, actor, voiceId, user, { before, after: undefined });
    return { ok: true, changed: true };
  });
}

/** Locks the voice, so that two owners cannot remove each other at once. */
async function holdPeople(tx: Db, voiceId: string): Promise<Map<string, VoiceRole> | undefined> {
  const [voice] = await tx
    .select({ id: voices.id })
    .from(voices)
    .where(and(eq(voices.id, voiceId), isNull(voices.mergedInto), isNull(voices.deletedAt)))
    .for('no key update');
  if (voice === undefined) return undefined;
  const rows = await tx
    .select({ userId: voiceOwners.userId, role: voiceOwners.role })
    .from(voiceOwners)
    .where(eq(voiceOwners.voiceId, voiceId));
  return new Map(rows.map(({ userId, role }) => [userId, role]));
}

function countOwners(people: Map<string, VoiceRole>): number {
  return [...people.values()].filter((role) => role === 'owner').length;
}

async function record(
  tx: Db,
  actor: Actor,
  voiceId: string,
  user: { id: string; username: string | null },
  { before, after }: { before: VoiceRole | undefined; after: VoiceRole | undefined },
): Promise<void> {
  const role = roleIn(actor, voiceId);
  if (role === undefined) throw new Error('a user who changes people must have a role in the voice');
  const action =
    before === undefined ? 'voice.add-person' : after === undefined ? 'voice.remove-person' : 'voice.set-role';
  await recordChange(tx, {
    actor,
    role,
    action,
    subject: { type: 'user', id: user.id, name: user.username ?? '' },
    voiceId,
    before: { role: before ?? null },
    after: { role: after ?? null },
  });
}
