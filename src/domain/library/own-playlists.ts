import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import { users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isId, newId } from '../kernel/ids.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { PlaylistChange, PlaylistForm } from './forms.ts';
import { maxPlaylistItems, maxPlaylists, restorableMinutes } from './rules.ts';
import { userPlaylistCounts, userPlaylistItems, userPlaylists } from './tables.ts';
import { type UserPlaylist, selectUserPlaylists, userPlaylistColumns } from './user-playlists.ts';
import { refuseWords } from '../settings/word-lists.ts';

/** A list in its owner's menu. */
export type OwnUserPlaylist = UserPlaylist & { hasAudio: boolean };

type NotFound = { ok: false; reason: 'not-found' };
type Full = { ok: false; reason: 'full' };

export type AddOutcome = { ok: true; added: number; totalAudios: number } | NotFound | Full;
export type MoveOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'changed' };

/** Target: behind `after`, or before `before` if that was deleted. Null is the beginning or the end of the list. */
export type Place = { after?: string | null | undefined; before?: string | null | undefined };

/** Gap between positions, so that most moves change one row. */
const step = 1024;
/** Beyond this position the list is renumbered; the column ends at 2^31. */
const lastPosition = 2_000_000_000;

/** All lists of a user, last changed first. @param audioId for `hasAudio` */
export async function listOwnUserPlaylists(db: Db, userId: string, audioId?: string): Promise<OwnUserPlaylist[]> {
  const hasAudio = sql<boolean>`exists (select from ${userPlaylistItems} i
    where i.user_playlist_id = ${userPlaylists.id} and i.audio_id = ${audioId ?? null}::uuid)`;
  return db
    .select({ ...userPlaylistColumns, hasAudio })
    .from(userPlaylists)
    .innerJoin(users, eq(users.id, userPlaylists.userId))
    .innerJoin(userPlaylistCounts, eq(userPlaylistCounts.userPlaylistId, userPlaylists.id))
    .where(and(eq(userPlaylists.userId, userId), isNull(userPlaylists.deletedAt)))
    .orderBy(desc(userPlaylists.updatedAt), desc(userPlaylists.id))
    .limit(maxPlaylists);
}

/** @param form unknown `audioIds` are skipped */
export async function createUserPlaylist(
  db: Db,
  userId: string,
  { audioIds = [], ...form }: PlaylistForm,
): Promise<{ ok: true; playlist: UserPlaylist } | Full> {
  const id = newId();
  return db.transaction(async (tx) => {
    if (!(await hasRoom(tx, userId))) return { ok: false, reason: 'full' };
    await refuseWords(tx, [form.title]);
    await tx.insert(userPlaylists).values({ id, userId, ...form });
    await append(tx, id, audioIds);
    return { ok: true, playlist: await findOwn(tx, id) };
  });
}

export async function changeUserPlaylist(db: Db, userId: string, id: string, change: PlaylistChange) {
  const { title, background, font, isPublic } = change;
  return withOwn(db, userId, id, async (tx) => {
    await refuseWords(tx, [title]);
    const changes = Object.entries({ title, background, font, isPublic }).filter(([, value]) => value !== undefined);
    if (changes.length > 0)
      await tx.update(userPlaylists).set(Object.fromEntries(changes)).where(eq(userPlaylists.id, id));
    return findOwn(tx, id);
  });
}

/** Existing audios keep their position; unknown ones are skipped, but it fails when all are unknown. */
export async function addToUserPlaylist(db: Db, userId: string, id: string, audioIds: string[]): Promise<AddOutcome> {
  const outcome = await withOwn(db, userId, id, async (tx): Promise<AddOutcome> => {
    const { known, added } = await append(tx, id, audioIds);
    if (known === 0) return { ok: false, reason: 'not-found' };
    if (added === undefined) return { ok: false, reason: 'full' };
    return { ok: true, added, totalAudios: (await findOwn(tx, id)).totalAudios };
  });
  return outcome ?? { ok: false, reason: 'not-found' };
}

