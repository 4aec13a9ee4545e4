import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';

/**
 * Locks the audios that have this tag or category. Before the tag or category itself, which is the order of edits:
 * otherwise an edit of one of them and an act of an operator can wait for each other.
 */
export async function lockAudiosOf(tx: Db, tagOrCategoryId: string): Promise<void> {
  await tx.execute(sql`
    select from audios where id in (
      select audio_id from audio_tags where tag_id = ${tagOrCategoryId}
      union all select audio_id from audio_categories where category_id = ${tagOrCategoryId})
    order by id for share`);
}
