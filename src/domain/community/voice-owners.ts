import { type AnyColumn, type SQL, and, asc, eq, sql } from 'drizzle-orm';
import { audios, voices } from '../catalogue/tables.ts';
import type { Viewer, VoiceRole } from '../kernel/viewer.ts';
import type { Db } from '../kernel/db.ts';
import { isId, isSlug } from '../kernel/ids.ts';
import { users } from '../identity/tables.ts';
import { canModerateComments } from './rules.ts';
import { voiceOwners } from './tables.ts';
import { liftVoiceBlock } from './voice-blocks.ts';

export type VoiceOwner = { id: string; username: string | null; email: string | null; role: VoiceRole };

export type OwnerOutcome =
  | { ok: true; voice: { id: string; slug: string; name: string }; changed: boolean }
  | { ok: false; reason: 'no-voice' | 'no-user' };

/** Subquery column: the voices that the user of that row owns or edits; null without any. */
export function voiceRolesSql(userId: AnyColumn): SQL<Record<string, VoiceRole> | null> {
  return sql<Record<string, VoiceRole> | null>`(select json_object_agg(o.voice_id, o.role order by o.voice_id)
    from voice_owners o where o.user_id = ${userId}
      and exists (select from voices v where v.id = o.voice_id and v.deleted_at is null))`;
}

/** Subquery: slugs of the voices that this user does not own. */
export function othersVoiceSlugsSql(userId: string | undefined): SQL {
  const isOwner = sql`exists (select from ${voiceOwners} o where o.voice_id = ${voices.id} and o.user_id = ${userId ?? null})`;
  return sql`(select ${voices.slug} from ${voices} where not ${isOwner})`;
}

/** Adds or removes an owner of a voice; a voice can have several. An editor who is added becomes an owner. */
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
  const rowCount = await db.transaction(async (tx) => {
    await tx.execute(sql`select from voices where id = ${voice.id} for no key update`);
    const added = await tx.execute(sql`
      insert into voice_owners (voice_id, user_id) select v.id, u.id from voices v, users u
      where v.id = ${voice.id} and u.id = ${userId} for key share
      on conflict (voice_id, user_id) do update set role = 'owner' where voice_owners.role <> 'owner'`);
    await liftVoiceBlock(tx, voice.id, userId);
    return added.rowCount;
  });
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

/** @returns undefined for an unknown voice */
export async function listVoiceOwners(db: Db, voiceIdOrSlug: string): Promise<VoiceOwner[] | undefined> {
  const voice = await findVoiceName(db, voiceIdOrSlug);
  if (voice === undefined) return undefined;
  return db
    .select({ id: users.id, username: users.username, email: users.email, role: voiceOwners.role })
    .from(voiceOwners)
    .innerJoin(users, eq(users.id, voiceOwners.userId))
    .where(eq(voiceOwners.voiceId, voice.id))
    .orderBy(asc(voiceOwners.createdAt), asc(users.id))
    .limit(100);
}

/** Whether the viewer may turn comments of this audio on and off; owners also before it is published. */
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
