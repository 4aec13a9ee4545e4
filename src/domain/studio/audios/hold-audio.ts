import { and, eq, isNull, sql } from 'drizzle-orm';
import { isAudio } from '../../catalogue/audios.ts';
import { holdVoicesOf } from '../../catalogue/editing/hold-voices.ts';
import { holdSlugs } from '../../catalogue/editing/slugs.ts';
import { audios } from '../../catalogue/tables.ts';
import type { Actor, ActorRole } from '../../kernel/actor.ts';
import { type Change, recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { roleIn } from '../../kernel/rules.ts';
import type { EditedField } from '../rules.ts';
import { audioDrafts, audioFieldChanges } from '../tables.ts';

/** An audio that the actor may change, locked until the transaction ends. */
export type HeldAudio = {
  id: string;
  title: string;
  voiceId: string;
  role: ActorRole;
  /** Visible to listeners now, by the database's clock. */
  isLive: boolean;
  isDeleted: boolean;
};

const heldColumns = {
  id: audios.id,
  title: audios.title,
  voiceId: audios.voiceId,
  isLive: sql<boolean>`coalesce(${audios.publishedAt} <= now(), false)`,
  isDeleted: sql<boolean>`${audios.deletedAt} is not null`,
};

type Held = Omit<HeldAudio, 'role'>;

/**
 * Locks an audio for a change. Slugs and the voice are locked first, in the order of imports and edits, against deadlocks.
 * @param options.withVoice for acts that publish
 * @returns undefined for an unknown or deleted audio, and for one of a voice that the actor does not manage
 */
export async function holdAudio(
  tx: Db,
  actor: Actor,
  idOrSlug: string,
  {
    evenDeleted = false,
    withSlugs = false,
    withVoice = false,
  }: { evenDeleted?: boolean; withSlugs?: boolean; withVoice?: boolean } = {},
): Promise<HeldAudio | undefined> {
  const match = isAudio(idOrSlug);
  if (match === undefined) return undefined;
  if (withSlugs) await holdSlugs(tx);
  if (withVoice) await holdVoicesOf(tx, match);
  const [row] = await tx
    .select(heldColumns)
    .from(audios)
    .where(and(match, evenDeleted ? undefined : isNull(audios.deletedAt)))
    .for('no key update');
  return withRole(actor, row);
}

/** The same without a lock, for reading. */
export async function findManagedAudio(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  { evenDeleted = false }: { evenDeleted?: boolean } = {},
): Promise<HeldAudio | undefined> {
  const match = isAudio(idOrSlug);
  if (match === undefined) return undefined;
  const [row] = await db
    .select(heldColumns)
    .from(audios)
    .where(and(match, evenDeleted ? undefined : isNull(audios.deletedAt)));
  return withRole(actor, row);
}

function withRole(actor: Actor, row: Held | undefined): HeldAudio | undefined {
  const role = row && roleIn(actor, row.voiceId);
  return row && role && { ...row, role };
}

/** Writes an act on a locked audio to the log. */
export function recordOnAudio(
  tx: Db,
  actor: Actor,
  { id, title, voiceId, role }: HeldAudio,
  action: Change['action'],
  fields: Pick<Change, 'before' | 'after'> = {},
): Promise<void> {
  return recordChange(tx, { actor, role, action, subject: { type: 'audio', id, name: title }, voiceId, ...fields });
}

/** Records which fields of a locked audio changed, so that other editors get a conflict. @returns the new version */
export async function noteChanges(tx: Db, actor: Actor, audioId: string, fields: EditedField[]): Promise<number> {
  const [draft] = await tx
    .insert(audioDrafts)
    .values({ audioId, version: 1 })
    .onConflictDoUpdate({
      target: audioDrafts.audioId,
      set: { version: sql`${audioDrafts.version} + 1`, updatedAt: sql`now()` },
    })
    .returning({ version: audioDrafts.version });
  const version = draft?.version ?? 1;
  const userId = actor.kind === 'user' ? actor.id : null;
  if (fields.length > 0)
    await tx
      .insert(audioFieldChanges)
      .values(fields.map((field) => ({ audioId, field, version, userId })))
      .onConflictDoUpdate({
        target: [audioFieldChanges.audioId, audioFieldChanges.field],
        set: { version, userId, changedAt: sql`now()` },
      });
  return version;
}

/** Removes fields from the draft of a locked audio, because they were changed for listeners directly. */
export async function dropFromDraft(tx: Db, audioId: string, fields: EditedField[]): Promise<void> {
  await tx
    .update(audioDrafts)
    .set({ fields: sql`${audioDrafts.fields} - ${sql.param(fields)}::text[]` })
    .where(and(eq(audioDrafts.audioId, audioId), sql`${audioDrafts.fields} ?| ${sql.param(fields)}::text[]`));
  if (!fields.includes('cover')) return;
  await tx
    .update(audioDrafts)
    // The whole picture belongs to the former cover, also when that was published.
    .set({ hasCover: false, imageKey: null, sourceKey: null, sourceWidth: null, sourceHeight: null, area: null })
    .where(eq(audioDrafts.audioId, audioId));
}
