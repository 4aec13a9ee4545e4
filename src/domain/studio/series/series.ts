import { and, asc, desc, eq, ilike, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { imageUrl } from '../../catalogue/audios.ts';
import type { SeriesEditForm, SeriesForm, SeriesSeen } from '../../catalogue/forms.ts';
import { publicationTime } from '../../catalogue/editing/publishing.ts';
import { maxSeriesAudios } from '../../catalogue/rules.ts';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import { audios, series, seriesItems, voices } from '../../catalogue/tables.ts';
import type { Actor, ActorRole } from '../../kernel/actor.ts';
import { changedMeanwhile, recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, newId, sortKey } from '../../kernel/ids.ts';
import { type Page, decodeCursor, encodeCursor, isBeyond, toPage } from '../../kernel/pages.ts';
import { roleIn } from '../../kernel/rules.ts';
import { type EditOutcome, isChangedSince } from '../../kernel/seen.ts';
import { type NotAPicture, type PictureTools, withPicture } from '../pictures.ts';
import { containing } from '../../kernel/like-patterns.ts';
import { PlainText } from '../../kernel/forms.ts';
import { refuseWords } from '../../settings/word-lists.ts';

/** A series as managers of the voice see it, drafts included. */
export const ManagedSeries = z.object({
  id: z.uuid().toLowerCase(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  imageUrl: z.string().nullable(),
  totalAudios: z.number().describe('With drafts'),
  totalDuration: z.number().describe('Seconds'),
  isLinked: z.boolean().describe('Links to the creator lead to it'),
});
export type ManagedSeries = z.output<typeof ManagedSeries>;

export const SeriesPart = z.object({
  id: z.uuid().toLowerCase(),
  slug: z.string(),
  title: z.string(),
  imageUrl: z.string().nullable(),
  duration: z.number().describe('Seconds'),
  state: z.enum(['published', 'scheduled', 'draft']),
});
export type SeriesPart = z.output<typeof SeriesPart>;

export type FoundAudio = SeriesPart & { series: { id: string; title: string } | null };

export type NotFound = { ok: false; reason: 'not-found' };

const partsOf = sql`from ${seriesItems} item join ${audios} part on part.id = item.audio_id and part.deleted_at is null
  where item.series_id = ${series.id}`;

const managedColumns = {
  id: series.id,
  slug: series.slug,
  title: series.title,
  sortTitle: series.sortTitle,
  description: series.description,
  imageKey: series.imageKey,
  totalAudios: sql<number>`(select count(*)::int ${partsOf})`,
  totalDuration: sql<number>`(select (coalesce(sum(part.duration_ms), 0) / 1000)::float8 ${partsOf})`,
  isLinked: sql<boolean>`exists (select from ${voices} linking where linking.linked_series_id = ${series.id})`,
};

function selectManaged(db: Db) {
  // Joined, so that columns in subqueries keep their table's name.
  return db.select(managedColumns).from(series).innerJoin(voices, eq(voices.id, series.voiceId)).$dynamic();
}

function toManaged(row: Awaited<ReturnType<typeof selectManaged>>[number]): ManagedSeries {
  const { imageKey, sortTitle: _, totalDuration, ...rest } = row;
  return { ...rest, imageUrl: imageUrl(imageKey), totalDuration: Math.round(totalDuration) };
}

/** A–Z; undefined when the actor does not manage the voice. @param page.q part of a title */
export async function listManagedSeries(
  db: Db,
  actor: Actor,
  voiceId: string,
  page: { q?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<ManagedSeries> | undefined> {
  const after = decodeCursor('managed-series', page.cursor, PlainText);
  if (roleIn(actor, voiceId) === undefined || !isId(voiceId)) return undefined;
  const rows = await selectManaged(db)
    .where(
      and(
        eq(series.voiceId, voiceId),
        page.q ? ilike(series.title, containing(page.q)) : undefined,
        after && isBeyond('asc', [series.sortTitle, series.id], after),
      ),
    )
    .orderBy(asc(series.sortTitle), asc(series.id))
    .limit(page.limit + 1);
  return toPage(rows, page.limit, toManaged, (row) =>
    encodeCursor('managed-series', { value: row.sortTitle, id: row.id }),
  );
}

const partColumns = {
  id: audios.id,
  slug: audios.slug,
  title: audios.title,
  imageKey: audios.imageKey,
  durationMs: audios.durationMs,
  state: sql<SeriesPart['state']>`case when ${publicationTime} is null then 'draft'
    when ${publicationTime} > now() then 'scheduled' else 'published' end`,
};

/** With all its audios in order, drafts included; undefined when it does not exist for the actor. */
export async function findManagedSeries(
  db: Db,
  actor: Actor,
  id: string,
): Promise<(ManagedSeries & { voiceId: string; parts: SeriesPart[] }) | undefined> {
  const voiceId = await findVoiceOf(db, id);
  if (voiceId === undefined || roleIn(actor, voiceId) === undefined) return undefined;
  const [row] = await selectManaged(db).where(eq(series.id, id));
  if (row === undefined) return undefined;
  const parts = await db
    .select(partColumns)
    .from(seriesItems)
    .innerJoin(audios, eq(audios.id, seriesItems.audioId))
    .where(and(eq(seriesItems.seriesId, id), isNull(audios.deletedAt)))
    .orderBy(asc(seriesItems.position))
    .limit(maxSeriesAudios);
  return { ...toManaged(row), voiceId, parts: parts.map(toPart) };
}

function toPart<Part extends { imageKey: string | null; durationMs: number }>({ imageKey, durationMs, ...part }: Part) {
  return { ...part, imageUrl: imageUrl(imageKey), duration: Math.round(durationMs / 1000) };
}

async function findVoiceOf(db: Db, seriesId: string): Promise<string | undefined> {
  if (!isId(seriesId)) return undefined;
  const [row] = await db.select({ voiceId: series.voiceId }).from(series).where(eq(series.id, seriesId));
  return row?.voiceId ?? undefined;
}

/** The voice's audios whose title has these words, with their series; newest first. */
export async function findAudiosForSeries(
  db: Db,
  actor: Actor,
  voiceId: string,
  q: string,
  limit: number,
): Promise<FoundAudio[] | undefined> {
  if (roleIn(actor, voiceId) === undefined || !isId(voiceId)) return undefined;
  const rows = await db
    .select({ ...partColumns, seriesId: series.id, seriesTitle: series.title })
    .from(audios)
    .leftJoin(seriesItems, eq(seriesItems.audioId, audios.id))
    .leftJoin(series, eq(series.id, seriesItems.seriesId))
    .where(and(eq(audios.voiceId, voiceId), isNull(audios.deletedAt), ilike(audios.title, containing(q.trim()))))
    .orderBy(desc(audios.id))
    .limit(limit);
  return rows.map(({ seriesId, seriesTitle, ...row }) => ({
    ...toPart(row),
    series: seriesId === null || seriesTitle === null ? null : { id: seriesId, title: seriesTitle },
  }));
}

export async function createSeries(
  db: Db,
  actor: Actor,
  voiceId: string,
  form: SeriesForm,
): Promise<{ ok: true; id: string; slug: string } | NotFound> {
  const role = roleIn(actor, voiceId);
  if (role === undefined || !isId(voiceId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    await refuseWords(tx, [form.title]);
    const [voice] = await tx
      .select({ id: voices.id })
      .from(voices)
      .where(and(eq(voices.id, voiceId), isNull(voices.mergedInto)))
      .for('key share');
    if (voice === undefined) return { ok: false, reason: 'not-found' };
    const { title, description } = form;
    const [id, slug] = [newId(), await claimSlug(tx, 'series', title)];
    await tx.insert(series).values({ id, slug, title, sortTitle: sortKey(title), description, voiceId });
    await record(tx, { actor, role, voiceId, action: 'series.create', id, title, after: { title, description } });
    return { ok: true, id, slug };
  });
}

type Recorded = {
  actor: Actor;
  role: ActorRole;
  voiceId: string;
  action: `series.${string}`;
  id: string;
  title: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

export function record(tx: Db, { id, title, ...change }: Recorded): Promise<void> {
  return recordChange(tx, { ...change, subject: { type: 'series', id, name: title } });
}

/**
 * @param options.picture null removes the cover
 * @param options.seen absent: not checked
 */
export async function editSeries(
  tools: PictureTools,
  actor: Actor,
  id: string,
  edit: SeriesEditForm,
  { picture, seen }: { picture?: Uint8Array | null | undefined; seen?: SeriesSeen | undefined } = {},
): Promise<EditOutcome | NotAPicture> {
  const find = (db: Db) => holdSeries(db, actor, id);
  return withPicture<EditOutcome | NotAPicture>(tools, picture, find, async (tx, kept) => {
    const held = await find(tx);
    if (held === undefined) return { ok: false, reason: 'not-found' };
    const { row, role, voiceId } = held;
    if (isChangedSince(seen, row)) throw await changedMeanwhile(tx, { type: 'series', id });
    await refuseWords(tx, [edit.title]);
    const changes = { ...edit, ...kept, ...(edit.title !== undefined && { sortTitle: sortKey(edit.title) }) };
    if (Object.keys(changes).length > 0) await tx.update(series).set(changes).where(eq(series.id, id));
    const auditedOf = ({ title, description, imageKey }: typeof row) => ({ title, description, imageKey });
    const [before, after] = [auditedOf(row), auditedOf({ ...row, ...changes })];
    await record(tx, { actor, role, voiceId, action: 'series.edit', id, title: row.title, before, after });
    return { ok: true };
  });
}

/** Locks a series for a change. @returns undefined when it does not exist for the actor */
export async function holdSeries(tx: Db, actor: Actor, id: string) {
  if (!isId(id)) return undefined;
  const [row] = await tx.select().from(series).where(eq(series.id, id)).for('no key update');
  if (row === undefined || row.voiceId === null) return undefined;
  const role = roleIn(actor, row.voiceId);
  return role && { row, role, voiceId: row.voiceId };
}
