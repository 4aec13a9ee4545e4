import { eq, inArray } from 'drizzle-orm';
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
import type { PlaylistBackground, PlaylistFont } from '#domain/library/rules.ts';
import { listeningHistory, listeningProgress, voiceListening } from '#domain/listening/tables.ts';

export type DemoActivity = {
  /** Audios by slug, last heard first: days ago, number of plays, and the position as a fraction. */
  heard: { audio: string; days: number; listens?: number; leftAt?: number }[];
  /** Slugs, newest first. */
  favorites: { audios: string[]; voices: string[]; categories: string[]; playlists: string[] };
  playlists: { title: string; background: PlaylistBackground; font: PlaylistFont; days: number; audios: string[] }[];
  comments: { audio: string; days: number; text: string }[];
};

const day = 24 * 60 * 60 * 1000;
const memberDays = 30;

/**
 * Gives a demo account some weeks of listening. Nothing is older than its audio; audios that the demo lacks are
 * skipped. The database's triggers update the counts of favorites, comments and playlists.
 */
export async function addDemoActivity(db: Db, userId: string, activity: DemoActivity, now: Date): Promise<void> {
  const { heard, favorites } = activity;
  const named = [heard, activity.comments].flat().map(({ audio }) => audio);
  const slugs = [...named, ...favorites.audios, ...activity.playlists.flatMap((playlist) => playlist.audios)];
  const rows = await db
    .select({
      id: audios.id,
      slug: audios.slug,
      voiceId: audios.voiceId,
      durationMs: audios.durationMs,
      publishedAt: audios.publishedAt,
    })
    .from(audios)
    .where(inArray(audios.slug, slugs));
  const bySlug = Map.groupBy(rows, ({ slug }) => slug);
  const found = (slug: string) => bySlug.get(slug) ?? [];
  const ago = (days: number) => new Date(now.getTime() - days * day);
  /** That many days ago, but not before the audio was published. */
  const sinceThen = (audio: { publishedAt: Date | null }, days: number) => {
    const published = (audio.publishedAt ?? now).getTime();
    const age = (now.getTime() - published) / day;
    return ago(days < age ? days : (age * days) / (days + age));
  };

  await db
    .update(users)
    .set({ createdAt: ago(memberDays) })
    .where(eq(users.id, userId));

  const hearings = heard.flatMap(({ audio: slug, days, listens = 1, leftAt }) =>
    found(slug).map((audio) => {
      const positionMs = Math.round(audio.durationMs * (leftAt ?? 0));
      const listenedMs = audio.durationMs * (leftAt === undefined ? listens : listens - 1) + positionMs;
      return { audio, listens, positionMs, listenedMs, at: sinceThen(audio, days) };
    }),
  );
  if (hearings.length > 0) {
    await db.insert(listeningHistory).values(
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
    const byVoice = new Map<string, number>();
    for (const { audio, listenedMs } of hearings)
      byVoice.set(audio.voiceId, (byVoice.get(audio.voiceId) ?? 0) + listenedMs);
    await db
      .insert(voiceListening)
      .values([...byVoice].map(([voiceId, listenedMs]) => ({ userId, voiceId, listenedMs })));
    const places = hearings.filter(({ positionMs }) => positionMs > 0);
    if (places.length > 0)
      await db
        .insert(listeningProgress)
        .values(places.map(({ audio, positionMs, at }) => ({ userId, audioId: audio.id, positionMs, updatedAt: at })));
  }

  const kept = favorites.audios.flatMap((slug) => found(slug));
  if (kept.length > 0)
    await db
      .insert(audioFavorites)
      .values(kept.map((audio, at) => ({ userId, contentId: audio.id, createdAt: sinceThen(audio, 1 + 2 * at) })));
  for (const [table, byTable, wanted] of [
    [voiceFavorites, voices, favorites.voices],
    [categoryFavorites, categories, favorites.categories],
    [playlistFavorites, playlists, favorites.playlists],
  ] as const) {
    const ids = new Map(
      (await db.select({ id: byTable.id, slug: byTable.slug }).from(byTable).where(inArray(byTable.slug, wanted))).map((row) => [
        row.slug,
        row.id,
      ]),
    );
    const values = wanted.flatMap((slug, at) => {
      const contentId = ids.get(slug);
      return contentId === undefined ? [] : { userId, contentId, createdAt: ago(2 + 3 * at) };
    });
    if (values.length > 0) await db.insert(table).values(values);
  }

  for (const { audios: slugsOfList, days, ...playlist } of activity.playlists) {
    const items = slugsOfList.flatMap((slug) => found(slug));
    if (items.length === 0) continue;
    const createdAt = ago(days);
    const id = newIdAt(createdAt);
    await db.insert(userPlaylists).values({ id, userId, ...playlist, createdAt, updatedAt: createdAt });
    await db
      .insert(userPlaylistItems)
      .values(items.map((audio, at) => ({ userPlaylistId: id, audioId: audio.id, position: (at + 1) * 1024 })));
  }

  const commentRows = activity.comments.flatMap(({ audio: slug, days, text }) =>
    found(slug).map((audio) => {
      const createdAt = sinceThen(audio, days);
      return { id: newIdAt(createdAt), audioId: audio.id, userId, text, createdAt };
    }),
  );
  if (commentRows.length > 0) await db.insert(comments).values(commentRows);
}
