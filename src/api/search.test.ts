import { expect, test } from 'vitest';
import { searchGroups } from '#domain/search/forms.ts';
import { createAudio, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';

const { url, db } = await startTestSite({ TRUST_PROXY: '1' });

const voice = await createVoice(db, { name: 'Tomás Ferrer' });
for (let number = 0; number < 30; number += 1)
  await createAudio(db, { title: `Rain ${number}`, voiceId: voice.id, plays: 100 - number });
await createAudio(db, { title: 'Bright Star', voiceId: voice.id });

type Answer = {
  status: number;
  headers: Headers;
  body: Record<string, { total: number; page: number; hits: { title: string }[] }>;
};

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

const search = (query: string, rest = '') => get(`/v1/api/search?query=${encodeURIComponent(query)}${rest}`);

async function newUser() {
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/v1/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
}

test('the search returns every group, on both paths and versions', async () => {
  for (const path of ['/v1/api/search', '/v1/api/algolia/search', '/v2/api/algolia/search']) {
    const { status, headers, body } = await get(`${path}?query=tomas%20bright`);
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'private, no-store']);
    expect(Object.keys(body)).toEqual(searchGroups);
    expect(body.audios).toEqual({
      index: 'audios',
      total: 1,
      page: 0,
      hasExactName: false,
      hits: [
        expect.objectContaining({
          title: 'Bright Star',
          voice: { id: voice.id, name: 'Tomás Ferrer', slug: voice.slug },
          highlights: { title: [[0, 6]], voice: [[0, 5]] },
          line: null,
        }),
      ],
    });
  }
});

test('hits come page by page, with the total', async () => {
  const titles = async (rest: string) => (await search('rain', rest)).body.audios?.hits.map(({ title }) => title);
  expect(await titles('&limit=2')).toEqual(['Rain 0', 'Rain 1']);
  expect(await titles('&limit=2&page=14')).toEqual(['Rain 28', 'Rain 29']);
  expect(await titles('&limit=2&page=15')).toEqual([]);
  const { body } = await search('rain', '&limit=2&page=3&index=voices');
  expect([body.audios?.total, body.audios?.hits, body.audios?.page]).toEqual([30, [], 3]);
});

test('concurrent queries get their own answers', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => search(number % 2 === 0 ? `rain ${number}` : 'bright', '&limit=1')),
  );
  expect(answers.map(({ body }) => body.audios?.hits[0]?.title)).toEqual(
    answers.map((_, number) => (number % 2 === 0 ? `Rain ${number}` : 'Bright Star')),
  );
});

test('an empty or missing term finds nothing', async () => {
  for (const query of ['', '?query=', '?query=%20%20'])
    expect(Object.values((await get(`/v1/api/search${query}`)).body).map(({ total }) => total)).toEqual(
      searchGroups.map(() => 0),
    );
});

test.each([
  ['10 KB', 'rain '.repeat(2000)],
  ['SQL', `rain'; drop table audios; --`],
  ['signs of patterns', '%_\\.*+?^${}()|[]'],
  ['NUL', 'ra\0in'],
  ['right to left', 'שלום \u202Erain'],
  ['emoji', '🌧️👩‍❤️‍👩'],
  ['half a character', '\uD83D'],
  ['thirty words', Array.from({ length: 30 }, () => 'rain').join(' x')],
])('%s is answered quickly', async (_name, term) => {
  const began = performance.now();
  const response = await fetch(`${url}/v1/api/search?${new URLSearchParams({ query: term })}`);
  expect(response.status).toBe(200);
  expect(Object.keys((await response.json()) as object)).toEqual(searchGroups);
  expect(performance.now() - began).toBeLessThan(1000);
});

test.each(['limit=0', 'limit=101', 'limit=x', 'page=-1', 'page=1001', 'page=1.5', 'index=none', 'index='])(
  '%s is a 400',
  async (rest) => {
    const { status, body } = await search('rain', `&${rest}`);
    expect([status, (body as unknown as { error: { code: string } }).error.code]).toEqual([400, 'request/invalid']);
  },
);

test('a broken escape is no server error', async () => {
  expect((await fetch(`${url}/v1/api/search?query=%E0%A4%A`)).status).toBe(200);
});

test('a client over the limit gets a 429, others do not', slow, async () => {
  const ask = (from: string) => get('/v1/api/search?query=', { 'x-forwarded-for': from });
  let answered = 0;
  // The count restarts each minute, which may happen during the test.
  while (answered <= 1200 && (await ask('203.0.113.9')).status === 200) answered += 1;
  expect(answered).toBeGreaterThanOrEqual(600);
  expect(answered).toBeLessThanOrEqual(1200);
  expect((await ask('203.0.113.10')).status).toBe(200);
});

test('the last ten terms are remembered, latest first, without duplicates in other spellings', async () => {
  const call = await newUser();
  const terms = async () => (await call('GET', '/user/recent-searches')).body.items;
  expect(await terms()).toEqual([]);
  for (let number = 0; number < 12; number += 1)
    expect((await call('POST', '/user/recent-searches', { term: `  rain   ${number} ` })).status).toBe(204);
  expect(await terms()).toEqual(Array.from({ length: 10 }, (_, number) => `rain ${11 - number}`));
  await call('POST', '/user/recent-searches', { term: 'Ráin 5' });
  expect((await terms()).slice(0, 2)).toEqual(['Ráin 5', 'rain 11']);
  expect(await terms()).toHaveLength(10);
  expect((await call('GET', '/history/me')).body.recentlySearch).toEqual(await terms());
  expect((await call('DELETE', '/user/recent-searches', { term: 'RAIN 11' })).status).toBe(204);
  expect((await terms()).slice(0, 2)).toEqual(['Ráin 5', 'rain 10']);
  expect((await call('DELETE', '/user/recent-searches', {})).status).toBe(204);
  expect(await terms()).toEqual([]);
  await call('POST', '/user/recent-searches', { term: 'rain' });
  await call('DELETE', '/history/me');
  expect(await terms()).toEqual([]);
});

test('recent terms are per user, and visitors have none', async () => {
  const [one, other] = [await newUser(), await newUser()];
  await one('POST', '/user/recent-searches', { term: 'mine' });
  await other('DELETE', '/user/recent-searches', {});
  expect((await other('GET', '/user/recent-searches')).body.items).toEqual([]);
  expect((await one('GET', '/user/recent-searches')).body.items).toEqual(['mine']);
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await fetch(`${url}/v1/api/user/recent-searches`, { method })).status).toBe(401);
  for (const body of [{}, { term: '' }, { term: '  ' }, { term: 3 }, { term: ['a'] }])
    expect([body, (await one('POST', '/user/recent-searches', body)).status]).toEqual([body, 400]);
  expect((await one('POST', '/user/recent-searches', { term: 'x'.repeat(5000) })).status).toBe(413);
});
