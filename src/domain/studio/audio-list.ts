import type { SQL } from 'drizzle-orm';
import { and, asc, desc, eq, ilike, inArray, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { imageUrl } from '../catalogue/audios.ts';
import { restorableDays } from '../catalogue/deletion.ts';
import { audioCounts, audios, voices } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { sortKey } from '../kernel/ids.ts';
import { decodeCursor, encodeCursor, Instant } from '../kernel/pages.ts';
import { roleIn } from '../kernel/rules.ts';
import type { ManagedSort, ManagedState, UploadFailure, UploadState, UploadStep } from './rules.ts';
import { managedStates } from './rules.ts';
import { audioDrafts, uploads } from './tables.ts';
import { containing } from '../kernel/like-patterns.ts';

/** A row of the table of audios. */
export type ManagedAudio = {
  id: string;
  slug: string;
  title: string;
  imageUrl: string | null;
  voice: { slug: string; name: string };
  state: ManagedState;
  /** ISO 8601; in the future for a scheduled audio. */
  publishedAt: string | null;
  /** Until then it can be restored; only for a deleted audio. */
  restorableUntil: string | null;
  isFree: boolean;
  /** Labels. */
  categories: string[];
  /** Seconds. */
  numberDuration: number;
  plays: number;
  changedAt: string;
  /** Has edits that listeners do not see yet. */
  hasChanges: boolean;
};

export type ManagedAudioQuery = {
  /** Default: the voices that the actor manages; for admins and the command line all. */
  voiceId?: string | undefined;
  /** Part of a title or a tag. */
  q?: string | undefined;
  /** Default: all except deleted audios. */
  state?: ManagedState | undefined;
  sort?: ManagedSort | undefined;
  /** Cursors: rows after `after`, or before `before`. */
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
};

export type ManagedAudioPage = {
  items: ManagedAudio[];
  /** Cursors for `before` and `after`; absent on the first and the last page. */
  newerCursor: string | undefined;
  olderCursor: string | undefined;
  /** Audios that match the filters. */
  total: number;
  /** Counts under the other filters; `all` excludes deleted audios. */
  counts: Record<ManagedState | 'all', number>;
};

const state = sql<ManagedState>`case when ${audios.deletedAt} is not null then 'deleted'
  when ${audios.publishedAt} > now() then 'scheduled' when ${audios.publishedAt} is not null then 'published'
  when ${audios.firstPublishedAt} is not null then 'unpublished' else 'draft' end`;

const changedAt = sql<Date>`greatest(${audios.updatedAt}, ${audioDrafts.updatedAt})`.mapWith(audios.updatedAt);

/** Each order ends with the id, so that it is total. */
const orders = {
  changed: { by: changedAt, type: 'timestamptz', isDescending: true, value: Instant },
  plays: { by: audioCounts.plays, type: 'bigint', isDescending: true, value: z.number().int().min(0) },
  title: { by: audios.sortTitle, type: 'text', isDescending: false, value: z.string().regex(/^[^\0]*$/) },
  longest: { by: audios.durationMs, type: 'integer', isDescending: true, value: z.number().int().min(0) },
} as const;

const columns = {
  id: audios.id,
  slug: audios.slug,
  title: audios.title,
  sortTitle: audios.sortTitle,
  imageKey: audios.imageKey,
  voiceSlug: voices.slug,
  voiceName: voices.name,
  state,
  publishedAt: audios.publishedAt,
  deletedAt: audios.deletedAt,
  isFree: audios.isFree,
  categories: sql<string[]>`(select coalesce(json_agg(c.label order by ac.position, c.label), '[]'::json)
    from audio_categories ac join categories c on c.id = ac.category_id where ac.audio_id = ${audios.id})`,
  durationMs: audios.durationMs,
  plays: audioCounts.plays,
  changedAt,
  hasChanges: sql<boolean>`coalesce(${audioDrafts.hasCover} or ${audioDrafts.fields} <> '{}'::jsonb, false)`,
};

function selectRows(db: Db) {
  return db
    .select(columns)
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .leftJoin(audioDrafts, eq(audioDrafts.audioId, audios.id))
    .$dynamic();
}

type Row = Awaited<ReturnType<typeof selectRows>>[number];

/** Rows of these audios, in this order. Does not check rights. */
export async function findManagedAudios(db: Db, ids: string[]): Promise<ManagedAudio[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await selectRows(db).where(inArray(audios.id, ids))).map((row) => [row.id, toManaged(row)]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

function toManaged(row: Row): ManagedAudio {
  const until = row.deletedAt && new Date(row.deletedAt.getTime() + restorableDays * 86_400_000);
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    imageUrl: imageUrl(row.imageKey),
    voice: { slug: row.voiceSlug, name: row.voiceName },
    state: row.state,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    restorableUntil: until?.toISOString() ?? null,
    isFree: row.isFree,
    categories: row.categories,
    numberDuration: Math.round(row.durationMs / 10) / 100,
    plays: row.plays,
    changedAt: row.changedAt.toISOString(),
    hasChanges: row.hasChanges,
  };
}

/** @returns undefined when the actor may not change anything */
function filterBy(actor: Actor, { voiceId, q }: ManagedAudioQuery): SQL | undefined | 'nothing' {
  const seesAll = actor.kind === 'operator' || actor.isAdmin === true;
  const own = actor.kind === 'user' ? Object.keys(actor.voiceRoles ?? {}) : [];
  if (voiceId !== undefined ? roleIn(actor, voiceId) === undefined : !seesAll && own.length === 0) return 'nothing';
  const ofVoice =
    voiceId !== undefined ? eq(audios.voiceId, voiceId) : seesAll ? undefined : inArray(audios.voiceId, own);
  const sought = q?.trim();
  if (!sought) return ofVoice;
  const key = sortKey(sought);
  return and(
    ofVoice,
    or(
      ilike(audios.title, containing(sought)),
      key === '' ? undefined : ilike(audios.sortTitle, containing(key)),
      sql`exists (select from audio_tags tagged join tags t on t.id = tagged.tag_id
        where tagged.audio_id = audios.id and t.label ilike ${containing(sought)})`,
    ),
  );
}

const nothing: ManagedAudioPage = {
  items: [],
  newerCursor: undefined,
  olderCursor: undefined,
  total: 0,
  counts: { all: 0, published: 0, scheduled: 0, draft: 0, unpublished: 0, deleted: 0 },
};

/** @throws DomainError `request/bad-cursor` */
export async function listManagedAudios(db: Db, actor: Actor, query: ManagedAudioQuery): Promise<ManagedAudioPage> {
  const filter = filterBy(actor, query);
  if (filter === 'nothing') return nothing;
  const sort = query.sort ?? 'changed';
  const { by, type, isDescending, value } = orders[sort];
  const name = `managed-${sort}`;
  const isBackward = query.before !== undefined;
  const cursor = decodeCursor(name, query.before ?? query.after, value);
  // Reads backward, in the opposite order.
  const [direction, compare] = isDescending !== isBackward ? [desc, sql`<`] : [asc, sql`>`];
  const rows = await selectRows(db)
    .where(
      and(
        filter,
        query.state === undefined ? isNull(audios.deletedAt) : sql`${state} = ${query.state}`,
        cursor && sql`(${by}, ${audios.id}) ${compare} (${cursor.value}::${sql.raw(type)}, ${cursor.id}::uuid)`,
      ),
    )
    .orderBy(direction(by), direction(audios.id))
    .limit(query.limit + 1);
  const shown = isBackward ? rows.slice(0, query.limit).toReversed() : rows.slice(0, query.limit);
  const cursorOf = (row: Row | undefined) => row && encodeCursor(name, { value: sortValue(row, sort), id: row.id });
  const hasMore = rows.length > query.limit;
  const counts = await countStates(db, filter);
  return {
    items: shown.map(toManaged),
    newerCursor: (isBackward ? hasMore : cursor !== undefined) ? cursorOf(shown[0]) : undefined,
    olderCursor: isBackward || hasMore ? cursorOf(shown.at(-1)) : undefined,
    total: counts[query.state ?? 'all'],
    counts,
  };
}

function sortValue(row: Row, sort: ManagedSort): string | number {
  if (sort === 'changed') return row.changedAt.toISOString();
  if (sort === 'title') return row.sortTitle;
  return sort === 'plays' ? row.plays : row.durationMs;
}

async function countStates(db: Db, filter: SQL | undefined): Promise<ManagedAudioPage['counts']> {
  const rows = await db
    .select({ state, count: sql<number>`count(*)::int` })
    .from(audios)
    .where(filter)
    .groupBy(sql`1`);
  const counts = { ...nothing.counts };
  for (const row of rows) counts[row.state] = row.count;
  counts.all = managedStates.reduce((sum, one) => (one === 'deleted' ? sum : sum + counts[one]), 0);
  return counts;
}

/** A file that has not become an audio yet, above the table of audios. */
export type PendingUpload = {
  id: string;
  title: string;
  fileName: string;
  state: Extract<UploadState, 'uploading' | 'waiting' | 'processing' | 'failed'>;
  step: UploadStep | null;
  /** Progress within the step, in percent. */
  progress: number;
  failure: UploadFailure | null;
  failureDetail: string | null;
};

/** The newest files of a voice that are in progress or failed. Does not check rights. */
export async function listPendingUploads(db: Db, voiceId: string): Promise<PendingUpload[]> {
  const rows = await db
    .select({
      id: uploads.id,
      title: uploads.title,
      fileName: uploads.fileName,
      state: uploads.state,
      step: uploads.step,
      progress: uploads.progress,
      failure: uploads.failure,
      failureDetail: uploads.failureDetail,
    })
    .from(uploads)
    .where(and(eq(uploads.voiceId, voiceId), inArray(uploads.state, ['uploading', 'waiting', 'processing', 'failed'])))
    .orderBy(desc(uploads.id))
    .limit(20);
  return rows.map((row) => ({ ...row, state: row.state as PendingUpload['state'] }));
}
