import { expect, test } from 'vitest';
import { createArticle, createAudio, createViewer } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { visitor } from '../kernel/viewer.ts';
import { setTagHidden } from '../library/hidden-tags.ts';
import { findArticle, listArticles, listNextArticles } from './articles.ts';
import { parseArticle, publishArticle, readPublished } from './publishing.ts';
import { type BlogSort, defaultTopics } from './rules.ts';

const { db } = await createTestDatabase();
const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day);

const audios = [await createAudio(db, { title: 'Heard' }), await createAudio(db, { publishedAt: null })];
await createArticle(db, { title: 'The Bee', topic: 'sex', readTime: 300, publishedAt: ago(3) });
await createArticle(db, { title: 'Éclair', topic: 'culture', readTime: 100, publishedAt: ago(1) });
await createArticle(db, { title: 'Ant', topic: 'wellness', readTime: 200, publishedAt: ago(2) });
await createArticle(db, { title: 'Draft', publishedAt: null });
await createArticle(db, { title: 'Tomorrow', publishedAt: ago(-1) });

async function titles(sortBy: BlogSort, page = 0, limit = 12, topics: string[] = []): Promise<string[]> {
  return (await listArticles(db, defaultTopics, { sortBy, topics, page, limit })).items.map(({ title }) => title);
}

test('six sort orders; drafts and scheduled articles are hidden', async () => {
  expect(await titles('recent')).toEqual(['Éclair', 'Ant', 'The Bee']);
  expect(await titles('oldest')).toEqual(['The Bee', 'Ant', 'Éclair']);
  expect(await titles('shortest')).toEqual(['Éclair', 'Ant', 'The Bee']);
  expect(await titles('longest')).toEqual(['The Bee', 'Ant', 'Éclair']);
  expect(await titles('a-z')).toEqual(['Ant', 'Éclair', 'The Bee']);
  expect(await titles('z-a')).toEqual(['The Bee', 'Éclair', 'Ant']);
  expect(await findArticle(db, defaultTopics, visitor, 'draft')).toBeUndefined();
  expect(await findArticle(db, defaultTopics, visitor, 'tomorrow')).toBeUndefined();
});

test('pages follow each other and tell whether there is another', async () => {
  expect(await listArticles(db, defaultTopics, { sortBy: 'a-z', topics: [], page: 0, limit: 2 })).toMatchObject({
    page: 0,
    hasMore: true,
  });
  expect(await titles('a-z', 1, 2)).toEqual(['The Bee']);
  expect(await listArticles(db, defaultTopics, { sortBy: 'a-z', topics: [], page: 1, limit: 2 })).toMatchObject({
    hasMore: false,
  });
  expect(await titles('a-z', 400, 2)).toEqual([]);
});

test('several topics match articles of any of them', async () => {
  expect(await titles('recent', 0, 12, ['sex'])).toEqual(['The Bee']);
  expect(await titles('recent', 0, 12, ['sex', 'culture'])).toEqual(['Éclair', 'The Bee']);
  expect(await titles('recent', 0, 12, ['relationships'])).toEqual([]);
});

const file = `---
title: On Rain
topic: wellness
color: #112233
audios: heard, nowhere
published: 2 days ago
---

It *rains*. <script>alert(1)</script>
`;

test('a file becomes an article that is found by slug and id, and its next version replaces it', async () => {
  const { published, ...form } = parseArticle(file, 'on-rain');
  const first = await publishArticle(db, form, { publishedAt: readPublished(published, new Date()) });
  expect(first.missing).toEqual(['nowhere']);
  const article = await findArticle(db, defaultTopics, visitor, 'on-rain');
  expect(article).toMatchObject({ title: 'On Rain', topic: 'wellness', html: '<p>It <em>rains</em>. </p>' });
  expect(article?.audios.map(({ id }) => id)).toEqual([audios[0]?.id]);
  expect(await findArticle(db, defaultTopics, visitor, article?.id ?? '')).toEqual(article);

  await publishArticle(db, { ...form, title: 'On Snow', audios: [] });
  expect(await findArticle(db, defaultTopics, visitor, 'on-rain')).toMatchObject({
    id: article?.id,
    title: 'On Snow',
    publishedAt: article?.publishedAt,
    audios: [],
  });
});

test.each([
  ['no head', 'just a text', 'there is no head'],
  ['a topic that is none', file.replace('wellness', 'cars'), 'topic must be one of'],
  ['no title', file.replace('title: On Rain', 'title:'), 'title: '],
  ['no text', file.split('It *rains*')[0] ?? '', 'body: Write something'],
  ['a line that is none', file.replace('color:', 'colour of the sea'), 'is no line'],
  ['a color that is none', file.replace('#112233', 'blue'), 'color: Write the color as'],
])('a file with %s is refused in one line', (_what, text, message) => {
  expect(() => parseArticle(text, 'on-rain')).toThrow(message);
});

test('a publication time is a day, an instant or a number of days ago', () => {
  const now = new Date('2026-01-10T00:00:00Z');
  expect(readPublished(undefined, now)).toBeUndefined();
  expect(readPublished('9 days ago', now)).toEqual(new Date('2026-01-01T00:00:00Z'));
  expect(readPublished('2026-01-02', now)).toEqual(new Date('2026-01-02T00:00:00Z'));
  expect(() => readPublished('soon', now)).toThrow('no time');
});

test('next articles prefer the same topic and never repeat the current one', async () => {
  const [bee] = (await listArticles(db, defaultTopics, { sortBy: 'longest', topics: [], page: 0 })).items;
  const other = await createArticle(db, { title: 'Older', topic: 'sex', publishedAt: ago(9) });
  const next = await listNextArticles(db, defaultTopics, bee ?? { id: '', topic: 'sex' }, 2);
  expect(next.map(({ title }) => title)).toEqual([other.title, 'Éclair']);
});

test('an article mentions no audio with a tag that the viewer hides', async () => {
  const audio = await createAudio(db, { title: 'Loud', tagLabels: ['thunder'] });
  const { slug } = await createArticle(db, { title: 'On thunder', audioIds: [audio.id] });
  const viewer = await createViewer(db);
  expect((await findArticle(db, defaultTopics, viewer, slug))?.audios).toHaveLength(1);
  await setTagHidden(db, viewer.id, 'thunder', true);
  expect((await findArticle(db, defaultTopics, viewer, slug))?.audios).toEqual([]);
  expect((await findArticle(db, defaultTopics, visitor, slug))?.audios).toHaveLength(1);
});
