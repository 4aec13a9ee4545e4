import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { returnReasons } from '../../catalogue/review/rules.ts';
import { audios } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';

/** An audio's place in its review, for its creator. */
export const ReviewNote = z.object({
  sentAt: z.iso.datetime(),
  sentBy: z.string().nullable().describe('Username; null: the command line, or a deleted account'),
  publishAt: z.iso.datetime().nullable().describe('Time that was chosen; null: at once'),
  place: z.number().nullable().describe('In the queue, from 1; null: it was returned'),
  total: z.number().describe('Audios in the queue'),
  returnedAt: z.iso.datetime().nullable(),
  reasonKind: z.enum(returnReasons).nullable(),
  canned: z.boolean().describe('The standard sentence of `reasonKind` comes before `reason`'),
  reason: z.string().nullable().describe('Words of the reviewer'),
  language: z.string().nullable().describe('BCP 47, of these words; null: not known'),
  field: z.string().nullable().describe('Field of the editor that the reason is about'),
});
export type ReviewNote = z.output<typeof ReviewNote>;

const iso = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Null for an audio that is neither in review nor returned. */
export const reviewNote = sql<ReviewNote | null>`case when ${audios.reviewState} is not null then (
  select json_build_object('sentAt', ${iso('r.sent_at')}, 'publishAt', ${iso('r.publish_at')},
    'sentBy', (select u.username from users u where u.id = r.sent_by),
    'place', case when r.decision is null then (select count(*)::int from reviews q
      where q.decision is null and (q.sent_at, q.id) <= (r.sent_at, r.id)) end,
    'total', (select count(*)::int from reviews q where q.decision is null),
    'returnedAt', case when r.decision is not null then ${iso('r.decided_at')} end,
    'reasonKind', r.reason_kind, 'canned', r.canned, 'reason', r.reason, 'language', r.reason_language, 'field', r.field)
  from reviews r where r.audio_id = ${sql.raw('audios.id')} and r.decision is distinct from 'withdrawn'
  order by r.sent_at desc, r.id desc limit 1) end`;

/** Reviews that the usual time is taken of; fewer than the least say nothing. */
const [counted, least] = [30, 5];

/** Median of the last reviews, in milliseconds; undefined with too few of them. */
export async function findUsualReviewTime(db: Db): Promise<number | undefined> {
  const { rows } = await db.execute<{ count: number; median: number | null }>(sql`
    select count(*)::int as count, percentile_cont(0.5) within group (order by ms) as median from (
      select extract(epoch from decided_at - sent_at)::float8 * 1000 as ms from reviews
      where decision in ('approved', 'returned') order by decided_at desc limit ${counted}) last`);
  const [{ count, median } = { count: 0, median: null }] = rows;
  return count < least || median === null ? undefined : median;
}
