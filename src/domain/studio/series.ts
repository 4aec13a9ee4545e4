import { and, asc, desc, eq, gt, ilike, inArray, isNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { removeUnusedBlobs } from '../blob-columns.ts';
import { imageUrl } from '../catalogue/audios.ts';
import { restorableDays } from '../catalogue/deletion.ts';
import type { SeriesEditForm, SeriesForm } from '../catalogue/forms.ts';
import { mostSeriesAudios } from '../catalogue/rules.ts';
import { claimSlug, holdSlugs } from '../catalogue/slugs.ts';
import { audios, series, seriesItems, voices } from '../catalogue/tables.ts';
import type { Blobs } from '../gateways.ts';
import type { Actor, ActorRole } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { isId, newId, sortKey } from '../kernel/ids.ts';
import type { Page } from '../kernel/pages.ts';
import { decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import { roleIn } from '../kernel/rules.ts';
import type { NotAPicture, PictureTools } from './editing.ts';
import { withPicture } from './editing.ts';
import { canDeleteIn } from './rules.ts';
import { deletedSeries } from './tables.ts';
import { containing } from '../kernel/like-patterns.ts';

/** Series as those see them who manage its voice: drafts count too. */
export type ManagedSeries = {
  id: string;
  slug: string;
  title: string;
  description: string;
  imageUrl: string | null;
  totalAudios: number;
  /** Seconds. */
  totalDuration: number;
  /** Links to the creator lead to it. */
  isLinked: boolean;
};

export type SeriesPart = {
  id: string;
  slug: string;
  title: string;
  imageUrl: string | null;
  /** Seconds. */
  duration: number;
  state: 'published' | 'scheduled' | 'draft';
};

export type FoundAudio = SeriesPart & { series: { id: string; title: string } | null };

type NotFound = { ok: false; reason: 'not-found' };

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

/** A–Z; undefined where the actor does not manage the voice. */
export async function listManagedSeries(
  db: Db,
  actor: Actor,
  voiceId: string,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<ManagedSeries> | undefined> {
  const NoNul = z.string().refine((text) => !text.includes('\0'));
  const after = decodeCursor('managed-series', page.cursor, NoNul);
  if (roleIn(actor, voiceId) === undefined || !isId(voiceId)) return undefined;
  const rows = await selectManaged(db)
    .where(and(eq(series.voiceId, voiceId), after && isBeyond('asc', [series.sortTitle, series.id], after)))
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
  state: sql<SeriesPart['state']>`case when ${audios.publishedAt} is null then 'draft'
    when ${audios.publishedAt} > now() then 'scheduled' else 'published' end`,
};

/** With all its audios in their order, drafts included; undefined for what is not there for the actor. */
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
    .limit(mostSeriesAudios);
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

/** The voice's audios whose title has these words, with the series that each is in; the last made first. */
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
    const [voice] = await tx.select({ id: voices.id }).from(voices).where(eq(voices.id, voiceId)).for('key share');
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

function record(tx: Db, { id, title, ...change }: Recorded): Promise<void> {
  return recordChange(tx, { ...change, subject: { type: 'series', id, name: title } });
}

/** @param picture null takes the cover away */
export async function editSeries(
  tools: PictureTools,
  actor: Actor,
  id: string,
  edit: SeriesEditForm,
  picture?: Uint8Array | null,
): Promise<{ ok: true } | NotAPicture | NotFound> {
  return withPicture<{ ok: true } | NotAPicture | NotFound>(tools, picture, async (tx, kept) => {
    const held = await holdSeries(tx, actor, id);
    if (held === undefined) return { result: { ok: false, reason: 'not-found' } };
    const { row, role, voiceId } = held;
    const changes = { ...edit, ...kept, ...(edit.title !== undefined && { sortTitle: sortKey(edit.title) }) };
    if (Object.keys(changes).length > 0) await tx.update(series).set(changes).where(eq(series.id, id));
    const auditedOf = ({ title, description, imageKey }: typeof row) => ({ title, description, imageKey });
    const [before, after] = [auditedOf(row), auditedOf({ ...row, ...changes })];
    await record(tx, { actor, role, voiceId, action: 'series.edit', id, title: row.title, before, after });
    return { result: { ok: true }, before: row.imageKey };
  });
}

/** Locks a series for a change. @returns undefined for what is not there for the actor */
async function holdSeries(tx: Db, actor: Actor, id: string) {
  if (!isId(id)) return undefined;
  const [row] = await tx.select().from(series).where(eq(series.id, id)).for('no key update');
  if (row === undefined || row.voiceId === null) return undefined;
  const role = roleIn(actor, row.voiceId);
  return role && { row, role, voiceId: row.voiceId };
}

export type OrderResult = { ok: true; changed: boolean } | { ok: false; reason: 'not-found' | 'in-another' | 'full' };

/**
 * Puts an audio of the same voice into the series.
 * @param after the audio that comes before it; null: first; undefined: last
 */
export function addToManagedSeries(
  db: Db,
  actor: Actor,
  id: string,
  audioId: string,
  after?: string | null,
): Promise<OrderResult> {
  return changeOrder(
    db,
    actor,
    id,
    'series.add-audio',
    async (tx, ids, voiceId) => {
      if (ids.includes(audioId)) return ids;
      if (ids.length >= mostSeriesAudios) return 'full';
      const [audio] = await tx
        .select({ seriesId: seriesItems.seriesId })
        .from(audios)
        .leftJoin(seriesItems, eq(seriesItems.audioId, audios.id))
        .where(and(eq(audios.id, audioId), eq(audios.voiceId, voiceId), isNull(audios.deletedAt)));
      if (audio === undefined) return 'not-found';
      if (audio.seriesId !== null) return 'in-another';
      return placed(ids, audioId, after);
    },
    audioId,
  );
}

/** @param after the audio that comes before it; null: first */
export function moveInSeries(
  db: Db,
  actor: Actor,
  id: string,
  audioId: string,
  after: string | null,
): Promise<OrderResult> {
  return changeOrder(
    db,
    actor,
    id,
    'series.move-audio',
    (_, ids) =>
      ids.includes(audioId)
        ? placed(
            ids.filter((one) => one !== audioId),
            audioId,
            after,
          )
        : 'not-found',
    audioId,
  );
}

export function removeFromSeries(db: Db, actor: Actor, id: string, audioId: string): Promise<OrderResult> {
  return changeOrder(db, actor, id, 'series.remove-audio', (_, ids) => ids.filter((one) => one !== audioId), audioId);
}

/** After an audio that is gone: last. */
function placed(ids: string[], audioId: string, after: string | null | undefined): string[] {
  if (after === null) return [audioId, ...ids];
  const at = after === undefined ? -1 : ids.indexOf(after);
  return at === -1 ? [...ids, audioId] : ids.toSpliced(at + 1, 0, audioId);
}

type Refusal = Extract<OrderResult, { ok: false }>['reason'];

/** @param decide from the order before the order after, with deleted audios in it, which keep their places */
async function changeOrder(
  db: Db,
  actor: Actor,
  id: string,
  action: `series.${string}`,
  decide: (tx: Db, ids: string[], voiceId: string) => string[] | Refusal | Promise<string[] | Refusal>,
  audioId: string,
): Promise<OrderResult> {
  if (!isId(audioId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<OrderResult> => {
    // Before the row, in the order of edits and imports, which take parts of series too.
    await holdSlugs(tx);
    const held = await holdSeries(tx, actor, id);
    if (held === undefined) return { ok: false, reason: 'not-found' };
    const { row, role, voiceId } = held;
    const items = await tx
      .select({ audioId: seriesItems.audioId })
      .from(seriesItems)
      .where(eq(seriesItems.seriesId, id))
      .orderBy(asc(seriesItems.position));
    const before = items.map((item) => item.audioId);
    const after = await decide(tx, before, voiceId);
    if (typeof after === 'string') return { ok: false, reason: after };
    if (after.join() === before.join()) return { ok: true, changed: false };
    await writeOrder(tx, id, after);
    const [audio] = await tx.select({ title: audios.title }).from(audios).where(eq(audios.id, audioId));
    const place = (ids: string[]) => ({ audio: audio?.title ?? audioId, part: ids.indexOf(audioId) + 1 || null });
    const changes = { before: place(before), after: place(after) };
    await record(tx, { actor, role, voiceId, action, id, title: row.title, ...changes });
    return { ok: true, changed: true };
  });
}

/** Places are checked when the transaction ends, so that they can swap. */
async function writeOrder(tx: Db, seriesId: string, ids: string[]): Promise<void> {
  await tx
    .delete(seriesItems)
    .where(and(eq(seriesItems.seriesId, seriesId), sql`${seriesItems.audioId} <> all(${sql.param(ids)}::uuid[])`));
  await tx.execute(sql`
    insert into series_items (series_id, audio_id, position)
    select ${seriesId}, place.audio_id, place.number - 1
    from unnest(${sql.param(ids)}::uuid[]) with ordinality as place (audio_id, number)
    on conflict (series_id, audio_id) do update set position = excluded.position
    where series_items.position <> excluded.position`);
}

/** Its audios stay; the series can be brought back for 30 days. Editors do not delete. */
export async function deleteSeries(db: Db, actor: Actor, id: string): Promise<{ ok: true } | NotFound> {
  return db.transaction(async (tx) => {
    const held = await holdSeries(tx, actor, id);
    if (held === undefined || !canDeleteIn(actor, held.voiceId)) return { ok: false, reason: 'not-found' };
    const { row, role, voiceId } = held;
    const items = await tx
      .select({ audioId: seriesItems.audioId })
      .from(seriesItems)
      .where(eq(seriesItems.seriesId, id))
      .orderBy(asc(seriesItems.position));
    const linking = await tx.select({ id: voices.id }).from(voices).where(eq(voices.linkedSeriesId, id));
    await tx.insert(deletedSeries).values({
      id,
      voiceId,
      title: row.title,
      imageKey: row.imageKey,
      content: {
        slug: row.slug,
        description: row.description,
        color: row.color,
        createdAt: row.createdAt.toISOString(),
        ...(row.hiddenAt && { hiddenAt: row.hiddenAt.toISOString() }),
        audioIds: items.map(({ audioId }) => audioId),
        linkedVoiceIds: linking.map((voice) => voice.id),
      },
    });
    await tx.delete(series).where(eq(series.id, id));
    await record(tx, { actor, role, voiceId, action: 'series.delete', id, title: row.title });
    return { ok: true };
  });
}

const restorableSince = sql`now() - make_interval(days => ${restorableDays})`;

/**
 * Brings a series back at its address, or at a free one next to it. Audios that are in another series by now stay there.
 */
export async function restoreSeries(db: Db, actor: Actor, id: string): Promise<{ ok: true } | NotFound> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    await holdSlugs(tx);
    const [row] = await tx
      .select()
      .from(deletedSeries)
      .where(and(eq(deletedSeries.id, id), gt(deletedSeries.deletedAt, restorableSince)))
      .for('update');
    const role = row && roleIn(actor, row.voiceId);
    if (row === undefined || role === undefined || !canDeleteIn(actor, row.voiceId))
      return { ok: false, reason: 'not-found' };
    const { voiceId, title, imageKey, content } = row;
    const isTaken = (await tx.$count(series, eq(series.slug, content.slug))) > 0;
    const slug = isTaken ? await claimSlug(tx, 'series', title) : content.slug;
    const { description, color, createdAt, hiddenAt } = content;
    await tx.insert(series).values({
      id,
      slug,
      title,
      sortTitle: sortKey(title),
      description,
      voiceId,
      imageKey,
      color,
      createdAt: new Date(createdAt),
      hiddenAt: hiddenAt === undefined ? null : new Date(hiddenAt),
    });
    const free = await tx
      .select({ id: audios.id })
      .from(audios)
      .leftJoin(seriesItems, eq(seriesItems.audioId, audios.id))
      .where(and(sql`${audios.id} = any(${sql.param(content.audioIds)}::uuid[])`, isNull(seriesItems.seriesId)));
    const freeIds = new Set(free.map((audio) => audio.id));
    await writeOrder(
      tx,
      id,
      content.audioIds.filter((audioId) => freeIds.has(audioId)),
    );
    if (content.linkedVoiceIds.length > 0)
      await tx
        .update(voices)
        .set({ linkedSeriesId: id })
        .where(and(inArray(voices.id, content.linkedVoiceIds), isNull(voices.linkedSeriesId)));
    await tx.delete(deletedSeries).where(eq(deletedSeries.id, id));
    await record(tx, { actor, role, voiceId, action: 'series.restore', id, title });
    return { ok: true };
  });
}

export type DeletedSeries = { id: string; title: string; deletedAt: Date; totalAudios: number };

/** The last deleted first; the caller checks the right. */
export async function listDeletedSeries(db: Db, voiceId: string, limit: number): Promise<DeletedSeries[]> {
  return db
    .select({
      id: deletedSeries.id,
      title: deletedSeries.title,
      deletedAt: deletedSeries.deletedAt,
      totalAudios: sql<number>`jsonb_array_length(${deletedSeries.content} -> 'audioIds')`,
    })
    .from(deletedSeries)
    .where(and(eq(deletedSeries.voiceId, voiceId), gt(deletedSeries.deletedAt, restorableSince)))
    .orderBy(desc(deletedSeries.deletedAt), desc(deletedSeries.id))
    .limit(limit);
}

/** Removes what was deleted 30 days ago or earlier, and its covers. @returns how many */
export async function purgeDeletedSeries(db: Db, blobs: Blobs): Promise<number> {
  return db.transaction(async (tx) => {
    const due = tx
      .select({ id: deletedSeries.id })
      .from(deletedSeries)
      .where(lt(deletedSeries.deletedAt, restorableSince))
      .limit(1000)
      .for('update', { skipLocked: true });
    const gone = await tx
      .delete(deletedSeries)
      .where(inArray(deletedSeries.id, due))
      .returning({ imageKey: deletedSeries.imageKey });
    await removeUnusedBlobs(
      tx,
      blobs,
      gone.flatMap(({ imageKey }) => imageKey ?? []),
    );
    return gone.length;
  });
}
