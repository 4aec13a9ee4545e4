import type { SQL } from 'drizzle-orm';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { catalogueTotals } from './tables.ts';

/**
 * Sums over a large catalogue, added up by a job. A small one has none of them and is added up for each page, which is
 * exact and takes no longer.
 */

type TotalKind = 'all' | 'voice' | 'category' | 'tag';

export type Totals = {
  audios: number;
  durationMs: number;
  plays: number;
  /** The tags used most, at most `mostTopTags`. */
  topTags: { tagId: string; audios: number }[];
};

/** Published audios from which on a catalogue is large. */
const largeFrom = 5000;
const mostTopTags = 200;
const allId = '00000000-0000-0000-0000-000000000000';

/** Sums of the published audios, or those of a voice or category; undefined in a small catalogue. */
export async function findTotals(
  db: Db,
  { voiceId, categoryId }: { voiceId?: string | undefined; categoryId?: string | undefined } = {},
): Promise<Totals | undefined> {
  const kind: TotalKind = voiceId !== undefined ? 'voice' : categoryId !== undefined ? 'category' : 'all';
  const id = voiceId ?? categoryId ?? allId;
  const [row] = await db
    .select()
    .from(catalogueTotals)
    .where(and(eq(catalogueTotals.kind, kind), eq(catalogueTotals.subjectId, id)));
  return row;
}

/** SQL: how many published audios there are of that row, as the job counted them, or else as counted now. */
export function countedAudios(kind: Exclude<TotalKind, 'all'>, id: SQL, countNow: SQL): SQL<number> {
  return sql<number>`coalesce((select t.audios from ${catalogueTotals} t where t.kind = ${kind} and t.subject_id = ${id}), (${countNow}))`;
}

/** SQL: plays of a voice's published audios, as the job added them up, or else as added up now. */
export function playsOfVoice(id: SQL): SQL<number> {
  return sql<number>`coalesce(
    (select t.plays from ${catalogueTotals} t where t.kind = 'voice' and t.subject_id = ${id}),
    (select sum(c.plays) from audios a join audio_counts c on c.audio_id = a.id
      where a.voice_id = ${id} and a.published_at is not null), 0)::float8`;
}

/** Rows that are added up at once: with a million audios a second each. */
const subjectsAtOnce = { voice: 500, category: 1, tag: 20 };

/**
 * Adds up a large catalogue in short statements, for a minute in all with a million audios.
 * @returns whether it is large
 */
export async function addUpTotals(db: Db, options: { largeFrom?: number } = {}): Promise<boolean> {
  const from = options.largeFrom ?? largeFrom;
  const few = sql`select from audios where published_at <= now() limit ${from}`;
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count from (${few}) one`);
  const isLarge = rows[0]?.count === from;
  if (isLarge) await addUpAll(db);
  else await db.delete(catalogueTotals);
  return isLarge;
}

const topTags = sql`coalesce(jsonb_agg(jsonb_build_object('tagId', tag_id, 'audios', audios) order by audios desc, tag_id), '[]')`;
const insert = sql`insert into catalogue_totals (kind, subject_id, audios, duration_ms, plays)`;
const orUpdate = sql`on conflict (kind, subject_id) do update
  set audios = excluded.audios, duration_ms = excluded.duration_ms, plays = excluded.plays`;

async function addUpAll(db: Db): Promise<void> {
  await addUpEach(db, 'voice', sql`voices`, sql`audios a on a.voice_id = s.id`);
  await addUpEach(db, 'tag', sql`tags`, sql`audio_tags i on i.tag_id = s.id left join audios a on a.id = i.audio_id`);
  await addUpEach(
    db,
    'category',
    sql`categories`,
    sql`audio_categories i on i.category_id = s.id left join audios a on a.id = i.audio_id`,
    (ids) =>
      db.execute(sql`update catalogue_totals c set top_tags = (
      select ${topTags} from (
        select at.tag_id, count(*) as audios from audio_categories ac
        join audio_tags at on at.audio_id = ac.audio_id join audios a on a.id = ac.audio_id
        where ac.category_id = c.subject_id and a.published_at <= now()
        group by at.tag_id order by count(*) desc, at.tag_id limit ${mostTopTags}) t)
      where c.kind = 'category' and c.subject_id = any(${ids}::uuid[])`),
  );
  await db.execute(sql`${insert} select 'all', ${allId}::uuid, sum(audios), sum(duration_ms), sum(plays)
    from catalogue_totals where kind = 'voice' ${orUpdate}`);
  await db.execute(sql`update catalogue_totals set top_tags = (
    select ${topTags} from (select subject_id as tag_id, audios from catalogue_totals
      where kind = 'tag' and audios > 0 order by audios desc, subject_id limit ${mostTopTags}) t)
    where kind = 'all'`);
}

/** @param audiosOf joins the audios `a` of the subjects `s`; ends with a condition */
async function addUpEach(
  db: Db,
  kind: Exclude<TotalKind, 'all'>,
  table: SQL,
  audiosOf: SQL,
  andThen?: (ids: SQL) => Promise<unknown>,
): Promise<void> {
  let after = allId;
  for (;;) {
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from ${table} where id > ${after} order by id limit ${subjectsAtOnce[kind]}`,
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    const ids = sql`${sql.param(rows.map(({ id }) => id))}`;
    await db.execute(sql`${insert}
      select ${kind}, s.id, count(a.id), coalesce(sum(a.duration_ms), 0), coalesce(sum(c.plays), 0)
      from ${table} s left join ${audiosOf} and a.published_at <= now() left join audio_counts c on c.audio_id = a.id
      where s.id = any(${ids}::uuid[]) group by s.id ${orUpdate}`);
    await andThen?.(ids);
    after = last.id;
  }
  await db.execute(sql`delete from catalogue_totals where kind = ${kind} and not exists (
    select from ${table} s where s.id = subject_id)`);
}
