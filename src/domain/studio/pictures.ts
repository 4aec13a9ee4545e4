import { and, eq, isNull } from 'drizzle-orm';
import { series, voices } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { roleIn } from '../kernel/rules.ts';
import type { ImportTools } from './uploads/import.ts';
import { keepImage } from './uploads/keep-files.ts';

export type PictureTools = Pick<ImportTools, 'db' | 'blobs' | 'covers'>;

export type NotAPicture = { ok: false; reason: 'not-a-picture' };
export type VoiceEdit = {
  /** Null removes it. */
  picture?: Uint8Array | null | undefined;
  /** Slug of a series that belongs to no other voice; null: links lead to the voice again. */
  linkedSeries?: string | null | undefined;
};
export type VoiceEditResult =
  | { ok: true; slug: string }
  | NotAPicture
  | { ok: false; reason: 'not-found' | 'unknown-series' | 'series-of-another' };

/** Applies all given changes of a voice, or none when one of them fails. */
export async function editVoice(
  tools: PictureTools,
  actor: Actor,
  slug: string,
  edit: VoiceEdit,
): Promise<VoiceEditResult> {
  const find = async (db: Db) => {
    const [voice] = await db
      .select({ id: voices.id, name: voices.name, imageKey: voices.imageKey, linkedSeriesId: voices.linkedSeriesId })
      .from(voices)
      .where(and(eq(voices.slug, slug), isNull(voices.deletedAt)))
      .for('no key update');
    const role = voice && roleIn(actor, voice.id);
    return role && { voice, role };
  };
  return withPicture<VoiceEditResult>(tools, edit.picture, find, async (tx, picture) => {
    const found = await find(tx);
    if (found === undefined) return { ok: false, reason: 'not-found' };
    const { voice, role } = found;
    const linked = edit.linkedSeries
      ? (
          await tx
            .select({ id: series.id, voiceId: series.voiceId })
            .from(series)
            .where(eq(series.slug, edit.linkedSeries))
        )[0]
      : null;
    if (linked === undefined) return { ok: false, reason: 'unknown-series' };
    if (linked !== null && linked.voiceId !== null && linked.voiceId !== voice.id)
      return { ok: false, reason: 'series-of-another' };
    const changes = { ...picture, ...(edit.linkedSeries !== undefined && { linkedSeriesId: linked?.id ?? null }) };
    if (Object.keys(changes).length > 0) await tx.update(voices).set(changes).where(eq(voices.id, voice.id));
    const { imageKey, linkedSeriesId } = voice;
    await recordChange(tx, {
      actor,
      role,
      action: 'voice.edit',
      subject: { type: 'voice', id: voice.id, name: voice.name },
      voiceId: voice.id,
      before: { imageKey, linkedSeriesId },
      after: { imageKey, linkedSeriesId, ...changes },
    });
    return { ok: true, slug };
  });
}

/**
 * @param find the subject, if it exists for the actor; nothing is decoded without one
 * @param act gets the new picture columns
 */
export async function withPicture<Result>(
  { db, blobs, covers }: PictureTools,
  picture: Uint8Array | null | undefined,
  find: (db: Db) => Promise<object | undefined>,
  act: (tx: Db, kept: { imageKey?: string | null }) => Promise<Result>,
): Promise<Result | NotAPicture | { ok: false; reason: 'not-found' }> {
  if (picture && (await find(db)) === undefined) return { ok: false, reason: 'not-found' };
  const image = picture ? await covers.encode(picture) : undefined;
  if (picture && image === undefined) return { ok: false, reason: 'not-a-picture' };
  const imageKey = image === undefined ? null : await keepImage({ db, blobs }, image);
  return db.transaction((tx) => act(tx, picture === undefined ? {} : { imageKey }));
}
