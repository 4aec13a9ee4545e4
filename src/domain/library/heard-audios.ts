import { sql } from 'drizzle-orm';
import { numberSql, tagSlugsSql } from '../catalogue/suggestions/columns.ts';
import { isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isEnd } from '../listening/progress.ts';
import { listeningProgress } from '../listening/tables.ts';

/** Newest audios of each kind: beyond them, tastes have changed. */
const maxHeard = 500;
const maxFavorites = 200;

/** An audio that was heard or is a favorite. `at`: heard last, or made a favorite; `listens` is 0 for one never heard. */
export type HeardAudio = {
  number: number | null;
  id: string;
  title: string;
  language: string;
  tags: string[];
  at: Date;
  listens: number;
  isFinished: boolean;
  isFavorite: boolean;
};

/**
 * From which a device puts suggestions together: published audios that the user heard last, newest first, and their newest
 * favorites.
 */
export async function listHeardAudios(db: Db, userId: string): Promise<HeardAudio[]> {
  const { rows } = await db.execute<Omit<HeardAudio, 'at'> & { at: number }>(sql`
    with heard as (
      select audio_id, last_listened_at as at, listens from listening_history
      where user_id = ${userId} order by last_listened_at desc, audio_id limit ${maxHeard}
    ), liked as (
      select content_id as audio_id, created_at as at from audio_favorites
      where user_id = ${userId} order by created_at desc, content_id limit ${maxFavorites}
    )
    select ${numberSql(audios.id)} as number, ${audios.id} as id, ${audios.title} as title, ${audios.language} as language,
      ${tagSlugsSql(audios.id)} as tags,
      extract(epoch from coalesce(heard.at, liked.at))::float8 * 1000 as at,
      coalesce(heard.listens, 0) as listens, liked.at is not null as "isFavorite",
      exists (select from ${listeningProgress} where ${listeningProgress.userId} = ${userId}
        and ${listeningProgress.audioId} = ${audios.id} and ${isEnd}) as "isFinished"
    from heard full join liked using (audio_id) join ${audios} on ${audios.id} = audio_id
    where ${isPublished}
    order by coalesce(heard.at, liked.at) desc, ${audios.id}`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
