import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { audios, series, seriesItems } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { LastChange } from '../../kernel/errors.ts';
import type { HeldAudio } from './hold-audio.ts';
import { holdAudio, noteChanges } from './hold-audio.ts';
import type { DraftRow, EditedValues } from './audio-values.ts';
import { apartIn, findDraft, isSame, merged, readValues, selectFieldChanges } from './audio-values.ts';
import type { AudioChange } from '../forms.ts';
import { recordEdit } from './record-edit.ts';
import type { CoverArea, EditedField } from '../rules.ts';
import { audioDrafts, audioFieldChanges } from '../tables.ts';
import type { SaveRefusal } from './write-fields.ts';
import { orRefusal, Refused, tryFields, writeFields } from './write-fields.ts';

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
  throw new Refused({ ok: false, reason: 'conflict', fields: newer.map(({ field }) => field), change });
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
  return orRefusal(db, async (tx) => {
    const withSlugs = save.change.slug !== undefined || Boolean(save.change.series);
    const audio = await holdAudio(tx, actor, idOrSlug, { withSlugs });
    if (audio === undefined) throw new Refused({ ok: false, reason: 'not-found' });
    const draft = await findDraft(tx, audio.id);
    const live = await readValues(tx, audio.id);
    const now = merged(live, draft);
    const change = comparable(await withPlace(tx, audio.id, save.change));
    await refuseConflicts(tx, audio.id, { version: save.version, change, now });
    const fields = (Object.keys(change) as EditedField[]).filter((field) => !isSame(change[field], now[field]));
    if (fields.length === 0) return savedAs(draft);
    const wanted = Object.fromEntries(fields.map((field) => [field, change[field]])) as AudioChange;
    const kept: AudioChange = { ...draft?.fields };
    for (const field of fields) delete kept[field as keyof AudioChange];
    if (usesDraft(audio, draft)) {
      const different = Object.entries(wanted).filter(
        ([field, value]) => !isSame(value, live[field as keyof EditedValues]),
      );
      Object.assign(kept, Object.fromEntries(different));
      // Checks the whole draft, because two fields can be invalid together though each alone is valid.
      if (wanted.slug !== undefined || wanted.series || wanted.categories !== undefined)
        // A transcript may be corrected until it is published.
        await tryFields(tx, audio, { ...kept, transcript: undefined });
    } else {
      await writeFields(tx, audio, wanted);
      await recordEdit(tx, actor, audio, { fields, before: live, after: await readValues(tx, audio.id) });
    }
    await noteChanges(tx, actor, audio.id, fields);
    await tx.update(audioDrafts).set({ fields: kept }).where(eq(audioDrafts.audioId, audio.id));
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

/** Applies the draft of a locked audio. @throws Refused */
async function writeDraft(tx: Db, actor: Actor, audio: HeldAudio): Promise<void> {
  const draft = await findDraft(tx, audio.id);
  const fields = apartIn(draft);
  if (draft === undefined || fields.length === 0) return;
  const before = await readValues(tx, audio.id);
  await writeFields(tx, audio, draft.fields);
  if (draft.hasCover) await tx.update(audios).set({ imageKey: draft.imageKey }).where(eq(audios.id, audio.id));
  await tx
    .update(audioDrafts)
    .set({ fields: {}, hasCover: false, imageKey: null })
    .where(eq(audioDrafts.audioId, audio.id));
  await recordEdit(tx, actor, audio, { fields, before, after: await readValues(tx, audio.id) });
}

/**
 * Publishes the whole draft, or nothing.
 * @param version the newest version that the editor has seen: unseen changes by others are not published
 */
export async function publishChanges(db: Db, actor: Actor, idOrSlug: string, version: number): Promise<SaveResult> {
  return orRefusal(db, async (tx) => {
    const audio = await holdSeen(tx, actor, idOrSlug, version);
    await writeDraft(tx, actor, audio);
    return savedAs(await findDraft(tx, audio.id));
  });
}

/** Discards the draft. */
export async function discardChanges(db: Db, actor: Actor, idOrSlug: string, version: number): Promise<SaveResult> {
  return orRefusal(db, async (tx) => {
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
  if (audio === undefined) throw new Refused({ ok: false, reason: 'not-found' });
  refuse(await findNewer(tx, audio.id, version));
  return audio;
}

export type CoverChange = {
  imageKey: string | null;
  source?: { key: string; width: number; height: number; area: CoverArea } | null;
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
  const whole =
    source === undefined
      ? {}
      : {
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
  if (!isApart) {
    await tx.update(audios).set({ imageKey: cover.imageKey }).where(eq(audios.id, audio.id));
    await recordEdit(tx, actor, audio, { fields: ['cover'], before: live, after: await readValues(tx, audio.id) });
  }
  return savedAs(await findDraft(tx, audio.id));
}
