import { type SQL, and, asc, eq, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { imageUrl } from '../../catalogue/audios.ts';
import { listOldPaths } from '../../catalogue/old-paths.ts';
import { audios } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { roleIn } from '../../kernel/rules.ts';
import { feedImportItems as items, feedImports as imports, uploads } from '../tables.ts';
import {
  type ItemFilter,
  feedFailures,
  feedImportStates,
  fetchFailures,
  itemFilters,
  itemObstacles,
  usualChoices,
} from './rules.ts';
import { uploadFailures } from '../rules.ts';

/** An import as its creator sees it. */

const count = z.number().int();

export const FeedImport = z.object({
  id: z.uuid(),
  url: z.string().nullable().describe('Null: a file'),
  archive: z.string().nullable().describe('File of a creator’s archive; null: a feed'),
  title: z.string().describe('Of the feed'),
  state: z.enum(feedImportStates).describe('asking: the feed’s owner has to confirm; planned: it can begin'),
  failure: z.enum(feedFailures).nullable(),
  ownerHint: z.string().nullable().describe('The address that the code was sent to, without most of its letters'),
  confirmedAt: z.iso.datetime().nullable(),
  isByOperator: z.boolean().describe('Nobody had to confirm'),
  choices: z.object({
    isFree: z.boolean(),
    categoryId: z.uuid().optional(),
    publishes: z.boolean(),
    keepsGuids: z.boolean(),
    seasonsAsSeries: z.boolean().optional(),
  }),
  counts: z.object({
    all: count,
    new: count.describe('Not begun'),
    here: count.describe('An audio was made from it before'),
    cannot: count,
    leftOut: count,
    underWay: count.describe('Arrived, and not an audio yet'),
    made: count,
    failed: count,
    published: count.describe('Of those that were made'),
    inReview: count.describe('Of those that were made'),
    withText: count.describe('Of those that were made: with a transcript'),
    oldPaths: count.describe('Addresses of the old site that redirect here'),
    seasons: count.describe('In the feed'),
    notExplicit: count.describe('The feed says that they are not explicit; here all audios are'),
  }),
  bytes: z.object({ all: z.number(), arrived: z.number() }).describe('Of sound, as the feed says'),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type FeedImport = z.output<typeof FeedImport>;

/** @returns undefined without one, and for a voice that the actor does not manage */
export async function findFeedImport(db: Db, actor: Actor, voiceId: string): Promise<FeedImport | undefined> {
  if (!isId(voiceId) || roleIn(actor, voiceId) === undefined) return undefined;
  const [row] = await db.select().from(imports).where(eq(imports.voiceId, voiceId));
  if (row === undefined) return undefined;
  const isNew = sql`i.outcome is null and i.obstacle is null`;
  const bytesOf = sql`coalesce((i.item -> 'sound' ->> 'bytes')::float8, 0)`;
  const isComing = sql`i.obstacle is null and i.outcome is distinct from 'here' and i.outcome is distinct from 'left-out'`;
  const {
    rows: [found],
  } = await db.execute<FeedImport['counts'] & { bytesAll: number; bytesArrived: number }>(sql`
    select count(*)::int as "all",
      count(*) filter (where ${isNew})::int as "new",
      count(*) filter (where i.outcome = 'here')::int as here,
      count(*) filter (where i.obstacle is not null)::int as cannot,
      count(*) filter (where i.outcome = 'left-out')::int as "leftOut",
      count(*) filter (where i.outcome = 'arrived')::int as "underWay",
      count(*) filter (where i.outcome = 'made')::int as made,
      count(*) filter (where i.outcome = 'failed')::int as failed,
      count(*) filter (where i.outcome = 'made' and coalesce(a.published_at, a.published_while_hidden) is not null)::int as published,
      count(*) filter (where i.outcome = 'made' and a.review_state = 'waiting')::int as "inReview",
      count(*) filter (where i.outcome = 'made' and t.audio_id is not null)::int as "withText",
      count(*) filter (where p.audio_id is not null)::int as "oldPaths",
      count(distinct i.item ->> 'season')::int as seasons,
      count(*) filter (where i.item ->> 'isExplicit' = 'false')::int as "notExplicit",
      coalesce(sum(${bytesOf}) filter (where ${isComing}), 0)::float8 as "bytesAll",
      coalesce(sum(${bytesOf}) filter (where i.outcome in ('arrived', 'made')), 0)::float8 as "bytesArrived"
    from feed_import_items i
      left join audios a on a.id = i.audio_id and a.deleted_at is null
      left join transcripts t on t.audio_id = a.id
      left join lateral (select audio_id from old_paths where audio_id = a.id limit 1) p on true
    where i.import_id = ${row.id}`);
  const { bytesAll = 0, bytesArrived = 0, ...counts } = found ?? ({} as NonNullable<typeof found>);
  return {
    id: row.id,
    url: row.url,
    archive: row.archiveName,
    title: row.title,
    state: row.state,
    failure: row.failure,
    ownerHint: row.ownerHint,
    confirmedAt: row.confirmedAt?.toISOString() ?? null,
    isByOperator: row.isByOperator,
    choices: { ...usualChoices, ...row.choices },
    counts,
    bytes: { all: bytesAll, arrived: bytesArrived },
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

export const ListedFeedItem = z.object({
  position: z.number().int(),
  title: z.string(),
  publishedAt: z.iso.datetime().nullable(),
  seconds: z.number().nullable(),
  bytes: z.number().nullable(),
  state: z.enum(['new', 'here', 'cannot', 'left-out', 'under-way', 'made', 'failed']),
  obstacle: z.enum(itemObstacles).nullable().describe('Why it cannot come'),
  failure: z
    .enum([...fetchFailures, ...uploadFailures.filter((one) => one !== 'too-large' && one !== 'failed')])
    .nullable(),
  detail: z.string().nullable(),
  held: z.string().nullable().describe('Why it is a draft although it was to be published'),
  progress: z.number().nullable().describe('Percent of its processing'),
  audio: z
    .object({
      id: z.uuid(),
      slug: z.string(),
      imageUrl: z.string().nullable(),
      state: z.enum(['published', 'in-review', 'draft']),
    })
    .nullable(),
});
export type ListedFeedItem = z.output<typeof ListedFeedItem>;

export const ItemQuery = z.object({
  show: z.enum(itemFilters).optional(),
  cursor: z.string().optional(),
});

const order = 'feed-items';

/** Items of an import in the feed's order. @returns undefined for one that the actor does not manage */
export async function listFeedItems(
  db: Db,
  actor: Actor,
  id: string,
  { show, cursor, limit }: { show?: ItemFilter | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<ListedFeedItem> | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db.select({ voiceId: imports.voiceId }).from(imports).where(eq(imports.id, id));
  if (row === undefined || roleIn(actor, row.voiceId) === undefined) return undefined;
  const after = decodeCursor(order, cursor, z.int32());
  const rows = await db
    .select({
      item: items,
      progress: uploads.progress,
      audioId: audios.id,
      slug: audios.slug,
      imageKey: audios.imageKey,
      audioState: sql<'published' | 'in-review' | 'draft'>`case
        when coalesce(${audios.publishedAt}, ${audios.publishedWhileHidden}) is not null then 'published'
        when ${audios.reviewState} = 'waiting' then 'in-review' else 'draft' end`,
    })
    .from(items)
    .leftJoin(uploads, eq(uploads.id, items.uploadId))
    .leftJoin(audios, and(eq(audios.id, items.audioId), sql`${audios.deletedAt} is null`))
    .where(
      and(
        eq(items.importId, id),
        show === undefined ? undefined : shown[show],
        after === undefined ? undefined : gt(items.position, Number(after.value)),
      ),
    )
    .orderBy(asc(items.position))
    .limit(limit + 1);
  return toPage(
    rows,
    limit,
    ({ item: one, progress, audioId, slug, imageKey, audioState }) => ({
      position: one.position,
      title: one.item.title ?? '',
      publishedAt: one.item.publishedAt ?? null,
      seconds: one.item.seconds ?? null,
      bytes: one.item.sound?.bytes ?? null,
      state: stateOf(one),
      obstacle: one.obstacle,
      failure: one.failure,
      detail: one.detail,
      held: one.held,
      progress: one.outcome === 'arrived' ? (progress ?? 0) : null,
      audio:
        audioId === null || slug === null
          ? null
          : { id: audioId, slug, imageUrl: imageUrl(imageKey), state: audioState },
    }),
    ({ item: one }) => encodeCursor(order, { value: one.position, id }),
  );
}

const shown: Record<ItemFilter, SQL> = {
  new: sql`${items.outcome} is null and ${items.obstacle} is null`,
  here: sql`${items.outcome} = 'here'`,
  cannot: sql`${items.obstacle} is not null`,
  'under-way': sql`${items.outcome} = 'arrived'`,
  made: sql`${items.outcome} = 'made'`,
  failed: sql`${items.outcome} = 'failed'`,
};

function stateOf({ obstacle, outcome }: typeof items.$inferSelect): ListedFeedItem['state'] {
  if (obstacle !== null) return 'cannot';
  if (outcome === null) return 'new';
  return outcome === 'arrived' ? 'under-way' : outcome;
}

/**
 * Paths of old pages, and the audios to which they lead once the old domain leads here.
 * @returns undefined for a voice that the actor does not manage
 */
export async function listOldPages(db: Db, actor: Actor, voiceId: string) {
  if (!isId(voiceId) || roleIn(actor, voiceId) === undefined) return undefined;
  return { items: await listOldPaths(db, voiceId) };
}
