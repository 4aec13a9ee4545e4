import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { imageUrl } from '../../catalogue/audios.ts';
import { isUnpublished, publicationTime } from '../../catalogue/editing/publishing.ts';
import { audios } from '../../catalogue/tables.ts';
import { comments } from '../../community/tables.ts';
import { isUnanswered } from '../../community/voice-comments.ts';
import { avatarColors } from '../../identity/rules.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { findVoiceFigures, listBestAudios } from './figures.ts';
import { noWords } from '#formats/content-languages.ts';
import { isWithoutText } from '../audios/audio-list.ts';
import { canManageVoice } from '../rules.ts';
import { uploads } from '../tables.ts';

/** Rows in each list of the page. */
const maxRows = 5;
const maxComments = 3;

/** @returns undefined for an unknown voice, and for one that the actor may not manage */
export async function findStudioOverview(db: Db, actor: Actor, voiceId: string, now = new Date()) {
  if (!canManageVoice(actor, voiceId)) return undefined;
  const [figures, scheduled, drafts, unanswered, failed, texts] = await Promise.all([
    findVoiceFigures(db, actor, voiceId, {}, now),
    listScheduled(db, voiceId),
    listDrafts(db, voiceId),
    listUnansweredComments(db, voiceId),
    listFailedUploads(db, voiceId),
    countTexts(db, voiceId),
  ]);
  if (figures === undefined) return undefined;
  const { period } = figures;
  const best = await listBestAudios(db, voiceId, { period, plays: figures.now.plays, max: maxRows, now });
  return { period, figures, best, scheduled, drafts, comments: unanswered, failed, texts };
}
export type StudioOverview = NonNullable<Awaited<ReturnType<typeof findStudioOverview>>>;

/** Two conditions, because each has an index. */
const isScheduled = or(
  gt(audios.publishedAt, sql`now()`),
  and(gt(audios.publishedWhileHidden, sql`now()`), isNull(audios.deletedAt)),
);

async function listScheduled(db: Db, voiceId: string) {
  const rows = await db
    .select({ id: audios.id, title: audios.title, imageKey: audios.imageKey, publishedAt: publicationTime })
    .from(audios)
    .where(and(eq(audios.voiceId, voiceId), isScheduled))
    .orderBy(asc(publicationTime), asc(audios.id))
    .limit(maxRows);
  return rows.flatMap(({ imageKey, publishedAt, ...row }) =>
    publishedAt === null ? [] : [{ ...row, imageUrl: imageUrl(imageKey), publishedAt }],
  );
}

async function listDrafts(db: Db, voiceId: string) {
  const isDraft = and(eq(audios.voiceId, voiceId), isUnpublished);
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
    .limit(maxRows);
  return {
    items: rows.map(({ imageKey, hasDescription, hasCategory, ...row }) => ({
      ...row,
      imageUrl: imageUrl(imageKey),
      /** Missing for publication. */
      needs: hasDescription ? (hasCategory ? undefined : ('category' as const)) : ('description' as const),
    })),
    total: rows.length < maxRows ? rows.length : await db.$count(audios, isDraft),
  };
}

/** Audios with words, and how many of these have no transcript. */
async function countTexts(db: Db, voiceId: string): Promise<{ total: number; without: number }> {
  const { rows } = await db.execute<{ total: number; without: number }>(sql`
    select count(*)::int as total, (count(*) filter (where ${isWithoutText}))::int as without
    from audios a where a.voice_id = ${voiceId} and a.deleted_at is null and a.language <> ${noWords}`);
  return rows[0] ?? { total: 0, without: 0 };
}

async function listFailedUploads(db: Db, voiceId: string) {
  const rows = await db
    .select({
      id: uploads.id,
      title: uploads.title,
      failure: uploads.failure,
      /** The audio whose file it should replace. */
      replaces: sql<string | null>`case when ${uploads.replaces} then ${uploads.audioId} end`,
    })
    .from(uploads)
    .where(and(eq(uploads.voiceId, voiceId), eq(uploads.state, 'failed'), isNull(uploads.removedAt)))
    .orderBy(desc(uploads.id))
    .limit(maxRows);
  return rows.flatMap(({ failure, ...row }) => (failure === null ? [] : [{ ...row, failure }]));
}

/** The newest comments; unanswered as in `countForStudio`. */
async function listUnansweredComments(db: Db, voiceId: string) {
  const rows = await db
    .select({
      id: comments.id,
      text: sql<string>`${comments.text}`,
      createdAt: comments.createdAt,
      author: { username: sql<string>`${users.username}`, icon: users.icon, color: users.color },
      audio: { id: audios.id, title: audios.title },
    })
    .from(comments)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .innerJoin(users, eq(users.id, comments.userId))
    .where(
      and(
        eq(comments.voiceId, voiceId),
        isNull(audios.deletedAt),
        isNotNull(comments.text),
        isNotNull(users.username),
        isUnanswered(voiceId),
      ),
    )
    .orderBy(desc(comments.id))
    .limit(maxComments);
  return rows.map(({ author, ...row }) => ({ ...row, author: { ...author, color: author.color ?? avatarColors[0] } }));
}
