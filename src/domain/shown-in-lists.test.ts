import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createSession,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { credits } from './catalogue/credits/tables.ts';
import { audioSorts } from './catalogue/forms.ts';
import { giveMonths } from './membership/entitlement.ts';
import { newId } from './kernel/ids.ts';
import { createSharedReads } from './kernel/shared-reads.ts';
import { type User, type Viewer, inAllLanguages, visitor } from './kernel/viewer.ts';

/*
 * Every list that a listener did not make leaves out what they hide (audios, creators and tags) and audios in languages
 * that they do not listen to; their own lists leave out none. A new list needs a line in one of the two tables, and in
 * `hidden-nowhere.test.ts`.
 */

const { db } = await createTestDatabase();
const site = await openTestSite(db, undefined, undefined, undefined, { shared: createSharedReads() });
const { catalogue, library, listening, identity, search, feeds, notifications } = site;

const voice = await createVoice(db, { name: 'Iris' });
const category = await createCategory(db);
const make = { voiceId: voice.id, categoryIds: [category.id], cues: [{ start: 0, end: 2, text: 'Softly whispered' }] };
const publishedAt = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const first = await createAudio(db, {
  ...make,
  title: 'Wave origin',
  tagLabels: ['slow'],
  publishedAt: publishedAt(9),
});
const calm = await createAudio(db, { ...make, title: 'Wave calm', tagLabels: ['slow'], publishedAt: publishedAt(5) });
const loud = await createAudio(db, {
  ...make,
  title: 'Wave loud',
  tagLabels: ['slow', 'Thunder'],
  publishedAt: publishedAt(4),
});
const german = await createAudio(db, {
  ...make,
  title: 'Wave deutsch',
  language: 'de-AT',
  tagLabels: ['slow'],
  publishedAt: publishedAt(3),
});
const germanLoud = await createAudio(db, {
  ...make,
  title: 'Wave laut',
  language: 'de',
  tagLabels: ['slow', 'Thunder'],
  publishedAt: publishedAt(2),
});
const wordless = await createAudio(db, {
  ...make,
  title: 'Wave alone',
  language: 'zxx',
  tagLabels: ['slow'],
  publishedAt: publishedAt(1),
});
const listed = [calm, loud, german, germanLoud, wordless];
const all = [first, ...listed];
const names = new Map(all.map(({ id, title }) => [id, title.slice(5)]));
const audioIds = listed.map(({ id }) => id);

const other = await createUser(db);
const series = await createSeries(db, { voiceId: voice.id, audioIds });
const playlist = await createPlaylist(db, { audioIds });
const foreign = await createUserPlaylist(db, { userId: other.id, audioIds });
const guest = await createVoice(db, { name: 'Guest' });
await db
  .insert(credits)
  .values(
    audioIds.map((audioId) => ({ id: newId(), audioId, position: 0, role: 'sound' as const, voiceId: guest.id })),
  );

type Person = { viewer: () => Promise<Viewer>; feed?: string };

async function newListener(): Promise<User & { token: string }> {
  const { id } = await createUser(db);
  await giveMonths(db, id, 1);
  const { token } = await createSession(db, id);
  return { ...((await identity.findSession(token))?.viewer as User), token };
}

/** As requests carry them. */
async function asSession({ token }: { token: string }): Promise<User> {
  return (await identity.findSession(token))?.viewer as User;
}

type Ids = { id: string }[];
const page = { limit: 50 };

