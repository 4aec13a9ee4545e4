import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSeries, createUser, createUserPlaylist, createVoice } from '#test/support/factories.ts';
import { openDatabaseIndex } from './database-index.ts';
import { searchGroups } from './forms.ts';
import type { Hidden, Ranges } from './search-index.ts';

const { db, pool } = await createTestDatabase();

let clock = Date.now();
const index = openDatabaseIndex({ db, now: () => (clock += 1000) });

const nobody: Hidden = { userIds: [], voiceIds: [], audioIds: [], tagIds: [] };
const rangesOf = (length: number, from = 0): Ranges =>
  Object.fromEntries(searchGroups.map((group) => [group, { from, length }]));

const ask = (term: string, { length = 10, from = 0, hidden = nobody, onlyFree = false } = {}) =>
  index.find({ term, ranges: rangesOf(length, from), hidden, onlyFree });

async function titlesOf(term: string, length = 10): Promise<string[]> {
  return (await ask(term, { length })).audios.hits.map(({ title }) => title);
}

/** Adds many audios at once. */
async function createMany(titles: string[], { plays = 0, isFree = false } = {}): Promise<void> {
  const { id } = await createAudio(db, { publishedAt: null });
  await pool.query(
    `insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at, is_free)
     select gen_random_uuid(), a.slug || '-' || number, t.title, lower(t.title), voice_id, file_key, file_mime, file_bytes, duration_ms, now(), $3
     from audios a, unnest($2::text[]) with ordinality as t (title, number) where a.id = $1`,
    [id, titles, isFree],
  );
  await pool.query(
    'update audio_counts set plays = $1 where audio_id in (select id from audios where title = any($2))',
    [plays, titles],
  );
  // A query would wait for a second of it at most.
  await index.catchUp();
}

const numbered = (count: number, title: string) => Array.from({ length: count }, (_, number) => `${title} ${number}`);

/** Asks while there seem to be far more audios, so that words stand together more often than expected. */
async function askAmongMore(term: string) {
  const add = (count: number) =>
    db.execute(sql`update search_words set documents = documents + ${count} where word = '#any' and kind = 0`);
  await ask(term);
  await add(100_000);
  const answer = await ask(term, { length: 2 });
  await add(-100_000);
  return answer;
}

test('an exact name comes before hundreds of more popular ones that begin with it', async () => {
  await createMany(numbered(400, 'Moonlight'), { plays: 5000 });
  await createAudio(db, { title: 'Moon' });
  await createAudio(db, { title: 'Bright moon' });
  expect((await titlesOf('moon', 2)).toSorted()).toEqual(['Bright moon', 'Moon']);
});

test('an exact name is the first of thousands whose words stand together more often than expected', async () => {
  await createMany(numbered(4200, 'Soft spoken'), { plays: 5000 });
  await createAudio(db, { id: 'ffffffff-0000-7000-8000-000000000000', title: 'Soft spoken' });
  const { total, hits } = (await askAmongMore('soft spoken')).audios;
  expect(hits[0]?.title).toBe('Soft spoken');
  expect(total).toBeGreaterThanOrEqual(3000);
});

test('a misspelled beginning finds the words that go on', async () => {
  await createAudio(db, { title: 'Wonderfully' });
  for (const term of ['wohderf', 'onderf', 'wonsderf', 'wobde', 'ownderful'])
    expect([term, await titlesOf(term)]).toEqual([term, ['Wonderfully']]);
});

test('words of a script in two parts of Unicode may be misspelled', async () => {
  await createAudio(db, { title: 'عزیزم', slug: 'azizam' });
  await createAudio(db, { title: 'しりとり', slug: 'shiritori' });
  expect(await titlesOf('عزبزم')).toEqual(['عزیزم']);
  expect(await titlesOf('しりりとり')).toEqual(['しりとり']);
});