/** @returns false for an unknown list; removing an absent audio succeeds */
export async function removeFromUserPlaylist(db: Db, userId: string, id: string, audioId: string): Promise<boolean> {
  const outcome = await withOwn(db, userId, id, async (tx) => {
    await tx
      .delete(userPlaylistItems)
      .where(and(eq(userPlaylistItems.userPlaylistId, id), eq(userPlaylistItems.audioId, audioId)));
    return true;
  });
  return outcome ?? false;
}

/**
 * Moves one audio between new neighbors in the current list, so that concurrent changes from other tabs are preserved
 * (decision 014).
 */
export async function moveInUserPlaylist(
  db: Db,
  userId: string,
  id: string,
  audioId: string,
  place: Place,
): Promise<MoveOutcome> {
  const outcome = await withOwn(db, userId, id, async (tx): Promise<MoveOutcome> => {
    const items = await tx
      .select({ audioId: userPlaylistItems.audioId, position: userPlaylistItems.position })
      .from(userPlaylistItems)
      .where(eq(userPlaylistItems.userPlaylistId, id))
      .orderBy(asc(userPlaylistItems.position));
    const moved = items.find((item) => item.audioId === audioId);
    if (moved === undefined) return { ok: false, reason: 'not-found' };
    const others = items.filter((item) => item !== moved);
    const index = placeIn(
      others.map((item) => item.audioId),
      place,
    );
    if (index === undefined) return { ok: false, reason: 'changed' };
    const position = between(others[index - 1]?.position, others[index]?.position);
    if (position === undefined)
      await numberAnew(
        tx,
        id,
        others.toSpliced(index, 0, moved).map((item) => item.audioId),
      );
    else
      await tx
        .update(userPlaylistItems)
        .set({ position })
        .where(and(eq(userPlaylistItems.userPlaylistId, id), eq(userPlaylistItems.audioId, audioId)));
    return { ok: true };
  });
  return outcome ?? { ok: false, reason: 'not-found' };
}

/** @returns until when it can be restored; undefined for an unknown list */
export async function deleteUserPlaylist(db: Db, userId: string, id: string): Promise<Date | undefined> {
  return withOwn(db, userId, id, async (tx) => {
    const [deleted] = await tx
      .update(userPlaylists)
      .set({ deletedAt: sql`now()` })
      .where(eq(userPlaylists.id, id))
      .returning({ at: userPlaylists.deletedAt });
    return new Date((deleted?.at ?? new Date()).getTime() + restorableMinutes * 60_000);
  });
}

/** Restores the list with all its audios. */
export async function restoreUserPlaylist(
  db: Db,
  userId: string,
  id: string,
): Promise<{ ok: true; playlist: UserPlaylist } | NotFound | Full> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const isRoom = await hasRoom(tx, userId);
    const { rowCount } = await tx.execute(sql`
      update user_playlists set deleted_at = null
      where id = ${id} and user_id = ${userId} and deleted_at > now() - make_interval(mins => ${restorableMinutes}) and ${isRoom}`);
    if (rowCount === 1) return { ok: true, playlist: await findOwn(tx, id) };
    // Another tab restored it already.
    const [there] = await selectUserPlaylists(tx).where(
      and(eq(userPlaylists.id, id), eq(userPlaylists.userId, userId), isNull(userPlaylists.deletedAt)),
    );
    if (there !== undefined) return { ok: true, playlist: there };
    return { ok: false, reason: isRoom ? 'not-found' : 'full' };
  });
}

/** Purges lists whose restore time has passed. @returns how many */
export async function purgeDeletedUserPlaylists(db: Db, signal?: AbortSignal): Promise<number> {
  const isOld = sql`${userPlaylists.deletedAt} < now() - make_interval(mins => ${restorableMinutes})`;
  return purgeRows(db, userPlaylists, isOld, signal);
}

