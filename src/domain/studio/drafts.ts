import { createHash } from 'node:crypto';
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { imageUrl } from '../catalogue/audios.ts';
import { editAudio } from '../catalogue/editing.ts';
import type { AudioEdit, AudioFiles, EditResult } from '../catalogue/editing.ts';
import { audios, series, seriesItems } from '../catalogue/tables.ts';
import type { Commenters, Cue } from '../catalogue/rules.ts';
import { commentColumns, commentersOf } from '../catalogue/rules.ts';
import { users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import type { HeldAudio } from './change-audio.ts';
import { dropFromDraft, findManagedAudio, holdAudio, noteChanges } from './change-audio.ts';
import type { AudioChange } from './forms.ts';
import type { CoverArea, EditedField } from './rules.ts';
import { editedFields } from './rules.ts';
import { audioDrafts, audioFieldChanges } from './tables.ts';

/**
 * Drafts (product.md): while listeners see an audio, its changes are kept apart until they are published together;
 * before and after that they are written at once. Each field has the version of its last change, so that an editor who
 * has not seen it gets a conflict.
 */

/** Values of the editable fields, in the form in which they are compared. */
export type EditedValues = {
  title: string;
  description: string;
  slug: string;
  color: string | null;
  badge: string | null;
  /** Slugs, in their order. */
  categories: string[];
  /** Labels. */
  tags: string[];
  series: { slug: string; part: number } | null;
  transcript: Cue[] | null;
  isFree: boolean;
  commenters: Commenters;
  /** Key of a blob. */
  cover: string | null;
};

/** A change of a field, for the others who edit the audio. */
export type FieldChange = { field: EditedField; version: number; by: string | null; at: string };

export type EditedAudio = {
  id: string;
  version: number;
  values: Omit<EditedValues, 'cover'>;
  cover: {
    imageUrl: string | null;
    /** The whole picture; null: the cover itself is all there is. */
    source: { imageUrl: string; width: number; height: number } | null;
    area: CoverArea | null;
  };
  /** Fields that listeners see as they were. */
  apart: EditedField[];
  changes: FieldChange[];
  /** ISO 8601; null before the first edit. */
  savedAt: string | null;
};

export type SaveRefusal =
  | { ok: false; reason: 'not-found' }
  /** Fields that somebody else changed since the version that was named. */
  | { ok: false; reason: 'conflict'; fields: EditedField[] }
  /** `name`: the slug or place that is refused. */
  | { ok: false; reason: 'slug-taken' | 'unknown-category' | 'unknown-series' | 'part-taken'; name: string };

export type Saved = { ok: true; version: number; apart: EditedField[]; savedAt: string };
export type SaveResult = Saved | SaveRefusal;

class Refused extends Error {
  readonly result: SaveRefusal;

  constructor(result: SaveRefusal) {
    super(result.reason);
    this.result = result;
  }
}

/** Undoes a savepoint whose only purpose was to find out whether it succeeds. */
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

type DraftRow = typeof audioDrafts.$inferSelect;

async function findDraft(tx: Db, audioId: string): Promise<DraftRow | undefined> {
  const [row] = await tx.select().from(audioDrafts).where(eq(audioDrafts.audioId, audioId));
  return row;
}

/** In subqueries of a select from one table, where Drizzle writes columns without their table. */
const audioColumn = sql.raw('audios.id');

/** What listeners see, or would. */
async function readValues(tx: Db, audioId: string): Promise<EditedValues> {
  const [row] = await tx
    .select({
      title: audios.title,
      description: audios.description,
      slug: audios.slug,
      color: audios.color,
      badge: audios.badge,
      categories: sql<string[]>`(select coalesce(json_agg(c.slug order by ac.position, c.slug), '[]'::json)
        from audio_categories ac join categories c on c.id = ac.category_id where ac.audio_id = ${audioColumn})`,
      tags: sql<string[]>`(select coalesce(json_agg(t.label order by t.label), '[]'::json)
        from audio_tags tagged join tags t on t.id = tagged.tag_id where tagged.audio_id = ${audioColumn})`,
      series: sql<EditedValues['series']>`(select json_build_object('slug', s.slug, 'part', i.position + 1)
        from series_items i join series s on s.id = i.series_id where i.audio_id = ${audioColumn})`,
      transcript: sql<Cue[] | null>`(select tr.cues from transcripts tr where tr.audio_id = ${audioColumn})`,
      isFree: audios.isFree,
      commentsDisabled: audios.commentsDisabled,
      commentsForSubscribers: audios.commentsForSubscribers,
      cover: audios.imageKey,
    })
    .from(audios)
    .where(eq(audios.id, audioId));
  if (row === undefined) throw new Error(`The audio ${audioId} is locked and gone`);
  const { commentsDisabled, commentsForSubscribers, ...values } = row;
  return { ...values, commenters: commentersOf({ commentsDisabled, commentsForSubscribers }) };
}

/** What the editor shows: the draft over what listeners see. */
function merged(live: EditedValues, draft: DraftRow | undefined): EditedValues {
  if (draft === undefined) return live;
  const { series: wanted, ...fields } = draft.fields;
  return {
    ...live,
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<EditedValues>),
    ...(wanted !== undefined && { series: wanted && { slug: wanted.slug, part: wanted.part ?? 1 } }),
    ...(draft.hasCover && { cover: draft.imageKey }),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

function apartIn(draft: DraftRow | undefined): EditedField[] {
  if (draft === undefined) return [];
  return editedFields.filter((field) =>
    field === 'cover' ? draft.hasCover : draft.fields[field as keyof AudioChange] !== undefined,
  );
}

/** @returns undefined for an audio that the actor may not change, and for a deleted one */
export async function findEditedAudio(db: Db, actor: Actor, idOrSlug: string): Promise<EditedAudio | undefined> {
  return db.transaction(
    async (tx) => {
      const audio = await findManagedAudio(tx, actor, idOrSlug);
      if (audio === undefined) return undefined;
      const draft = await findDraft(tx, audio.id);
      const { cover, ...values } = merged(await readValues(tx, audio.id), draft);
      const changes = await tx
        .select({
          field: audioFieldChanges.field,
          version: audioFieldChanges.version,
          by: users.username,
          at: audioFieldChanges.changedAt,
        })
        .from(audioFieldChanges)
        .leftJoin(users, eq(users.id, audioFieldChanges.userId))
        .where(eq(audioFieldChanges.audioId, audio.id))
        .orderBy(asc(audioFieldChanges.field));
      return {
        id: audio.id,
        version: draft?.version ?? 0,
        values,
        cover: {
          imageUrl: imageUrl(cover),
          source: sourceOf(draft),
          area: draft?.area ?? null,
        },
        apart: apartIn(draft),
        changes: changes.map((change) => ({ ...change, at: change.at.toISOString() })),
        savedAt: draft?.updatedAt.toISOString() ?? null,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

function sourceOf(draft: DraftRow | undefined): EditedAudio['cover']['source'] {
  const url = imageUrl(draft?.sourceKey ?? null);
  const { sourceWidth: width = null, sourceHeight: height = null } = draft ?? {};
  return url === null || width === null || height === null ? null : { imageUrl: url, width, height };
}

/** Fields of the change that others changed after the version, to something else. */
async function findConflicts(
  tx: Db,
  audioId: string,
  { version, change, now }: { version: number; change: Partial<EditedValues>; now: EditedValues },
): Promise<EditedField[]> {
  const fields = Object.keys(change) as EditedField[];
  if (fields.length === 0) return [];
  const newer = await tx
    .select({ field: audioFieldChanges.field })
    .from(audioFieldChanges)
    .where(
      and(
        eq(audioFieldChanges.audioId, audioId),
        inArray(audioFieldChanges.field, fields),
        gt(audioFieldChanges.version, version),
      ),
    );
  // The same value again is a save whose answer was lost.
  return newer.map(({ field }) => field).filter((field) => !isSame(change[field], now[field]));
}

/**
 * Writes fields of a locked audio.
 * @throws Refused
 */
async function writeFields(tx: Db, audio: HeldAudio, change: AudioChange): Promise<void> {
  const { isFree, commenters, ...edit } = change;
  if (edit.series) await checkSeries(tx, audio, edit.series.slug);
  const result = await editAudio(tx, audio.id, edit as AudioEdit);
  if (!result.ok) {
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

/** Creators fill the series of their own voice; those of several voices are the operators' work. */
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

/** Finds out whether the fields could be written, and leaves everything as it is. @throws Refused */
async function tryFields(tx: Db, audio: HeldAudio, change: AudioChange): Promise<void> {
  try {
    await tx.transaction(async (inner) => {
      await writeFields(inner, audio, change);
      throw new Tried();
    });
  } catch (error) {
    if (!(error instanceof Tried)) throw error;
  }
}

/**
 * Changes fields and files for listeners at once, as the command line does; what is named is not kept apart any more.
 * Runs in the caller's transaction.
 */
export async function editManagedAudio(
  tx: Db,
  actor: Actor,
  idOrSlug: string,
  edit: AudioEdit,
  files: AudioFiles = {},
): Promise<EditResult> {
  const withSlugs = edit.slug !== undefined || Boolean(edit.series);
  const audio = await holdAudio(tx, actor, idOrSlug, { withSlugs });
  if (audio === undefined) return { ok: false, reason: 'not-found', name: idOrSlug };
  if (edit.voice !== undefined && audio.role !== 'admin' && audio.role !== 'operator')
    return { ok: false, reason: 'unknown-voice', name: edit.voice };
  const before = await readValues(tx, audio.id);
  const fileBefore = await findFileKey(tx, audio.id);
  const result = await editAudio(tx, audio.id, edit, files);
  if (!result.ok) return result;
  const after = await readValues(tx, audio.id);
  const fields = editedFields.filter((field) => !isSame(before[field], after[field]));
  if (fields.length > 0) {
    await dropFromDraft(tx, audio.id, fields);
    await noteChanges(tx, actor, audio.id, fields);
  }
  const around = {
    before: { voice: audio.voiceId, file: fileBefore },
    after: { voice: (await findManagedAudio(tx, actor, audio.id))?.voiceId, file: await findFileKey(tx, audio.id) },
  };
  await recordEdit(tx, actor, audio, { fields, before, after, around });
  return result;
}

async function findFileKey(tx: Db, audioId: string): Promise<string | undefined> {
  const [row] = await tx.select({ fileKey: audios.fileKey }).from(audios).where(eq(audios.id, audioId));
  return row?.fileKey;
}

/** Without a place, an audio goes last; a draft has to name the place to be comparable. */
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

/** A transcript in the log is its number of lines and a mark of its content. */
function forLog(values: Partial<EditedValues>): Record<string, unknown> {
  const { transcript, ...rest } = values;
  if (transcript === undefined) return rest;
  const mark = transcript && createHash('sha256').update(JSON.stringify(transcript)).digest('hex').slice(0, 12);
  return { ...rest, transcript: transcript && { lines: transcript.length, mark } };
}

async function recordEdit(
  tx: Db,
  actor: Actor,
  audio: HeldAudio,
  {
    fields,
    before,
    after,
    around = { before: {}, after: {} },
  }: {
    fields: EditedField[];
    before: EditedValues;
    after: EditedValues;
    /** Other facts that may have changed. */
    around?: { before: Record<string, unknown>; after: Record<string, unknown> };
  },
): Promise<void> {
  const pick = (values: EditedValues) =>
    forLog(Object.fromEntries(fields.map((field) => [field, values[field]])) as Partial<EditedValues>);
  await recordChange(tx, {
    actor,
    role: audio.role,
    action: 'audio.edit',
    subject: { type: 'audio', id: audio.id, name: audio.title },
    voiceId: audio.voiceId,
    before: { ...pick(before), ...around.before },
    after: { ...pick(after), ...around.after },
  });
}

/** The same, whatever the order and spelling in which they came. */
function comparable(change: AudioChange): Partial<EditedValues> {
  return {
    ...(change as Partial<EditedValues>),
    ...(change.tags !== undefined && { tags: [...new Set(change.tags)].toSorted() }),
    ...(change.categories !== undefined && { categories: [...new Set(change.categories)] }),
  };
}

/**
 * Saves fields of an audio: apart while listeners see it, otherwise at once.
 * @param save.version the newest one that the editor has seen
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
    const conflicts = await findConflicts(tx, audio.id, { version: save.version, change, now });
    if (conflicts.length > 0) throw new Refused({ ok: false, reason: 'conflict', fields: conflicts });
    const fields = (Object.keys(change) as EditedField[]).filter((field) => !isSame(change[field], now[field]));
    if (fields.length === 0) return savedAs(draft);
    const wanted = Object.fromEntries(fields.map((field) => [field, change[field]])) as AudioChange;
    const kept: AudioChange = { ...draft?.fields };
    for (const field of fields) delete kept[field as keyof AudioChange];
    if (audio.isLive) {
      const different = Object.entries(wanted).filter(
        ([field, value]) => !isSame(value, live[field as keyof EditedValues]),
      );
      Object.assign(kept, Object.fromEntries(different));
      // All of it, because a draft of two fields can be refused where each alone is not.
      if (wanted.slug !== undefined || wanted.series || wanted.categories !== undefined)
        await tryFields(tx, audio, kept);
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

/** Writes what a locked audio's draft keeps apart. @returns keys of blobs that may be unused now @throws Refused */
async function writeDraft(tx: Db, actor: Actor, audio: HeldAudio): Promise<string[]> {
  const draft = await findDraft(tx, audio.id);
  const fields = apartIn(draft);
  if (draft === undefined || fields.length === 0) return [];
  const before = await readValues(tx, audio.id);
  await writeFields(tx, audio, draft.fields);
  if (draft.hasCover) await tx.update(audios).set({ imageKey: draft.imageKey }).where(eq(audios.id, audio.id));
  await tx
    .update(audioDrafts)
    .set({ fields: {}, hasCover: false, imageKey: null })
    .where(eq(audioDrafts.audioId, audio.id));
  await recordEdit(tx, actor, audio, { fields, before, after: await readValues(tx, audio.id) });
  return draft.hasCover && before.cover !== null ? [before.cover] : [];
}

/** For an audio that listeners do not see any more: nothing is kept apart of it, unless it cannot be written. */
export async function mergeDraft(tx: Db, actor: Actor, audio: HeldAudio): Promise<void> {
  try {
    // The cover before stays stored until the audio itself goes.
    await tx.transaction((inner) => writeDraft(inner, actor, audio));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/**
 * Shows listeners all that was kept apart, or nothing of it.
 * @param version the newest one that the editor has seen: what others changed since is not published unseen
 * @returns with keys of blobs that may be unused now
 */
export async function publishChanges(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  version: number,
): Promise<(Saved & { formerFiles: string[] }) | SaveRefusal> {
  return orRefusal(db, async (tx) => {
    const audio = await holdSeen(tx, actor, idOrSlug, version);
    const formerFiles = await writeDraft(tx, actor, audio);
    return { ...savedAs(await findDraft(tx, audio.id)), formerFiles };
  });
}

/** Forgets what was kept apart. @returns with keys of blobs that may be unused now */
export async function discardChanges(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  version: number,
): Promise<(Saved & { formerFiles: string[] }) | SaveRefusal> {
  return orRefusal(db, async (tx) => {
    const audio = await holdSeen(tx, actor, idOrSlug, version);
    const draft = await findDraft(tx, audio.id);
    const fields = apartIn(draft);
    if (draft === undefined || fields.length === 0) return { ...savedAs(draft), formerFiles: [] };
    const sourceless = { sourceKey: null, sourceWidth: null, sourceHeight: null, area: null };
    await tx
      .update(audioDrafts)
      // The whole picture is that of the cover which is discarded.
      .set({ fields: {}, hasCover: false, imageKey: null, ...(draft.hasCover && sourceless) })
      .where(eq(audioDrafts.audioId, audio.id));
    await noteChanges(tx, actor, audio.id, fields);
    const formerFiles = draft.hasCover ? [draft.imageKey, draft.sourceKey].filter((key) => key !== null) : [];
    return { ...savedAs(await findDraft(tx, audio.id)), formerFiles };
  });
}

/** @throws Refused also when somebody has changed something since */
async function holdSeen(tx: Db, actor: Actor, idOrSlug: string, version: number): Promise<HeldAudio> {
  const audio = await holdAudio(tx, actor, idOrSlug, { withSlugs: true });
  if (audio === undefined) throw new Refused({ ok: false, reason: 'not-found' });
  const newer = await tx
    .select({ field: audioFieldChanges.field })
    .from(audioFieldChanges)
    .where(and(eq(audioFieldChanges.audioId, audio.id), gt(audioFieldChanges.version, version)));
  if (newer.length > 0) throw new Refused({ ok: false, reason: 'conflict', fields: newer.map(({ field }) => field) });
  return audio;
}

export type CoverChange = {
  imageKey: string | null;
  source?: { key: string; width: number; height: number; area: CoverArea } | null;
};

/** Saves a cover whose files are stored; runs in the transaction that holds them. @throws Refused */
export async function saveCover(
  tx: Db,
  actor: Actor,
  audio: HeldAudio,
  { version, cover }: { version: number; cover: CoverChange },
): Promise<Saved & { formerFiles: string[] }> {
  const draft = await findDraft(tx, audio.id);
  const live = await readValues(tx, audio.id);
  const now = merged(live, draft);
  const conflicts = await findConflicts(tx, audio.id, { version, change: { cover: cover.imageKey }, now });
  if (conflicts.length > 0) throw new Refused({ ok: false, reason: 'conflict', fields: conflicts });
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
  const apart = audio.isLive
    ? { hasCover: cover.imageKey !== live.cover, imageKey: cover.imageKey === live.cover ? null : cover.imageKey }
    : { hasCover: false, imageKey: null };
  await tx
    .update(audioDrafts)
    .set({ ...whole, ...apart })
    .where(eq(audioDrafts.audioId, audio.id));
  if (!audio.isLive) {
    await tx.update(audios).set({ imageKey: cover.imageKey }).where(eq(audios.id, audio.id));
    await recordEdit(tx, actor, audio, { fields: ['cover'], before: live, after: await readValues(tx, audio.id) });
  }
  const former = [draft?.imageKey, now.cover, ...(source === undefined ? [] : [draft?.sourceKey])];
  return { ...savedAs(await findDraft(tx, audio.id)), formerFiles: former.filter((key) => typeof key === 'string') };
}
