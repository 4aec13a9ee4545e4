import type { Language } from '#formats/languages.ts';
import { languageIn } from '../identity/account-language.ts';
import { type SQL, and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { imageUrl, isFreeToAll } from '../catalogue/audios.ts';
import { audios, voices } from '../catalogue/tables.ts';
import { isNotBlockedBy, isNotHidden, isWantedSql, listensToSql } from '../catalogue/visibility.ts';
import { users } from '../identity/tables.ts';
import { findOfferedLanguages } from '../settings/languages.ts';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import { Instant } from '../kernel/forms.ts';
import { type Page, decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import type { User } from '../kernel/viewer.ts';
import { fitsMix } from './mix-news.ts';
import { type NewsFacts, maxCounted, describeNews } from './rules.ts';
import { notifications } from './tables.ts';

export type Notification = {
  id: string;
  kind: NewsFacts['kind'];
  /** One sentence without a full stop. */
  text: string;
  /** Target path on this site. */
  path: string;
  createdAt: Date;
  isRead: boolean;
  audio: { id: string; imageUrl: string | null; color: string | null; isFree: boolean } | null;
};

/** Columns and tables that `toFacts` needs. Every query of news uses `selectNews`, so that all hide the same items. */
export const newsColumns = {
  id: notifications.id,
  userId: notifications.userId,
  kind: notifications.kind,
  subjectId: notifications.subjectId,
  detail: notifications.detail,
  createdAt: notifications.createdAt,
  readAt: notifications.readAt,
  audioId: audios.id,
  slug: audios.slug,
  title: audios.title,
  imageKey: audios.imageKey,
  color: audios.color,
  isFree: isFreeToAll,
  voiceName: voices.name,
  by: sql<string | null>`author.username`,
  /** The subject is the user's own comment, which the creator likes. */
  isHeart: sql<boolean>`coalesce(author.id = ${notifications.userId}, false)`,
};

export function selectNews(db: Db) {
  return db
    .select(newsColumns)
    .from(notifications)
    .leftJoin(audios, and(eq(audios.id, notifications.audioId), sql`${audios.publishedAt} <= now()`))
    .leftJoin(voices, eq(voices.id, audios.voiceId))
    .leftJoin(
      sql`comments reply`,
      sql`${notifications.kind} = 'reply' and reply.id = ${notifications.subjectId} and reply.removed_at is null
        and reply.hidden_at is null and not reply.is_author_suspended and reply.user_id is not null`,
    )
    .leftJoin(sql`users author`, sql`author.id = reply.user_id`)
    .$dynamic();
}

/** SQL condition: the subject is still visible. Unpublished audios, deleted replies and hearts that were taken back are not. */
export const isStillThere: SQL = sql`(${notifications.audioId} is null or ${audios.id} is not null)
  and (${notifications.kind} <> 'reply' or author.id <> ${notifications.userId} or reply.hearted_at is not null)`;

function isShownTo(viewer: User): SQL | undefined {
  const isOwnReply = isNotBlockedBy(viewer, sql`author.id`);
  const isWanted = isNotHidden(viewer, notifications.audioId);
  return and(
    eq(notifications.userId, viewer.id),
    isStillThere,
    isOwnReply && sql`(${notifications.kind} <> 'reply' or ${isOwnReply})`,
    isWanted && sql`(${notifications.kind} <> 'new-audio' or ${isWanted})`,
  );
}

/**
 * SQL condition: the user of that row would get these news now, too; as `findFollowers` chooses them. Blocks, mutes,
 * languages and what users hide may be newer than the news. `offset 0` keeps PostgreSQL from hashing all of them for one batch.
 */
const isStillWanted: SQL = sql`case ${notifications.kind}
  when 'reply' then not exists (select from user_blocks block
    where block.user_id = ${notifications.userId} and block.blocked_id = author.id offset 0)
  when 'new-audio' then (select ${isWantedSql(sql`${notifications.userId}`, sql`${notifications.audioId}`)} offset 0)
    and (select ${listensToSql(sql`follower.preferences`, sql`${audios.language}`)} from users follower
      where follower.id = ${notifications.userId} offset 0)
    and (not exists (select from voice_mutes mute
        where mute.user_id = ${notifications.userId} and mute.voice_id = ${audios.voiceId} offset 0)
      or exists (select from series_items item join series_follows follow on follow.series_id = item.series_id
        where item.audio_id = ${notifications.audioId} and follow.user_id = ${notifications.userId} offset 0)
      or exists (select from mixes mix where mix.user_id = ${notifications.userId} and ${fitsMix} offset 0))
  else true end`;

export type NewsRow = Awaited<ReturnType<typeof selectNews>>[number];

type FactColumn = 'kind' | 'subjectId' | 'detail' | 'slug' | 'title' | 'voiceName' | 'by' | 'isHeart';

export function toFacts(row: Pick<NewsRow, FactColumn>): NewsFacts {
  const { kind, subjectId, detail, slug, title, voiceName, by, isHeart } = row;
  const audio = slug === null || title === null ? null : { slug, title, voiceName: voiceName ?? '' };
  return { kind, detail, audio, replyId: kind === 'reply' ? subjectId : null, by, isHeart };
}

function toNotification(row: NewsRow): Notification {
  const { id, kind, createdAt, readAt, audioId, imageKey, color, isFree } = row;
  return {
    id,
    kind,
    ...describeNews(toFacts(row)),
    createdAt,
    isRead: readAt !== null,
    audio: audioId === null ? null : { id: audioId, imageUrl: imageUrl(imageKey), color, isFree: isFree === true },
  };
}

/** The newest first. */
export async function listNotifications(
  db: Db,
  viewer: User,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<Notification>> {
  const after = decodeCursor('notifications', cursor, Instant);
  const { createdAt, id } = notifications;
  const rows = await selectNews(db)
    .where(
      and(
        isShownTo(viewer),
        after && isBeyond('desc', [createdAt, id], { value: new Date(after.value), id: after.id }),
      ),
    )
    .orderBy(sql`${createdAt} desc, ${id} desc`)
    .limit(limit + 1);
  return toPage(rows, limit, toNotification, (row) =>
    encodeCursor('notifications', { value: row.createdAt.toISOString(), id: row.id }),
  );
}

/** At most `maxCounted` + 1. */
export async function countUnread(db: Db, viewer: User): Promise<number> {
  const rows = await selectNews(db)
    .where(and(isShownTo(viewer), isNull(notifications.readAt)))
    .limit(maxCounted + 1);
  return rows.length;
}

/** @param ids undefined: all current ones. Ids of other users change nothing. */
export async function markRead(db: Db, userId: string, ids: string[] | undefined): Promise<void> {
  if (ids?.length === 0) return;
  await db
    .update(notifications)
    .set({ readAt: sql`now()` })
    .where(
      and(
        eq(notifications.userId, userId),
        isNull(notifications.readAt),
        ids === undefined ? undefined : inArray(notifications.id, ids),
      ),
    );
}

export type DueNews = NewsFacts & { id: string };
export type DueUser = {
  userId: string;
  email: string | null;
  language: Language;
  isDiscreet: boolean;
  news: DueNews[];
};

/** Contents of these notifications by user, without those deleted, read, blocked, hidden or muted meanwhile. */
export async function readNews(db: Db, ids: string[]): Promise<DueUser[]> {
  const rows = await selectNews(db)
    .where(and(inArray(notifications.id, ids), isStillThere, isStillWanted, isNull(notifications.readAt)))
    .orderBy(notifications.userId, sql`${notifications.createdAt} desc, ${notifications.id} desc`);
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  if (userIds.length === 0) return [];
  const people = await db
    .select({ id: users.id, email: users.email, preferences: users.preferences })
    .from(users)
    .where(and(inArray(users.id, userIds), isNull(users.suspendedAt)));
  const offered = await findOfferedLanguages(db);
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return people.map(({ id, email, preferences }) => ({
    userId: id,
    email,
    language: languageIn(preferences, offered),
    isDiscreet: preferences.isDiscreet === true,
    news: (byUser.get(id) ?? []).map((row) => ({ id: row.id, ...toFacts(row) })),
  }));
}

const keptDays = 180;

export async function purgeOldNotifications(db: Db, signal?: AbortSignal): Promise<number> {
  const isOld = sql`${notifications.createdAt} < now() - make_interval(days => ${keptDays})`;
  return purgeRows(db, notifications, isOld, signal, notifications.createdAt);
}
