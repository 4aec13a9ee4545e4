import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { editAudio } from '../catalogue/editing/editing.ts';
import {
  audios,
  categories,
  playlistItems,
  tags,
  transcripts,
  transcriptTranslations,
  voices,
} from '../catalogue/tables.ts';
import { setBlocked } from '../community/blocks.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { users } from '../identity/tables.ts';
import { setTagHidden } from '../library/hidden-tags.ts';
import { playUserPlaylist } from '../library/user-playlists.ts';
import { userPlaylists } from '../library/tables.ts';
import { countPlays, hashListener } from '../listening/plays.ts';
import { siteSettings } from '../settings/tables.ts';
import { openDatabaseIndex } from './database-index.ts';
import { purgeOldChanges, readChanges, readPosition } from './changes.ts';
import { searchGroups } from './forms.ts';
import { compareIndex } from './index-feed.ts';
import { askForRebuild } from './feeds.ts';
import { purgeOldExcerpts } from './transcript-excerpts.ts';
import { findResults } from './results.ts';
import { search } from './search.ts';
import { wordsOf } from './words.ts';

const { db, pool } = await createTestDatabase();

/** Each query is far later than the one before, so that the index always reads changes. */
let clock = Date.now();
const openIndex = () => openDatabaseIndex({ db, now: () => (clock += 1000) });
const here = { db, index: openIndex() };
/** The index of another process. */
const there = { db, index: openIndex() };

const ask = (term: string, viewer: Viewer = visitor, parts = here) =>
  search(parts, viewer, { term, page: 0, limit: 10 });

async function titlesOf(term: string, parts = here): Promise<string[]> {
  return (await ask(term, visitor, parts)).audios.hits.map(({ title }) => title);
}

async function newViewer(): Promise<Extract<Viewer, { kind: 'user' }>> {
  const { id } = await createUser(db);
  return { kind: 'user', id, isSubscribed: false, isComplete: true };
}

test('words within scripts without spaces are found, and emoji', async () => {
  await createAudio(db, { title: '日本語のおやすみ', slug: 'oyasumi' });
  await createAudio(db, { title: '夜雨寄北', slug: 'night-rain' });
  await createAudio(db, { title: 'ราตรีสวัสดิ์', slug: 'ratri' });
  const { id } = await createAudio(db, { title: 'Late 🔥', slug: 'late' });
  await editAudio(db, id, { tags: ['💋'] });
  for (const term of ['おやすみ', 'おやす', '日本語', '日本語 おやすみ'])
    expect([term, await titlesOf(term)]).toEqual([term, ['日本語のおやすみ']]);
  for (const term of ['雨', '寄北', '夜雨']) expect([term, await titlesOf(term)]).toEqual([term, ['夜雨寄北']]);
  expect(await titlesOf('สวัสดิ์')).toEqual(['ราตรีสวัสดิ์']);
  for (const term of ['🔥', '💋', 'late 🔥']) expect([term, await titlesOf(term)]).toEqual([term, ['Late 🔥']]);
  expect(await titlesOf('雪')).toEqual([]);
});

