import { sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import { fold, written } from '../../settings/folded-words.ts';
import { type Db, allowLongStatements } from '../../kernel/db.ts';
import { findListed, findListedInName, findWordLists } from '../../settings/word-lists.ts';
import { administratorsOnly } from '../administrators-only.ts';

export type RefusedContent = {
  kind: 'audio' | 'tag' | 'user' | 'comment' | 'series' | 'user-playlist';
  id: string;
  /** The title, the name, or the text. */
  text: string;
  /** Null for users and their playlists; of the audio, for a comment. */
  slug: string | null;
  words: string[];
};

const maxOfKind = 100;

/** Content with words that were refused later, at most a hundred of each kind. */
export async function listRefusedContent(db: Db, actor: Actor): Promise<RefusedContent[]> {
  administratorsOnly(actor);
  const { refused } = await findWordLists(db);
  if (refused.length === 0) return [];
  // A part of the words of each: what matches is checked word by word.
  const parts = refused.map((word) => `%${(fold(word).match(written) ?? [''])[0].replaceAll(/['’]/g, '')}%`);
  const isLike = (column: string) => sql`search_text(${sql.raw(column)}) like any (${sql.param(parts)}::text[])`;
  const sources = [
    sql`select 'audio' as kind, id, title as text, slug from audios where deleted_at is null and ${isLike('title')}`,
    sql`select 'tag' as kind, id, label as text, slug from tags where ${isLike('label')}`,
    sql`select 'user' as kind, id, username as text, null as slug from users where username is not null and ${isLike('username')}`,
    sql`select 'series' as kind, id, title as text, slug from series where ${isLike('title')}`,
    sql`select 'user-playlist' as kind, id, title as text, null as slug from user_playlists
      where deleted_at is null and ${isLike('title')}`,
    sql`select 'comment' as kind, c.id, c.text, a.slug from comments c join audios a on a.id = c.audio_id
      where c.text is not null and ${isLike('c.text')}`,
  ];
  const { rows } = await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    return tx.execute<Omit<RefusedContent, 'words'>>(
      sql.join(
        sources.map((source) => sql`(select * from (${source}) of_kind order by id desc limit ${maxOfKind})`),
        sql` union all `,
      ),
    );
  });
  return rows.flatMap((row) => {
    const words = (row.kind === 'user' ? findListedInName : findListed)(row.text, refused);
    return words.length === 0 ? [] : [{ ...row, words }];
  });
}
