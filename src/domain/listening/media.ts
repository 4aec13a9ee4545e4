import { and, eq, isNull, sql } from 'drizzle-orm';
import { isDownloadable, isFreeToAll, isPublished } from '../catalogue/audios.ts';
import { audios, recordings } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canDownload, canPlay } from './rules.ts';

/** Sound file facts for the media route. */
export type PlayableFile = {
  /** Key in the blob store. */
  key: string;
  mime: string;
  bytes: number;
  /** Opaque, without quotes; changes with every byte of the content. */
  etag: string;
  modifiedAt: Date;
  /** `public` for audios that anyone may hear (free, preview); otherwise `private`. */
  cache: 'public' | 'private';
  /** Half as large, for browsers that save data; absent when there is none. */
  small?: Pick<PlayableFile, 'key' | 'mime' | 'bytes' | 'etag'>;
};

export type PlayableFileResult =
  | { ok: true; file: PlayableFile }
  | { ok: false; reason: 'not-found' | 'login-required' | 'subscription-required' | 'stream-only' };

/** To `keep` it, on a device or in a podcast app, is a right of its own. */
export type SoundUse = 'hear' | 'keep';

export async function findPlayableFile(
  db: Db,
  viewer: Viewer,
  audioId: string,
  use: SoundUse = 'hear',
): Promise<PlayableFileResult> {
  if (!isId(audioId)) return { ok: false, reason: 'not-found' };
  const [row] = await db
    .select({
      key: audios.fileKey,
      mime: audios.fileMime,
      bytes: audios.fileBytes,
      modifiedAt: audios.updatedAt,
      smallKey: recordings.smallKey,
      smallMime: recordings.smallMime,
      smallBytes: recordings.smallBytes,
      isFree: isFreeToAll,
      isDownloadable: sql<boolean>`${isDownloadable}`,
      voice: { id: audios.voiceId },
      isPublic: sql<boolean>`coalesce(${isPublished}, false)`,
      isInReview: sql<boolean>`${audios.reviewState} is not distinct from 'waiting'`,
    })
    .from(audios)
    .leftJoin(recordings, and(eq(recordings.audioId, audios.id), eq(recordings.fileKey, audios.fileKey)))
    .where(and(eq(audios.id, audioId), isNull(audios.deletedAt)));
  // Managers of the voice, and reviewers, hear it before its publication, moderators while it is hidden.
  const isReviewer = row?.isInReview === true && viewer.kind === 'user' && viewer.isModerator === true;
  if (row === undefined || !(row.isPublic || isReviewer || isManager(viewer, row.voice.id)))
    return { ok: false, reason: 'not-found' };
  if (!canPlay(viewer, row))
    return { ok: false, reason: viewer.kind === 'visitor' ? 'login-required' : 'subscription-required' };
  if (use === 'keep' && !canDownload(viewer, row)) return { ok: false, reason: 'stream-only' };
  const { key, mime, bytes, modifiedAt, isFree, isPublic, smallKey, smallMime, smallBytes } = row;
  const small =
    smallKey !== null && smallMime !== null && smallBytes !== null
      ? { key: smallKey, mime: smallMime, bytes: smallBytes, etag: etagOf(smallKey) }
      : undefined;
  const cache = isFree && isPublic ? 'public' : 'private';
  const file = { key, mime, bytes, modifiedAt, etag: etagOf(key), cache } as const;
  return { ok: true, file: { ...file, ...(small && { small }) } };
}

/** Keys contain a content hash, so the key works as the version. */
function etagOf(key: string): string {
  return key.replace(/^.*\/|\.[a-z0-9]+$/g, '');
}

function isManager(viewer: Viewer, voiceId: string): boolean {
  return viewer.kind === 'user' && (roleIn(viewer, voiceId) !== undefined || viewer.isModerator === true);
}
