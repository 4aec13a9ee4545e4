import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createArticle,
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createSession,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { slow } from '#test/support/tags.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { credits } from './catalogue/credits/tables.ts';
import { audioSorts } from './catalogue/forms.ts';
import { newId } from './kernel/ids.ts';
import { createSharedReads } from './kernel/shared-reads.ts';
import { type User, visitor } from './kernel/viewer.ts';
import { listeningHistory } from './listening/tables.ts';
import { giveMonths } from './membership/entitlement.ts';
import { notifyFollowers } from './notifications/fan-out.ts';
import { readNews } from './notifications/notification-lists.ts';
import { notifications } from './notifications/tables.ts';

/*
 * A listener hides and shows audios and creators at random, and after each looks at one list: nothing hidden is in it,
 * and all the rest is. A new list needs a line in `looks`.
 */

const { db } = await createTestDatabase();
const site = await openTestSite(db, undefined, undefined, undefined, { shared: createSharedReads() });
const { catalogue, library, listening, identity, search, feeds, editorial } = site;
const random = seededRandom(48);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

const voices = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => createVoice(db, { name: `Willow ${n}` })));
await db.execute(
  sql`update voices set recommended_ids = (select (array_agg(id order by name desc))[1:5] from voices) where id = ${voices[0]?.id}`,
);
// In no list of creators itself.
const guest = await createVoice(db, { hiddenAt: new Date() });
const categories = [await createCategory(db), await createCategory(db)];
const made = await Promise.all(
  Array.from({ length: 36 }, (_, n) =>
    createAudio(db, {
      title: `Willow song ${n}`,
      voiceId: pick(voices).id,
      categoryIds: [pick(categories).id],
      tagLabels: [pick(['slow', 'soft'])],
      plays: Math.floor(random() * 100),
      cues: [{ start: 0, end: 2, text: 'Faintly murmured' }],
      publishedAt: new Date(Date.now() - n * 60_000),
    }),
  ),
);
const voiceOf = new Map(made.map(({ id, voiceId }) => [id, voiceId]));
const audioIds = made.map(({ id }) => id);
const playlist = await createPlaylist(db, { audioIds, title: 'Willow list' });
await createPlaylist(db, {
  title: 'Willow list of one',
  audioIds: audioIds.filter((id) => voiceOf.get(id) === voices[0]?.id),
});
await db.insert(credits).values(
  audioIds.flatMap((audioId) => [
    { id: newId(), audioId, position: 0, role: 'sound' as const, voiceId: guest.id },
    { id: newId(), audioId, position: 1, role: 'writer' as const, name: 'Petrarch' },
  ]),
);
const foreign = await createUserPlaylist(db, { audioIds });
const series = await Promise.all(
  voices.map(({ id, name }) =>
    createSeries(db, {
      title: `${name}’s series`,
      voiceId: id,
      audioIds: audioIds.filter((one) => voiceOf.get(one) === id),
    }),
  ),
);
const article = await createArticle(db, { audioIds: audioIds.slice(0, 12) });

// Neighbours: twelve accounts have heard everything.
for (let n = 0; n < 12; n += 1) {
  const { id: userId } = await createUser(db, { createdAt: new Date(0) });
  await db
    .insert(listeningHistory)
    .values(audioIds.map((audioId) => ({ userId, audioId, listens: 1, listenedMs: 60_000 })));
}
await listening.publishNeighbours();

const { id: userId } = await createUser(db);
await giveMonths(db, userId, 1);
const { token } = await createSession(db, userId);
/** As requests carry it. */
const me = async () => (await identity.findSession(token))?.viewer as User;
const openFeed = async (form: object) => {
  const feed = await feeds.makeFeed(await me(), form as never);
  if (!feed.ok) throw new Error(feed.reason);
  return async () => (await feeds.findContent((await feeds.findFeed(feed.token))!))?.episodes ?? [];
};
for (const { id } of voices) await library.setFavorite(await me(), { contentTypeId: 'voice', id, isFavorite: true });
for (const id of audioIds) await listening.saveProgress(userId, id, 5);
await db.execute(sql`insert into notifications (id, user_id, kind, subject_id, audio_id, is_planned)
  select gen_random_uuid(), ${userId}, 'new-audio', a.id, a.id, true from audios a`);

const page = { limit: 100 };
const results = async (viewer: User) => search.findResults(viewer, { term: 'willow', page: 0, ...page }, '');
const typed = async (viewer: User) => search.search(viewer, { term: 'wil', page: 0, ...page, few: 6 }, '');
const related = async (viewer: User) =>
  catalogue.listRelatedAudios(viewer, (await catalogue.findAudio(audioIds[0] ?? ''))!, 50);

