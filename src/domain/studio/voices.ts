import { asc, eq, inArray, sql } from 'drizzle-orm';
import { imageUrl } from '../catalogue/audios.ts';
import { series, voices } from '../catalogue/tables.ts';
import { isVoice } from '../catalogue/voices.ts';
import { countUnanswered } from '../community/voice-comment-counts.ts';
import type { Actor, ActorRole } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { roleIn } from '../kernel/rules.ts';
import type { Count } from '#formats/numbers.ts';
import { countStates } from './audios/audio-list.ts';

/** A voice as its managers see it. */
export type ManagedVoice = {
  id: string;
  slug: string;
  name: string;
  imageUrl: string | null;
  /** By an operator: listeners find neither its page nor its audios. */
  isHidden: boolean;
  /** Role of the requesting user. */
  role: ActorRole;
};

const columns = {
  id: voices.id,
  slug: voices.slug,
  name: voices.name,
  imageKey: voices.imageKey,
  isHidden: sql<boolean>`${voices.hiddenAt} is not null`,
};

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

function toManaged(
  actor: Actor,
  { imageKey, ...voice }: Omit<ManagedVoice, 'imageUrl' | 'role'> & { imageKey: string | null },
): ManagedVoice | undefined {
  const role = roleIn(actor, voice.id);
  return role && { ...voice, imageUrl: imageUrl(imageKey), role };
}

/** Counts beside the Studio's navigation. */
export type StudioCounts = { audios: number; series: number; unansweredComments: Count };

export async function countForStudio(db: Db, voiceId: string): Promise<StudioCounts> {
  const [states, ofSeries, unansweredComments] = await Promise.all([
    countStates(db, [sql`a.voice_id = ${voiceId}`]),
    db.$count(series, eq(series.voiceId, voiceId)),
    countUnanswered(db, voiceId),
  ]);
  return { audios: states.all, series: ofSeries, unansweredComments };
}
