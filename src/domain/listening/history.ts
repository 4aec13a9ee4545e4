import { type SQL, and, desc, eq, sql } from 'drizzle-orm';
import { findAudiosByIds, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isWanted, seesEverything } from '../catalogue/visibility.ts';
import { Instant } from '../kernel/forms.ts';
import { decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import { isEnd, isPlace } from './progress.ts';
import { listeningHistory, listeningProgress, playingSessions, voiceListening } from './tables.ts';

const maxKeys = 1000;

/** Keyed by audio id; each record has the newest thousand. */
export async function findHistory(db: Db, userId: string) {
  const completed = db
    .select({ audioId: listeningProgress.audioId })
    .from(listeningProgress)
    .where(and(eq(listeningProgress.userId, userId), isEnd))
    .orderBy(desc(listeningProgress.updatedAt), desc(listeningProgress.audioId))
    .limit(maxKeys);
  const places = db
    .select({ key: listeningProgress.audioId, value: listeningProgress.positionMs })
    .from(listeningProgress)
    .where(and(eq(listeningProgress.userId, userId), isPlace))
    .orderBy(desc(listeningProgress.updatedAt), desc(listeningProgress.audioId))
    .limit(maxKeys);
  const counts = (counter: typeof listeningHistory.listens | typeof listeningHistory.played30s) =>
    db
      .select({ key: listeningHistory.audioId, value: counter })
      .from(listeningHistory)
      .where(and(eq(listeningHistory.userId, userId), sql`${counter} > 0`))
      .orderBy(desc(listeningHistory.lastListenedAt), desc(listeningHistory.audioId))
      .limit(maxKeys);
  const record = (rows: { key: string; value: number }[]) =>
    Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  return {
    /** Seconds. */
    currentlyListening: record((await places).map(({ key, value }) => ({ key, value: value / 1000 }))),
    listenCounter: record(await counts(listeningHistory.listens)),
    played30sCounter: record(await counts(listeningHistory.played30s)),
    /** Ids of audios heard to the end and not started again since. */
    completed: (await completed).map(({ audioId }) => audioId),
  };
}

/** @param shown further condition */
function selectHistory(db: Db, shown?: SQL) {
  const { lastListenedAt, audioId } = listeningHistory;
  return db
    .select({ audioId, lastListenedAt, listens: listeningHistory.listens, positionMs: listeningProgress.positionMs })
    .from(listeningHistory)
    .innerJoin(audios, and(eq(audios.id, audioId), isPublished))
    .leftJoin(
      listeningProgress,
      and(eq(listeningProgress.userId, listeningHistory.userId), eq(listeningProgress.audioId, audioId), isPlace),
    )
    .where(and(eq(listeningHistory.userId, sql.placeholder('userId')), shown))
    .orderBy(desc(lastListenedAt), desc(audioId))
    .limit(sql.placeholder('limit'));
}

const preparedHistory = prepareOnce((db) => selectHistory(db).prepare('listening_history'));

/**
 * The listening history of a user, newest first, in pages, without unpublished audios.
 * @param viewer leaves out what they hide; undefined for the whole history
 */
export async function listHistory(
  db: Db,
  userId: string,
  page: { cursor?: string | undefined; limit: number },
  viewer?: Viewer,
  audiosByIds = (ids: string[]) => findAudiosByIds(db, ids),
) {
  const after = decodeCursor('history', page.cursor, Instant);
  const { lastListenedAt, audioId } = listeningHistory;
  const isWhole = viewer === undefined || seesEverything(viewer);
  const query =
    isWhole && after === undefined
      ? preparedHistory(db)
      : selectHistory(
          db,
          and(
            viewer && isWanted(viewer, audioId),
            after && isBeyond('desc', [lastListenedAt, audioId], { value: new Date(after.value), id: after.id }),
          ),
        );
  const rows = await query.execute({ userId, limit: page.limit + 1 });
  const audioList = await audiosByIds(rows.slice(0, page.limit).map((row) => row.audioId));
  const byId = new Map(audioList.map((audio) => [audio.id, audio]));
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
      // The position to resume from; null when the audio is not in progress.
      const seconds = positionMs === null ? null : positionMs / 1000;
      return [{ audio, lastListenedAt: row.lastListenedAt, listens: row.listens, seconds }];
    }),
    nextCursor,
  };
}

/** Deletes the position and counters of one audio. Site-wide counts stay. */
export async function removeFromHistory(db: Db, userId: string, audioId: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of [listeningProgress, listeningHistory])
      await tx.delete(table).where(and(eq(table.userId, userId), eq(table.audioId, audioId)));
  });
}

export async function clearHistory(db: Db, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of [listeningProgress, listeningHistory, voiceListening, playingSessions])
      await tx.delete(table).where(eq(table.userId, userId));
  });
}