test('each group is found, with what is shown of it and where it matches', async () => {
  const category = await createCategory(db, { label: 'Velvet hours' });
  const voice = await createVoice(db, { name: 'Tomás Velvet', categoryId: category.id });
  const audio = await createAudio(db, { title: 'A Velvet Rain', voiceId: voice.id, categoryIds: [category.id] });
  const series = await createSeries(db, { title: 'Velvet mornings', voiceId: voice.id, audioIds: [audio.id] });
  const playlist = await createPlaylist(db, { title: 'Under velvet', audioIds: [audio.id] });
  const owner = await createUser(db, { username: 'velvet.v' });
  const list = await createUserPlaylist(db, { title: 'all velvet', userId: owner.id, audioIds: [audio.id] });
  await createUserPlaylist(db, { title: 'private velvet', userId: owner.id, isPublic: false, audioIds: [audio.id] });
  await createUser(db, { username: 'velvet.without' });

  const found = await ask('velvet');
  expect(Object.keys(found)).toEqual(searchGroups);
  expect(Object.values(found).map(({ index, total, page }) => [index, total, page])).toEqual(
    searchGroups.map((group) => [group, 1, 0]),
  );
  const voiceShape = { id: voice.id, name: 'Tomás Velvet', slug: voice.slug };
  expect(found.audios.hits).toEqual([
    {
      id: audio.id,
      slug: audio.slug,
      title: 'A Velvet Rain',
      imageUrl: null,
      color: null,
      numberDuration: 60,
      voice: voiceShape,
      highlights: { title: [[2, 8]], voice: [[6, 12]] },
      line: null,
    },
  ]);
  expect(found.categories.hits).toMatchObject([{ id: category.id, highlights: { label: [[0, 6]] } }]);
  expect(found.voices.hits).toMatchObject([
    { id: voice.id, category: { name: 'Velvet hours', slug: category.slug }, highlights: { name: [[6, 12]] } },
  ]);
  expect(found.series.hits).toMatchObject([{ id: series.id, voice: voiceShape, totalAudios: 1 }]);
  expect(found.playlists.hits).toMatchObject([{ id: playlist.id, voices: [voice.id], totalAudios: 1 }]);
  expect(found.users.hits).toEqual([
    { id: owner.id, username: 'velvet.v', icon: null, color: '#F29AB0', highlights: { username: [[0, 6]] } },
  ]);
  expect(found.usersPlaylists.hits).toMatchObject([
    { id: list.id, title: 'all velvet', user: { id: owner.id, username: 'velvet.v' } },
  ]);

  const results = await findResults(here, visitor, { term: 'velvet', page: 0, limit: 10 });
  expect(Object.entries(results).map(([group, { total, items }]) => [group, total, items.length])).toEqual(
    ['audios', 'voices', 'categories', 'playlists', 'series', 'users', 'usersPlaylists'].map((group) => [group, 1, 1]),
  );
  expect(results.audios.items[0]).toMatchObject({ id: audio.id, plays: 0, publishedAt: expect.any(String) });
});

test('an audio is found by title, voice, description, tag and category, misspelt and without accents', async () => {
  const category = await createCategory(db, { label: 'Candlelight' });
  const voice = await createVoice(db, { name: 'Zoë Brontë' });
  await createAudio(db, {
    title: 'Harbour of Glass',
    voiceId: voice.id,
    description: 'Read beside an orchard wall.',
    categoryIds: [category.id],
    tagLabels: ['thistledown'],
  });
  for (const term of [
    'harbour glass',
    'zoe bronte',
    'ZOË',
    'orchard',
    'thistledown',
    'candlelight',
    'hrabour',
    'bronet',
  ])
    expect([term, await titlesOf(term)]).toEqual([term, ['Harbour of Glass']]);
});

test('transcript matches come after name matches, with their line and second', async () => {
  const cues = [
    { start: 0, end: 4.5, text: 'Nothing of it here.' },
    { start: 4.5, end: 9, text: 'The Périgord lanterns swing, and swing again.' },
  ];
  const spoken = await createAudio(db, { title: 'Said', cues, plays: 900, isFree: true });
  const named = await createAudio(db, { title: 'Lanterns', cues: [{ start: 0, end: 1, text: 'x' }] });
  await createAudio(db, { title: 'Draft', cues, publishedAt: null });
  const found = await ask('lanterns');
  expect(found.audios.total).toBe(2);
  expect(found.audios.hits.map(({ id, line }) => [id, line])).toEqual([
    [named.id, null],
    [
      spoken.id,
      { seconds: 4.5, text: 'The Périgord lanterns swing, and swing again.', marks: [[13, 21]], language: 'en' },
    ],
  ]);
  expect((await ask('perigord swi')).audios.hits[0]?.line?.marks).toEqual([
    [4, 12],
    [22, 25],
    [33, 36],
  ]);
  // Page by page, in one order.
  const second = await search(here, visitor, { term: 'lanterns', page: 1, limit: 1 });
  expect([second.audios.total, second.audios.hits.map(({ id }) => id)]).toEqual([2, [spoken.id]]);
  const viewer = await newViewer();
  await db.insert(tags).values({ id: viewer.id, slug: 'lantern-tag', label: 'unwanted' });
  await pool.query('insert into audio_tags values ($1, $2)', [spoken.id, viewer.id]);
  await setTagHidden(db, viewer.id, 'lantern-tag', true);
  expect((await ask('lanterns', viewer)).audios.total).toBe(1);
});

