import { eq } from 'drizzle-orm';
import { holdBlobs, removeUnusedBlobs } from '../blob-columns.ts';
import { audios } from '../catalogue/tables.ts';
import type { Blobs, Covers } from '../gateways.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { findManagedAudio, holdAudio } from './change-audio.ts';
import type { CoverChange, Saved } from './drafts.ts';
import { saveCover } from './drafts.ts';
import type { SaveRefusal } from './write-fields.ts';
import { orRefusal } from './write-fields.ts';
import { keepImage } from './keep-files.ts';
import { isAreaOf, middleOf } from './rules.ts';
import type { CoverArea } from './rules.ts';
import { audioDrafts } from './tables.ts';

export type CoverTools = { db: Db; blobs: Blobs; covers: Covers };

/** `picture`: the bytes of a new one; `area`: another part of the one that is there; `drawn`: one of the site's making. */
export type CoverWish = { picture: Uint8Array } | { area: CoverArea } | { drawn: true };

export type CoverResult = Saved | SaveRefusal | { ok: false; reason: 'not-a-picture' | 'bad-area' | 'no-picture' };

type Cut = {
  image: Uint8Array;
  /** The whole picture: bytes that are stored with the cover, or the key under which it is stored. */
  whole: { image: Uint8Array } | { key: string } | null;
  size: { width: number; height: number };
  area: CoverArea;
};

/**
 * Gives an audio another cover, kept apart while listeners see the audio.
 * @param save.version the newest one that the editor has seen
 */
export async function setAudioCover(
  tools: CoverTools,
  actor: Actor,
  idOrSlug: string,
  save: { version: number; wish: CoverWish },
): Promise<CoverResult> {
  const { db, blobs } = tools;
  const audio = await findManagedAudio(db, actor, idOrSlug);
  if (audio === undefined) return { ok: false, reason: 'not-found' };
  // Before the transaction: decoding takes a while.
  const cut = await cutCover(tools, audio.id, save);
  if ('ok' in cut) return cut;
  const written: string[] = [];
  const result = await orRefusal(db, async (tx) => {
    await holdBlobs(tx);
    const held = await holdAudio(tx, actor, audio.id);
    if (held === undefined) return { ok: false, reason: 'not-found' } as const;
    const imageKey = await keepImage(blobs, cut.image);
    written.push(imageKey);
    const { whole, size, area } = cut;
    const key = whole === null ? null : 'key' in whole ? whole.key : await keepImage(blobs, whole.image);
    if (key !== null) written.push(key);
    const cover: CoverChange = { imageKey, source: key === null ? null : { key, ...size, area } };
    return saveCover(tx, actor, held, { version: save.version, cover });
  });
  await removeUnusedBlobs(db, blobs, result.ok ? [...written, ...result.formerFiles] : written);
  if (!result.ok) return result;
  const { formerFiles: _files, ...saved } = result;
  return saved;
}

async function cutCover(
  { db, blobs, covers }: CoverTools,
  audioId: string,
  { version, wish }: { version: number; wish: CoverWish },
): Promise<Cut | Extract<CoverResult, { ok: false }>> {
  if ('drawn' in wish) {
    // Another one at each press.
    const image = await covers.draw(`${audioId} ${version}`);
    return { image, whole: null, size: { width: 1, height: 1 }, area: { x: 0, y: 0, size: 1 } };
  }
  if ('picture' in wish) {
    const kept = await covers.keep(wish.picture);
    if (kept === undefined) return { ok: false, reason: 'not-a-picture' };
    const area = middleOf(kept);
    const image = await covers.cut(kept.image, area);
    if (image === undefined) return { ok: false, reason: 'not-a-picture' };
    return { image, whole: { image: kept.image }, size: { width: kept.width, height: kept.height }, area };
  }
  const key = await findWhole(db, audioId);
  if (key === null || (await blobs.stat(key)) === undefined) return { ok: false, reason: 'no-picture' };
  const whole = new Uint8Array(await new Response(blobs.read(key)).arrayBuffer());
  const size = await covers.measure(whole);
  if (size === undefined) return { ok: false, reason: 'not-a-picture' };
  if (!isAreaOf(wish.area, size)) return { ok: false, reason: 'bad-area' };
  const image = await covers.cut(whole, wish.area);
  if (image === undefined) return { ok: false, reason: 'not-a-picture' };
  return { image, whole: { key }, size, area: wish.area };
}

/** The picture that covers are cut from: the whole one where it is known, else the cover as it is. */
async function findWhole(db: Db, audioId: string): Promise<string | null> {
  const [row] = await db
    .select({
      imageKey: audios.imageKey,
      hasCover: audioDrafts.hasCover,
      draftKey: audioDrafts.imageKey,
      sourceKey: audioDrafts.sourceKey,
    })
    .from(audios)
    .leftJoin(audioDrafts, eq(audioDrafts.audioId, audios.id))
    .where(eq(audios.id, audioId));
  if (row === undefined) return null;
  return row.sourceKey ?? (row.hasCover === true ? row.draftKey : row.imageKey);
}
