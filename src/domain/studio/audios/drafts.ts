import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { EditRefusal } from '../../catalogue/editing/editing.ts';
import { series, seriesItems } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { LastChange } from '../../kernel/errors.ts';
import { orRefusal, Refused } from '../../kernel/refused.ts';
import { refuseWords } from '../../settings/word-lists.ts';
import { type HeldAudio, holdAudio, noteChanges } from './hold-audio.ts';
import { titlesIn, tryAudio, writeAudio } from './edit-audio.ts';
import {
  type DraftRow,
  type EditedValues,
  apartIn,
  findDraft,
  isSame,
  merged,
  readValues,
  selectFieldChanges,
} from './audio-values.ts';
import type { AudioChange } from '../forms.ts';
import type { CoverArea, EditedField } from '../rules.ts';
import { audioDrafts, audioFieldChanges } from '../tables.ts';

/**
 * Drafts (product.md): while listeners see an audio, edits are stored in a draft until they are published together;
 * otherwise they are written directly. Unpublishing keeps a draft, and later edits join it: publishing again, which
 * may be the Undo of a mistake, must not make it public. Each field has the version of its last change, so that an
 * editor who has not seen it gets a conflict.
 */

/** Whether edits of the audio go to its draft. */
function usesDraft(audio: HeldAudio, draft: DraftRow | undefined): boolean {
  return audio.isLive || apartIn(draft).length > 0;
}

export type Saved = { ok: true; version: number; apart: EditedField[]; savedAt: string };
/** Fields that somebody else changed since the given version, and the last of these changes. */
type Conflict = { ok: false; reason: 'conflict'; fields: EditedField[]; change: LastChange };
export type SaveRefusal = EditRefusal | Conflict;
export type SaveResult = Saved | SaveRefusal;

type Newer = LastChange & { field: EditedField; version: number };

/** Changes of fields since the version. */
async function findNewer(tx: Db, audioId: string, version: number): Promise<Newer[]> {
  return selectFieldChanges(tx)
    .where(and(eq(audioFieldChanges.audioId, audioId), gt(audioFieldChanges.version, version)))
    .orderBy(desc(audioFieldChanges.version), audioFieldChanges.field);
}

/** @throws Refused if there are any */
function refuse(newer: Newer[]): void {
  const [last] = newer;
  if (last === undefined) return;
  const change = { by: last.by, at: last.at };
  const fields = newer.map(({ field }) => field);
  throw new Refused<SaveRefusal>({ ok: false, reason: 'conflict', fields, change });
}

/** @throws Refused if others changed one of these fields to another value since the version */
async function refuseConflicts(
  tx: Db,
  audioId: string,
  { version, change, now }: { version: number; change: Partial<EditedValues>; now: EditedValues },
): Promise<void> {
  const newer = await findNewer(tx, audioId, version);
  // The same value again is the retry of a save whose answer was lost.
  refuse(newer.filter(({ field }) => field in change && !isSame(change[field], now[field])));
}

/** Without a position, an audio goes last; a draft needs an explicit position to be comparable. */
async function withPlace(tx: Db, audioId: string, change: AudioChange): Promise<AudioChange> {
  const wanted = change.series;
  if (!wanted || wanted.part !== undefined) return change;
  const [last] = await tx
    .select({ part: sql<number>`coalesce(max(${seriesItems.position}), -1) + 2` })
    .from(seriesItems)
    .innerJoin(series, eq(series.id, seriesItems.seriesId))
    .where(and(eq(series.slug, wanted.slug), sql`${seriesItems.audioId} <> ${audioId}`));
  return { ...change, series: { slug: wanted.slug, part: last?.part ?? 1 } };
}

/** Equal, ignoring order and spelling of the input. */
function comparable(change: AudioChange): Partial<EditedValues> {
  return {
    ...(change as Partial<EditedValues>),
    ...(change.tags !== undefined && { tags: [...new Set(change.tags)].toSorted() }),
    ...(change.categories !== undefined && { categories: [...new Set(change.categories)] }),
  };
}

/**
 * Saves fields of an audio: to the draft while listeners see it or one exists, otherwise directly.
 * @param save.version the newest version that the editor has seen
 */
