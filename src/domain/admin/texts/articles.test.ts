import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createAudio, createViewer } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';
import { articles } from '../../editorial/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { type User, visitor } from '../../kernel/viewer.ts';
import { importArticle, setArticleDeleted } from './articles.ts';

const { db } = await createTestDatabase();
const {
  admin: { texts },
  editorial,
} = await openTestSite(db);
const ada: User = { ...(await createViewer(db, { username: 'ada.w', isAdmin: true })), isAdmin: true };

const refusedWith = (code: ErrorCode) => expect.objectContaining({ code });

async function found(id: string) {
  const article = await texts.findArticle(ada, id);
  if (article === undefined) throw new Error('no article');
  return article;
}

async function newArticle(title: string, body = 'A text.') {
  const id = await texts.createArticle(ada, { title });
  const revision = await texts.editArticle(ada, id, { revision: 1, body });
  return { id, revision };
}

const actionsOn = async (id: string) =>
  (await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id)).orderBy(auditEntries.id)).map(
    ({ action }) => action,
  );

test('an article is written, published, taken back, deleted and restored as it was; each step is in the log', async () => {
  const audio = await createAudio(db, { title: 'Heard' });
  const id = await texts.createArticle(ada, { title: 'On Rain' });
  expect(await found(id)).toMatchObject({ state: 'draft', slug: 'on-rain', body: '', language: 'en', revision: 1 });
  await expect(texts.publishArticleAt(ada, id, { revision: 1, at: 'now' })).rejects.toEqual(
    refusedWith('article/empty'),
  );
  const body = 'It *rains*. <script>alert(1)</script> <img src=x onerror=alert(1)> [go](javascript:alert(1))';
  const edit = { revision: 1, body, topic: 'wellness', language: 'de', description: 'Wet', audioIds: [audio.id] };
  await texts.editArticle(ada, id, edit);
  const saved = await found(id);
  expect(saved).toMatchObject({ revision: 2, topic: 'wellness', readTime: '1 min read' });
  expect(saved.html).toContain('<em>rains</em>');
  expect(saved.html).not.toMatch(/script|onerror|javascript/);
  expect(saved.audios.map(({ title }) => title)).toEqual(['Heard']);
  expect(await editorial.findArticle(visitor, 'on-rain')).toBeUndefined();

  await texts.publishArticleAt(ada, id, { revision: 2, at: 'now' });
  expect(await editorial.findArticle(visitor, 'on-rain')).toMatchObject({
    title: 'On Rain',
    language: 'de',
    topicLabel: 'Wellness',
  });
  await expect(texts.editArticle(ada, id, { revision: 3, body: '  ' })).rejects.toEqual(refusedWith('article/empty'));

  const since = (await found(id)).publishedAt?.toISOString();
  expect(await texts.setArticleDeleted(ada, id, true)).toBe(true);
  expect(await texts.setArticleDeleted(ada, id, true)).toBe(false);
  expect(await editorial.findArticle(visitor, 'on-rain')).toBeUndefined();
  await expect(texts.editArticle(ada, id, { revision: 4, title: 'Late' })).rejects.toEqual(
    refusedWith('request/not-found'),
  );
  expect((await texts.listArticles(ada, { state: 'deleted', limit: 10 })).items.map((one) => one.id)).toEqual([id]);
  expect(await texts.setArticleDeleted(ada, id, false)).toBe(true);
  expect((await editorial.findArticle(visitor, 'on-rain'))?.publishedAt).toBe(since);

  await texts.publishArticleAt(ada, id, { revision: (await found(id)).revision, at: null });
  expect(await editorial.findArticle(visitor, 'on-rain')).toBeUndefined();
  expect(await actionsOn(id)).toEqual(
    ['create', 'edit', 'publish', 'delete', 'restore', 'unpublish'].map((act) => `article.${act}`),
  );
});

test('two operators save one article: the second gets a conflict and changes nothing', async () => {
  const { id, revision } = await newArticle('Two hands');
  const results = await Promise.allSettled(
    ['One', 'Two'].map((title) => texts.editArticle(ada, id, { revision, title })),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: refusedWith('article/changed-meanwhile'),
  });
  expect((await found(id)).revision).toBe(revision + 1);
});

test('a scheduled article is published automatically', async () => {
  const { id, revision } = await newArticle('Tomorrow');
  await texts.publishArticleAt(ada, id, { revision, at: new Date(Date.now() + 700).toISOString() });
  expect((await found(id)).state).toBe('scheduled');
  expect(await editorial.findArticle(visitor, 'tomorrow')).toBeUndefined();
  await expect.poll(() => editorial.findArticle(visitor, 'tomorrow'), { timeout: 3000 }).toBeDefined();
  expect((await found(id)).state).toBe('published');
});

