import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type { AudioFilter } from '#domain/catalogue/forms.ts';
import { audios } from '#domain/catalogue/tables.ts';
import { setBlocked } from '#domain/community/blocks.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import { followOutside } from '#domain/search/outside-feed.ts';
import { askForRebuild } from '#domain/search/feeds.ts';
import { search } from '#domain/search/search.ts';
import { searchLeases } from '#domain/search/tables.ts';
import { startAlgoliaServer } from '#test/support/servers/algolia-server.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createUserPlaylist, createVoice } from '#test/support/factories.ts';
import { openAlgoliaIndex } from './algolia-index.ts';

const { db } = await createTestDatabase();
const algolia = await startAlgoliaServer();
afterAll(() => algolia.close());

const failures: unknown[] = [];
const index = openAlgoliaIndex({ ...algolia.options, db, onError: (error) => failures.push(error) });
const voice = await createVoice(db, { name: 'Maren Holt' });
const audio = await createAudio(db, { title: 'Bright Star', voiceId: voice.id, tagLabels: ['sea'], plays: 7 });
const ask = (term: string, viewer: Parameters<typeof search>[1] = visitor) =>
  search({ db, index }, viewer, { term, page: 0, limit: 3 });

/** Requests since the last call. */
const asked = () => algolia.requests.splice(0).map(({ operation, index: name }) => `${operation} ${name}`);

test('at first each index is built as a whole, next to the old one', async () => {
  await index.catchUp();
  expect(failures).toEqual([]);
  const ofAudios = asked().filter((one) => one.includes('audios'));
  expect(ofAudios).toEqual([
    'deleteIndex test_audios_new',
    'setSettings test_audios_new',
    'batch test_audios_new',
    'operationIndex test_audios_new',
  ]);
  expect(algolia.names('test_audios')).toEqual(['Bright Star']);
  expect(algolia.names('test_voices')).toHaveLength(1);
  expect(algolia.settings.get('test_audios')).toMatchObject({
    searchableAttributes: ['name', 'by', 'labels', 'text'],
    customRanking: ['desc(plays)'],
  });
});

test('only changes are sent', async () => {
  const { id } = await createAudio(db, { title: 'Silent Noon', voiceId: voice.id });
  await index.catchUp();
  expect(asked()).toEqual(['batch test_audios']);
  expect(algolia.names('test_audios')).toEqual(['Bright Star', 'Silent Noon']);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, id));
  await index.catchUp();
  expect(algolia.names('test_audios')).toEqual(['Bright Star']);
  asked();
  await index.catchUp();
  expect(asked()).toEqual([]);
});

test('hits equal those of the built-in index, with one request', async () => {
  const found = await ask('bright');
  expect(asked()).toEqual(['search *']);
  expect(found.audios).toMatchObject({
    index: 'audios',
    total: 1,
    page: 0,
    hits: [
      {
        id: audio.id,
        title: 'Bright Star',
        voice: { name: 'Maren Holt' },
        highlights: { title: [[0, 6]] },
        line: null,
      },
    ],
  });
  expect([found.voices.total, found.usersPlaylists.total]).toEqual([0, 0]);
  const beyond = await search({ db, index }, visitor, { term: 'bright', page: 999, limit: 100 });
  expect(beyond.audios).toMatchObject({ hits: [], page: 999 });
});

test('a misspelt term finds the same in one group as in all', async () => {
  await createVoice(db, { name: 'Brightman' });
  await index.catchUp();
  expect(await ask('brightt')).toMatchObject({ audios: { total: 1 }, voices: { total: 1, hits: [{}] } });
  const one = await search({ db, index }, visitor, { term: 'brightt', groups: ['audios'], page: 0, limit: 3 });
  expect(one).toMatchObject({ audios: { total: 1, hits: [{ id: audio.id }] }, voices: { total: 1, hits: [] } });
});

test('blocked users are in no hit or total, and scheduled content is hidden', async () => {
  const owner = await createUser(db, { username: 'brightest' });
  await createUserPlaylist(db, { title: 'bright ones', userId: owner.id, audioIds: [(await createAudio(db)).id] });
  await createAudio(db, { title: 'Bright tomorrow', publishedAt: new Date(Date.now() + 3_600_000) });
  await index.catchUp();
  const viewer = { kind: 'user', id: (await createUser(db)).id, isSubscribed: false, isComplete: true } as const;
  const totals = async () => {
    const found = await ask('bright', viewer);
    return [found.audios.total, found.users.total, found.usersPlaylists.total];
  };
  expect(await totals()).toEqual([1, 1, 1]);
  await setBlocked(db, viewer, owner.id, true);
  expect(await totals()).toEqual([1, 0, 0]);
});