test('a translation is found like the transcript, with its language and the second', async () => {
  const cues = [{ start: 0, end: 4, text: 'The osprey dives, the osprey rises.' }];
  const audio = await createAudio(db, { title: 'Translated', cues, isFree: true });
  const without = await createAudio(db, { title: 'Without', isFree: true });
  const draft = await createAudio(db, { title: 'Unseen', cues, publishedAt: null });
  const lines = [...cues, { start: 4, end: 8, text: 'Der Fischadler steigt.' }];
  await db
    .insert(transcriptTranslations)
    .values([audio, without, draft].map(({ id: audioId }) => ({ audioId, language: 'de', cues: lines })));
  expect((await ask('fischadler')).audios.hits.map(({ id, line }) => [id, line])).toEqual([
    [audio.id, { seconds: 4, text: 'Der Fischadler steigt.', marks: [[4, 14]], language: 'de' }],
  ]);
  // The same line in both is found once, as it is spoken.
  expect((await ask('osprey')).audios.hits.map(({ id, line }) => [id, line?.language])).toEqual([[audio.id, 'en']]);
});

test('PostgreSQL folds the words of transcripts as the site folds those of a search', async () => {
  const written = `Straße, STRASSE, ẞ; Æther ǽ œuvre Ærø smørrebrød ø Đà đ ð Þór þ Łódź ł ħ ılık İ Éire ﬁn Ночь don’t`;
  const { rows } = await db.execute<{ folded: string }>(sql`select search_text(${written}) as folded`);
  expect(rows[0]?.folded.split(' ')).toEqual(wordsOf(written));
  const spoken = await createAudio(db, { cues: [{ start: 0, end: 1, text: 'Smørrebrød in der Königstraße' }] });
  for (const term of ['smørrebrød', 'smorrebrod', 'KÖNIGSTRASSE', 'königstraße'])
    expect([term, (await ask(term)).audios.hits.map(({ id }) => id)]).toEqual([term, [spoken.id]]);
});

test('transcripts of unpublished audios take no places in the limit', async () => {
  const cues = [{ start: 2, end: 4, text: 'a gossamer answer' }];
  const draft = await createAudio(db, { publishedAt: null, cues });
  await pool.query(
    `with made as (
       insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms)
       select gen_random_uuid(), slug || '-' || number, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms
       from audios, generate_series(1, 200) number where id = $1 returning id)
     insert into transcripts (audio_id, cues) select made.id, t.cues from made, transcripts t where t.audio_id = $1`,
    [draft.id],
  );
  const { id } = await createAudio(db, { title: 'Out', cues });
  const { total, hits } = (await ask('gossamer')).audios;
  expect([total, hits.map((hit) => hit.id)]).toEqual([1, [id]]);
});

test('audios that say all the words win over names with some of them', async () => {
  const cues = [{ start: 12, end: 15, text: 'beside the marzipan lighthouse' }];
  await createAudio(db, { title: 'Remembered', cues });
  await createAudio(db, { title: 'Marzipan' });
  await createVoice(db, { name: 'Lighthouse Keeper' });
  const found = await ask('marzipan lighthouse');
  expect([found.audios.hits.map(({ title }) => title), found.audios.total]).toEqual([['Remembered'], 1]);
  expect([found.voices.total, found.voices.hits]).toEqual([0, []]);
});

