import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Neighbour, readShard } from '#formats/suggestions/shards.ts';
import type { Db } from '../../kernel/db.ts';
import type { SharedReads } from '../../kernel/shared-reads.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { isPublished } from '../audios.ts';
import { audioNumbers, audios, neighbourCounts, neighbourShards } from '../tables.ts';
import { isNotHidden, seesEverything } from '../visibility.ts';

/** They are counted once a week. */
const keptMs = 10 * 60_000;

/** Ids of audios that the same people have heard, nearest first, without what the viewer hides. */
export async function findNeighbours(db: Db, viewer: Viewer, audioId: string, shared: SharedReads): Promise<string[]> {
  const near = await shared.read(`neighbours of ${audioId}`, () => readNeighbours(db, audioId), keptMs);
  if (near.length === 0 || seesEverything(viewer)) return near;
  const rows = await db
    .select({ id: audios.id })
    .from(audios)
    .where(and(inArray(audios.id, near), isPublished, isNotHidden(viewer, audios.id)));
  const shown = new Set(rows.map(({ id }) => id));
  return near.filter((id) => shown.has(id));
}

async function readNeighbours(db: Db, audioId: string): Promise<string[]> {
  const [row] = await db
    .select({ number: audioNumbers.number, shards: neighbourCounts.shards, bytes: neighbourShards.bytes })
    .from(audioNumbers)
    .crossJoin(neighbourCounts)
    .innerJoin(neighbourShards, eq(neighbourShards.shard, sql`${audioNumbers.number} % ${neighbourCounts.shards}`))
    .where(eq(audioNumbers.audioId, audioId));
  if (row === undefined) return [];
  const near: Neighbour[] = readShard(row.bytes, row.number % row.shards, row.shards).get(row.number) ?? [];
  const numbers = near.map(({ number }) => number);
  const named = await db.select().from(audioNumbers).where(inArray(audioNumbers.number, numbers));
  const ids = new Map(named.map(({ number, audioId: id }) => [number, id]));
  return numbers.flatMap((number) => ids.get(number) ?? []);
}