test('audios are filtered by what they have', async () => {
  const other = await createAudio(db, { title: 'Bright and long', tagLabels: ['wave'], durationMs: 3_600_000 });
  await index.catchUp();
  const find = async (filter: AudioFilter, term = 'bright') => {
    const found = await search({ db, index }, visitor, { term, filter, page: 0, limit: 24 });
    return found.audios.hits.map(({ title }) => title);
  };
  expect(algolia.settings.get('test_audios')).toMatchObject({
    attributesForFaceting: expect.arrayContaining(['filterOnly(tagIds)', 'filterOnly(properties)']),
  });
  expect(await find({ tag: ['wave'] })).toEqual(['Bright and long']);
  expect(await find({ length: ['short'] })).toEqual(['Bright Star']);
  expect(await find({ length: ['longer'], language: ['en'], syntheticVoice: 'none' })).toEqual(['Bright and long']);
  expect(await find({ voiceType: ['male'] })).toEqual([]);
  expect(await find({ not: ['sea'] })).toEqual(['Bright and long']);
  expect(await find({}, 'bright -sea')).toEqual(['Bright and long']);
  expect(await find({ tag: ['unknown'] })).toEqual([]);
  expect(algolia.refused).toEqual([]);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, other.id));
  await index.catchUp();
});

test('free audios only, without what cannot be free', async () => {
  const free = await createAudio(db, { title: 'Bright and free', isFree: true });
  await index.catchUp();
  const found = await search({ db, index }, visitor, { term: 'bright', page: 0, limit: 3, onlyFree: true });
  expect(found).toMatchObject({ audios: { total: 1, hits: [{ id: free.id }] }, voices: { total: 0 } });
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, free.id));
  await index.catchUp();
});

test('one process at a time feeds the index, and another takes over when it dies', async () => {
  const name = 'another index';
  let isInside = () => {};
  let mayEnd = () => {};
  const inside = new Promise<void>((resolve) => (isInside = resolve));
  const gate = new Promise<void>((resolve) => (mayEnd = resolve));
  const none = { replaceAll: async () => {}, save: async () => {}, remove: async () => {} };
  const first = followOutside(db, name, {
    ...none,
    async replaceAll() {
      isInside();
      await gate;
    },
  });
  await inside;
  expect(await followOutside(db, name, none)).toBe(false);
  await db
    .update(searchLeases)
    .set({ until: new Date(0) })
    .where(eq(searchLeases.feed, name));
  expect(await followOutside(db, name, none)).toBe(true);
  mayEnd();
  expect(await first).toBe(true);
  expect(await followOutside(db, name, none)).toBe(true);
});

test('failed changes are sent by the next try; a failed search reports it', async () => {
  algolia.setDown(true);
  await createAudio(db, { title: 'Afterwards' });
  await index.catchUp();
  expect(failures.length).toBeGreaterThan(0);
  await expect(ask('bright')).rejects.toMatchObject({ code: 'server/unavailable' });
  algolia.setDown(false);
  // The client returns to a failed host after a while; a new process uses it at once.
  const next = openAlgoliaIndex({ ...algolia.options, db, onError: (error) => failures.push(error) });
  await next.catchUp();
  expect(algolia.names('test_audios')).toContain('Afterwards');
});

test('an operator can have the index rebuilt', async () => {
  asked();
  await askForRebuild(db, index.feed);
  expect(await index.state()).toMatchObject({ isBuilding: true });
  await expect(askForRebuild(db, index.feed)).rejects.toMatchObject({ code: 'search/rebuild-running' });
  const next = openAlgoliaIndex({ ...algolia.options, db, onError: (error) => failures.push(error) });
  await next.rebuildIfAsked();
  expect(asked()).toContain('operationIndex test_audios_new');
  expect(await index.state()).toMatchObject({ isBuilding: false });
});

test('every request follows Algolia’s API description', () => {
  expect(algolia.refused).toEqual([]);
});
