import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { imageUrl } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { AvatarColor } from '../identity/rules.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { FigureHistory } from './figures.ts';
import { findVoiceFigures, listBestAudios } from './figures.ts';
import type { Period } from './figure-periods.ts';
import type { UploadFailure } from './rules.ts';
import { canManageVoice } from './rules.ts';
import { uploads } from './tables.ts';

export type ScheduledAudio = { id: string; title: string; imageUrl: string | null; publishedAt: Date };
/** `needs`: what is missing before it should be published; undefined: nothing. */
export type DraftAudio = {
  id: string;
  title: string;
  imageUrl: string | null;
  durationMs: number;
  needs: 'description' | 'category' | undefined;
};
export type FailedUpload = {
  id: string;
  title: string;
  fileName: string;
  failure: UploadFailure;
  failureDetail: string | null;
  /** The audio whose file it was to replace. */
  replaces: string | null;
};
export type UnansweredComment = {
  id: string;
  text: string;
  createdAt: Date;
  author: { username: string; icon: string | null; color: AvatarColor };
  audio: { id: string; title: string };
};

export type StudioOverview = {
  period: Period;
  figures: FigureHistory;
  best: Awaited<ReturnType<typeof listBestAudios>>;
  scheduled: ScheduledAudio[];
  drafts: { items: DraftAudio[]; total: number };
  comments: UnansweredComment[];
  failed: FailedUpload[];
};

/** Rows in each list of the page. */
const mostRows = 5;
const mostComments = 3;

/** @returns undefined for an unknown voice, and for one that the actor may not manage */
export async function findStudioOverview(
  db: Db,
  actor: Actor,
  voiceId: string,
  now = new Date(),
): Promise<StudioOverview | undefined> {
  if (!canManageVoice(actor, voiceId)) return undefined;
  const [figures, scheduled, drafts, comments, failed] = await Promise.all([
    findVoiceFigures(db, actor, voiceId, {}, now),
    listScheduled(db, voiceId),
    listDrafts(db, voiceId),
    listUnansweredComments(db, voiceId),
    listFailedUploads(db, voiceId),
  ]);
  if (figures === undefined) return undefined;
  const { period } = figures;
  const best = await listBestAudios(db, voiceId, { period, plays: figures.now.plays, most: mostRows, now });
  return { period, figures, best, scheduled, drafts, comments, failed };
}

async function listScheduled(db: Db, voiceId: string): Promise<ScheduledAudio[]> {
  const rows = await db
    .select({ id: audios.id, title: audios.title, imageKey: audios.imageKey, publishedAt: audios.publishedAt })
    .from(audios)
    .where(and(eq(audios.voiceId, voiceId), gt(audios.publishedAt, sql`now()`)))
    .orderBy(asc(audios.publishedAt), asc(audios.id))
    .limit(mostRows);
  return rows.flatMap(({ imageKey, publishedAt, ...row }) =>
    publishedAt === null ? [] : [{ ...row, imageUrl: imageUrl(imageKey), publishedAt }],
  );
}

async function listDrafts(db: Db, voiceId: string): Promise<StudioOverview['drafts']> {
  const isDraft = and(eq(audios.voiceId, voiceId), isNull(audios.publishedAt), isNull(audios.deletedAt));
  const rows = await db
    .select({
      id: audios.id,
      title: audios.title,
      imageKey: audios.imageKey,
      durationMs: audios.durationMs,
      hasDescription: sql<boolean>`${audios.description} <> ''`,
      hasCategory: sql<boolean>`exists (select from audio_categories c where c.audio_id = ${audios.id})`,
    })
    .from(audios)
    .where(isDraft)
    .orderBy(desc(audios.updatedAt), desc(audios.id))
    .limit(mostRows);
  return {
    items: rows.map(({ imageKey, hasDescription, hasCategory, ...row }) => ({
      ...row,
      imageUrl: imageUrl(imageKey),
      needs: !hasDescription ? 'description' : hasCategory ? undefined : 'category',
    })),
    total: rows.length < mostRows ? rows.length : await db.$count(audios, isDraft),
  };
}

async function listFailedUploads(db: Db, voiceId: string): Promise<FailedUpload[]> {
  const rows = await db
    .select({
      id: uploads.id,
      title: uploads.title,
      fileName: uploads.fileName,
      failure: uploads.failure,
      failureDetail: uploads.failureDetail,
      replaces: sql<string | null>`case when ${uploads.replaces} then ${uploads.audioId} end`,
    })
    .from(uploads)
    .where(and(eq(uploads.voiceId, voiceId), eq(uploads.state, 'failed')))
    .orderBy(desc(uploads.id))
    .limit(mostRows);
  return rows.flatMap(({ failure, ...row }) => (failure === null ? [] : [{ ...row, failure }]));
}

/** The newest ones; unanswered as `countForStudio` counts them. */
async function listUnansweredComments(db: Db, voiceId: string): Promise<UnansweredComment[]> {
  const { rows } = await db.execute<{
    id: string;
    text: string;
    createdAt: string;
    username: string;
    icon: string | null;
    color: AvatarColor;
    audioId: string;
    title: string;
  }>(sql`
    select c.id, c.text, to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      u.username, u.icon, u.color, a.id as "audioId", a.title
    from comments c join ${audios} a on a.id = c.audio_id join users u on u.id = c.user_id
    where a.voice_id = ${voiceId} and a.deleted_at is null and c.parent_id is null and c.removed_at is null
      and not c.is_author_suspended and c.text is not null and u.username is not null
      and not exists (select from voice_owners o where o.voice_id = ${voiceId} and o.user_id = c.user_id)
      and not exists (select from comments r join voice_owners o on o.user_id = r.user_id and o.voice_id = ${voiceId}
        where r.parent_id = c.id)
    order by c.id desc limit ${mostComments}`);
  return rows.map(({ username, icon, color, audioId, title, createdAt, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt),
    author: { username, icon, color },
    audio: { id: audioId, title },
  }));
}
