import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import type { Audio } from '../catalogue/audios.ts';
import { findAudiosByIds, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import type { Viewer } from '../identity/rules.ts';
import { isNotLeftOut } from '../library/left-out-tags.ts';
import type { Page } from '../pages.ts';
import { decodeCursor, encodeCursor, Instant, toPage } from '../pages.ts';
import { listeningHistory, listeningProgress, voiceListening } from './tables.ts';

/** By audio id; each has the newest thousand. */
export type History = {
  /** Seconds. */
  currentlyListening: Record<string, number>;
  listenCounter: Record<string, number>;
  played30sCounter: Record<string, number>;
};

export type HistoryItem = {
  audio: Audio;
  lastListenedAt: Date;
  listens: number;
  /** Where to go on; null where it is not in progress. */
  seconds: number | null;
};

const mostKeys = 1000;

export async function findHistory(db: Db, userId: string): Promise<History> {
  const places = db
    .select({ key: listeningProgress.audioId, value: listeningProgress.positionMs })
    .from(listeningProgress)
    .where(eq(listeningProgress.userId, userId))
    .orderBy(desc(listeningProgress.updatedAt), desc(listeningProgress.audioId))
    .limit(mostKeys);
  const counts = (counter: typeof listeningHistory.listens | typeof listeningHistory.played30s) =>
    db
      .select({ key: listeningHistory.audioId, value: counter })
      .from(listeningHistory)
      .where(and(eq(listeningHistory.userId, userId), sql`${counter} > 0`))
      .orderBy(desc(listeningHistory.lastListenedAt), desc(listeningHistory.audioId))
      .limit(mostKeys);
  const record = (rows: { key: string; value: number }[]) =>
    Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  return {
    currentlyListening: record((await places).map(({ key, value }) => ({ key, value: value / 1000 }))),
    listenCounter: record(await counts(listeningHistory.listens)),
    played30sCounter: record(await counts(listeningHistory.played30s)),
  };
}

/**
 * What a user listened to, the last first, page by page. What is no longer published is left out.
 * @param viewer for a list that is to leave out what this listener does not want to meet; undefined for the whole history
 */
export async function listHistory(
  db: Db,
  userId: string,
  page: { cursor?: string | undefined; limit: number },
  viewer?: Viewer,
): Promise<Page<HistoryItem>> {
  const after = decodeCursor('history', page.cursor, Instant);
  const { lastListenedAt, audioId } = listeningHistory;
  const rows = await db
    .select({ audioId, lastListenedAt, listens: listeningHistory.listens, positionMs: listeningProgress.positionMs })
    .from(listeningHistory)
    .innerJoin(audios, and(eq(audios.id, audioId), isPublished))
    .leftJoin(
      listeningProgress,
      and(eq(listeningProgress.userId, listeningHistory.userId), eq(listeningProgress.audioId, audioId)),
    )
    .where(
      and(
        eq(listeningHistory.userId, userId),
        viewer && isNotLeftOut(viewer, audioId),
        after === undefined
          ? undefined
          : or(
              lt(lastListenedAt, new Date(after.value)),
              and(eq(lastListenedAt, new Date(after.value)), lt(audioId, after.id)),
            ),
      ),
    )
    .orderBy(desc(lastListenedAt), desc(audioId))
    .limit(page.limit + 1);
  const found = await findAudiosByIds(
    db,
    rows.slice(0, page.limit).map((row) => row.audioId),
  );
  const byId = new Map(found.map((audio) => [audio.id, audio]));
  const { items, nextCursor } = toPage(
    rows,
    page.limit,
    (row) => row,
    (row) => encodeCursor('history', { value: row.lastListenedAt.toISOString(), id: row.audioId }),
  );
  return {
    items: items.flatMap(({ positionMs, ...row }) => {
      const audio = byId.get(row.audioId);
      if (audio === undefined) return [];
      const seconds = positionMs === null ? null : positionMs / 1000;
      return [{ audio, lastListenedAt: row.lastListenedAt, listens: row.listens, seconds }];
    }),
    nextCursor,
  };
}

/** Forgets one audio: its place and its counters. What the site has counted stays. */
export async function removeFromHistory(db: Db, userId: string, audioId: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of [listeningProgress, listeningHistory])
      await tx.delete(table).where(and(eq(table.userId, userId), eq(table.audioId, audioId)));
  });
}

export async function clearHistory(db: Db, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of [listeningProgress, listeningHistory, voiceListening])
      await tx.delete(table).where(eq(table.userId, userId));
  });
}
