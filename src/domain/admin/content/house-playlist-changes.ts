import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { publishedNow } from '../../catalogue/editing/publishing.ts';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import { audios, playlistItems, playlists } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { maxPlaylistAudios } from '../forms.ts';
import { isOtherOrder } from '../is-other-order.ts';
import type { OrderForm, PlaylistAudiosForm, PlaylistEdit, PlaylistForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';
import type { EditOutcome } from '../../kernel/seen.ts';
import { isChangedSince } from '../../kernel/seen.ts';

/** The operators' acts on the site's playlists. */

/** A draft, at the end of the list. */
export async function createPlaylist(db: Db, actor: Actor, form: PlaylistForm): Promise<string | undefined> {
  if (!canAdminister(actor)) return undefined;
  return db.transaction(async (tx) => {
    const playlist = { id: newId(), slug: await claimSlug(tx, 'playlists', form.title), ...form, publishedAt: null };
    const position = sql`(select coalesce(max(position), -1) + 1 from playlists)`;
    await tx.insert(playlists).values({ ...playlist, position });
    await recordByOperator(tx, actor, {
      action: 'playlist.create',
      subject: { type: 'playlist', id: playlist.id, name: form.title },
      after: { title: form.title, description: form.description },
    });
    return playlist.id;
  });
}

/** Keeps the slug. Refuses an unknown or deleted playlist. */
export async function editPlaylist(db: Db, actor: Actor, id: string, edit: PlaylistEdit): Promise<EditOutcome> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<EditOutcome> => {
    const [before] = await tx
      .select()
      .from(playlists)
      .where(and(eq(playlists.id, id), isNull(playlists.deletedAt)))
      .for('no key update');
    if (before === undefined) return { ok: false, reason: 'not-found' };
    if (isChangedSince(edit.before, before)) throw await changedMeanwhile(tx, { type: 'playlist', id });
    const { title = before.title, description = before.description, publishedAt } = edit;
    const [after] = await tx
      .update(playlists)
      .set({
        title,
        description,
        ...(publishedAt !== undefined && {
          publishedAt: publishedAt === 'now' ? publishedNow : publishedAt === null ? null : new Date(publishedAt),
        }),
      })
      .where(eq(playlists.id, id))
      .returning();
    await recordByOperator(tx, actor, {
      action:
        publishedAt === undefined ? 'playlist.edit' : publishedAt === null ? 'playlist.unpublish' : 'playlist.publish',
      subject: { type: 'playlist', id, name: before.title },
      before: factsOf(before),
      after: factsOf(after ?? before),
    });
    return { ok: true };
  });
}

function factsOf({ title, description, publishedAt }: typeof playlists.$inferSelect) {
  return { title, description, publishedAt: publishedAt && publishedAt.toISOString() };
}

/** Replaces the audios and their order. */
export async function setPlaylistAudios(
  db: Db,
  actor: Actor,
  id: string,
  { audioIds, before }: PlaylistAudiosForm,
): Promise<{ ok: true } | { ok: false; reason: 'not-found' | 'unknown-audio' }> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const [playlist] = await tx
      .select({ title: playlists.title })
      .from(playlists)
      .where(and(eq(playlists.id, id), isNull(playlists.deletedAt)))
      .for('no key update');
    if (playlist === undefined) return { ok: false, reason: 'not-found' } as const;
    const now = await tx
      .select({ id: playlistItems.audioId })
      .from(playlistItems)
      .where(eq(playlistItems.playlistId, id))
      .orderBy(asc(playlistItems.position));
    if (now.map((item) => item.id).join() !== before.join())
      throw await changedMeanwhile(tx, { type: 'playlist', id }, 'list/changed');
    // Locks them until the commit, so that none is purged meanwhile.
    const known =
      audioIds.length === 0
        ? []
        : await tx
            .select({ id: audios.id, title: audios.title })
            .from(audios)
            .where(and(inArray(audios.id, audioIds)))
            .orderBy(asc(audios.id))
            .for('key share');
    if (known.length !== audioIds.length) return { ok: false, reason: 'unknown-audio' } as const;
    await tx.delete(playlistItems).where(eq(playlistItems.playlistId, id));
    if (audioIds.length > 0)
      await tx
        .insert(playlistItems)
        .values(audioIds.map((audioId, position) => ({ playlistId: id, audioId, position })));
    await recordByOperator(tx, actor, {
      action: 'playlist.audios',
      subject: { type: 'playlist', id, name: playlist.title },
      before: { audioIds: before },
      after: { audioIds },
    });
    return { ok: true } as const;
  });
}

