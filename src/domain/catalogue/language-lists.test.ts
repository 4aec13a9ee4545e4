import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createVoice } from '#test/support/factories.ts';
import { sortKey } from '../kernel/ids.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { listAudios, sumAudios } from './audio-lists.ts';
import type { AudioSort } from './forms.ts';
import { countLanguages, findShorterLists, languageListId } from './language-lists.ts';
import { catalogueTotals } from './tables.ts';
import { addUpTotals } from './totals.ts';

const { db } = await createTestDatabase();

const german: Viewer = { ...visitor, listensTo: ['de'] };
const both: Viewer = { ...visitor, listensTo: ['de', 'en'] };

const voice = await createVoice(db);
const category = await createCategory(db);
const languages = ['en', 'en', 'de', 'en', 'de-CH', 'zxx', 'fr'];
const made: { id: string; time: number; plays: number; title: string; seconds: number; language: string }[] = [];
for (let n = 0; n < 28; n += 1) {
  const language = languages[n % languages.length] ?? 'en';
  // Beyond the Basic Multilingual Plane, where UTF-16 has another order than the database.
  const title = n === 4 ? '\u{1F300} wave' : n === 5 ? '\uFF5A wave' : `Wave ${(n * 5) % 28}`;
  const [plays, seconds, time] = [n % 4, 60 + (n % 3), Date.now() - (1 + (n % 9)) * 60_000];
  const { id } = await createAudio(db, {
    title,
    plays,
    language,
    voiceId: voice.id,
    durationMs: seconds * 1e3,
    publishedAt: new Date(time),
    categoryIds: n % 2 === 0 ? [category.id] : [],
    tagLabels: ['Wave'],
  });
  made.push({ id, time, plays, title: sortKey(title), seconds, language });
}
await createAudio(db, { language: 'de', voiceId: voice.id, publishedAt: new Date(Date.now() + 60_000) });

const orders: [AudioSort, 'time' | 'plays' | 'title' | 'seconds', 1 | -1][] = [
  ['recent', 'time', -1],
  ['oldest', 'time', 1],
  ['popular', 'plays', -1],
  ['title', 'title', 1],
  ['shortest', 'seconds', 1],
  ['longest', 'seconds', -1],
];
const bytes = (text: string | number) => (typeof text === 'string' ? Buffer.from(text).toString('hex') : text);

async function expectAllOrders(): Promise<void> {
  const places = [{}, { categoryId: category.id }, { voiceId: voice.id }, { filter: { tag: ['wave'] } }];
  for (const [sort, key, sign] of orders)
    for (const place of places)
      for (const viewer of [german, both]) {
        const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0);
        const right = made
          .filter(({ language }, n) => {
            const isInPlace = !('categoryId' in place) || n % 2 === 0;
            return isInPlace && /^(de|zxx)/.test(viewer === both ? language.replace('en', 'de') : language);
          })
          .toSorted((a, b) => compare(bytes(a[key]), bytes(b[key])) || compare(a.id, b.id));
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await listAudios(db, viewer, { ...place, sort, cursor, limit: 3 });
          found.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(found, `${sort} ${JSON.stringify(place)}`).toEqual(right.map(({ id }) => id));
      }
}

test('the id of a language’s list is the one that the database makes, whatever its region', async () => {
  for (const language of ['de', 'de-AT', 'zh-Hant', 'zxx']) {
    const { rows } = await db.execute(sql`select language_list(${language}) as id`);
    expect(rows).toEqual([{ id: languageListId(language) }]);
  }
});

test('the pages in each order are all audios of the languages, sorted by hand', expectAllOrders, 30_000);

test('in a large catalogue the shorter list is read, and the pages are the same', { timeout: 30_000 }, async () => {
  await addUpTotals(db, { largeFrom: 10 });
  const listsOf = (viewer: Viewer, list: object) => findShorterLists(db, viewer, list);
  expect(await listsOf(german, {})).toEqual([languageListId('de'), languageListId('zxx')]);
  expect(await listsOf(german, { categoryId: category.id })).toHaveLength(2);
  expect(await listsOf(both, { categoryId: category.id })).toBeUndefined();
  expect(await listsOf(both, { voiceId: voice.id })).toHaveLength(3);
  expect(await listsOf(visitor, {})).toBeUndefined();
  await expectAllOrders();
});

test('a large catalogue has the sums of languages that a small one has', async () => {
  const read = async () => ({
    all: await sumAudios(db, german, {}),
    both: await sumAudios(db, both, {}),
    category: await sumAudios(db, german, { categoryId: category.id }),
    voice: await sumAudios(db, german, { voiceId: voice.id }),
    languages: await countLanguages(db),
  });
  await addUpTotals(db, { largeFrom: 1000 });
  const small = await read();
  expect(small).toMatchObject({
    all: { total: 12, inOtherLanguages: 16 },
    both: { total: 24, inOtherLanguages: 4 },
    languages: [
      { language: 'en', audios: 12 },
      { language: 'de', audios: 8 },
      { language: 'fr', audios: 4 },
      { language: 'zxx', audios: 4 },
    ],
  });
  await addUpTotals(db, { largeFrom: 10 });
  expect(await read()).toEqual(small);
  // As the version before adds up.
  await db.update(catalogueTotals).set({ languages: {} });
  expect(await sumAudios(db, german, {})).toMatchObject({ total: 28, inOtherLanguages: 0 });
  expect((await countLanguages(db))[0]).toEqual({ language: 'en', audios: 12 });
  await addUpTotals(db, { largeFrom: 1000 });
});

test('an audio that changes its language leaves the list', async () => {
  const { id } = await createAudio(db, { language: 'de', title: 'Moving' });
  const isListed = async (viewer: Viewer) => (await listAudios(db, viewer, { limit: 1 })).items[0]?.id === id;
  await db.execute(sql`update audios set published_at = now() where id = ${id}`);
  expect(await isListed(german)).toBe(true);
  await db.execute(sql`update audios set language = 'fr' where id = ${id}`);
  expect(await isListed(german)).toBe(false);
});