/** Runs changes of a list in sequence, by a lock on its row. */
async function withOwn<Outcome>(db: Db, userId: string, id: string, act: (tx: Db) => Promise<Outcome>) {
  if (!isId(id)) return undefined;
  return db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(userPlaylists)
      .set({ updatedAt: sql`now()` })
      .where(and(eq(userPlaylists.id, id), eq(userPlaylists.userId, userId), isNull(userPlaylists.deletedAt)));
    return rowCount === 1 ? act(tx) : undefined;
  });
}

/** Locks the user's row, so that concurrent inserts respect the limit. */
async function hasRoom(tx: Db, userId: string): Promise<boolean> {
  await tx.execute(sql`select from users where id = ${userId} for no key update`);
  const total = await tx.$count(userPlaylists, and(eq(userPlaylists.userId, userId), isNull(userPlaylists.deletedAt)));
  return total < maxPlaylists;
}

async function findOwn(tx: Db, id: string): Promise<UserPlaylist> {
  const [playlist] = await selectUserPlaylists(tx).where(eq(userPlaylists.id, id));
  if (playlist === undefined) throw new Error('a list that is held is gone');
  return playlist;
}

/** @returns how many audios exist and how many were added; `added` is undefined when the list would be too long */
async function append(tx: Db, id: string, audioIds: string[]): Promise<{ known: number; added: number | undefined }> {
  const wanted = [...new Set(audioIds)];
  if (wanted.length === 0) return { known: 0, added: 0 };
  const rows = await tx
    .select({ id: audios.id })
    .from(audios)
    .where(and(inArray(audios.id, wanted), isPublished));
  const known = new Set(rows.map((row) => row.id));
  const there = await tx
    .select({ audioId: userPlaylistItems.audioId, position: userPlaylistItems.position })
    .from(userPlaylistItems)
    .where(eq(userPlaylistItems.userPlaylistId, id));
  const inList = new Set(there.map((item) => item.audioId));
  const fresh = wanted.filter((audioId) => known.has(audioId) && !inList.has(audioId));
  if (fresh.length === 0) return { known: known.size, added: 0 };
  if (there.length + fresh.length > maxPlaylistItems) return { known: known.size, added: undefined };
  let last = there.reduce((max, item) => Math.max(max, item.position), 0);
  if (last + step * fresh.length > lastPosition) {
    await numberAnew(
      tx,
      id,
      there.toSorted((a, b) => a.position - b.position).map((item) => item.audioId),
    );
    last = step * there.length;
  }
  await tx
    .insert(userPlaylistItems)
    .values(fresh.map((audioId, index) => ({ userPlaylistId: id, audioId, position: last + step * (index + 1) })));
  return { known: known.size, added: fresh.length };
}

/** @returns index in the list without the moved audio; undefined when both neighbors are gone */
function placeIn(others: string[], { after, before }: Place): number | undefined {
  const behind = typeof after === 'string' ? others.indexOf(after) : -1;
  if (behind >= 0) return behind + 1;
  const ahead = typeof before === 'string' ? others.indexOf(before) : -1;
  if (ahead >= 0) return ahead;
  if (after === null) return 0;
  return before === null ? others.length : undefined;
}

/** Midpoint between two positions, or one step behind the last; undefined when no integer is left. */
function between(before: number | undefined, after: number | undefined): number | undefined {
  if (after === undefined) return (before ?? 0) + step > lastPosition ? undefined : (before ?? 0) + step;
  const position = Math.floor(((before ?? -1) + after) / 2);
  return position > (before ?? -1) && position < after ? position : undefined;
}

async function numberAnew(tx: Db, id: string, audioIds: string[]): Promise<void> {
  await tx.execute(sql`
    update user_playlist_items i set position = n.number * ${step}::int
    from unnest(${sql.param(audioIds)}::uuid[]) with ordinality as n (audio_id, number)
    where i.user_playlist_id = ${id} and i.audio_id = n.audio_id`);
}
