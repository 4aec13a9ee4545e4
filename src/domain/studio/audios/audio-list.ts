import { type SQL, and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { noWords } from '#formats/content-languages.ts';
import { imageUrl } from '../../catalogue/audios.ts';
import { restorableDays } from '../../catalogue/editing/deletion.ts';
import { publicationTime } from '../../catalogue/editing/publishing.ts';
import { type SyntheticVoice, syntheticVoices } from '../../catalogue/rules.ts';
import { audioCounts, audios, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { sortKey } from '../../kernel/ids.ts';
import { Language } from '../../kernel/shapes.ts';
import { roleIn } from '../../kernel/rules.ts';
import { type ManagedPageQuery, fewAudios, readManagedPage, stateConditions, stateParts } from '../managed-page.ts';
import { type ManagedState, type textFilters, managedStates } from '../rules.ts';
import { ReviewNote, reviewNote } from './review-note.ts';
import { audioDrafts, uploads } from '../tables.ts';
import { containing } from '../../kernel/like-patterns.ts';

const Instant = z.iso.datetime();

/** A row of the table of audios. */
export const ManagedAudio = z.object({
  id: z.uuid().toLowerCase(),
  slug: z.string(),
  title: z.string(),
  imageUrl: z.string().nullable(),
  voice: z.object({ slug: z.string(), name: z.string() }),
  state: z.enum(managedStates),
  publishedAt: Instant.nullable(),
  restorableUntil: Instant.nullable(),
  isFree: z.boolean(),
  language: Language,
  syntheticVoice: z.enum(syntheticVoices),
  categories: z.array(z.string()).describe('Labels'),
  numberDuration: z.number().describe('Seconds'),
  plays: z.number(),
  changedAt: Instant,
  review: ReviewNote.nullable().describe('In review, or returned'),
  hasChanges: z.boolean().describe('Has changes that listeners do not see yet'),
});
export type ManagedAudio = z.output<typeof ManagedAudio>;

export type ManagedAudioQuery = ManagedPageQuery & {
  /** Default: the voices that the actor manages; for admins and the command line all. */
  voiceId?: string | undefined;
  /** Part of a title or a tag. */
  q?: string | undefined;
  syntheticVoice?: SyntheticVoice | undefined;
  /** `without`: only audios without a transcript, which have words. */
  text?: (typeof textFilters)[number] | undefined;
  /** Default: all except deleted audios. */
  state?: ManagedState | undefined;
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
  when ${audios.reviewState} = 'waiting' then 'in-review' when ${audios.reviewState} = 'returned' then 'returned'
  when ${publicationTime} > now() then 'scheduled' when ${publicationTime} is not null then 'published'
  when ${audios.firstPublishedAt} is not null then 'unpublished' else 'draft' end`;

const changedAt = sql<Date>`greatest(${audios.updatedAt}, ${audioDrafts.updatedAt})`.mapWith(audios.updatedAt);

const columns = {
  id: audios.id,
  slug: audios.slug,
  title: audios.title,
  imageKey: audios.imageKey,
  voiceSlug: voices.slug,
  voiceName: voices.name,
  state,
  publishedAt: publicationTime,
  deletedAt: audios.deletedAt,
  isFree: audios.isFree,
  language: audios.language,
  syntheticVoice: audios.syntheticVoice,
  categories: sql<string[]>`(select coalesce(json_agg(c.label order by ac.position, c.label), '[]'::json)
    from audio_categories ac join categories c on c.id = ac.category_id and c.deleted_at is null
    where ac.audio_id = ${audios.id})`,
  durationMs: audios.durationMs,
  plays: audioCounts.plays,
  changedAt,
  review: reviewNote,
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

/** Rows of these audios, in this order. Does not check rights. */
export async function findManagedAudios(db: Db, ids: string[]): Promise<ManagedAudio[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await selectRows(db).where(inArray(audios.id, ids))).map((row) => [row.id, toManaged(row)]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

function toManaged({
  imageKey,
  voiceSlug,
  voiceName,
  publishedAt,
  deletedAt,
  durationMs,
  ...row
}: Awaited<ReturnType<typeof selectRows>>[number]): ManagedAudio {
  const until = deletedAt && new Date(deletedAt.getTime() + restorableDays * 86_400_000);
  return {
    ...row,
    imageUrl: imageUrl(imageKey),
    voice: { slug: voiceSlug, name: voiceName },
    publishedAt: deletedAt === null ? (publishedAt?.toISOString() ?? null) : null,
    restorableUntil: until?.toISOString() ?? null,
    numberDuration: Math.round(durationMs / 10) / 100,
    changedAt: row.changedAt.toISOString(),
  };
}

/** On `audios a`: nothing that is said can be read. */
export const isWithoutText = sql`a.language <> ${noWords} and not exists (select from transcripts t where t.audio_id = a.id)`;

/** Conditions on `audios a`. @returns undefined when the actor may not change anything */
function filterBy(actor: Actor, { voiceId, q, syntheticVoice, text }: ManagedAudioQuery): SQL[] | undefined {
  const seesAll = actor.kind === 'operator' || actor.isAdmin === true;
  const own = actor.kind === 'user' ? Object.keys(actor.voiceRoles ?? {}) : [];
  if (voiceId !== undefined ? roleIn(actor, voiceId) === undefined : !seesAll && own.length === 0) return undefined;
  const isOf =
    voiceId !== undefined
      ? [sql`a.voice_id = ${voiceId}`]
      : seesAll
        ? []
        : [sql`a.voice_id = any(${sql.param(own)}::uuid[])`];
  const ofVoice = [
    ...isOf,
    ...(syntheticVoice === undefined ? [] : [sql`a.synthetic_voice = ${syntheticVoice}`]),
    ...(text === undefined ? [] : [isWithoutText]),
  ];
  const sought = q?.trim();
  if (!sought) return ofVoice;
  const key = sortKey(sought);
  const isNamed = sql`a.title ilike ${containing(sought)}`;
  const isSorted = key === '' ? sql`false` : sql`a.sort_title ilike ${containing(key)}`;
  const isTagged = sql`exists (select from audio_tags tagged join tags t on t.id = tagged.tag_id
    where tagged.audio_id = a.id and t.label ilike ${containing(sought)})`;
  return [...ofVoice, sql`(${isNamed} or ${isSorted} or ${isTagged})`];
}

const nothing: ManagedAudioPage = {
  items: [],
  newerCursor: undefined,
  olderCursor: undefined,
  total: 0,
  counts: { all: 0, published: 0, 'in-review': 0, returned: 0, scheduled: 0, draft: 0, unpublished: 0, deleted: 0 },
};

/** @throws DomainError `request/bad-cursor` */
export async function listManagedAudios(db: Db, actor: Actor, query: ManagedAudioQuery): Promise<ManagedAudioPage> {
  const conditions = filterBy(actor, query);
  if (conditions === undefined) return nothing;
  const ofState = query.state === undefined ? sql`a.deleted_at is null` : stateConditions[query.state];
  const counts = await countStates(db, conditions);
  const isFew = counts.all + counts.deleted <= fewAudios;
  const source = isFew
    ? sql`select a.id from audios a where ${sql.join([sql`true`, ...conditions], sql` and `)}`
    : undefined;
  const { ids, ...cursors } = await readManagedPage(
    db,
    { name: 'managed', filter: { conditions, state: ofState }, source, voiceId: query.voiceId },
    query,
  );
  return { items: await findManagedAudios(db, ids), ...cursors, total: counts[query.state ?? 'all'], counts };
}

/** One index per part of a state. @param conditions on `audios a` */
export async function countStates(db: Db, conditions: SQL[]): Promise<ManagedAudioPage['counts']> {
  const counted = managedStates.map((one) => {
    const parts = stateParts[one].map((part) => {
      const where = sql.join([part, ...conditions], sql` and `);
      return sql`(select count(*)::int from audios a where ${where})`;
    });
    return sql.join(parts, sql` + `);
  });
  const { rows } = await db.execute<{ counts: number[] }>(sql`select array[${sql.join(counted, sql`, `)}] as counts`);
  const counts = { ...nothing.counts };
  for (const [at, one] of managedStates.entries()) counts[one] = rows[0]?.counts[at] ?? 0;
  counts.all = managedStates.reduce((sum, one) => (one === 'deleted' ? sum : sum + counts[one]), 0);
  return counts;
}

/** The newest files of a voice that are in progress or failed. Does not check rights. */
export function listPendingUploads(db: Db, voiceId: string) {
  return db
    .select({
      id: uploads.id,
      title: uploads.title,
      fileName: uploads.fileName,
      state: uploads.state,
      progress: uploads.progress,
      failure: uploads.failure,
      failureDetail: uploads.failureDetail,
    })
    .from(uploads)
    .where(
      and(
        eq(uploads.voiceId, voiceId),
        inArray(uploads.state, ['uploading', 'waiting', 'processing', 'failed']),
        isNull(uploads.removedAt),
      ),
    )
    .orderBy(desc(uploads.id))
    .limit(20);
}
export type PendingUpload = Awaited<ReturnType<typeof listPendingUploads>>[number];
