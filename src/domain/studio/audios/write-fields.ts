import { eq, sql } from 'drizzle-orm';
import { editAudio } from '../../catalogue/editing/editing.ts';
import type { AudioEdit } from '../../catalogue/editing/editing.ts';
import type { MistimedTranscript } from '../../catalogue/editing/publishing.ts';
import { commentColumns } from '../../catalogue/rules.ts';
import { audios, series, seriesItems } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import type { LastChange } from '../../kernel/errors.ts';
import type { HeldAudio } from './hold-audio.ts';
import type { AudioChange } from '../forms.ts';
import type { EditedField } from '../rules.ts';

export type SaveRefusal =
  | { ok: false; reason: 'not-found' }
  /** Fields that somebody else changed since the given version, and the last of these changes. */
  | { ok: false; reason: 'conflict'; fields: EditedField[]; change: LastChange }
  /** `name`: the refused slug. */
  | { ok: false; reason: 'slug-taken' | 'unknown-category' | 'unknown-series'; name: string }
  | MistimedTranscript;

export class Refused extends Error {
  readonly result: SaveRefusal;

  constructor(result: SaveRefusal) {
    super(result.reason);
    this.result = result;
  }
}

/** Rolls back a savepoint that was only a trial. */
class Tried extends Error {}

/** Runs in one transaction; a refusal undoes all of it. */
export async function orRefusal<Result>(db: Db, run: (tx: Db) => Promise<Result>): Promise<Result | SaveRefusal> {
  try {
    return await db.transaction(run);
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
}

/**
 * Writes fields of a locked audio.
 * @throws Refused
 */
export async function writeFields(tx: Db, audio: HeldAudio, change: AudioChange): Promise<void> {
  const { isFree, commenters, ...edit } = change;
  if (edit.series) await checkSeries(tx, audio, edit.series.slug);
  const result = await editAudio(tx, audio.id, edit as AudioEdit);
  if (!result.ok) {
    if (result.reason === 'mistimed-transcript') throw new Refused(result);
    const { reason, name } = result;
    if (reason === 'not-found' || reason === 'unknown-voice') throw new Refused({ ok: false, reason: 'not-found' });
    throw new Refused({ ok: false, reason, name });
  }
  const settings = {
    ...(isFree !== undefined && { isFree }),
    ...(commenters !== undefined && commentColumns(commenters)),
  };
  if (Object.keys(settings).length > 0) await tx.update(audios).set(settings).where(eq(audios.id, audio.id));
}

/** Creators fill the series of their own voice; only operators fill those of several voices. */
async function checkSeries(tx: Db, audio: HeldAudio, slug: string): Promise<void> {
  if (audio.role === 'admin' || audio.role === 'operator') return;
  const [found] = await tx
    .select({
      voiceId: series.voiceId,
      isIn: sql<boolean>`exists (
      select from ${seriesItems} i where i.series_id = series.id and i.audio_id = ${audio.id})`,
    })
    .from(series)
    .where(eq(series.slug, slug));
  if (found === undefined || (found.voiceId !== audio.voiceId && !found.isIn))
    throw new Refused({ ok: false, reason: 'unknown-series', name: slug });
}

/** Checks whether the fields could be written, without changing anything. @throws Refused */
export async function tryFields(tx: Db, audio: HeldAudio, change: AudioChange): Promise<void> {
  try {
    await tx.transaction(async (inner) => {
      await writeFields(inner, audio, change);
      throw new Tried();
    });
  } catch (error) {
    if (!(error instanceof Tried)) throw error;
  }
}