test('a whole name is found with words that it does not have, wherever they are', async () => {
  await createAudio(db, { title: 'We two ate an odd pie' });
  await createMany(['Extraordinary', 'Breathtaking', 'Unforgettable']);
  const name = ['we', 'two', 'ate', 'an', 'odd', 'pie'];
  for (const at of name.keys())
    expect(await titlesOf(name.toSpliced(at, 1, 'extraordinary').join(' '))).toContain('We two ate an odd pie');
  expect(await titlesOf([...name, 'extraordinary', 'breathtaking', 'unforgettable'].join(' '))).toEqual([
    'We two ate an odd pie',
  ]);
});

test('a whole name is found with a further word, among very many that have enough of its words', async () => {
  const words = ['alpha', 'beta', 'gamma', 'delta'];
  for (const word of words)
    await createMany(numbered(450, words.filter((other) => other !== word).join(' ')), { plays: 900 });
  // Written last, because documents are written by their keys.
  await createAudio(db, { id: 'ffffffff-0000-7000-8000-000000000001', title: 'Alpha beta gamma delta' });
  const { hits } = (await askAmongMore('alpha beta gamma delta unheard')).audios;
  expect(hits[0]?.title).toBe('Alpha beta gamma delta');
});

test('a creator loses the link to a series that is hidden', async () => {
  const series = await createSeries(db, { title: 'Marigold nights' });
  await createVoice(db, { name: 'Marigold', linkedSeriesId: series.id });
  const linked = async () => (await ask('marigold')).voices.hits.map(({ linkedSeries }) => linkedSeries);
  expect(await linked()).toEqual([{ slug: series.slug }]);
  await pool.query('update series set hidden_at = now() where id = $1', [series.id]);
  expect(await linked()).toEqual([null]);
});

test('the first letters find a listener among the words of thousands of audios', async () => {
  const owner = await createUser(db, { username: 'quentin.q' });
  await createUserPlaylist(db, { title: 'Any', userId: owner.id, audioIds: [(await createAudio(db)).id] });
  await ask('quentin');
  await db.execute(sql`insert into search_words (word, kind, field, documents)
    select 'que' || number, 0, 0, 2 from generate_series(1, 3000) number`);
  expect((await ask('que')).users.hits.map(({ username }) => username)).toEqual(['quentin.q']);
  await db.execute(sql`delete from search_words where word ~ '^que[0-9]'`);
});

test('totals of very many hits leave out what the viewer does not find', async () => {
  await createMany(numbered(1500, 'Velvet curtain'), { plays: 3 });
  await createMany(numbered(20, 'Velvet gift'), { isFree: true });
  expect((await ask('velvet')).audios.total).toBeGreaterThan(1400);
  const free = (await ask('velvet', { onlyFree: true })).audios;
  expect([free.total, free.hits.length]).toEqual([20, 10]);
  await pool.query(
    `insert into tags (id, slug, label) values ('01a00000-0000-7000-8000-000000000001', 'drapes', 'Drapes')`,
  );
  await pool.query(
    `insert into audio_tags (audio_id, tag_id) select id, '01a00000-0000-7000-8000-000000000001' from audios where title like 'Velvet curtain%'`,
  );
  const hidden = { ...nobody, tagIds: ['01a00000-0000-7000-8000-000000000001'] };
  const seen = (await ask('velvet', { hidden, length: 24 })).audios;
  expect([seen.total, seen.hits.length]).toEqual([20, 20]);
});

test('estimated totals count audios once that have several words which match', async () => {
  await pool.query('delete from audios');
  const words = ['velvet', 'velveteen', 'velvets', 'velvety', 'velveted'];
  // Each fifth title has the first word, each fifth of those with and without it the second one, and so on.
  const titles = Array.from({ length: 5 ** words.length }, (_, number) =>
    [...words.filter((__, at) => Math.floor(number / 5 ** at) % 5 === 0), `title ${number}`].join(' '),
  );
  await createMany(titles);
  const real = titles.filter((title) => title.startsWith('velvet')).length;
  const { total } = (await ask('velvet', { length: 24 })).audios;
  expect(Math.abs(total - real)).toBeLessThan(real / 10);
});