/** Ids of the audios or creators that a list shows. `isWhole`: it shows all that are not hidden. */
type Look = (viewer: User) => Promise<{ audios?: string[]; voices?: string[]; isWhole?: boolean }>;
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const audiosIn = (items: { id: string }[]) => ({ audios: ids(items), isWhole: true });
const allFeed = await openFeed({ kind: 'all' });
const playlistFeed = await openFeed({ kind: 'playlist', subject: playlist.slug });
const voiceFeeds = await Promise.all(voices.map(({ slug }) => openFeed({ kind: 'voice', subject: slug })));

const looks: Record<string, Look> = {
  ...Object.fromEntries(
    audioSorts.map((sort): [string, Look] => [
      `audios, ${sort}`,
      async (viewer) => audiosIn((await catalogue.listAudios(viewer, { ...page, sort })).items),
    ]),
  ),
  category: async (viewer) => ({
    audios: ids((await catalogue.listAudios(viewer, { ...page, categoryId: pick(categories).id })).items),
  }),
  tag: async (viewer) => ({
    audios: ids((await catalogue.listAudios(viewer, { ...page, filter: { tag: ['slow'] } })).items),
  }),
  creator: async (viewer) => ({
    audios: ids((await catalogue.listAudios(viewer, { ...page, voiceId: pick(voices).id, sort: 'popular' })).items),
  }),
  'credited to a creator': async (viewer) =>
    audiosIn((await catalogue.listAudios(viewer, { ...page, creditedId: guest.id })).items),
  'number of those credited to a creator': async (viewer) => ({
    audios: Array.from({ length: await catalogue.countCredited(viewer, guest.id) }, () => ''),
    isWhole: true,
  }),
  'search: by a credit': async (viewer) =>
    audiosIn((await search.findResults(viewer, { term: 'petrarch', page: 0, ...page }, '')).audios.items),
  'most played of a creator': async (viewer) => ({
    audios: ids(await catalogue.listMostPlayedOfVoice(viewer, pick(voices).id)),
  }),
  'sum of all': async (viewer) => ({
    audios: Array.from({ length: (await catalogue.sumAudios(viewer, {})).total }, () => ''),
    isWhole: true,
  }),
  'count of the filters': async (viewer) => ({
    audios: Array.from({ length: (await catalogue.countFilters(viewer, {}, { free: 'true' })).of ?? 0 }, () => ''),
    isWhole: true,
  }),
  related: async (viewer) => ({ audios: ids(await related(viewer)) }),
  series: async (viewer) => ({ audios: ids((await catalogue.listSeriesAudios(viewer, pick(series).id, page)).items) }),
  playlist: async (viewer) => audiosIn((await catalogue.listPlaylistAudios(viewer, playlist.id, page)).items),
  'playlist of another listener': async (viewer) =>
    audiosIn(
      (await library.listUserPlaylistAudios(viewer, { id: foreign.id, user: { id: foreign.userId } as never }, page))
        .items,
    ),
  article: async (viewer) => ({ audios: ids((await editorial.findArticle(viewer, article.slug))?.audios ?? []) }),
  'in progress': async (viewer) =>
    audiosIn((await listening.findContinueListening(viewer, 100)).map(({ audio }) => audio)),
  'recent activity': async (viewer) =>
    audiosIn((await listening.listRecentActivity(viewer, 100)).map(({ audio }) => audio)),
  news: async (viewer) =>
    audiosIn((await site.notifications.listNotifications(viewer, page)).items.flatMap(({ audio }) => audio ?? [])),
  'mails and pushes': async () => {
    const rows = await db.select({ id: notifications.id }).from(notifications);
    const titles = (await readNews(db, ids(rows))).flatMap(({ news }) =>
      news.flatMap(({ audio }) => audio?.title ?? []),
    );
    return audiosIn(made.filter(({ title }) => titles.includes(title)));
  },
  'the feed of everything': async () => audiosIn(await allFeed()),
  'the feed of a playlist': async () => audiosIn(await playlistFeed()),
  'the feed of a creator': async () => ({ audios: ids(await pick(voiceFeeds)()) }),
  'search: audios': async (viewer) => audiosIn((await results(viewer)).audios.items),
  'search: transcripts': async (viewer) =>
    audiosIn((await search.findResults(viewer, { term: 'faintly murmured', page: 0, ...page }, '')).audios.items),
  'search: creators': async (viewer) => ({ voices: ids((await results(viewer)).voices.items), isWhole: true }),
  'search: series': async (viewer) => ({
    voices: (await results(viewer)).series.items.flatMap(({ voice }) => voice?.id ?? []),
    isWhole: true,
  }),
  'search: playlists': async (viewer) => ({
    voices: (await results(viewer)).playlists.items.flatMap((one) => one.voices),
  }),
  'suggestions: audios': async (viewer) => audiosIn((await typed(viewer)).audios.hits),
  'suggestions: creators': async (viewer) => ({ voices: ids((await typed(viewer)).voices.hits), isWhole: true }),
  'suggestions: series': async (viewer) => ({
    voices: (await typed(viewer)).series.hits.flatMap(({ voice }) => voice?.id ?? []),
    isWhole: true,
  }),
  'suggestions: playlists': async (viewer) => ({
    voices: (await typed(viewer)).playlists.hits.flatMap((one) => one.voices),
  }),
  creators: async (viewer) => ({ voices: ids((await catalogue.listVoices(viewer, page)).items), isWhole: true }),
  'popular creators': async (viewer) => ({
    voices: ids(await catalogue.listPopularVoices(viewer, 100)),
    isWhole: true,
  }),
  'recommended by a creator': async (viewer) => ({
    voices: ids(await catalogue.listRecommendedVoices(viewer, voices[0]?.id ?? '')),
  }),
  'all series': async (viewer) => ({
    voices: (await catalogue.listSeries(viewer, page)).items.flatMap(({ voice }) => voice?.id ?? []),
    isWhole: true,
  }),
  'all playlists': async (viewer) => ({
    voices: (await catalogue.listPlaylists(viewer, page)).items.flatMap((one) => one.voices),
  }),
};