test('an address that an article had before leads to it, and no other article can take it', async () => {
  const { id, revision } = await newArticle('First name');
  const next = await texts.editArticle(ada, id, { revision, slug: 'second-name' });
  await texts.publishArticleAt(ada, id, { revision: next, at: 'now' });
  expect(await editorial.findArticle(visitor, 'first-name')).toMatchObject({ id, slug: 'second-name' });
  const other = await newArticle('Other');
  await expect(texts.editArticle(ada, other.id, { revision: other.revision, slug: 'second-name' })).rejects.toEqual(
    refusedWith('article/slug-taken'),
  );
  const taken = refusedWith('article/slug-taken');
  await expect(texts.editArticle(ada, other.id, { revision: other.revision, slug: 'first-name' })).rejects.toEqual(
    taken,
  );
  const file = { slug: 'first-name', title: 'By file', description: '', topic: 'sex', audios: [], body: 'One' };
  await expect(importArticle(db, operator, file, {})).rejects.toEqual(taken);
  expect(await found((await newArticle('First name')).id)).toMatchObject({ slug: 'first-name-2' });
  expect(await editorial.findArticle(visitor, 'first-name')).toMatchObject({ id });
});

test('unknown items are refused, and nothing is half written', async () => {
  const { id, revision } = await newArticle('Whole');
  await expect(texts.editArticle(ada, id, { revision, title: 'Half', topic: 'cars' })).rejects.toEqual(
    refusedWith('article/unknown-topic'),
  );
  const unknown = '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b';
  await expect(texts.editArticle(ada, id, { revision, title: 'Half', audioIds: [unknown] })).rejects.toEqual(
    refusedWith('article/unknown-audio'),
  );
  await expect(texts.editArticle(ada, unknown, { revision, title: 'Half' })).rejects.toEqual(
    refusedWith('request/not-found'),
  );
  expect(await found(id)).toMatchObject({ title: 'Whole', revision });
});

test('the list is searched, filtered and read by pages in three orders', async () => {
  for (const title of ['Zoo 100%', 'Zebra', 'Zither']) await newArticle(title);
  const titles = async (query: Partial<Parameters<typeof texts.listArticles>[1]>) => {
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await texts.listArticles(ada, { limit: 2, cursor, ...query });
      all.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all;
  };
  expect(await titles({ q: 'Z', sort: 'title' })).toEqual(['Zebra', 'Zither', 'Zoo 100%']);
  expect(await titles({ q: '100%' })).toEqual(['Zoo 100%']);
  expect(await titles({ q: '\0' })).toHaveLength((await titles({})).length);
  expect((await titles({})).slice(0, 3)).toEqual(['Zither', 'Zebra', 'Zoo 100%']);
  const published = await titles({ sort: 'published' });
  expect([...published].sort()).toEqual([...(await titles({ sort: 'title' }))].sort());
  expect(published.slice(0, 2)).toEqual(['First name', 'Tomorrow']);
  expect(await titles({ state: 'scheduled' })).toEqual([]);
  expect(await titles({ topic: 'wellness' })).toEqual(['On Rain']);
});

