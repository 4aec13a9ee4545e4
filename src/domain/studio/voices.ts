import { asc, eq, inArray, sql } from 'drizzle-orm';
import { imageUrl } from '../catalogue/audios.ts';
import { series, voices } from '../catalogue/tables.ts';
import { isVoice } from '../catalogue/voices.ts';
import { countUnanswered } from '../community/voice-comment-counts.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { roleIn } from '../kernel/rules.ts';
import { countWaitingForOwners } from '../verification/verifications.ts';
import { countCreditsOfVoice } from './credits/asked-credits.ts';
import { countStates } from './audios/audio-list.ts';

const columns = {
  id: voices.id,
  slug: voices.slug,
  name: voices.name,
  imageKey: voices.imageKey,
  /** By an operator: listeners find neither its page nor its audios. */
  isHidden: sql<boolean>`${voices.hiddenAt} is not null`,
};
type Row = { id: string; slug: string; name: string; imageKey: string | null; isHidden: boolean };

/** Voices that the user owns or edits, by name; admins reach others by address. */
export async function listManagedVoices(db: Db, actor: Actor): Promise<ManagedVoice[]> {
  const ids = actor.kind === 'user' ? Object.keys(actor.voiceRoles ?? {}) : [];
  if (ids.length === 0) return [];
  const rows = await db
    .select(columns)
    .from(voices)
    .where(inArray(voices.id, ids))
    .orderBy(asc(voices.sortName), asc(voices.id));
  return rows.flatMap((row) => toManaged(actor, row) ?? []);
}

/** @returns undefined for an unknown voice, and for one that the actor may not manage */
export async function findManagedVoice(db: Db, actor: Actor, idOrSlug: string): Promise<ManagedVoice | undefined> {
  const match = isVoice(idOrSlug);
  if (match === undefined) return undefined;
  const [row] = await db.select(columns).from(voices).where(match);
  return row && toManaged(actor, row);
}

function toManaged(actor: Actor, { imageKey, ...voice }: Row) {
  const role = roleIn(actor, voice.id);
  return role && { ...voice, imageUrl: imageUrl(imageKey), role };
}

/** A voice as its managers see it, with the role of the requesting user. */
export type ManagedVoice = NonNullable<ReturnType<typeof toManaged>>;

/** Counts beside the Studio's navigation. */
export async function countForStudio(db: Db, voiceId: string) {
  const [states, ofSeries, unansweredComments, verification, credits] = await Promise.all([
    countStates(db, [sql`a.voice_id = ${voiceId}`]),
    db.$count(series, eq(series.voiceId, voiceId)),
    countUnanswered(db, voiceId),
    countWaitingForOwners(db, voiceId),
    countCreditsOfVoice(db, voiceId),
  ]);
  return { audios: states.all, series: ofSeries, unansweredComments, verification, credits };
}
export type StudioCounts = Awaited<ReturnType<typeof countForStudio>>;
