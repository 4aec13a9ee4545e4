import { sql } from 'drizzle-orm';
import { mayHide, shownLanguages } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Hidden } from './search-index.ts';

/** Everything that a viewer blocks and hides, and their languages. */
export async function findHidden(db: Db, viewer: Viewer): Promise<Hidden> {
  const languages = shownLanguages(viewer);
  return { ...(await findHiddenIds(db, viewer)), ...(languages && { languages }) };
}

async function findHiddenIds(db: Db, viewer: Viewer): Promise<Hidden> {
  if (!mayHide(viewer)) return nothing;
  const { rows } = await db.execute<Hidden>(sql`
    select array(select blocked_id from user_blocks where user_id = ${viewer.id})::text[] as "userIds",
      array(select voice_id from hidden_voices where user_id = ${viewer.id})::text[] as "voiceIds",
      array(select audio_id from hidden_audios where user_id = ${viewer.id})::text[] as "audioIds",
      array(select tag_id from hidden_tags where user_id = ${viewer.id})::text[] as "tagIds"`);
  return rows[0] ?? nothing;
}

const nothing: Hidden = { userIds: [], voiceIds: [], audioIds: [], tagIds: [] };
