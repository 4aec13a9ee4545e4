import { and, eq, isNull, sql } from 'drizzle-orm';
import { imageUrlSql, isAudio, isDownloadable, isFreeToAll, isPublished } from '../../catalogue/audios.ts';
import { audios, recordings, transcripts, voices } from '../../catalogue/tables.ts';
import { toBars } from '../../catalogue/waveforms.ts';
import type { AddJobs } from '../../gateways.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { purgeRows } from '../../kernel/purge.ts';
import type { PlayableFile } from '../media.ts';
import type { ClipForm } from './forms.ts';
import { clipDays, minClipSeconds, quoteOf } from './rules.ts';
import { type ClipState, clips } from './tables.ts';

/**
 * A clip is a file of its own, cut by a job. Each look at it asks again whether its audio may be clipped, so that it is
 * gone with the audio, with a new recording, and when the creator changes their mind.
 */

/** This job does it; keys are ids of clips. */
export const makeClipJob = 'make-clip';

/** Everyone may hear it, and its creator and performers let it be kept. */
const isClippable = and(
  isPublished,
  isFreeToAll,
  isDownloadable,
  eq(voices.allowsClips, true),
  isNull(voices.hiddenAt),
);

/** Its recording is still the one that it was cut from. */
const isShown = and(isClippable, eq(clips.recording, audios.fileKey));

export type ClipParts = { db: Db; addJobs: AddJobs; isOn: () => boolean };

export type MadeClip = { id: string; state: ClipState };
export type CreateClipResult =
  | { ok: true; clip: MadeClip }
  | { ok: false; reason: 'not-found' | 'not-free' | 'not-allowed' | 'too-short' };

/**
 * The same seconds are one clip, whoever chooses them.
 * @throws DomainError `site/feature-off`
 */
export async function createClip(
  { db, addJobs, isOn }: ClipParts,
  userId: string,
  idOrSlug: string,
  { start, end }: ClipForm,
): Promise<CreateClipResult> {
  if (!isOn()) throw new DomainError('site/feature-off');
  const match = isAudio(idOrSlug);
  if (match === undefined) return { ok: false, reason: 'not-found' };
  const [audio] = await db
    .select({
      ...pick(audios, 'id', 'fileKey', 'durationMs'),
      isFree: isFreeToAll,
      isClippable: sql<boolean>`${isClippable}`,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(match, isPublished))
    .limit(1);
  if (audio === undefined) return { ok: false, reason: 'not-found' };
  if (!audio.isFree) return { ok: false, reason: 'not-free' };
  if (!audio.isClippable) return { ok: false, reason: 'not-allowed' };
  const startMs = Math.round(start * 1000);
  const endMs = Math.min(Math.round(end * 1000), audio.durationMs);
  if (endMs - startMs < minClipSeconds * 1000) return { ok: false, reason: 'too-short' };
  const [row] = await db
    .insert(clips)
    .values({ id: newId(), audioId: audio.id, recording: audio.fileKey, userId, startMs, endMs })
    .onConflictDoUpdate({
      target: [clips.audioId, clips.recording, clips.startMs, clips.endMs],
      set: {
        createdAt: sql`now()`,
        // One that failed is tried again.
        state: sql`case clips.state when 'failed' then 'waiting' else clips.state end`,
        attempts: sql`case clips.state when 'failed' then 0 else clips.attempts end`,
      },
    })
    .returning({ id: clips.id, state: clips.state });
  if (row === undefined) throw new Error('The clip was not stored');
  if (row.state === 'waiting') await addJobs(makeClipJob, [row.id]);
  return { ok: true, clip: row };
}

export type Clip = NonNullable<Awaited<ReturnType<typeof findClip>>>;

/** @returns undefined for one that is gone, or whose audio may not be clipped any more */
export async function findClip({ db, isOn }: Pick<ClipParts, 'db' | 'isOn'>, id: string) {
  if (!isId(id) || !isOn()) return undefined;
  const [row] = await db
    .select({
      ...pick(clips, 'id', 'state', 'startMs', 'endMs'),
      audio: { ...pick(audios, 'slug', 'title', 'language', 'durationMs'), imageUrl: imageUrlSql(audios.imageKey) },
      voice: pick(voices, 'name'),
      cues: transcripts.cues,
      peaks: recordings.peaks,
    })
    .from(clips)
    .innerJoin(audios, eq(audios.id, clips.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .leftJoin(transcripts, eq(transcripts.audioId, audios.id))
    .leftJoin(recordings, and(eq(recordings.audioId, audios.id), eq(recordings.fileKey, audios.fileKey)))
    .where(and(eq(clips.id, id), isShown));
  if (row === undefined) return undefined;
  const { cues, peaks, startMs, endMs, ...clip } = row;
  const [start, end] = [startMs / 1000, endMs / 1000];
  return {
    ...clip,
    start,
    seconds: end - start,
    bars: peaks && toBars(partOf(peaks, startMs / row.audio.durationMs, endMs / row.audio.durationMs)),
    quote: quoteOf(cues ?? [], { start, end }),
  };
}

/** @param peaks pairs of bytes */
function partOf(peaks: Uint8Array, from: number, to: number): Uint8Array {
  const points = peaks.length / 2;
  const first = Math.min(points - 1, Math.floor(from * points));
  return peaks.subarray(2 * first, 2 * Math.max(first + 1, Math.ceil(to * points)));
}

/** The file of a clip, with the same condition. */
export async function findClipSound(
  { db, isOn }: Pick<ClipParts, 'db' | 'isOn'>,
  id: string,
): Promise<PlayableFile | undefined> {
  if (!isId(id) || !isOn()) return undefined;
  const [row] = await db
    .select(pick(clips, 'fileKey', 'fileBytes', 'createdAt'))
    .from(clips)
    .innerJoin(audios, eq(audios.id, clips.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(eq(clips.id, id), isShown));
  if (row === undefined || row.fileKey === null || row.fileBytes === null) return undefined;
  const { fileKey: key, fileBytes: bytes, createdAt: modifiedAt } = row;
  // Browsers ask again each time: it may be gone.
  return { key, bytes, mime: 'audio/mp4', modifiedAt, etag: key.replace(/^.*\/|\.[a-z0-9]+$/g, ''), cache: 'private' };
}

/** Clips whose job was lost, the first one first. */
export async function findWaitingClips(db: Db, limit = 500): Promise<string[]> {
  const rows = await db
    .select({ id: clips.id })
    .from(clips)
    .where(eq(clips.state, 'waiting'))
    .orderBy(clips.id)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Deletes clips whose time is over, and those that could not be made. @returns how many */
export function purgeClips(db: Db, signal?: AbortSignal): Promise<number> {
  const before = (days: number) => sql`created_at < now() - make_interval(days => ${days})`;
  const isOver = sql`(${before(clipDays)} or state = 'failed' and ${before(1)})`;
  return purgeRows(db, clips, isOver, signal, clips.createdAt);
}