test('a whole name suppresses transcript matches in suggestions, but not on a page of hits', async () => {
  const cues = [{ start: 2, end: 4, text: 'She called it the quince orchard.' }];
  await createAudio(db, { title: 'Autumn', cues });
  await createAudio(db, { title: 'The Quince Orchard' });
  const titles = async (term: string, few?: number) =>
    (await search(here, visitor, { term, page: 0, limit: 3, ...(few !== undefined && { few }) })).audios.hits.map(
      ({ title }) => title,
    );
  expect(await titles('the quince orchard', 3)).toEqual(['The Quince Orchard']);
  expect(await titles('quince orchard', 3)).toEqual(['The Quince Orchard', 'Autumn']);
  expect(await titles('the quince orchard')).toEqual(['The Quince Orchard', 'Autumn']);
});

test('a long line is shown around what matches', async () => {
  const text = `${'before '.repeat(40)}the zephyrine answer ${'after '.repeat(40)}`;
  await createAudio(db, { cues: [{ start: 3, end: 60, text }], isFree: true });
  const line = (await ask('zephyrine')).audios.hits[0]?.line;
  expect(line?.text.length).toBeLessThanOrEqual(165);
  expect(line?.text).toMatch(/^….*the zephyrine answer.*…$/);
  expect(line?.marks.map(([from, to]) => line.text.slice(from, to))).toEqual(['zephyrine']);
});

/** The titles found in this process and in another. */
async function expectEverywhere(term: string, titles: string[]): Promise<void> {
  for (const parts of [here, there]) expect(await titlesOf(term, parts)).toEqual(titles);
}

test('publishing, renaming, hiding and deleting show at once, in other processes too', async () => {
  const { id, voiceId } = await createAudio(db, { title: 'Quicksilver', publishedAt: null });
  await expectEverywhere('quicksilver', []);
  await db
    .update(audios)
    .set({ publishedAt: new Date(Date.now() - 1000) })
    .where(eq(audios.id, id));
  await expectEverywhere('quicksilver', ['Quicksilver']);
  await db.update(audios).set({ title: 'Mercury' }).where(eq(audios.id, id));
  await expectEverywhere('quicksilver', []);
  await expectEverywhere('mercury', ['Mercury']);
  await db.update(voices).set({ name: 'Ottoline Xanadu' }).where(eq(voices.id, voiceId));
  await expectEverywhere('xanadu', ['Mercury']);
  await pool.query('delete from audios where id = $1', [id]);
  await expectEverywhere('mercury', []);
  await expectEverywhere('xanadu', []);
  expect((await ask('xanadu')).voices.total).toBe(1);
});

test('an answer is never older than 400 ms, even without notifications', async () => {
  let now = Date.now();
  const parts = { db, index: openDatabaseIndex({ db, now: () => now }) };
  const { id } = await createAudio(db, { title: 'Nightjar' });
  expect(await titlesOf('nightjar', parts)).toEqual(['Nightjar']);
  now += 1000;
  await titlesOf('nightjar', parts);
  await pool.query('update audios set published_at = null where id = $1', [id]);
  now += 401;
  expect(await titlesOf('nightjar', parts)).toEqual([]);
});

test('while changes cannot be written, the documents that are there answer', async () => {
  await createAudio(db, { title: 'Kingfisher' });
  expect(await titlesOf('kingfisher')).toEqual(['Kingfisher']);
  const lost = new Proxy(db, {
    get(target, name) {
      if (name === 'select') throw new Error('lost');
      return Reflect.get(target, name);
    },
  });
  expect(await titlesOf('kingfisher', { db, index: openDatabaseIndex({ db: lost, reads: db }) })).toEqual([
    'Kingfisher',
  ]);
});

