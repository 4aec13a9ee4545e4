import { eq, inArray, sql } from 'drizzle-orm';
import { audios, categories, playlists, voices } from '#domain/catalogue/tables.ts';
import { comments } from '#domain/community/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { users } from '#domain/identity/tables.ts';
import { newIdAt } from '#domain/kernel/ids.ts';
import {
  audioFavorites,
  categoryFavorites,
  playlistFavorites,
  userPlaylistItems,
  userPlaylists,
  voiceFavorites,
} from '#domain/library/tables.ts';
import { listeningHistory, listeningProgress, voiceListening } from '#domain/listening/tables.ts';
import { insertRows } from './rows.ts';
import type { DemoActivity } from './people.ts';

const day = 24 * 60 * 60 * 1000;
const memberDays = 30;
const maxNews = 6;
const unreadNews = 2;

/**
 * Gives a demo account some weeks of listening. Nothing is older than its audio; audios that the demo lacks are
 * skipped. The database's triggers update the counts of favorites, comments and playlists.
 */
export async function addDemoActivity(db: Db, userId: string, activity: DemoActivity, now: Date): Promise<void> {
  const { favorites } = activity;
  const { id, slug, voiceId, durationMs, publishedAt } = audios;
  const rows = await db.select({ id, slug, voiceId, durationMs, publishedAt }).from(audios);
  const bySlug = Map.groupBy(rows, (audio) => audio.slug);
  const ago = (days: number) => new Date(now.getTime() - days * day);
  /** Those of the demo that are there; `at`: that many days ago, but not before the audio was published. */
  const withAudio = <Row extends { audio: string; days: number }>(list: Row[]) =>
    list.flatMap((row) =>
      (bySlug.get(row.audio) ?? []).map((audio) => {
        const age = (now.getTime() - (audio.publishedAt ?? now).getTime()) / day;
        return { ...row, audio, at: ago(row.days < age ? row.days : (age * row.days) / (row.days + age)) };
      }),
    );

  await db
    .update(users)
    .set({ createdAt: ago(memberDays) })
    .where(eq(users.id, userId));

  const hearings = withAudio(activity.heard).map(({ audio, listens, leftAt, at }) => {
    const positionMs = Math.round(audio.durationMs * (leftAt ?? 0));
    const listenedMs = audio.durationMs * (leftAt === undefined ? listens : listens - 1) + positionMs;
    return { audio, listens, positionMs, listenedMs, at };
  });
  await insertRows(
    db,
    listeningHistory,
    hearings.map(({ audio, listens, listenedMs, at }) => ({
      userId,
      audioId: audio.id,
      listens,
      played30s: listens,
      listenedMs,
      lastListenedAt: at,
      listenCountedAt: at,
      played30sCountedAt: at,
    })),
  );
  await insertRows(
    db,
    voiceListening,
    [...Map.groupBy(hearings, ({ audio }) => audio.voiceId)].map(([ofVoice, own]) => ({
      userId,
      voiceId: ofVoice,
      listenedMs: own.reduce((sum, { listenedMs }) => sum + listenedMs, 0),
    })),
  );
  await insertRows(
    db,
    listeningProgress,
    hearings
      .filter(({ positionMs }) => positionMs > 0)
      .map(({ audio, positionMs, at }) => ({ userId, audioId: audio.id, positionMs, updatedAt: at })),
  );

  const favoriteAudios = withAudio(favorites.audios.map((audio, index) => ({ audio, days: 1 + 2 * index })));
  await insertRows(
    db,
    audioFavorites,
    favoriteAudios.map(({ audio, at }) => ({ userId, contentId: audio.id, createdAt: at })),
  );
  for (const [table, contents, slugs] of [
    [voiceFavorites, voices, favorites.voices],
    [categoryFavorites, categories, favorites.categories],
    [playlistFavorites, playlists, favorites.playlists],
  ] as const) {
    const present = await db.select({ id: contents.id, slug: contents.slug }).from(contents).where(inArray(contents.slug, slugs));
    await insertRows(
      db,
      table,
      present.map((content) => ({
        userId,
        contentId: content.id,
        createdAt: ago(2 + 3 * slugs.indexOf(content.slug)),
      })),
    );
  }

  for (const { audios: inList, days, ...playlist } of activity.playlists) {
    const items = inList.flatMap((audio) => bySlug.get(audio) ?? []);
    if (items.length === 0) continue;
    const createdAt = ago(days);
    const playlistId = newIdAt(createdAt);
    await db.insert(userPlaylists).values({ id: playlistId, userId, ...playlist, createdAt, updatedAt: createdAt });
    await db
      .insert(userPlaylistItems)
      .values(items.map((audio, at) => ({ userPlaylistId: playlistId, audioId: audio.id, position: (at + 1) * 1024 })));
  }

  await insertRows(
    db,
    comments,
    withAudio(activity.comments).map(({ audio, text, at }) => ({
      id: newIdAt(at),
      audioId: audio.id,
      userId,
      text,
      language: 'en',
      createdAt: at,
    })),
  );

  // News of the newest audios of favorite creators, as if the account had followed them for long.
  await db.execute(sql`
    insert into notifications (id, user_id, kind, subject_id, audio_id, created_at, read_at, is_planned)
    select gen_random_uuid(), ${userId}, 'new-audio', a.id, a.id, a.published_at,
      case when row_number() over (order by a.published_at desc, a.id) > ${unreadNews} then a.published_at + interval '1 hour' end, true
    from voice_favorites f join audios a on a.voice_id = f.content_id and a.published_at <= now()
    where f.user_id = ${userId} order by a.published_at desc, a.id limit ${maxNews}
    on conflict do nothing`);
}