test('a picture is cut to the shape of the blog, moved, drawn and taken away', slow, async () => {
  const { id } = await newArticle('Seen');
  const square = await sharp({ create: { width: 1600, height: 1600, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const act = async (
    choice: Parameters<typeof texts.setArticlePicture>[2] extends infer Form ? Omit<Form & object, 'revision'> : never,
  ) => texts.setArticlePicture(ada, id, { revision: (await found(id)).revision, ...choice } as never);
  await act({ picture: square });
  expect((await found(id)).picture).toMatchObject({ area: { x: 0, y: 300, size: 1600 }, width: 1600, height: 1600 });
  const first = (await found(id)).imageUrl;
  await act({ area: { x: 0, y: 0, size: 1600 } });
  expect((await found(id)).picture?.area).toEqual({ x: 0, y: 0, size: 1600 });
  for (const area of [
    { x: 0, y: 601, size: 1600 },
    { x: -1, y: 0, size: 1500 },
    { x: 0, y: 0, size: 20 },
  ])
    await expect(act({ area })).rejects.toEqual(refusedWith('audio/bad-area'));
  await expect(act({ picture: new Uint8Array([1, 2, 3]) })).rejects.toEqual(refusedWith('picture/unreadable'));
  await act({ drawn: true });
  expect((await found(id)).imageUrl).not.toBe(first);
  await act({ picture: null });
  expect(await found(id)).toMatchObject({ imageUrl: null, picture: null });
});

test('topics are renamed, ordered, added and removed; a topic in use needs another one for its articles', async () => {
  const { id, revision } = await newArticle('On Love');
  await texts.editArticle(ada, id, { revision, topic: 'relationships' });
  const { revision: seen, topics } = await texts.findTopics(ada);
  expect(topics.find(({ slug }) => slug === 'relationships')).toMatchObject({ articles: 1 });
  const kept = [
    { slug: 'culture', label: 'Books' },
    { slug: 'sex', label: 'Sex' },
    { slug: null, label: 'Wellness & Sleep' },
  ];
  await expect(texts.changeTopics(ada, { revision: seen, topics: kept, moved: { wellness: 'sex' } })).rejects.toEqual(
    refusedWith('article/topic-in-use'),
  );
  expect(editorial.listTopics()).toHaveLength(4);
  const moved = { wellness: 'wellness-sleep', relationships: 'culture' };
  await texts.changeTopics(ada, { revision: seen, topics: kept, moved });
  expect(editorial.listTopics()).toEqual([
    { slug: 'culture', label: 'Books' },
    { slug: 'sex', label: 'Sex' },
    { slug: 'wellness-sleep', label: 'Wellness & Sleep' },
  ]);
  expect((await found(id)).topic).toBe('culture');
  const gone = [{ slug: 'wellness', label: 'Back' }];
  await expect(texts.changeTopics(ada, { revision: seen + 1, topics: gone, moved: {} })).rejects.toEqual(
    refusedWith('article/unknown-topic'),
  );
  const same = [
    { slug: 'culture', label: 'Books' },
    { slug: null, label: 'books' },
  ];
  await expect(texts.changeTopics(ada, { revision: seen + 1, topics: same, moved: {} })).rejects.toEqual(
    refusedWith('article/topic-twice'),
  );
  const fewer = [{ slug: 'culture', label: 'Books' }, { slug: 'sex', label: 'Love' }, ...kept.slice(2)];
  await expect(texts.changeTopics(ada, { revision: seen, topics: fewer, moved: {} })).rejects.toEqual(
    refusedWith('text/changed-meanwhile'),
  );
});

test('the command line publishes over a deleted article, which is back with its new text', async () => {
  const form = { slug: 'by-file', title: 'By file', description: '', topic: 'sex', audios: [], body: 'One' };
  await importArticle(db, operator, form, {});
  const article = await editorial.findArticle(visitor, 'by-file');
  expect(await setArticleDeleted(db, operator, article?.id ?? '', true)).toBe(true);
  await importArticle(db, operator, { ...form, body: 'Two' }, {});
  expect(await editorial.findArticle(visitor, 'by-file')).toMatchObject({ id: article?.id, html: '<p>Two</p>' });
  expect(await setArticleDeleted(db, operator, article?.id ?? '', false)).toBe(false);
  await expect(importArticle(db, operator, { ...form, topic: 'cars' }, {})).rejects.toEqual(
    refusedWith('article/unknown-topic'),
  );
});

test('after 30 days a deleted article goes for good, and cannot be restored before that either', async () => {
  const [{ id: old }, { id: young }] = [await newArticle('Old'), await newArticle('Young')];
  for (const [id, days] of [
    [old, 31],
    [young, 29],
  ] as const) {
    await texts.setArticleDeleted(ada, id, true);
    await db
      .update(articles)
      .set({ deletedAt: sql`now() - make_interval(days => ${days})` })
      .where(eq(articles.id, id));
  }
  expect(await texts.setArticleDeleted(ada, old, false)).toBe(false);
  expect(await texts.purgeDeletedArticles()).toBe(1);
  expect(await texts.findArticle(ada, old)).toBeUndefined();
  expect(await texts.setArticleDeleted(ada, young, false)).toBe(true);
});

test('to everybody else there is nothing', async () => {
  const viewer = await createViewer(db);
  const { id, revision } = await newArticle('Secret');
  expect(await texts.listArticles(viewer, { limit: 10 })).toEqual({ items: [], nextCursor: undefined });
  expect(await texts.findArticle(viewer, id)).toBeUndefined();
  for (const act of [
    () => texts.createArticle(viewer, { title: 'Mine' }),
    () => texts.editArticle(viewer, id, { revision, title: 'Mine' }),
    () => texts.publishArticleAt(viewer, id, { revision, at: 'now' }),
    () => texts.setArticlePicture(viewer, id, { revision, drawn: true }),
    () => texts.setArticleDeleted(viewer, id, true),
    () => texts.setArticleDeleted(viewer, id, false),
    () => texts.findTopics(viewer),
    () => texts.changeTopics(viewer, { revision: 0, topics: [{ slug: 'sex', label: 'Mine' }], moved: {} }),
  ])
    await expect(act()).rejects.toEqual(refusedWith('request/not-found'));
  expect(await found(id)).toMatchObject({ title: 'Secret', state: 'draft', revision });
});
