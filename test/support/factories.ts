import {
  audioCategories,
  audioCounts,
  audios,
  audioTags,
  categories,
  playlistItems,
  playlists,
  series,
  seriesItems,
  tags,
  transcripts,
  voices,
} from '#domain/catalogue/tables.ts';
import type { Cue } from '#domain/catalogue/rules.ts';
import type { Db } from '#domain/kernel/db.ts';
import { articleAudios, articles } from '#domain/editorial/tables.ts';
import { newId, sortKey, toSlug } from '#domain/kernel/ids.ts';
import { type OpenedSession, openSession } from '#domain/identity/sessions.ts';
import { users } from '#domain/identity/tables.ts';
import { userPlaylistItems, userPlaylists } from '#domain/library/tables.ts';
import { eq } from 'drizzle-orm';

/** Rows that satisfy every constraint; a test passes only the values that matter to it. */

let count = 0;

function numbered(word: string): string {
  count += 1;
  return `${word} ${count}`;
}

export async function createVoice(db: Db, overrides: Partial<typeof voices.$inferInsert> = {}) {
  const name = overrides.name ?? numbered('Voice');
  const voice = {
    id: newId(),
    slug: toSlug(name),
    name,
    sortName: sortKey(name),
    voiceTypeLabel: 'Female voice',
    ...overrides,
  };
  await db.insert(voices).values(voice);
  return voice;
}

export async function createCategory(db: Db, overrides: Partial<typeof categories.$inferInsert> = {}) {
  const label = overrides.label ?? numbered('Category');
  const category = { id: newId(), slug: toSlug(label), label, ...overrides };
  await db.insert(categories).values(category);
  return category;
}

type AudioOverrides = Partial<typeof audios.$inferInsert> & {
  plays?: number;
  categoryIds?: string[];
  tagLabels?: string[];
  cues?: Cue[];
};

export async function createAudio(
  db: Db,
  { plays, categoryIds = [], tagLabels = [], cues, ...overrides }: AudioOverrides = {},
) {
  const title = overrides.title ?? numbered('Audio');
  const voiceId = overrides.voiceId ?? (await createVoice(db)).id;
  const audio = {
    id: newId(),
    slug: toSlug(title),
    title,
    sortTitle: sortKey(title),
    fileKey: `audio/${newId()}.mp3`,
    fileMime: 'audio/mpeg',
    fileBytes: 1000,
    durationMs: 60_000,
    publishedAt: new Date(Date.now() - 60_000),
    ...overrides,
    voiceId,
  };
  await db.insert(audios).values(audio);
  if (plays !== undefined) await db.update(audioCounts).set({ plays }).where(eq(audioCounts.audioId, audio.id));
  for (const [position, categoryId] of categoryIds.entries())
    await db.insert(audioCategories).values({ audioId: audio.id, categoryId, position });
  for (const label of tagLabels) {
    await db
      .insert(tags)
      .values({ id: newId(), slug: toSlug(label), label })
      .onConflictDoNothing();
    const [tag] = await db
      .select({ id: tags.id })
      .from(tags)
      .where(eq(tags.slug, toSlug(label)));
    if (tag !== undefined) await db.insert(audioTags).values({ audioId: audio.id, tagId: tag.id });
  }
  if (cues !== undefined) await db.insert(transcripts).values({ audioId: audio.id, cues });
  return audio;
}

export async function createPlaylist(
  db: Db,
  { audioIds = [], ...overrides }: Partial<typeof playlists.$inferInsert> & { audioIds?: string[] } = {},
) {
  const title = overrides.title ?? numbered('Playlist');
  const playlist = { id: newId(), slug: toSlug(title), title, ...overrides };
  await db.insert(playlists).values(playlist);
  for (const [position, audioId] of audioIds.entries())
    await db.insert(playlistItems).values({ playlistId: playlist.id, audioId, position });
  return playlist;
}

export async function createSeries(
  db: Db,
  { audioIds = [], ...overrides }: Partial<typeof series.$inferInsert> & { audioIds?: string[] } = {},
) {
  const title = overrides.title ?? numbered('Series');
  const one = { id: newId(), slug: toSlug(title), title, sortTitle: sortKey(title), ...overrides };
  await db.insert(series).values(one);
  for (const [position, audioId] of audioIds.entries())
    await db.insert(seriesItems).values({ seriesId: one.id, audioId, position });
  return one;
}

export async function createArticle(
  db: Db,
  { audioIds = [], ...overrides }: Partial<typeof articles.$inferInsert> & { audioIds?: string[] } = {},
) {
  const title = overrides.title ?? numbered('Article');
  const article = {
    id: newId(),
    slug: toSlug(title),
    title,
    sortTitle: sortKey(title),
    body: 'A text.',
    topic: 'culture' as const,
    readTime: 60,
    publishedAt: new Date(Date.now() - 60_000),
    ...overrides,
  };
  await db.insert(articles).values(article);
  for (const [position, audioId] of audioIds.entries())
    await db.insert(articleAudios).values({ articleId: article.id, audioId, position });
  return article;
}

export async function createUser(db: Db, overrides: Partial<typeof users.$inferInsert> = {}) {
  const user = { id: newId(), username: numbered('listener').replace(' ', '-'), ...overrides };
  await db.insert(users).values(user);
  return user;
}

/** Logs a user in, as from an ordinary browser. */
export async function createSession(db: Db, userId: string, device = 'Chrome on Linux'): Promise<OpenedSession> {
  const session = await openSession(db, userId, device);
  if (session === undefined) throw new Error(`There is no user ${userId}`);
  return session;
}

export async function createUserPlaylist(
  db: Db,
  { audioIds = [], ...overrides }: Partial<typeof userPlaylists.$inferInsert> & { audioIds?: string[] } = {},
) {
  const playlist = {
    id: newId(),
    title: numbered('User playlist'),
    background: 'Pink to Blue' as const,
    font: 'Lora Bold' as const,
    isPublic: true,
    ...overrides,
    userId: overrides.userId ?? (await createUser(db)).id,
  };
  await db.insert(userPlaylists).values(playlist);
  for (const [position, audioId] of audioIds.entries())
    await db.insert(userPlaylistItems).values({ userPlaylistId: playlist.id, audioId, position });
  return playlist;
}

/** A logged-in user, as the domain represents one. */
export async function createViewer(db: Db, overrides: Partial<typeof users.$inferInsert> = {}) {
  const { id, username } = await createUser(db, overrides);
  return { kind: 'user', id, isSubscribed: false, isComplete: username !== null } as const;
}
