import { type SQL, and, eq, sql } from 'drizzle-orm';
import { type Db, allowLongStatements } from '../kernel/db.ts';
import { keepSitemapCuts } from './sitemap-entries.ts';
import { catalogueTotals, sitemapCuts } from './tables.ts';

/**
 * Totals of a large catalogue, computed by a job. A small catalogue has none and is summed for each page, which is
 * exact and as fast.
 */

export type Totals = typeof catalogueTotals.$inferSelect;
type TotalKind = Totals['kind'];
/** Sums of the audios in one language. */
export type LanguageSums = Totals['languages'][string];

/** A catalogue with this many published audios counts as large. */
const largeFrom = 5000;
/** The tags used most. */
const maxTopTags = 200;
const allId = '00000000-0000-0000-0000-000000000000';

/** Totals of the published audios, or those of a voice, tag or category; undefined in a small catalogue. */
export async function findTotals(
  db: Db,
  {
    voiceId,
    tagId,
    categoryId,
  }: { voiceId?: string | undefined; tagId?: string | undefined; categoryId?: string | undefined } = {},
): Promise<Totals | undefined> {
  const kinds = { voice: voiceId, tag: tagId, category: categoryId, all: allId };
  const [kind, id] = Object.entries(kinds).find(([, one]) => one !== undefined) as [TotalKind, string];
  const [row] = await db
    .select()
    .from(catalogueTotals)
    .where(and(eq(catalogueTotals.kind, kind), eq(catalogueTotals.subjectId, id)));
  return row;
}

/** SQL: number of published audios of that row, from the job's totals or else counted now. */
export function countedAudios(kind: Exclude<TotalKind, 'all'>, id: SQL, countNow: SQL): SQL<number> {
  return sql<number>`coalesce((select t.audios from ${catalogueTotals} t where t.kind = ${kind} and t.subject_id = ${id}), (${countNow}))`;
}

/** SQL: plays of a voice's published audios, from the job's totals or else summed now. */
export function playsOfVoice(id: SQL): SQL<number> {
  return sql<number>`coalesce(
    (select t.plays from ${catalogueTotals} t where t.kind = 'voice' and t.subject_id = ${id}),
    (select sum(c.plays) from audios a join audio_counts c on c.audio_id = a.id
      where a.voice_id = ${id} and a.published_at is not null), 0)::float8`;
}

/** Computes the totals of a large catalogue, and cuts its sitemap; takes seconds with a million audios. @returns whether it is large */
export async function addUpTotals(db: Db, options: { largeFrom?: number } = {}): Promise<boolean> {
  const from = options.largeFrom ?? largeFrom;
  const sample = sql`select from audios where published_at <= now() limit ${from}`;
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count from (${sample}) one`);
  const isLarge = rows[0]?.count === from;
  await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    // One process at a time.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('catalogue_totals'))`);
    await tx.delete(catalogueTotals);
    await tx.delete(sitemapCuts);
    if (!isLarge) return;
    await insertTotals(tx);
    await keepSitemapCuts(tx);
  });
  return isLarge;
}

async function insertTotals(tx: Db): Promise<void> {
  const isPublished = sql`a.published_at <= now()`;
  const sums = sql`count(*) as audios, sum(a.duration_ms) as ms, sum(c.plays) as plays`;
  /** Sums of each subject and language. */
  const byLanguage = (subject: SQL, join = sql``) => sql`
    select ${subject} as id, split_part(a.language, '-', 1) as language, ${sums}
    from audios a join audio_counts c on c.audio_id = a.id ${join} where ${isPublished} group by 1, 2`;
  const columns = sql`coalesce(sum(n.audios), 0), coalesce(sum(n.ms), 0), coalesce(sum(n.plays), 0), coalesce(jsonb_object_agg(
    n.language, jsonb_build_object('audios', n.audios, 'durationMs', n.ms, 'plays', n.plays)) filter (where n.language is not null), '{}')`;
  const insert = sql`insert into catalogue_totals (kind, subject_id, audios, duration_ms, plays, languages)`;
  const topTags = sql`coalesce(jsonb_agg(jsonb_build_object('tagId', tag_id, 'audios', audios) order by audios desc, tag_id), '[]')`;
  await tx.execute(sql`${insert} select 'all', ${allId}::uuid, ${columns} from (${byLanguage(sql`${allId}::uuid`)}) n`);
  await tx.execute(sql`${insert} select 'voice', v.id, ${columns}
    from voices v left join (${byLanguage(sql`a.voice_id`)}) n on n.id = v.id group by v.id`);
  await tx.execute(sql`${insert} select 'category', k.id, ${columns}
    from categories k left join (${byLanguage(sql`ac.category_id`, sql`join audio_categories ac on ac.audio_id = a.id`)}) n
    on n.id = k.id group by k.id`);
  await tx.execute(sql`${insert} select 'tag', n.id, ${columns}
    from (${byLanguage(sql`at.tag_id`, sql`join audio_tags at on at.audio_id = a.id`)}) n group by n.id`);
  await tx.execute(sql`update catalogue_totals set top_tags = (
    select ${topTags} from (select subject_id as tag_id, audios from catalogue_totals where kind = 'tag' order by audios desc, subject_id limit ${maxTopTags}) t)
    where kind = 'all'`);
  await tx.execute(sql`update catalogue_totals c set top_tags = n.tags from (
    select category_id, ${topTags} as tags from (
      select ac.category_id, at.tag_id, count(*) as audios, row_number() over (partition by ac.category_id order by count(*) desc, at.tag_id) as place
      from audio_categories ac join audio_tags at on at.audio_id = ac.audio_id join audios a on a.id = ac.audio_id
      where ${isPublished} group by ac.category_id, at.tag_id) t where place <= ${maxTopTags} group by category_id) n
    where c.kind = 'category' and c.subject_id = n.category_id`);
}
