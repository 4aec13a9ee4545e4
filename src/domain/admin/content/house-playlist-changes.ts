import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { publishedNow } from '../../catalogue/editing/publishing.ts';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import { audios, playlistItems, playlists } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import type { Db, Tx } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { type PlaylistAudiosForm, type PlaylistEdit, type PlaylistForm, maxPlaylistAudios } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';
import { type EditOutcome, isChangedSince } from '../../kernel/seen.ts';

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
    if (!(await lockAudios(tx, audioIds))) return { ok: false, reason: 'unknown-audio' } as const;
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

/** Locks them until the commit, so that none is purged meanwhile. @returns false when one does not exist */
export async function lockAudios(tx: Tx, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const rows = await tx
    .select({ id: audios.id })
    .from(audios)
    .where(inArray(audios.id, ids))
    .orderBy(asc(audios.id))
    .for('key share');
  return rows.length === ids.length;
}

/** Adds one audio at the end of a playlist, or removes it. */
export async function setInPlaylist(
  tx: Tx,
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
