import { and, eq, isNull } from 'drizzle-orm';
import { imageUrl } from '../catalogue/audios.ts';
import { playlists } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { isId } from '../kernel/ids.ts';
import type { NotAPicture, PictureTools } from '../studio/editing.ts';
import { withPicture } from '../studio/editing.ts';
import { administratorsOnly } from './administrators-only.ts';
import { recordByOperator } from './record.ts';

type Outcome = { ok: true } | NotAPicture | { ok: false; reason: 'not-found' | 'changed' };

/**
 * A playlist's own picture, in place of the portraits of its creators.
 * @param picture null takes it away
 * @param before address of the picture that the operator saw; absent: whatever it is
 */
export async function setPlaylistPicture(
  tools: PictureTools,
  actor: Actor,
  id: string,
  { picture, before }: { picture: Uint8Array | null; before?: string | null | undefined },
): Promise<Outcome> {
  administratorsOnly(actor);
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return withPicture<Outcome>(tools, picture, async (tx, kept) => {
    const [playlist] = await tx
      .select({ title: playlists.title, imageKey: playlists.imageKey })
      .from(playlists)
      .where(and(eq(playlists.id, id), isNull(playlists.deletedAt)))
      .for('no key update');
    if (playlist === undefined) return { result: { ok: false, reason: 'not-found' } };
    const { title, imageKey } = playlist;
    if (before !== undefined && before !== imageUrl(imageKey)) return { result: { ok: false, reason: 'changed' } };
    await tx.update(playlists).set(kept).where(eq(playlists.id, id));
    await recordByOperator(tx, actor, {
      action: 'playlist.edit',
      subject: { type: 'playlist', id, name: title },
      before: { imageKey },
      after: { imageKey: kept.imageKey },
    });
    return { result: { ok: true }, before: imageKey };
  });
}