/** Undefined: visitors have no such list. */
const lists: Record<string, (viewer: Viewer, person: Person) => Promise<Ids> | undefined> = {
  ...Object.fromEntries(
    audioSorts.flatMap((sort) => [
      [`all audios, ${sort}`, async (viewer: Viewer) => (await catalogue.listAudios(viewer, { ...page, sort })).items],
      [
        `a category, ${sort}`,
        async (viewer: Viewer) =>
          (await catalogue.listAudios(viewer, { ...page, sort, categoryId: category.id })).items,
      ],
    ]),
  ),
  'a tag': async (viewer) => (await catalogue.listAudios(viewer, { ...page, filter: { tag: ['slow'] } })).items,
  'a creator': async (viewer) => (await catalogue.listAudios(viewer, { ...page, voiceId: voice.id })).items,
  ...Object.fromEntries(
    audioSorts.map((sort) => [
      `credited to a creator, ${sort}`,
      async (viewer: Viewer) => (await catalogue.listAudios(viewer, { ...page, sort, creditedId: guest.id })).items,
    ]),
  ),
  'related audios': async (viewer) => catalogue.listRelatedAudios(viewer, (await catalogue.findAudio(first.id))!, 50),
  'a series': async (viewer) => (await catalogue.listSeriesAudios(viewer, series.id, page)).items,
  'a playlist': async (viewer) => (await catalogue.listPlaylistAudios(viewer, playlist.id, page)).items,
  'the playlist of another listener': async (viewer) =>
    (await library.listUserPlaylistAudios(viewer, { id: foreign.id, user: other as never }, page)).items,
  search: async (viewer) => (await search.findResults(viewer, { term: 'wave', page: 0, limit: 50 }, '')).audios.items,
  suggestions: async (viewer) =>
    (await search.search(viewer, { term: 'wav', page: 0, limit: 50, few: 6 }, '')).audios.hits,
  transcripts: async (viewer) =>
    (await search.findResults(viewer, { term: 'softly whispered', page: 0, limit: 50 }, '')).audios.items,
  'a podcast feed': (viewer, { feed }) =>
    viewer.kind === 'visitor'
      ? undefined
      : feeds.findFeed(feed ?? '').then(async (opened) => (await feeds.findContent(opened!))?.episodes ?? []),
  news: (viewer) =>
    viewer.kind === 'visitor'
      ? undefined
      : notifications.listNotifications(viewer, page).then(({ items }) => items.flatMap(({ audio }) => audio ?? [])),
};

/** Choices of the listener, made by the listener or by what they did. */
const ownLists: Record<string, (viewer: User) => Promise<Ids>> = {
  favorites: async (viewer) => (await library.listFavorites(viewer, 'audios', page)).items,
  'a playlist of one’s own': async (viewer) => {
    const [own] = await library.listOwnUserPlaylists(viewer.id, undefined);
    return (await library.listUserPlaylistAudios(viewer, { id: own!.id, user: { id: viewer.id } as never }, page))
      .items;
  },
  history: async (viewer) => (await listening.listHistory(viewer.id, page)).items.map(({ audio }) => audio),
  'what is in progress': async (viewer) =>
    (await listening.findContinueListening(viewer, 50)).map(({ audio }) => audio),
  'recent activity': async (viewer) => (await listening.listRecentActivity(viewer, 50)).map(({ audio }) => audio),
};

const namesOf = (items: Ids) =>
  items
    .map(({ id }) => names.get(id))
    .filter((name) => name !== 'origin')
    .toSorted();

type Choice = { tags?: true; languages?: string[]; hides?: { kind: 'audio' | 'voice'; id: string } };

