import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/*
 * In a query of one table, Drizzle leaves out its name: there the id is given as SQL.
 */

/** SQL column: the public number of that audio; null until it has one, at most an hour after publication. */
export const numberSql = (audioId: AnyColumn | SQL) =>
  sql<number | null>`(select n.number from audio_numbers n where n.audio_id = ${audioId})`;

/** SQL column: slugs of the tags of that audio. */
export const tagSlugsSql = (audioId: AnyColumn | SQL) =>
  sql<string[]>`array(select t.slug::text from audio_tags tagged join tags t on t.id = tagged.tag_id
    where tagged.audio_id = ${audioId})`;
