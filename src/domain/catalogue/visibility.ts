import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import type { Viewer } from '../kernel/viewer.ts';

/** This viewer hides nothing: their lists equal those of visitors, and share their cache. */
export function seesEverything(viewer: Viewer): boolean {
  return viewer.kind === 'visitor' || viewer.hidesNothing === true;
}

/**
 * SQL condition: the audio has no tag that this user hides. For every list that the user did not make. Undefined for
 * users who hide nothing.
 */
export function isNotHidden(viewer: Viewer, audioId: AnyColumn | SQL): SQL | undefined {
  if (viewer.kind === 'visitor' || viewer.hidesNothing === true) return undefined;
  return sql`not exists (select from hidden_tags hidden join audio_tags tagged on tagged.tag_id = hidden.tag_id
    where hidden.user_id = ${viewer.id} and tagged.audio_id = ${audioId})`;
}

/** SQL condition: this user does not hide the tag of that row. */
export function isTagNotHidden(viewer: Viewer, tagId: AnyColumn): SQL | undefined {
  if (viewer.kind === 'visitor' || viewer.hidesNothing === true) return undefined;
  return sql`not exists (select from hidden_tags hidden where hidden.user_id = ${viewer.id} and hidden.tag_id = ${tagId})`;
}

/**
 * SQL condition: the viewer has not blocked the user of that row. For every query of user content: playlists, comments,
 * profiles. Undefined for viewers who block nobody.
 */
export function isNotBlockedBy(viewer: Viewer, userId: AnyColumn | SQL): SQL | undefined {
  if (viewer.kind === 'visitor' || viewer.hidesNothing === true) return undefined;
  return sql`not exists (select from user_blocks block where block.user_id = ${viewer.id} and block.blocked_id = ${userId})`;
}

/** SQL column: the user of that row neither hides tags nor blocks users. */
export function hidesNothingSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`(not exists (select from hidden_tags hidden where hidden.user_id = ${userId})
    and not exists (select from user_blocks block where block.user_id = ${userId}))`;
}
