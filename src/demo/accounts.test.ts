import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listLogEntries } from '#domain/admin/site/log.ts';
import { operator } from '#domain/kernel/actor.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { listComments } from '#domain/community/comments.ts';
import { users } from '#domain/identity/tables.ts';
import { countFavorites } from '#domain/library/favorite-lists.ts';
import { listOwnUserPlaylists } from '#domain/library/own-playlists.ts';
import { findHistory, listHistory } from '#domain/listening/history.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createPlaylist, createVoice } from '#test/support/factories.ts';
import { openTestIdentity } from '#test/support/identity.ts';
import { createDemoAccounts } from './accounts.ts';
import { people } from './people.ts';

type DemoAudio = { slug: string; voice: string; free?: boolean; commentsDisabled?: boolean };
const catalogue = JSON.parse(await readFile(new URL('../../demo/catalogue.json', import.meta.url), 'utf8')) as Record<
  'voices' | 'categories' | 'playlists',
  { slug: string }[]
> & { audios: DemoAudio[] };
const audioOf = new Map(catalogue.audios.map((audio) => [audio.slug, audio]));
const { activities } = people;

test.each(Object.entries(activities))('all that the %s did is about what the demo has', (_name, activity) => {
  const { heard, favorites, playlists, comments } = activity;
  const named = [...[...heard, ...comments].map(({ audio }) => audio), ...playlists.flatMap(({ audios }) => audios)];
  expect([...named, ...favorites.audios].filter((slug) => !audioOf.has(slug))).toEqual([]);
  for (const kind of ['voices', 'categories', 'playlists'] as const)
    expect(catalogue[kind].map(({ slug }) => slug)).toEqual(expect.arrayContaining(favorites[kind]));
  expect(comments.filter(({ audio }) => audioOf.get(audio)?.commentsDisabled)).toEqual([]);
});

test('nobody heard what they may not hear', () => {
  expect(activities.listener.heard.filter(({ audio }) => !audioOf.get(audio)?.free)).toEqual([]);
  const own = activities.creator.heard.map(({ audio }) => audioOf.get(audio));
  expect(own.filter((audio) => !audio?.free && audio?.voice !== 'maren-holt')).toEqual([]);
});

test('a demo account begins with some weeks of listening, and every count is right', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  const now = new Date();
  const { provider } = await openTestIdentity(database);
  const voice = await createVoice(db, { slug: 'ottoline-frey' });
  const publishedAt = new Date(now.getTime() - 10 * 86_400_000);
  const maren = await createVoice(db, { slug: 'maren-holt', name: 'Maren Holt' });
  await createAudio(db, { slug: 'go-from-me', voiceId: maren.id, title: 'Go From Me', publishedAt });
  const [long, short] = [
    await createAudio(db, { slug: 'rubaiyat', voiceId: voice.id, durationMs: 600_000, publishedAt }),
    await createAudio(db, { slug: 'the-slow-train', voiceId: voice.id, durationMs: 60_000, publishedAt }),
    await createAudio(db, { slug: 'crossing-the-bar', voiceId: voice.id, durationMs: 60_000, publishedAt }),
  ];
  await createCategory(db, { slug: 'sleep' });
  await createPlaylist(db, { slug: 'winter-evenings', title: 'Winter Evenings' });
  await db.insert(siteSettings).values({ key: 'demo', value: {} });
  for (let start = 0; start < 2; start += 1) await createDemoAccounts(db, provider, now);

  const [user] = await db.select().from(users).where(eq(users.username, 'subscriber'));
  if (user === undefined) throw new Error('The account is missing');
  const viewer = { kind: 'user', id: user.id, isSubscribed: true, isComplete: true } as const;
  const { items } = await listHistory(db, user.id, { limit: 10 });
  expect(items.map(({ audio, listens }) => [audio.slug, listens])).toEqual([
    ['rubaiyat', 1],
    ['the-slow-train', 3],
    ['crossing-the-bar', 1],
  ]);
  expect(items.every(({ lastListenedAt }) => lastListenedAt > publishedAt && lastListenedAt < now)).toBe(true);
  expect((await findHistory(db, user.id)).currentlyListening).toEqual({ [long.id]: 372 });
  expect(await countFavorites(db, viewer)).toMatchObject({
    audios: 2,
    voices: 1,
    categories: 1,
    playlists: 1,
    ownPlaylists: 1,
    mixes: 0,
  });
  expect(await listOwnUserPlaylists(db, user.id)).toMatchObject([
    { title: 'Asleep in ten minutes', totalAudios: 1, totalDuration: 60 },
  ]);
  expect((await listComments(db, viewer, { id: short.id, commentsDisabled: false }, { limit: 5 })).items).toMatchObject(
    [{ user: { username: 'subscriber' }, text: 'I have never heard the last two stations. That is praise.' }],
  );
  // Each change by its admin and creator, exactly once.
  const { items: entries } = await listLogEntries(db, operator, {}, { limit: 10 });
  expect(entries.map(({ by, action, subject }) => [by?.username, action, subject.name])).toEqual([
    ['creator', 'audio.edit', 'Go From Me'],
    ['admin', 'playlist.edit', 'Winter Evenings'],
    ['admin', 'voice.add-owner', 'Maren Holt'],
  ]);
});
