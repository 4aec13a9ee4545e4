import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { readForVisitors } from './visitor-reads.ts';

async function isFromReplica(path: string, init: RequestInit = {}): Promise<boolean> {
  let relieved = false;
  const app = new Hono();
  app.use(
    readForVisitors((work) => {
      relieved = true;
      return work();
    }),
  );
  app.all('*', () => new Response());
  await app.request(path, init);
  return relieved;
}

test.each([
  '/',
  '/_root.data',
  '/audios?sort=popular',
  '/audio/rain.data',
  '/creators/maren-holt/feed.xml',
  '/search?search=rain',
  '/users-playlists/1',
  '/blog',
  '/sitemap.xml',
  '/sitemaps/audios.xml',
  '/suggestions/de/audios/3',
  '/v1/api/audios',
  '/v2/api/content/entity/1',
  '/v1/api/audios/1/comments',
  '/v1/api/search?term=rain',
])('visitors may read %s from the replica', async (path) => {
  expect(await isFromReplica(path)).toBe(true);
  expect(await isFromReplica(path, { headers: { cookie: 'sotto_session=abc' } })).toBe(false);
  expect(await isFromReplica(path, { headers: { authorization: 'Bearer abc' } })).toBe(false);
  expect(await isFromReplica(path, { method: 'POST' })).toBe(false);
});

test.each([
  '/readyz',
  '/media/audios/1',
  '/v1/api/audios/play/1',
  '/v1/api/users-playlists/1/play',
  '/v1/api/auth/username/anna',
  '/v1/api/subscription/offer',
  '/gift-card/1',
  '/confirm-email?token=a',
  '/identity/token',
  '/library',
])('%s is read from the primary', async (path) => {
  expect(await isFromReplica(path)).toBe(false);
});
