import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import type { Viewer } from '../identity/rules.ts';
import type { LeftOut } from './search-index.ts';

/** Whom a viewer blocked, and which tags they never want to meet. */
export async function findLeftOut(db: Db, viewer: Viewer): Promise<LeftOut> {
  if (viewer.kind === 'visitor') return { userIds: [], tagIds: [] };
  const { rows } = await db.execute<LeftOut>(sql`
    select array(select blocked_id from user_blocks where user_id = ${viewer.id})::text[] as "userIds",
      array(select tag_id from left_out_tags where user_id = ${viewer.id})::text[] as "tagIds"`);
  return rows[0] ?? { userIds: [], tagIds: [] };
}