export async function saveAudio(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  save: { version: number; change: AudioChange },
): Promise<SaveResult> {
  return orRefusal<SaveResult>(db, async (tx) => {
    const withSlugs = save.change.slug !== undefined || Boolean(save.change.series);
    const audio = await holdAudio(tx, actor, idOrSlug, { withSlugs });
    if (audio === undefined) return { ok: false, reason: 'not-found', name: idOrSlug };
    const draft = await findDraft(tx, audio.id);
    const live = await readValues(tx, audio.id);
    const now = merged(live, draft);
    const change = comparable(await withPlace(tx, audio.id, save.change));
    await refuseConflicts(tx, audio.id, { version: save.version, change, now });
    const fields = (Object.keys(change) as EditedField[]).filter((field) => !isSame(change[field], now[field]));
    if (fields.length === 0) return savedAs(draft);
    const edit = Object.fromEntries(fields.map((field) => [field, change[field]])) as AudioChange;
    const drafted: AudioChange = { ...draft?.fields };
    for (const field of fields) delete drafted[field as keyof AudioChange];
    if (usesDraft(audio, draft)) {
      await refuseWords(tx, titlesIn(edit));
      const different = Object.entries(edit).filter(
        ([field, value]) => !isSame(value, live[field as keyof EditedValues]),
      );
      Object.assign(drafted, Object.fromEntries(different));
      // Checks the whole draft, because two fields can be invalid together though each alone is valid.
      if (edit.slug !== undefined || edit.series || edit.categories !== undefined || edit.tags !== undefined)
        // A transcript may be corrected until it is published.
        await tryAudio(tx, actor, audio, { ...drafted, transcript: undefined });
    } else await writeAudio(tx, actor, audio, edit);
    await noteChanges(tx, actor, audio.id, fields);
    await tx.update(audioDrafts).set({ fields: drafted }).where(eq(audioDrafts.audioId, audio.id));
    return savedAs(await findDraft(tx, audio.id));
  });
}

function savedAs(draft: DraftRow | undefined): Saved {
  return {
    ok: true,
    version: draft?.version ?? 0,
    apart: apartIn(draft),
    savedAt: (draft?.updatedAt ?? new Date()).toISOString(),
  };
}

/**
 * Publishes the whole draft, or nothing.
 * @param version the newest version that the editor has seen: unseen changes by others are not published
 */
export async function publishChanges(db: Db, actor: Actor, idOrSlug: string, version: number): Promise<SaveResult> {
  return orRefusal<SaveResult>(db, async (tx) => {
    const audio = await holdSeen(tx, actor, idOrSlug, version);
    const draft = await findDraft(tx, audio.id);
    if (draft === undefined || apartIn(draft).length === 0) return savedAs(draft);
    await writeAudio(tx, actor, audio, draft.fields, draft.hasCover ? { imageKey: draft.imageKey } : {});
    await tx
      .update(audioDrafts)
      .set({ fields: {}, hasCover: false, imageKey: null })
      .where(eq(audioDrafts.audioId, audio.id));
    return savedAs(await findDraft(tx, audio.id));
  });
}

/** Discards the draft. */
export async function discardChanges(db: Db, actor: Actor, idOrSlug: string, version: number): Promise<SaveResult> {
  return orRefusal<SaveResult>(db, async (tx) => {
    const audio = await holdSeen(tx, actor, idOrSlug, version);
    const draft = await findDraft(tx, audio.id);
    const fields = apartIn(draft);
    if (draft === undefined || fields.length === 0) return savedAs(draft);
    const sourceless = { sourceKey: null, sourceWidth: null, sourceHeight: null, area: null };
    await tx
      .update(audioDrafts)
      // The whole picture belongs to the discarded cover.
      .set({ fields: {}, hasCover: false, imageKey: null, ...(draft.hasCover && sourceless) })
      .where(eq(audioDrafts.audioId, audio.id));
    await noteChanges(tx, actor, audio.id, fields);
    return savedAs(await findDraft(tx, audio.id));
  });
}

/** @throws Refused also after a change by somebody else */
async function holdSeen(tx: Db, actor: Actor, idOrSlug: string, version: number): Promise<HeldAudio> {
  const audio = await holdAudio(tx, actor, idOrSlug, { withSlugs: true });
  if (audio === undefined) throw new Refused<SaveRefusal>({ ok: false, reason: 'not-found', name: idOrSlug });
  refuse(await findNewer(tx, audio.id, version));
  return audio;
}

export type CoverChange = {
  imageKey: string | null;
  /** The whole picture; null: `imageKey` is all of it. */
  source: { key: string; width: number; height: number; area: CoverArea } | null;
};

/** Saves a cover whose files are stored; runs in the transaction that locks them. @throws Refused */
export async function saveCover(
  tx: Db,
  actor: Actor,
  audio: HeldAudio,
  { version, cover }: { version: number; cover: CoverChange },
): Promise<Saved> {
  const draft = await findDraft(tx, audio.id);
  const live = await readValues(tx, audio.id);
  const now = merged(live, draft);
  await refuseConflicts(tx, audio.id, { version, change: { cover: cover.imageKey }, now });
  await noteChanges(tx, actor, audio.id, ['cover']);
  const { source } = cover;
  const whole = {
    sourceKey: source?.key ?? null,
    sourceWidth: source?.width ?? null,
    sourceHeight: source?.height ?? null,
    area: source?.area ?? null,
  };
  const isApart = usesDraft(audio, draft);
  const apart = isApart
    ? { hasCover: cover.imageKey !== live.cover, imageKey: cover.imageKey === live.cover ? null : cover.imageKey }
    : { hasCover: false, imageKey: null };
  await tx
    .update(audioDrafts)
    .set({ ...whole, ...apart })
    .where(eq(audioDrafts.audioId, audio.id));
  if (!isApart) await writeAudio(tx, actor, audio, {}, { imageKey: cover.imageKey });
  return savedAs(await findDraft(tx, audio.id));
}