async function newPerson(choice: Choice): Promise<Person> {
  const listener = await newListener();
  await library.setFavorite(listener, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  const feed = await feeds.makeFeed(listener, { kind: 'voice', subject: voice.slug } as never);
  for (const { id } of listed) {
    await library.setFavorite(listener, { contentTypeId: 'audio', id, isFavorite: true });
    await listening.saveProgress(listener.id, id, 5);
  }
  await createUserPlaylist(db, { userId: listener.id, audioIds });
  if (choice.hides) await library.setHidden(listener.id, { ...choice.hides, isHidden: true });
  if (choice.tags) await library.setTagHidden(listener.id, 'thunder', true);
  if (choice.languages)
    await identity.savePreferences(listener.id, { listensTo: choice.languages, hidesOtherComments: false });
  return { viewer: () => asSession(listener), ...(feed.ok && { feed: feed.token }) };
}

const people: Record<string, { shown: string[]; person: Person }> = {
  'a visitor': { shown: ['alone', 'calm', 'deutsch', 'laut', 'loud'], person: { viewer: async () => visitor } },
  'a visitor who listens to German': {
    shown: ['alone', 'deutsch', 'laut'],
    person: {
      viewer: async () => ({
        ...visitor,
        listensTo: ['de'],
      }),
    },
  },
  'a listener without a choice': { shown: ['alone', 'calm', 'deutsch', 'laut', 'loud'], person: await newPerson({}) },
  'a listener who hides a tag': { shown: ['alone', 'calm', 'deutsch'], person: await newPerson({ tags: true }) },
  'a listener who hides an audio': {
    shown: ['alone', 'calm', 'deutsch', 'laut'],
    person: await newPerson({ hides: { kind: 'audio', id: loud.id } }),
  },
  'a listener of German who hides an audio': {
    shown: ['alone', 'laut'],
    person: await newPerson({ hides: { kind: 'audio', id: german.id }, languages: ['de'] }),
  },
  'a listener who hides the creator': {
    shown: [],
    person: await newPerson({ hides: { kind: 'voice', id: voice.id } }),
  },
  'a listener of German': { shown: ['alone', 'deutsch', 'laut'], person: await newPerson({ languages: ['de'] }) },
  'a listener of French': { shown: ['alone'], person: await newPerson({ languages: ['fr'] }) },
  'a listener of two languages': {
    shown: ['alone', 'calm', 'deutsch', 'laut', 'loud'],
    person: await newPerson({ languages: ['de', 'en'] }),
  },
  'a listener of German who hides a tag': {
    shown: ['alone', 'deutsch'],
    person: await newPerson({
      tags: true,
      languages: ['de'],
    }),
  },
};
// The news are from before the choices, as those that followers read later.
await db.execute(`insert into notifications (id, user_id, kind, subject_id, audio_id, is_planned)
  select gen_random_uuid(), f.user_id, 'new-audio', a.id, a.id, true from voice_favorites f, audios a`);

test.each(Object.keys(lists))('%s: everyone is shown what they want, whoever asked before', async (name) => {
  for (let round = 0; round < 2; round += 1)
    for (const [who, { shown, person }] of Object.entries(people)) {
      const found = await lists[name]?.(await person.viewer(), person);
      if (found !== undefined) expect(namesOf(found), who).toEqual(shown);
    }
});

test.each(Object.keys(ownLists))('%s: nothing is left out for its language', async (name) => {
  const viewer = (await people['a listener of German']?.person.viewer()) as User;
  expect(namesOf((await ownLists[name]?.(viewer)) ?? [])).toEqual(['alone', 'calm', 'deutsch', 'laut', 'loud']);
});

/** Home shows the newest of these, and nothing that is hidden. */
const onHome = ['what is in progress', 'recent activity'];

test.each(Object.keys(ownLists))('%s: hidden audios and creators stay, but for those on Home', async (name) => {
  for (const who of ['a listener who hides an audio', 'a listener who hides the creator']) {
    const { shown, person } = people[who]!;
    const found = namesOf((await ownLists[name]?.((await person.viewer()) as User)) ?? []);
    expect(found, who).toEqual(onHome.includes(name) ? shown : ['alone', 'calm', 'deutsch', 'laut', 'loud']);
  }
});

test('sums say how many are left out for their language', async () => {
  const viewer = await people['a listener of German who hides a tag']!.person.viewer();
  const sums = { total: 2, inOtherLanguages: 2 };
  for (const query of [{}, { categoryId: category.id }, { voiceId: voice.id }])
    expect(await catalogue.sumAudios(viewer, query)).toMatchObject(sums);
  expect(await catalogue.sumAudios(viewer, { filter: { tag: ['slow'] } })).toMatchObject(sums);
  const items = { totalAudios: 2, inOtherLanguages: 1, totalDuration: 120 };
  expect(await catalogue.sumSeriesAudios(viewer, series.id)).toEqual(items);
  expect(await catalogue.sumPlaylistAudios(viewer, playlist.id)).toEqual(items);
  expect(await catalogue.sumAudios(visitor, {})).toEqual({ total: 6, seconds: 360, plays: 0 });
});

test('a page of all languages shows all, and still no hidden tags', async () => {
  const viewer = await people['a listener of German who hides a tag']!.person.viewer();
  const { items } = await catalogue.listAudios(inAllLanguages(viewer), page);
  expect(namesOf(items)).toEqual(['alone', 'calm', 'deutsch']);
});
