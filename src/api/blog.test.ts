import { expect, test } from 'vitest';
import { createArticle, createAudio } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();
const audio = await createAudio(db);
const topics = ['sex', 'wellness', 'culture', 'relationships'] as const;
for (let index = 0; index < 14; index += 1)
  await createArticle(db, {
    title: `Article ${String(index).padStart(2, '0')}`,
    topic: topics[index % 4] ?? 'sex',
    readTime: 100 + index,
    publishedAt: new Date(Date.now() - 86_400_000 * (index + 1)),
    audioIds: [audio.id],
  });

type Listed = { items: { title: string; readTime: number; slug: string }[]; page: number; hasMore: boolean };

async function get<Body>(path: string): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${url}/v1/api${path}`);
  return { status: response.status, body: (await response.json()) as Body };
}

test('pagination reaches the end', async () => {
  const first = (await get<Listed>('/blog')).body;
  expect([first.items.length, first.page, first.hasMore]).toEqual([12, 0, true]);
  const second = (await get<Listed>('/blog?page=1')).body;
  expect([second.items.length, second.page, second.hasMore]).toEqual([2, 1, false]);
  expect(new Set([...first.items, ...second.items].map(({ slug }) => slug)).size).toBe(14);
});

test('sorts and filters as requested, and falls back to the defaults for unknown values', async () => {
  const longest = (await get<Listed>('/blog?sortBy=longest&topics=sex,culture&limit=100')).body.items;
  expect(longest.map(({ readTime }) => readTime)).toEqual([112, 110, 108, 106, 104, 102, 100]);
  expect((await get<Listed>('/blog?sortBy=A-Z')).body.items[0]?.title).toBe('Article 00');
  expect((await get<Listed>('/blog?sortBy=Z-A')).body.items[0]?.title).toBe('Article 13');
  expect((await get('/blog?sortBy=loudest&topics=cars')).body).toEqual((await get('/blog')).body);
  for (const path of ['/blog?page=-1', '/blog?page=x', '/blog?page=501', '/blog?limit=0'])
    expect([path, (await get(path)).status]).toEqual([path, 400]);
});

test('an article has its text and the audios it mentions', async () => {
  const { body } = await get<{ html: string; audios: { id: string }[] }>('/blog/article-03');
  expect(body).toMatchObject({ html: '<p>A text.</p>', audios: [{ id: audio.id }] });
  expect((await get('/blog/nothing')).status).toBe(404);
});
