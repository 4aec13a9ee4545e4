import { and, eq } from 'drizzle-orm';
import { isFreeToAll, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import { isId } from '../ids.ts';
import type { Viewer } from '../identity/rules.ts';
import { canPlay } from './rules.ts';

/** What the media route needs to know of a sound file. */
export type PlayableFile = {
  /** Key in the blob store. */
  key: string;
  mime: string;
  bytes: number;
  /** Changes with the content; without quotes. */
  etag: string;
  modifiedAt: Date;
  /** `public` only for what anyone may hear. */
  cache: 'public' | 'private';
};

export type PlayableFileResult =
  | { ok: true; file: PlayableFile }
  | { ok: false; reason: 'not-found' | 'login-required' | 'subscription-required' };

export async function findPlayableFile(db: Db, viewer: Viewer, audioId: string): Promise<PlayableFileResult> {
  if (!isId(audioId)) return { ok: false, reason: 'not-found' };
  const [row] = await db
    .select({
      key: audios.fileKey,
      mime: audios.fileMime,
      bytes: audios.fileBytes,
      modifiedAt: audios.updatedAt,
      isFree: isFreeToAll,
    })
    .from(audios)
    .where(and(eq(audios.id, audioId), isPublished));
  if (row === undefined) return { ok: false, reason: 'not-found' };
  if (!canPlay(viewer, row))
    return { ok: false, reason: viewer.kind === 'visitor' ? 'login-required' : 'subscription-required' };
  const { isFree, ...file } = row;
  // Keys carry a hash of the content, so the key is the version.
  return {
    ok: true,
    file: { ...file, etag: row.key.replace(/^.*\/|\.[a-z0-9]+$/g, ''), cache: isFree ? 'public' : 'private' },
  };
}