async function look(times: number): Promise<void> {
  const hidden = { audio: new Set<string>(), voice: new Set<string>() };
  const isShown = (id: string) => !hidden.audio.has(id) && !hidden.voice.has(voiceOf.get(id) ?? '');
  const faults: unknown[] = [];
  for (let look = 0; look < times; look += 1) {
    const kind = random() < 0.8 ? 'audio' : 'voice';
    const id = kind === 'audio' ? pick(audioIds) : pick(voices).id;
    // Mostly something is hidden, and at times nothing.
    const isHidden = random() < 0.4 && !hidden[kind].has(id);
    await library.setHidden(userId, { kind, id, isHidden });
    if (isHidden) hidden[kind].add(id);
    else hidden[kind].delete(id);
    const name = pick(Object.keys(looks));
    const found = (await looks[name]?.(await me())) ?? {};
    const shownAudios = audioIds.filter(isShown).length;
    const shownVoices = voices.length - hidden.voice.size;
    if (found.audios?.some((one) => one !== '' && !isShown(one))) faults.push([look, name, 'hidden audio']);
    if (found.voices?.some((one) => hidden.voice.has(one))) faults.push([look, name, 'hidden creator']);
    if (found.isWhole && found.audios && found.audios.length !== shownAudios)
      faults.push([look, name, found.audios.length, shownAudios]);
    if (found.isWhole && found.voices && found.voices.length !== shownVoices)
      faults.push([look, name, found.voices.length, shownVoices]);
  }
  expect(faults).toEqual([]);
  expect(ids((await catalogue.listAudios(visitor, page)).items)).toHaveLength(audioIds.length);
  for (const [kind, some] of Object.entries(hidden) as ['audio' | 'voice', Set<string>][])
    for (const id of some) await library.setHidden(userId, { kind, id, isHidden: false });
}

test('100 looks find nothing that is hidden, and all the rest', { timeout: 60_000 }, () => look(100));

test('1,000 looks find nothing that is hidden, and all the rest', { ...slow, timeout: 180_000 }, () => look(1000));

test('nobody is told of a new audio that they hide, or of a creator whom they hide', async () => {
  const [one, other] = voices;
  await library.setHidden(userId, { kind: 'voice', id: one!.id, isHidden: true });
  await library.setHidden(userId, { kind: 'voice', id: other!.id, isHidden: false });
  const publish = async (voiceId: string, hide = false) => {
    const { id } = await createAudio(db, { voiceId, publishedAt: null });
    await db.execute(sql`update audios set published_at = now() where id = ${id}`);
    if (hide) await library.setHidden(userId, { kind: 'audio', id, isHidden: true });
    return notifyFollowers(db, id);
  };
  expect([await publish(one!.id), await publish(other!.id, true), await publish(other!.id)]).toEqual([0, 0, 1]);
});