test('ties go to the most played, and play counts are refreshed minutes later', async () => {
  const played = async (number: number) => {
    const voice = await createVoice(db, { name: `Peridot ${number}` });
    const audio = await createAudio(db, { title: `Beryl ${number}`, voiceId: voice.id, plays: number });
    await createSeries(db, { title: `Beryl ${number}`, audioIds: [audio.id] });
    const owner = await createUser(db, { username: `beryl.${number}` });
    const list = await createUserPlaylist(db, { title: `Beryl ${number}`, userId: owner.id, audioIds: [audio.id] });
    return { audio, list };
  };
  const first = await played(1);
  const { audio, list } = await played(2);
  const found = async () => {
    const beryl = await ask('beryl');
    const firsts = [beryl.audios, beryl.series, beryl.usersPlaylists].map(({ hits }) => hits[0]?.title.at(-1));
    const voice = (await ask('peridot')).voices.hits[0]?.name.at(-1);
    return [...firsts, voice, beryl.users.hits[0]?.username.at(-1)].join('');
  };
  await pool.query('update audio_counts set plays = 0 where audio_id = $1', [audio.id]);
  await pool.query('update user_playlist_counts set plays = (user_playlist_id = $1)::int', [first.list.id]);
  expect(await found()).toBe('11111');
  for (let listener = 0; listener < 3; listener += 1) {
    const hash = hashListener('secret', { kind: 'visitor' }, `192.0.2.${listener}`);
    await countPlays(db, [{ listener: hash, audioId: audio.id }]);
    await playUserPlaylist(db, visitor, list.id, hash);
  }
  await here.index.refreshPlays();
  expect(await found()).toBe('22222');
});

test('renaming a tag, category or list updates the documents that contain its name', async () => {
  const category = await createCategory(db, { label: 'Quartz' });
  const audio = await createAudio(db, { title: 'Held', categoryIds: [category.id], tagLabels: ['basalt'] });
  const playlist = await createPlaylist(db, { title: 'Gneiss', audioIds: [audio.id] });
  expect([await titlesOf('quartz'), await titlesOf('basalt')]).toEqual([['Held'], ['Held']]);
  await db.update(categories).set({ label: 'Feldspar' }).where(eq(categories.id, category.id));
  await db.update(tags).set({ label: 'granite' }).where(eq(tags.slug, 'basalt'));
  await expectEverywhere('feldspar', ['Held']);
  await expectEverywhere('granite', ['Held']);
  await expectEverywhere('quartz', []);
  await pool.query('delete from audio_tags where audio_id = $1', [audio.id]);
  await expectEverywhere('granite', []);
  expect((await ask('gneiss')).playlists.hits).toMatchObject([{ totalAudios: 1 }]);
  await db.delete(playlistItems).where(eq(playlistItems.playlistId, playlist.id));
  expect((await ask('gneiss', visitor, there)).playlists).toMatchObject({ total: 0, hits: [] });
});

test('scheduled audios are found from their time on, and playlists count them from then', async () => {
  const publishedAt = new Date(Date.now() + 2500);
  const audio = await createAudio(db, { title: 'Tomorrowland', publishedAt });
  await createPlaylist(db, { title: 'Forenoon', audioIds: [audio.id] });
  const now = { db, index: openDatabaseIndex({ db }) };
  expect(await titlesOf('tomorrowland', now)).toEqual([]);
  expect((await ask('forenoon', visitor, now)).playlists.total).toBe(0);
  await expect
    .poll(async () => (await ask('forenoon', visitor, now)).playlists.hits[0]?.totalAudios, { timeout: 15_000 })
    .toBe(1);
  expect(await titlesOf('tomorrowland', now)).toEqual(['Tomorrowland']);
});

test('lists of listeners appear and disappear with the changes of their owners', async () => {
  const owner = await createUser(db, { username: 'obsidian.o' });
  const { id } = await createUserPlaylist(db, {
    title: 'Malachite',
    userId: owner.id,
    isPublic: false,
    audioIds: [(await createAudio(db)).id],
  });
  const found = async () => {
    const totals = [];
    for (const parts of [here, there]) {
      const { usersPlaylists, users: people } = await ask('malachite', visitor, parts);
      totals.push(usersPlaylists.total, people.total, (await ask('obsidian', visitor, parts)).users.total);
    }
    return totals;
  };
  expect(await found()).toEqual([0, 0, 0, 0, 0, 0]);
  const change = (values: Partial<typeof userPlaylists.$inferInsert>) =>
    db.update(userPlaylists).set(values).where(eq(userPlaylists.id, id));
  await change({ isPublic: true });
  expect(await found()).toEqual([1, 0, 1, 1, 0, 1]);
  await change({ deletedAt: new Date() });
  expect(await found()).toEqual([0, 0, 0, 0, 0, 0]);
  await change({ deletedAt: null });
  expect(await found()).toEqual([1, 0, 1, 1, 0, 1]);
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, owner.id));
  expect(await found()).toEqual([0, 0, 0, 0, 0, 0]);
  await db.update(users).set({ suspendedAt: null, username: 'obsidian.2' }).where(eq(users.id, owner.id));
  expect((await ask('obsidian')).users.hits[0]?.username).toBe('obsidian.2');
  await pool.query('delete from users where id = $1', [owner.id]);
  expect(await found()).toEqual([0, 0, 0, 0, 0, 0]);
  const { rows } = await pool.query('select from search_changes where subject_id in ($1, $2)', [owner.id, id]);
  expect(rows).toEqual([]);
});

