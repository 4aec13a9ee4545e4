import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Audio } from '../catalogue/audios.ts';
import { findAudiosByIds } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import type { SavedQueue } from './forms.ts';
import { emptySavedQueue, keepInQueue } from './rules.ts';
import { savedQueues } from './tables.ts';

export type QueueOfUser = {
  /** 0: nothing was saved yet. */
  version: number;
  queue: SavedQueue;
  /** Each audio of the queue once, those of the list first. */
  audios: Audio[];
  /** How many audios were left out because they are gone. */
  dropped: number;
};

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

/**
 * Saves a queue in the place of the version that the caller has seen; another one is never written over.
 * @param seen 0 for the first one
 */
export async function saveQueue(db: Db, userId: string, seen: number, queue: SavedQueue): Promise<SavedOutcome> {
  const ids = idsOf(queue);
  const rows = ids.length === 0 ? [] : await db.select({ id: audios.id }).from(audios).where(inArray(audios.id, ids));
  const there = new Set(rows.map(({ id }) => id));
  const kept = keepInQueue(queue, (id) => there.has(id));
  const [saved] =
    seen === 0
      ? await db
          .insert(savedQueues)
          .values({ userId, queue: kept })
          .onConflictDoNothing()
          .returning({ version: savedQueues.version })
      : await db
          .update(savedQueues)
          .set({ version: sql`${savedQueues.version} + 1`, queue: kept, updatedAt: sql`now()` })
          .where(and(eq(savedQueues.userId, userId), eq(savedQueues.version, seen)))
          .returning({ version: savedQueues.version });
  return saved === undefined
    ? { ok: false, newest: await findQueue(db, userId) }
    : { ok: true, version: saved.version, dropped: ids.length - there.size };
}

function idsOf({ list, played }: SavedQueue): string[] {
  return [...new Set([...list, ...played].map(({ id }) => id))];
}
