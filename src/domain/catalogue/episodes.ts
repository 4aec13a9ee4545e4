import { type SQL, and, eq, sql } from 'drizzle-orm';
import { type Db, allowLongStatements } from '../kernel/db.ts';
import { inWords } from '../settings/translations.ts';
import { imageUrlSql, isDownloadable, isPublished, notesFacet } from './audios.ts';
import { type Chapter, chaptersOf } from './chapter-rules.ts';
import { type Credit, creditsSql } from './credits/credits.ts';
import { translatedInto } from './editing/transcripts.ts';
import { audios, episodeNumbers, importedAudios, voices } from './tables.ts';

/** An audio as an item of a podcast feed. */
export type Episode = {
  id: string;
  slug: string;
  title: string;
  description: string;
  language: string;
  /** Path of the image route; null without a cover. */
  imageUrl: string | null;
  durationMs: number;
  publishedAt: Date;
  mime: string;
  bytes: number;
  /** Extension of the file, with its dot. */
  extension: string;
  voice: { name: string; slug: string };
  contentNotes: { label: string }[];
  credits: Credit[];
  /** Languages of its transcript, the spoken one first; null without one. */
  transcripts: string[] | null;
  hasChapters: boolean;
  /** Null in feeds of several creators, whose numbers would be mixed. */
  number: number | null;
  /** GUID of the feed that it was imported from; null where it has our own id. */
  guid: string | null;
};

export type EpisodeSource = {
  /** Joined tables, for example `join series_items item on item.audio_id = audios.id`. */
  join?: SQL;
  where: SQL | undefined;
  order: SQL;
  number?: SQL;
};

/** SQL: extension of an audio's file, with its dot. */
export const fileExtension = sql<string>`coalesce(substring(${audios.fileKey} from '\\.[a-z0-9]+$'), '')`;

/** The published audios of a source that podcast apps may keep, in its order. */
export async function listEpisodes(db: Db, { join, where, order, number }: EpisodeSource, max: number) {
  type Row = Omit<Episode, 'publishedAt' | 'contentNotes' | 'hasChapters'> & {
    publishedAt: string;
    chapters: Chapter[] | null;
    notes: { id: string; label: string }[];
  };
  const { rows } = await db.execute<Row>(sql`
    select ${audios.id}, ${audios.slug}, ${audios.title}, ${audios.description}, ${audios.language}, ${imageUrlSql(audios.imageKey)} as "imageUrl",
      ${audios.durationMs} as "durationMs", ${audios.publishedAt} as "publishedAt", ${audios.fileMime} as mime,
      ${audios.fileBytes}::float8 as bytes, ${fileExtension} as extension,
      json_build_object('name', ${voices.name}, 'slug', ${voices.slug}) as voice,
      (select coalesce(json_agg(json_build_object('id', t.id, 'label', t.label) order by t.position, t.label), '[]'::json)
        from audio_tags tagged join tags t on t.id = tagged.tag_id and t.facet_id = (${notesFacet})
        where tagged.audio_id = ${audios.id}) as notes,
      ${creditsSql(audios.id)} as credits,
      (select array[audios.language] || ${translatedInto} from transcripts t where t.audio_id = ${audios.id}) as transcripts,
      (select c.chapters from chapters c where c.audio_id = ${audios.id}) as chapters,
      ${number ?? sql`null::int`} as number,
      (select i.guid from ${importedAudios} i where i.audio_id = ${audios.id} and i.keeps_guid) as guid
    from ${audios} join ${voices} on ${eq(voices.id, audios.voiceId)} ${join ?? sql``}
    where ${and(isPublished, isDownloadable, where)} order by ${order} limit ${max}`);
  return rows.map(({ publishedAt, notes, chapters, ...row }) => ({
    ...row,
    hasChapters: chaptersOf(chapters, row.description, row.durationMs / 1000).length > 0,
    publishedAt: new Date(publishedAt),
    contentNotes: notes.map((note) => ({ label: inWords(db, 'tag', note, 'label').label })),
  }));
}

/** Whether a source contains this audio now. */
export async function hasAudio(db: Db, { join, where }: Pick<EpisodeSource, 'join' | 'where'>, audioId: string) {
  const { rows } = await db.execute(sql`
    select 1 from ${audios} ${join ?? sql``} where ${and(isPublished, eq(audios.id, audioId), where)} limit 1`);
  return rows.length > 0;
}

/** Audios numbered in one transaction, so that readers of feeds do not wait long. */
const numberedAtOnce = 20_000;

/**
 * Assigns episode numbers in the creator's feed to published audios without one, by first publication. A number never
 * changes and is never reused.
 * @param voiceId only of this voice
 */
export async function numberEpisodes(db: Db, voiceId?: string): Promise<number> {
  for (let count = 0; ;) {
    const numbered = await numberSome(db, voiceId);
    count += numbered;
    if (numbered < numberedAtOnce) return count;
  }
}

async function numberSome(db: Db, voiceId: string | undefined): Promise<number> {
  const firstAt = sql`coalesce(${audios.firstPublishedAt}, ${audios.publishedAt})`;
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    // One run at a time: two would assign the same numbers.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('number episodes'))`);
    const { rowCount } = await tx.execute(sql`
      with missing as materialized (
        select ${audios.voiceId} as voice_id, ${audios.id} as id, ${firstAt} as first_at from ${audios}
        where ${and(
          isPublished,
          voiceId === undefined ? undefined : eq(audios.voiceId, voiceId),
          sql`not exists (select from ${episodeNumbers} n where n.voice_id = ${audios.voiceId} and n.audio_id = ${audios.id})`,
        )}
        order by ${firstAt}, ${audios.id} limit ${numberedAtOnce}
      ), latest as materialized (
        select v.voice_id, coalesce((select max(n.number) from ${episodeNumbers} n where n.voice_id = v.voice_id), 0) as number
        from (select distinct voice_id from missing) v
      )
      insert into ${episodeNumbers} (voice_id, audio_id, number)
      select m.voice_id, m.id,
        l.number + row_number() over (partition by m.voice_id order by m.first_at, m.id)
      from missing m join latest l on l.voice_id = m.voice_id`);
    return rowCount ?? 0;
  });
}