/** Adds one audio at the end of a playlist, or removes it. Runs in the caller's transaction. */
export async function setInPlaylist(
  tx: Db,
  actor: Actor,
  id: string,
  { audioId, isIn }: { audioId: string; isIn: boolean },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not-found' | 'full' | 'gone' }> {
  if (!canAdminister(actor)) return { ok: false, reason: 'not-found' };
  const [playlist] = await tx
    .select({ title: playlists.title })
    .from(playlists)
    .where(and(eq(playlists.id, id), isNull(playlists.deletedAt)))
    .for('no key update');
  if (playlist === undefined) return { ok: false, reason: 'gone' };
  const [audio] = await tx
    .select({ title: audios.title })
    .from(audios)
    .where(and(eq(audios.id, audioId), isNull(audios.deletedAt)))
    .for('key share');
  if (audio === undefined) return { ok: false, reason: 'not-found' };
  const ofAudio = and(eq(playlistItems.playlistId, id), eq(playlistItems.audioId, audioId));
  const wasIn = (await tx.$count(playlistItems, ofAudio)) > 0;
  if (wasIn === isIn) return { ok: true, changed: false };
  if (isIn) {
    if ((await tx.$count(playlistItems, eq(playlistItems.playlistId, id))) >= maxPlaylistAudios)
      return { ok: false, reason: 'full' };
    const position = sql`(select coalesce(max(position), -1) + 1 from playlist_items where playlist_id = ${id})`;
    await tx.insert(playlistItems).values({ playlistId: id, audioId, position });
  } else await tx.delete(playlistItems).where(ofAudio);
  await recordByOperator(tx, actor, {
    action: isIn ? 'playlist.add-audio' : 'playlist.remove-audio',
    subject: { type: 'playlist', id, name: playlist.title },
    ...(isIn ? { after: { audio: audio.title } } : { before: { audio: audio.title } }),
  });
  return { ok: true, changed: true };
}

/** @param order.ids all that are not deleted. Otherwise as `orderCategories`. */
export async function orderPlaylists(db: Db, actor: Actor, order: OrderForm): Promise<boolean> {
  if (!canAdminister(actor)) return false;
  const { ids } = order;
  return db.transaction(async (tx) => {
    const known = await tx
      .select({ id: playlists.id, title: playlists.title })
      .from(playlists)
      .where(isNull(playlists.deletedAt))
      .orderBy(asc(playlists.position), asc(playlists.id))
      .for('no key update');
    const titles = new Map(known.map(({ id, title }) => [id, title]));
    if (isOtherOrder(known, order)) {
      if (order.before === undefined) return false;
      throw await changedMeanwhile(tx, { type: 'playlist', id: 'all' }, 'list/changed');
    }
    await tx.execute(sql`
      update playlists p set position = n.place - 1
      from unnest(${sql.param(ids)}::uuid[]) with ordinality n (id, place) where n.id = p.id and p.position <> n.place - 1`);
    await recordByOperator(tx, actor, {
      action: 'playlist.order',
      subject: { type: 'playlist', id: 'all', name: 'Order of the playlists' },
      before: { order: known.map(({ title }) => title) },
      after: { order: ids.map((id) => titles.get(id)) },
    });
    return true;
  });
}

/** Can be undone for 30 days; listeners keep it as a favorite until it is purged. */
export async function deletePlaylist(db: Db, actor: Actor, id: string): Promise<boolean> {
  return setDeleted(db, actor, id, true);
}

/** Restores the playlist with its publication time. */
export async function restorePlaylist(db: Db, actor: Actor, id: string): Promise<boolean> {
  return setDeleted(db, actor, id, false);
}

async function setDeleted(db: Db, actor: Actor, id: string, isDeleted: boolean): Promise<boolean> {
  if (!canAdminister(actor) || !isId(id)) return false;
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(playlists)
      .set(
        isDeleted
          ? { deletedAt: sql`now()`, publishedAtDeletion: sql`${playlists.publishedAt}`, publishedAt: null }
          : { deletedAt: null, publishedAtDeletion: null, publishedAt: sql`${playlists.publishedAtDeletion}` },
      )
      .where(
        and(eq(playlists.id, id), isDeleted ? isNull(playlists.deletedAt) : gt(playlists.deletedAt, restorableSince)),
      )
      .returning({ title: playlists.title });
    if (changed === undefined) return false;
    await recordByOperator(tx, actor, {
      action: isDeleted ? 'playlist.delete' : 'playlist.restore',
      subject: { type: 'playlist', id, name: changed.title },
    });
    return true;
  });
}

/** Purges playlists that were deleted 30 or more days ago. @returns the number of playlists */
export async function purgeDeletedPlaylists(db: Db): Promise<number> {
  const { rowCount } = await db
    .delete(playlists)
    .where(and(isNotNull(playlists.deletedAt), lt(playlists.deletedAt, restorableSince)));
  return rowCount ?? 0;
}