test('blocked users and hidden tags are in no group and no total', async () => {
  const viewer = await newViewer();
  const owner = await createUser(db, { username: 'jasper.j' });
  const loud = await createAudio(db, { title: 'Jasper', tagLabels: ['loud'] });
  await createUserPlaylist(db, { title: 'jasper nights', userId: owner.id, audioIds: [loud.id] });
  await createAudio(db, { title: 'Jasper too' });
  const totals = async (who: Viewer) =>
    Object.values(await ask('jasper', who)).map(({ total, hits }) => [total, hits.length]);
  const all = [
    [2, 2],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [1, 1],
  ];
  expect(await totals(viewer)).toEqual(all);
  await setBlocked(db, viewer, owner.id, true);
  await setTagHidden(db, viewer.id, 'loud', true);
  expect(await totals(viewer)).toEqual([
    [1, 1],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(await totals(visitor)).toEqual(all);
});

test('a transaction that commits late is not missed by a reader that read meanwhile', async () => {
  const { id } = await createAudio(db, { title: 'Slowpoke' });
  await expectEverywhere('slowpoke', ['Slowpoke']);
  const slow = await pool.connect();
  await slow.query('begin');
  await slow.query(`update audios set title = 'Latecomer' where id = $1`, [id]);
  await createAudio(db, { title: 'Overtaker' });
  await expectEverywhere('overtaker', ['Overtaker']);
  await expectEverywhere('latecomer', []);
  await slow.query('commit');
  slow.release();
  await expectEverywhere('latecomer', ['Latecomer']);
  await expectEverywhere('slowpoke', []);
});

test('a position older than the stored changes, or of another server, requires a rebuild', async () => {
  const position = await readPosition(db);
  await createAudio(db, { title: 'Meanwhile' });
  expect((await readChanges(db, position))?.keys.audios).toHaveLength(1);
  const long = new Date(Date.now() - 4 * 24 * 60 * 60 * 1000).toISOString();
  expect(await readChanges(db, { ...position, at: long })).toBeUndefined();
  expect(await readChanges(db, { ...position, snapshot: '99999999:99999999:' })).toBeUndefined();
  await pool.query(`update search_changes set changed_at = now() - interval '4 days'`);
  await purgeOldChanges(db);
  expect((await pool.query('select from search_changes')).rowCount).toBe(0);
});

test('a rebuild repairs what was lost, while the old documents answer', async () => {
  const lost = await createAudio(db, { title: 'Lost ledger' });
  const kept = await createAudio(db, { title: 'Kept ledger' });
  expect(await titlesOf('ledger')).toHaveLength(2);
  // Another test has deleted changes.
  const { missing } = await compareIndex(db);
  await pool.query('delete from search_documents where key = $1', [lost.id]);
  await pool.query(
    `insert into search_documents select kind, gen_random_uuid(), entries, name_words, popularity, found_from, owner_id, hit
     from search_documents where key = $1`,
    [kept.id],
  );
  expect(await titlesOf('ledger', there)).toEqual(['Kept ledger', 'Kept ledger']);
  expect(await compareIndex(db)).toMatchObject({ missing: missing + 1, extra: 1, isWaiting: false });
  await askForRebuild(db, here.index.feed);
  await expect(askForRebuild(db, here.index.feed)).rejects.toMatchObject({ code: 'search/rebuild-running' });
  expect(await there.index.state()).toMatchObject({ isBuilding: true });
  const { documents = 0 } = await here.index.rebuildIfAsked();
  expect(await compareIndex(db)).toEqual({ documents, missing: 0, extra: 0, isWaiting: false });
  expect((await titlesOf('ledger')).toSorted()).toEqual(['Kept ledger', 'Lost ledger']);
  expect(await there.index.state()).toEqual({ engine: 'built-in', documents, isBuilding: false, built: undefined });
  expect(await here.index.rebuildIfAsked()).toEqual({ documents: 0 });
});

test('words are counted, and those of no document are forgotten', async () => {
  const { rows: before } = await pool.query('select count(*)::int from search_words');
  const audio = await createAudio(db, { title: 'Xylograph xylographs', tagLabels: ['xyster'] });
  const { rows: made } = await pool.query('select id from tags order by id desc limit 1');
  await titlesOf('xylograph');
  const counts = async () =>
    (
      await pool.query(
        `select word, documents from search_words where word like 'xyl%' or word like 'xys%' order by word`,
      )
    ).rows;
  expect(await counts()).toEqual([
    { word: 'xylograph', documents: 1 },
    { word: 'xylographs', documents: 1 },
    { word: 'xyster', documents: 1 },
  ]);
  await pool.query('delete from audios where id = $1', [audio.id]);
  await pool.query('delete from voices where id = $1', [audio.voiceId]);
  await pool.query('delete from tags where id = $1', [made[0]?.id]);
  await titlesOf('xylograph');
  expect(await counts()).toEqual([]);
  const { rows: after } = await pool.query('select count(*)::int from search_words');
  expect(after).toEqual(before);
});

test('a playlist is found from its first audio to its last', async () => {
  const { id: audioId } = await createAudio(db);
  const { id } = await createUserPlaylist(db, { title: 'Hematite' });
  const found = async () => (await ask('hematite')).usersPlaylists.total;
  expect(await found()).toBe(0);
  await pool.query('insert into user_playlist_items (user_playlist_id, audio_id, position) values ($1, $2, 1)', [
    id,
    audioId,
  ]);
  expect(await found()).toBe(1);
  await pool.query('delete from user_playlist_items where user_playlist_id = $1', [id]);
  expect(await found()).toBe(0);
});

test('a group tells whether one of its hits has exactly that name', async () => {
  const owner = await createUser(db, { username: 'onyx' });
  const audio = await createAudio(db, { title: 'Onyx and pearl', plays: 900 });
  await createUserPlaylist(db, { title: 'Stones', userId: owner.id, audioIds: [audio.id] });
  const found = await ask('Onyx');
  expect([found.audios.hasExactName, found.users.hasExactName]).toEqual([false, true]);
});

test('exact transcript matches replace similar names', async () => {
  const cues = [{ start: 1, end: 2, text: 'in the old café' }];
  const spoken = await createAudio(db, { title: 'Overheard', cues });
  await createAudio(db, { title: 'Came back' });
  const { hits } = (await ask('café')).audios;
  expect(hits.map(({ id }) => id)).toEqual([spoken.id]);
});

test('one group returns hits, the others only totals', async () => {
  await createVoice(db, { name: 'Amethyst' });
  await createAudio(db, { title: 'Amethyst' });
  const found = await search(here, visitor, { term: 'amethyst', groups: ['voices'], page: 0, limit: 5 });
  expect([found.voices.hits.length, found.audios.hits.length, found.audios.total]).toEqual([1, 0, 1]);
});

test.each([
  ['nothing', ''],
  ['signs alone', '%_\\ * ( ) [ ] \' " ; --'],
  ['SQL', `'; drop table audios; --`],
  ['a pattern', '(.+)+$ .* ^'],
  ['operators of a text search', '& | ! <-> :* \\'],
  ['right to left', '‮שלום عليكم‬'],
  ['emoji', '😀😀 ❤️‍🔥'],
  ['thirty words', Array.from({ length: 30 }, (_, number) => `word${number}`).join(' ')],
  ['one very long word', 'x'.repeat(100)],
  ['letters with many marks', `e${'\u0301'.repeat(80)}`],
])('%s finds nothing, quickly and without failing', async (_name, term) => {
  const found = await ask(term);
  expect(Object.values(found).every(({ total, hits }) => total === 0 && hits.length === 0)).toBe(true);
  expect((await db.execute(sql`select from audios limit 1`)).rows).toHaveLength(1);
});

test('without access viewers see a few words of three lines a day; with access they see all lines', async () => {
  const names = ['quillon', 'wexthrum', 'ozokvrite', 'vqellicho', 'yblorkin'];
  const cues = names.map((name, index) => ({
    start: index,
    end: index + 1,
    text: `Nobody else ever told her so softly of the ${name} and all that came after that night.`,
  }));
  const audio = await createAudio(db, { cues });
  const lineOf = async (name: string, client: string, viewer: Viewer = visitor) =>
    (await search(here, viewer, { term: name, page: 0, limit: 10, client })).audios.hits.find(
      ({ id }) => id === audio.id,
    )?.line;
  expect(await lineOf('quillon', 'a')).toEqual({
    seconds: 0,
    text: '…the quillon and all that came…',
    marks: [[5, 12]],
    language: 'en',
  });
  // Repeats, also while typing letter by letter: the same line counts once.
  for (const typed of ['quill', 'quillo', 'quillon']) expect(await lineOf(typed, 'a')).not.toBeNull();
  expect((await lineOf('wexthrum', 'a'))?.text).toContain('wexthrum');
  expect((await lineOf('ozokvrite', 'a'))?.text).toContain('ozokvrite');
  expect(await lineOf('vqellicho', 'a')).toBeNull();
  expect(await lineOf('yblorkin', 'a')).toBeNull();
  expect((await lineOf('wexthrum', 'a'))?.text).toContain('wexthrum');
  expect((await lineOf('yblorkin', 'b'))?.text).toContain('yblorkin');
  const subscriber: Viewer = { ...(await newViewer()), isSubscribed: true };
  for (const [index, name] of names.entries())
    expect((await lineOf(name, 'c', subscriber))?.text).toBe(cues[index]?.text);
  await db.execute(sql`update transcript_glimpses set day = day - 1 where audio_id = ${audio.id}`);
  expect((await lineOf('vqellicho', 'a'))?.text).toContain('vqellicho');
  await purgeOldExcerpts(db);
  const { rows } = await db.execute(sql`select from transcript_glimpses where audio_id = ${audio.id}`);
  expect(rows).toHaveLength(1);
});

test('free audios only: by name and by what is said, the preview too, and nothing else', async () => {
  const cues = [{ start: 0, end: 2, text: 'a quixotic whisper' }];
  const free = await createAudio(db, { title: 'Quixotic one', isFree: true });
  await createAudio(db, { title: 'Quixotic two' });
  const preview = await createAudio(db, { title: 'Quixotic three' });
  await createVoice(db, { name: 'Quixotic' });
  const [heardFree, heard] = [
    await createAudio(db, { title: 'A', isFree: true }),
    await createAudio(db, { title: 'B' }),
  ];
  for (const { id } of [heardFree, heard]) await db.insert(transcripts).values({ audioId: id, cues });
  const found = async () => {
    const { audios: group, voices: creators } = await search(here, visitor, {
      term: 'quixotic',
      page: 0,
      limit: 10,
      onlyFree: true,
    });
    return { ids: group.hits.map(({ id }) => id).toSorted(), total: group.total, creators: creators.total };
  };
  expect((await ask('quixotic')).audios.total).toBe(5);
  expect(await found()).toEqual({ ids: [free.id, heardFree.id].toSorted(), total: 2, creators: 0 });
  await db.insert(siteSettings).values({ key: 'preview', value: { audioId: preview.id } });
  expect(await found()).toEqual({ ids: [free.id, heardFree.id, preview.id].toSorted(), total: 3, creators: 0 });
  await db.update(siteSettings).set({ value: { audioId: null } });
  expect((await found()).total).toBe(2);
});
