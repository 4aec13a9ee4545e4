import { createHmac } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { transcriptExcerpts } from './tables.ts';

/** Lines per audio and day for viewers who may not hear it. */
const maxLines = 3;

const dayOf = (now: Date) => Math.floor(now.getTime() / (24 * 60 * 60 * 1000));

/** Key that shown lines are counted by: the user or the client address, hashed with a secret that changes daily. */
export function excerptClientOf(secret: string, viewer: Viewer, address: string): string {
  const client = viewer.kind === 'user' ? `user ${viewer.id}` : `address ${address}`;
  return createHmac('sha256', secret)
    .update(`transcripts of ${dayOf(new Date())} by ${client}`)
    .digest('base64url');
}

/**
 * Records the lines that a viewer is about to see. A repeated line counts once.
 * @param lines by audio id
 * @returns ids of the audios whose line may be shown
 */
export async function takeExcerpts(db: Db, client: string, lines: Map<string, number>): Promise<Set<string>> {
  if (lines.size === 0) return new Set();
  // Sorted, so that concurrent queries do not deadlock.
  const ids = [...lines.keys()].toSorted();
  const wanted = ids.map((id) => lines.get(id) ?? 0);
  const { rows } = await db.execute<{ audio_id: string; lines: number[] }>(sql`
    insert into transcript_glimpses as g (audio_id, client, day, lines)
    select audio_id, ${client}, ${dayOf(new Date())}::int, array[line]
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(wanted)}::int[]) as wanted (audio_id, line)
    on conflict (audio_id, client, day) do update
    set lines = case when excluded.lines <@ g.lines or cardinality(g.lines) >= ${maxLines} then g.lines
      else g.lines || excluded.lines end
    returning audio_id, lines`);
  return new Set(rows.flatMap((row) => (row.lines.includes(lines.get(row.audio_id) ?? -1) ? [row.audio_id] : [])));
}

export async function purgeOldExcerpts(db: Db, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, transcriptExcerpts, lt(transcriptExcerpts.day, dayOf(new Date())), signal);
}
