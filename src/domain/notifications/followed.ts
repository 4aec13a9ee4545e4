import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { maxFollowedSeries } from './rules.ts';
import { seriesFollows, voiceMutes } from './tables.ts';

export type FollowedVoice = { id: string; slug: string; name: string; isOn: boolean };
export type FollowedSeries = { id: string; slug: string; title: string };

const maxListed = 500;

/** SQL condition: neither the series `s` nor its voice is hidden. */
const isShown = sql`s.hidden_at is null
  and not exists (select from voices v where v.id = s.voice_id and v.hidden_at is not null)`;

/** Favorite voices, and whether this user gets their news; A–Z. */
export async function listFollowedVoices(db: Db, userId: string): Promise<FollowedVoice[]> {
  const { rows } = await db.execute<FollowedVoice>(sql`
    select v.id, v.slug, v.name, not exists (select from voice_mutes m where m.user_id = f.user_id and m.voice_id = v.id) as "isOn"
    from voice_favorites f join voices v on v.id = f.content_id and v.hidden_at is null
    where f.user_id = ${userId} order by v.sort_name, v.id limit ${maxListed}`);
  return rows;
}

export async function listFollowedSeries(db: Db, userId: string): Promise<FollowedSeries[]> {
  const { rows } = await db.execute<FollowedSeries>(sql`
    select s.id, s.slug, s.title from series_follows f join series s on s.id = f.series_id and ${isShown}
    where f.user_id = ${userId} order by s.sort_title, s.id limit ${maxListed}`);
  return rows;
}

/** Idempotent. @returns false for an unknown or hidden voice */
export async function setVoiceNews(db: Db, userId: string, voiceId: string, isOn: boolean): Promise<boolean> {
  if (!isId(voiceId)) return false;
  if (isOn) {
    await db.delete(voiceMutes).where(and(eq(voiceMutes.userId, userId), eq(voiceMutes.voiceId, voiceId)));
    const { rows } = await db.execute(sql`select from voices where id = ${voiceId} and hidden_at is null`);
    return rows.length === 1;
  }
  const { rowCount } = await db.execute(sql`
    insert into voice_mutes as m (user_id, voice_id) select u.id, v.id from users u, voices v
    where u.id = ${userId} and v.id = ${voiceId} and v.hidden_at is null for key share
    on conflict (user_id, voice_id) do update set voice_id = m.voice_id`);
  return rowCount === 1;
}

export type FollowOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'full' };

/** Idempotent. */
export async function setSeriesFollowed(
  db: Db,
  userId: string,
  seriesId: string,
  isFollowed: boolean,
): Promise<FollowOutcome> {
  if (!isId(seriesId)) return { ok: false, reason: 'not-found' };
  if (!isFollowed) {
    await db.delete(seriesFollows).where(and(eq(seriesFollows.userId, userId), eq(seriesFollows.seriesId, seriesId)));
    return { ok: true };
  }
  return db.transaction(async (tx): Promise<FollowOutcome> => {
    // The user's row, so that series followed at once respect the limit.
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    if ((await tx.$count(seriesFollows, eq(seriesFollows.userId, userId))) >= maxFollowedSeries)
      return { ok: false, reason: 'full' };
    const { rowCount } = await tx.execute(sql`
      insert into series_follows as f (user_id, series_id) select u.id, s.id from users u, series s
      where u.id = ${userId} and s.id = ${seriesId} and ${isShown} for key share of u, s
      on conflict (series_id, user_id) do update set created_at = f.created_at`);
    return rowCount === 1 ? { ok: true } : { ok: false, reason: 'not-found' };
  });
}

export async function isSeriesFollowed(db: Db, userId: string, seriesId: string): Promise<boolean> {
  if (!isId(seriesId)) return false;
  const own = and(eq(seriesFollows.userId, userId), eq(seriesFollows.seriesId, seriesId));
  return (await db.$count(seriesFollows, own)) === 1;
}
