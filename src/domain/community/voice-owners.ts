import { and, asc, eq, sql } from 'drizzle-orm';
import { setCommentsDisabled } from '../catalogue/publishing.ts';
import { audios, voices } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import { isId, isSlug } from '../ids.ts';
import type { Viewer } from '../identity/rules.ts';
import { users } from '../identity/tables.ts';
import { canModerateComments } from './rules.ts';
import { voiceOwners } from './tables.ts';

export type VoiceOwner = { id: string; username: string | null; email: string | null };

export type OwnerOutcome =
  | { ok: true; voice: { id: string; slug: string; name: string }; changed: boolean }
  | { ok: false; reason: 'no-voice' | 'no-user' };

/** Says whose voice it is; a voice can be several people's. */
export async function setVoiceOwner(
  db: Db,
  voiceIdOrSlug: string,
  userId: string,
  isOwner: boolean,
): Promise<OwnerOutcome> {
  const voice = await findVoiceName(db, voiceIdOrSlug);
  if (voice === undefined) return { ok: false, reason: 'no-voice' };
  if (!isOwner) {
    const { rowCount } = await db
      .delete(voiceOwners)
      .where(and(eq(voiceOwners.voiceId, voice.id), eq(voiceOwners.userId, userId)));
    return { ok: true, voice, changed: rowCount === 1 };
  }
  const { rowCount } = await db.execute(sql`
    insert into voice_owners (voice_id, user_id) select v.id, u.id from voices v, users u
    where v.id = ${voice.id} and u.id = ${userId} for key share on conflict do nothing`);
  if (rowCount === 1) return { ok: true, voice, changed: true };
  const isKnown = (await db.$count(users, eq(users.id, userId))) === 1;
  return isKnown ? { ok: true, voice, changed: false } : { ok: false, reason: 'no-user' };
}

async function findVoiceName(db: Db, idOrSlug: string) {
  const match = isId(idOrSlug) ? eq(voices.id, idOrSlug) : isSlug(idOrSlug) ? eq(voices.slug, idOrSlug) : undefined;
  if (match === undefined) return undefined;
  const [voice] = await db.select({ id: voices.id, slug: voices.slug, name: voices.name }).from(voices).where(match);
  return voice;
}

/** @returns undefined where there is no such voice */
export async function listVoiceOwners(db: Db, voiceIdOrSlug: string): Promise<VoiceOwner[] | undefined> {
  const voice = await findVoiceName(db, voiceIdOrSlug);
  if (voice === undefined) return undefined;
  return db
    .select({ id: users.id, username: users.username, email: users.email })
    .from(voiceOwners)
    .innerJoin(users, eq(users.id, voiceOwners.userId))
    .where(eq(voiceOwners.voiceId, voice.id))
    .orderBy(asc(voiceOwners.createdAt), asc(users.id))
    .limit(100);
}

/** Whether who asks may turn the comments of this audio on and off; published or not, it is their own. */
export async function canSwitchComments(db: Db, viewer: Viewer, audioId: string): Promise<boolean> {
  if (viewer.kind === 'visitor' || !isId(audioId)) return false;
  const owners = await db
    .select({ id: voiceOwners.userId })
    .from(voiceOwners)
    .innerJoin(audios, eq(audios.voiceId, voiceOwners.voiceId))
    .where(eq(audios.id, audioId));
  return canModerateComments(
    viewer,
    owners.map(({ id }) => id),
  );
}

/** @returns false for whoever does not own the voice, as where there is no such audio */
export async function switchComments(
  db: Db,
  viewer: Viewer,
  audioId: string,
  commentsDisabled: boolean,
): Promise<boolean> {
  if (!(await canSwitchComments(db, viewer, audioId))) return false;
  return (await setCommentsDisabled(db, audioId, commentsDisabled)).ok;
}
