import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { editAudio } from './editing.ts';
import { findTag, tagKey } from './tag-names.ts';
import { tags as tagRows } from '../tables.ts';

const { db } = await createTestDatabase();
const { catalogue } = await openTestSite(db);

async function tagsOf(tags: string[]): Promise<string[]> {
  const audio = await createAudio(db);
  await editAudio(db, audio.id, { tags });
  return (await catalogue.findAudio(audio.slug))?.tags.map(({ label }) => label).toSorted() ?? [];
}

const first = ['ano', '夜', '18', 'schon', 'M/F', 'c++', '🔥'];
const second = ['año', '叶', '18+', 'schön', 'M&F', 'C#', '💋', '♥', '+', '---', '1', '👩‍❤️‍👩'];

test('a tag stays what was written, however alike the letters of another one are', async () => {
  expect(await tagsOf(first)).toEqual(first.toSorted());
  expect(await tagsOf(second)).toEqual(second.toSorted());
  expect(await tagsOf([...first, ...second])).toEqual([...first, ...second].toSorted());
  const slugs = (await db.select({ slug: tagRows.slug }).from(tagRows)).map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(first.length + second.length);
  expect([(await findTag(db, 'ano'))?.slug, (await findTag(db, 'año'))?.slug]).toEqual(['ano', 'ano-2']);
});

test.each(['AÑO', ' año ', 'an\u0303o', 'ａño'])('%j is the tag “año”', async (label) => {
  expect(tagKey(label)).toBe(tagKey('año'));
  expect(await tagsOf([label, 'año'])).toEqual(['año']);
});

test.each([
  ['Ü', 'U'],
  ['ß', 'ss'],
  ['o', 'ø'],
  ['か', 'が'],
  ['ハ', 'パ'],
  ['雨', '雪'],
  ['🇩🇪', '🇫🇷'],
  ['👍', '👍🏽'],
  ['C', 'C#'],
  ['m/m', 'm+m'],
  ['18-', '18'],
  ['и', 'й'],
])('%j and %j are two tags', (one, other) => {
  expect(tagKey(one)).not.toBe(tagKey(other));
});

test('a tag that many write at once is made once', async () => {
  const each = await Promise.all(Array.from({ length: 4 }, () => tagsOf(['Über Nacht', 'Uber Nacht'])));
  for (const labels of each) expect(labels).toEqual(['Uber Nacht', 'Über Nacht']);
  const labels = (await db.select({ label: tagRows.label }).from(tagRows)).map(({ label }) => label);
  expect(labels.filter((label) => label.endsWith('ber Nacht'))).toHaveLength(2);
});
