import { type AnyColumn, type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Audio, findAudiosByIds, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isPlace } from '../listening/progress.ts';
import { listeningProgress } from '../listening/tables.ts';
import { SavedQueue } from './forms.ts';
import { savedQueues } from './tables.ts';

export const QueueOfUser = z.object({
  version: z.number().describe('0: nothing was saved yet'),
  queue: SavedQueue,
  audios: z.array(Audio).describe('Each audio of the queue once'),
  dropped: z.number().describe('Number of audios skipped because they no longer exist'),
});
export type QueueOfUser = z.infer<typeof QueueOfUser>;

export type SavedOutcome = { ok: true; version: number; dropped: number } | { ok: false; newest: QueueOfUser };

export async function findQueue(db: Db, userId: string): Promise<QueueOfUser> {
  const [row] = await db.select().from(savedQueues).where(eq(savedQueues.userId, userId));
  if (row === undefined) return { version: 0, queue: emptySavedQueue, audios: [], dropped: 0 };
  const ids = idsOf(row.queue);
  const found = await findAudiosByIds(db, ids);
  const there = new Set(found.map(({ id }) => id));
  return {
    version: row.version,
    queue: keepInQueue(row.queue, (id) => there.has(id)),
    audios: found,
    dropped: ids.length - there.size,
  };
}

/** The first audio of a user's queue, its source, and the position in it (seconds). */
export type QueueHead = { audio: Audio; source: string; seconds: number };

/** Without its audio, which is the same for all listeners. */
type QueueHeadEntry = { id: string; source: string; position: number; placeMs: number | null };

/**
 * Subquery column: the first existing audio in the queue of the user of that row; null without any. A separate query,
 * because every page needs it.
 */
export function queueHeadSql(userId: AnyColumn): SQL<QueueHeadEntry | null> {
  const head = sql`(select json_build_object('id', ${audios.id}, 'source', item ->> 'source',
      'placeMs', ${listeningProgress.positionMs},
      'position', case when place = 1 then (queue ->> 'position')::float8 else 0 end)
    from ${savedQueues}
    cross join jsonb_array_elements(queue -> 'list') with ordinality as l (item, place)
    join ${audios} on ${audios.id} = (item ->> 'id')::uuid and ${isPublished}
    left join ${listeningProgress} on ${listeningProgress.userId} = ${savedQueues.userId}
      and ${listeningProgress.audioId} = ${audios.id} and ${isPlace}
    where ${savedQueues.userId} = ${userId}
    order by place
    limit 1)`;
  // Nested, because Drizzle drops the table from columns at the top of a field.
  return sql<QueueHeadEntry | null>`${head}`;
}

/** The position stored with the audio wins over the queue's, because it is saved more often. */
export async function toQueueHead(
  entry: QueueHeadEntry | null | undefined,
  audiosByIds: (ids: string[]) => Promise<Audio[]>,
): Promise<QueueHead | undefined> {
  const [audio] = entry ? await audiosByIds([entry.id]) : [];
  if (!entry || audio === undefined) return undefined;
  const seconds = entry.placeMs === null ? entry.position * audio.numberDuration : entry.placeMs / 1000;
  return { audio, source: entry.source, seconds };
}

/**
 * Saves a queue over the version that the caller has seen (optimistic locking).
 * @param seen accepted versions, 0 for none yet; `any` overwrites whatever is saved
 */
export async function saveQueue(
  db: Db,
  userId: string,
  seen: number[] | 'any',
  queue: SavedQueue,
): Promise<SavedOutcome> {
  const ids = idsOf(queue);
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: audios.id })
          .from(audios)
          .where(and(inArray(audios.id, ids), isPublished));
  const there = new Set(rows.map(({ id }) => id));
  const kept = keepInQueue(queue, (id) => there.has(id));
  const [inserted] =
    seen !== 'any' && seen.includes(0)
      ? await db
          .insert(savedQueues)
          .values({ userId, queue: kept })
          .onConflictDoNothing()
          .returning({ version: savedQueues.version })
      : [];
  const isSeen = seen === 'any' ? undefined : inArray(savedQueues.version, seen);
  const [saved = inserted] =
    inserted === undefined
      ? await db
          .update(savedQueues)
          .set({ version: sql`${savedQueues.version} + 1`, queue: kept, updatedAt: sql`now()` })
          .where(and(eq(savedQueues.userId, userId), isSeen))
          .returning({ version: savedQueues.version })
      : [];
  return saved === undefined
    ? { ok: false, newest: await findQueue(db, userId) }
    : { ok: true, version: saved.version, dropped: ids.length - there.size };
}

/** Forgets the position in the audio that plays, which was removed from the history; without an id, in any. */
export async function forgetQueuePosition(db: Db, userId: string, audioId?: string): Promise<void> {
  const isHead = audioId === undefined ? undefined : sql`${savedQueues.queue} #>> '{list,0,id}' = ${audioId}`;
  await db
    .update(savedQueues)
    .set({ queue: sql`jsonb_set(${savedQueues.queue}, '{position}', '0')` })
    .where(and(eq(savedQueues.userId, userId), isHead));
}

function idsOf({ list, played }: SavedQueue): string[] {
  return [...new Set([...list, ...played].map(({ id }) => id))];
}

/** The queue of a user who never saved one. */
export const emptySavedQueue: SavedQueue = {
  list: [],
  played: [],
  listType: null,
  index: 0,
  individualAddToQueueIndex: 0,
  isIndividualQueueUpdate: false,
  position: 0,
};

/**
 * Removes deleted audios from the queue; queued and rotated items keep their roles. A new first audio starts at its
 * beginning.
 */
export function keepInQueue(queue: SavedQueue, isThere: (audioId: string) => boolean): SavedQueue {
  const list = queue.list.filter(({ id }) => isThere(id));
  const played = queue.played.filter(({ id }) => isThere(id));
  const gone = (from: number, to: number) => queue.list.slice(from, to).filter(({ id }) => !isThere(id)).length;
  const { length } = queue.list;
  const rotated = Math.min(queue.index, length);
  const queued = Math.min(queue.individualAddToQueueIndex, length);
  const isSameHead = list[0] !== undefined && list[0].id === queue.list[0]?.id;
  return {
    ...queue,
    list,
    played,
    index: rotated - gone(length - rotated, length),
    individualAddToQueueIndex: Math.max(queued - gone(0, queued), Math.min(1, queued, list.length)),
    position: isSameHead ? queue.position : 0,
  };
}
