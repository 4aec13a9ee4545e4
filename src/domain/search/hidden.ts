import { sql } from 'drizzle-orm';
import { shownLanguages } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Hidden } from './search-index.ts';

/** Blocked users, hidden tags and languages of a viewer. */
export async function findHidden(db: Db, viewer: Viewer): Promise<Hidden> {
  const languages = shownLanguages(viewer);
  return { ...(await findHiddenIds(db, viewer)), ...(languages && { languages }) };
}

async function findHiddenIds(db: Db, viewer: Viewer): Promise<Hidden> {
  if (viewer.kind === 'visitor') return { userIds: [], tagIds: [] };
  const { rows } = await db.execute<Hidden>(sql`
    select array(select blocked_id from user_blocks where user_id = ${viewer.id})::text[] as "userIds",
      array(select tag_id from hidden_tags where user_id = ${viewer.id})::text[] as "tagIds"`);
  return rows[0] ?? { userIds: [], tagIds: [] };
}
