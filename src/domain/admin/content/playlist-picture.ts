import { and, eq, isNull } from 'drizzle-orm';
import { playlists } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isId } from '../../kernel/ids.ts';
import type { PictureTools } from '../../studio/editing.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { PictureChange } from './change-picture.ts';
import { changePicture } from './change-picture.ts';

/** A playlist's own picture, in place of the portraits of its creators. */
export async function setPlaylistPicture(tools: PictureTools, actor: Actor, id: string, change: PictureChange) {
  administratorsOnly(actor);
  // Before the picture is read and stored.
  if (!isId(id)) return { ok: false as const, reason: 'not-found' as const };
  const outcome = await changePicture(tools, actor, change, {
    type: 'playlist',
    async find(tx) {
      const [playlist] = await tx
        .select({ id: playlists.id, name: playlists.title, imageKey: playlists.imageKey })
        .from(playlists)
        .where(and(eq(playlists.id, id), isNull(playlists.deletedAt)))
        .for('no key update');
      return playlist;
    },
    save: (tx, playlistId, kept) => tx.update(playlists).set(kept).where(eq(playlists.id, playlistId)),
  });
  return outcome.ok ? { ok: true as const } : outcome;
}
