import { request } from 'node:http';
import { connect } from 'node:net';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test, vi } from 'vitest';
import { analyticsEvents } from '#domain/analytics/tables.ts';
import { setPreview } from '#domain/catalogue/site-settings.ts';
import { audioCounts, audios } from '#domain/catalogue/tables.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { knownParameters } from './response-cache.ts';
import { eq } from 'drizzle-orm';
import { slow } from '#test/support/tags.ts';

const { url, port, db, errors } = await startTestSite();
const category = await createCategory(db, { slug: 'sleep', label: 'Sleep' });
const voice = await createVoice(db, { slug: 'maren-holt', name: 'Maren Holt', categoryId: category.id });
const free = await createAudio(db, {
  slug: 'open',
  isFree: true,
  voiceId: voice.id,
  categoryIds: [category.id],
  cues: [{ start: 0, end: 2, text: 'Hush' }],
});
const locked = await createAudio(db, {
  slug: 'locked',
  voiceId: voice.id,
  categoryIds: [category.id],
  cues: [{ start: 0, end: 2, text: 'Secret' }],
});
const series = await createSeries(db, { slug: 'nights', audioIds: [free.id], voiceId: voice.id });
const playlist = await createPlaylist(db, { slug: 'after-midnight', audioIds: [locked.id, free.id] });
const publicList = await createUserPlaylist(db, { audioIds: [free.id] });
const privateList = await createUserPlaylist(db, { isPublic: false });

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, { headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
  };
}

test.each([
  ['/audios', 'items', 2],
  ['/voices', 'voices', 1],
  ['/voices/maren-holt/audios', 'items', 2],
  ['/categories', 'items', 1],
  ['/categories/sleep/audios', 'items', 2],
  ['/series', 'items', 1],
  [`/series/nights/audios`, 'items', 1],
  ['/playlists', 'items', 1],
  [`/playlists/${playlist.id}/audios`, 'items', 2],
  ['/users-playlists/top-plays', 'playlists', 1],
  ['/users-playlists', 'items', 1],
  [`/users-playlists/${publicList.id}/audios`, 'items', 1],
])('GET %s lists under %s, the same in both versions', async (path, key, length) => {
  const first = await get(`/v1/api${path}`);
  expect(first.status).toBe(200);
  expect(first.body?.[key]).toHaveLength(length);
  expect((await get(`/v2/api${path}`)).body).toEqual(first.body);
});

test.each([
  '/audios/open',
  `/audios/${free.id}`,
  '/voices/maren-holt',
  '/categories/sleep',
  '/series/nights',
  `/series/${series.id}`,
  '/playlists/after-midnight',
  `/users-playlists/${publicList.id}`,
])('GET %s gives one, by id or slug', async (path) => {
  const { status, body } = await get(`/v1/api${path}`);
  expect(status).toBe(200);
  expect(body).toHaveProperty('id');
});

test.each([
  '/audios/nope',
  '/audios/%00',
  '/audios/..%2f..%2fetc%2fpasswd',
  '/voices/%F0%9F%8E%A7',
  '/series/NIGHTS',
  `/users-playlists/${privateList.id}`,
  `/users-playlists/${privateList.id}/audios`,
  '/users-playlists/nope',
  '/nothing',
  '/',
])('GET %s is a 404 with a code', async (path) => {
  // This site offers English alone.
  const { status, body } = await get(`/v1/api${path}`, { 'accept-language': 'de' });
  expect(status).toBe(404);
  expect(body).toEqual({ error: { code: 'request/not-found', message: 'Page not found.' } });
});

test.each([
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=abc',
  'limit=1e9',
  'limit=1.5',
  'limit=1&limit=2',
  'sort=random()',
  'cursor=%00',
  'cursor=eyJ9',
  'tag=A%27--',
  'voiceType=robot',
  'voiceType=male,robot',
  'length=endless',
  'language=de-AT',
  `not=${Array.from({ length: 21 }, (_, n) => `tag-${n}`).join()}`,
  'shorterThan=0',
  'free=1',
])('GET /audios?%s is a 400 with a code and no list', async (query) => {
  const { status, body } = await get(`/v1/api/audios?${query}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: expect.stringMatching(/^request\/(invalid|bad-cursor)$/) } });
  expect(body).not.toHaveProperty('items');
});

test('the filters of a list come with what each would find', async () => {
  const { status, body } = await get('/v1/api/audios/filters?length=short&languages=all');
  expect(status).toBe(200);
  const { total, lengths } = body as { total: number; lengths: { value: string; audios: number }[] };
  expect(lengths.map(({ value }) => value)).toEqual(['short', 'medium', 'long', 'longer']);
  expect(lengths[0]).toEqual({ value: 'short', audios: total });
  expect((await get('/v1/api/audios?length=short&limit=100')).body?.items).toHaveLength(total);
  expect((await get('/v1/api/audios?length=longer')).body?.items).toHaveLength(lengths[3]?.audios ?? -1);
  expect((await get('/v1/api/audios/filters?category=no-such')).status).toBe(404);
  // The counts would be those of one of them.
  expect((await get('/v1/api/audios/filters?voice=a&series=b')).body).toMatchObject({
    error: { code: 'request/invalid' },
  });
});

test('the transcript of a locked audio is only for those who may hear it, and in no shared cache', async () => {
  expect((await get('/v1/api/audios/locked/transcript')).status).toBe(401);
  const { status, body, headers } = await get('/v1/api/audios/open/transcript');
  expect(status).toBe(200);
  expect(body).toEqual({
    language: 'en',
    direction: 'ltr',
    cues: [{ start: 0, end: 2, text: 'Hush' }],
    languages: [{ code: 'en', name: 'English' }],
  });
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect((await get(`/v1/api/audios/${publicList.id}/transcript`)).status).toBe(404);
});

test('the preview entity has the specified shape and cache headers, and locked audios have none', async () => {
  await setPreview(db, free.id);
  const { status, body, headers } = await get(`/v1/api/content/entity/${free.id}?contentType=leanAudio`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: free.id,
    title: free.title,
    numberDuration: 60,
    audioFile: { original_secure_url: expect.stringContaining(`/media/audios/${free.id}`) },
  });
  expect(headers.get('cache-control')).toMatch(/s-maxage=10, stale-while-revalidate/);
  expect((await get(`/v1/api/content/entity/${locked.id}?contentType=leanAudio`)).status).toBe(404);
  expect((await get(`/v1/api/content/entity/${free.id}`)).status).toBe(400);
});

test('a change of the catalogue is visible at once, a change of counts after the cache expires', async () => {
  const title = async () => ((await get('/v1/api/audios/open')).body as { title: string }).title;
  await title();
  await db.update(audioCounts).set({ plays: 5 }).where(eq(audioCounts.audioId, free.id));
  await db.update(audios).set({ title: 'Renamed' }).where(eq(audios.id, free.id));
  await vi.waitFor(async () => expect(await title()).toBe('Renamed'), { timeout: 3000 });
});

test('an unchanged list is 304', async () => {
  const first = await get('/v1/api/categories');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  expect((await get('/v1/api/categories', { 'if-none-match': etag })).status).toBe(304);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].map((method) => [method]))(
  '%s on a list is refused with what is allowed',
  async (method) => {
    const status = await new Promise<{ code: number | undefined; allow: string | undefined }>((resolve, reject) => {
      const sent = request(
        { port, host: '127.0.0.1', path: '/v1/api/audios', method, headers: { 'content-type': 'application/json' } },
        (answer) => {
          answer.resume();
          resolve({ code: answer.statusCode, allow: answer.headers.allow });
        },
      );
      sent.on('error', reject);
      sent.end();
    });
    expect(status).toEqual({ code: 405, allow: 'GET, HEAD' });
  },
);

function report(body: BodyInit, contentType: string | undefined = 'application/json') {
  return fetch(`${url}/v1/api/events`, {
    method: 'POST',
    body,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });
}

test('events are stored by name, without a person', async () => {
  const response = await report(
    JSON.stringify({
      events: [
        { name: 'play_click', source: 'homepage', subjectId: free.id, properties: { position: 12 } },
        { name: 'screen_viewed' },
      ],
    }),
  );
  expect(response.status).toBe(202);
  const rows = await db.select().from(analyticsEvents);
  expect(rows.map(({ name, source, subjectId, properties }) => ({ name, source, subjectId, properties }))).toEqual([
    { name: 'play_click', source: 'homepage', subjectId: free.id, properties: { position: 12 } },
    { name: 'screen_viewed', source: null, subjectId: null, properties: {} },
  ]);
});

test('invalid reports are refused with a code and not stored', async () => {
  const before = await db.$count(analyticsEvents);
  const bad: [BodyInit, string | undefined, number][] = [
    ['{', undefined, 400],
    ['{}', undefined, 400],
    ['null', undefined, 400],
    [JSON.stringify({ events: [] }), undefined, 400],
    [JSON.stringify({ events: [{ name: 'play_click' }, { name: 'drop table' }] }), undefined, 400],
    [JSON.stringify({ events: [{ name: 'play_click', source: 'elsewhere' }] }), undefined, 400],
    [JSON.stringify({ events: [{ name: 'play_click', properties: { text: 'a\0b' } }] }), undefined, 400],
    [JSON.stringify({ events: [{ name: 'play_click', properties: { text: 'x'.repeat(300) } }] }), undefined, 400],
    [JSON.stringify({ events: Array.from({ length: 51 }, () => ({ name: 'play_click' })) }), undefined, 400],
    [JSON.stringify({ events: [{ name: 'play_click', properties: { seconds: 1 } }] }), undefined, 400],
    [JSON.stringify({ events: [{ name: 'play_click', properties: { position: 'late' } }] }), undefined, 400],
    [`{"events":"${'x'.repeat(1_000_000)}"}`, undefined, 400],
    ['events=1', 'application/x-www-form-urlencoded', 415],
    [new Uint8Array([0, 159, 146, 150]), undefined, 400],
  ];
  for (const [body, contentType, status] of bad) {
    const response = await report(body, contentType ?? 'application/json');
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { error: { code: expect.stringMatching(/^request\//), message: expect.any(String) } },
    ]);
  }
  expect(await db.$count(analyticsEvents)).toBe(before);
});

test('the description names every call and the reference page needs no script', async () => {
  const description = (await get('/v1/api/openapi.json')).body as { openapi: string; paths: Record<string, unknown> };
  expect(description.openapi).toBe('3.1.0');
  expect(Object.keys(description.paths)).toEqual(
    expect.arrayContaining(['/audios', '/audios/{id}', '/voices', '/events', '/users-playlists/top-plays']),
  );
  const page = await fetch(`${url}/v1/api/reference`);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-/);
  expect(await page.text()).not.toContain('<script');
});

type Described = {
  paths: Record<string, Record<string, { operationId: string; security: object[]; responses: Record<string, object> }>>;
};

test('the description is clean by Redocly’s recommended rules', slow, async () => {
  const settings = {
    extends: ['recommended'],
    rules: {
      // The API has no licence; the description links the operator's terms.
      'info-license': 'off',
      // `/audios/play/{id}` is the spec's own path, and no subresource of an audio is named like an id.
      'no-ambiguous-paths': 'off',
    },
  };
  // As text: the type of all rules takes a second to check.
  const config = await createConfig(JSON.stringify(settings));
  for (const version of ['v1', 'v2']) {
    const source = await (await fetch(`${url}/${version}/api/openapi.json`)).text();
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  }
});

test('lists of different creators are cached apart', async () => {
  const other = await createVoice(db);
  const ofVoice = async (voiceId: string) =>
    ((await get(`/v1/api/series?voiceId=${voiceId}`)).body as { items: { slug: string }[] }).items.map(
      ({ slug }) => slug,
    );
  expect(await ofVoice(voice.id)).toEqual(['nights']);
  expect(await ofVoice(other.id)).toEqual([]);
});

// Plays and searches are not cached.
test('every parameter of a call that is cached is part of its key', async () => {
  type Operation = { security: object[]; parameters?: { in: string; name: string }[] };
  const { paths } = (await get('/v1/api/openapi.json')).body as { paths: Record<string, { get?: Operation }> };
  const read = Object.entries(paths)
    .filter(
      ([path, { get: call }]) =>
        call?.security.some((needed) => Object.keys(needed).length === 0) &&
        !/^\/audios\/play\/|\/search(?:\/filters)?$/.test(path),
    )
    .flatMap(([, { get: call }]) => call?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
  expect([...new Set(read)].toSorted()).toEqual(knownParameters);
});

test('the description lists every possible answer of a call, and its security', async () => {
  const { paths } = (await get('/v1/api/openapi.json')).body as Described;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { responses } of operations)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '503']));
  expect(paths['/user/queue']?.['put']).toMatchObject({
    operationId: 'putUserQueue',
    security: [{ session: [] }],
    responses: { 400: {}, 401: {}, 412: {}, 413: {}, 415: {}, 428: {} },
  });
  expect(paths['/audios']?.['get']?.security).toEqual([{ session: [] }, {}]);
  expect(paths['/auth/login']?.['post']?.security).toEqual([{}]);
  expect(paths['/auth/session/token']?.['post']?.security).toEqual([{ cookie: [] }]);
  expect(paths['/gift-cards']?.['post']).toMatchObject({
    requestBody: {
      content: { 'application/json': { schema: { properties: { months: { type: 'integer', enum: [1, 3, 6, 12] } } } } },
    },
  });
  const { components } = (await get('/v1/api/openapi.json')).body as { components: { schemas: object } };
  expect(components.schemas).toMatchObject({
    CounterReport: {
      oneOf: [
        { properties: { type: { enum: ['listenCounter', 'played30sCounter'] } } },
        {
          properties: { type: { enum: ['audioListenedSeconds', 'voiceListenedSeconds'] } },
          required: ['type', 'value'],
        },
      ],
    },
  });
});

test('no body that is described takes unknown fields, except where it says so', async () => {
  type Schema = { [key: string]: unknown; type?: string; properties?: object; additionalProperties?: unknown };
  const { paths, components } = (await get('/v1/api/openapi.json')).body as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    components: { schemas: Record<string, Schema> };
  };
  const open = new Set<string>();
  function visit(where: string, schema: unknown): void {
    if (typeof schema !== 'object' || schema === null) return;
    const { $ref: name, properties = {}, example: _example, ...parts } = schema as Schema;
    if (typeof name === 'string') return visit(where, components.schemas[name.split('/').at(-1) ?? '']);
    if (Object.keys(properties).length > 0 && parts.type === 'object' && parts.additionalProperties !== false)
      open.add(where);
    for (const [key, part] of Object.entries({ ...parts, ...properties })) visit(`${where} ${key}`, part);
  }
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(methods))
      visit(`${method} ${path}`, requestBody?.content['application/json']?.schema);
  // An audio whole; and what a browser of any later version says of a passkey.
  expect([...open].map((where) => where.replace(/ (?:anyOf|passkey).*/, '')).toSorted()).toEqual([
    'delete /history/me/value',
    ...Array<string>(2).fill('post /admin/second-factor/passkeys'),
    ...Array<string>(2).fill('post /admin/second-factor/proof'),
    'post /history/me/value',
  ]);
});

test('a list has the requested number of categories, and its last page says so', async () => {
  expect((await get('/v1/api/categories?limit=0')).status).toBe(400);
  await createCategory(db, { label: 'Second' });
  expect((await get('/v1/api/categories?limit=1')).body?.['items']).toHaveLength(1);
  for (const path of ['/audios', '/voices', '/series', '/playlists', '/users-playlists', '/users-playlists/top-plays'])
    expect([path, (await get(`/v1/api${path}`)).body]).toEqual([path, expect.objectContaining({ nextCursor: null })]);
});

test('answers carry the security headers and a request id', async () => {
  const { headers } = await get('/v1/api/audios');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{10}-[0-9a-z]+$/);
});

test('health, readiness and metrics answer; metrics not through a proxy', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await fetch(`${url}${path}`)).status).toBe(200);
  const figures = await fetch(`${url}/metrics`);
  expect(await figures.text()).toContain('sotto_http_requests_total');
  expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(404);
});

test('no request above was logged as a server error', () => {
  expect(errors).toEqual([]);
});

test.each(['POST', 'PUT', 'PATCH'])(
  '%s where only reading is taken is refused for its method, whatever it brings',
  async (method) => {
    const answer = await fetch(`${url}/v1/api/audios`, { method, body: 'x' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect((await fetch(`${url}/v1/api/nothing`, { method, body: 'x' })).status).toBe(404);
  },
);

test.each([
  ['half a character', { a: '\ud800' }],
  ['numbers of 309 digits', Object.fromEntries([...'abcdefgh'].map((name) => [name, 1e308]))],
  ['numbers of 300 places', { a: 5e-324 }],
  ['quotes, which JSON doubles', Object.fromEntries([...'abcdef'].map((name) => [name, '"'.repeat(200)]))],
  [
    'control characters, which JSON writes with six',
    Object.fromEntries([...'abcd'].map((name) => [name, '\u0001'.repeat(200)])),
  ],
])('an event with %s is refused before the database would', async (_what, properties) => {
  const answer = await report(JSON.stringify({ events: [{ name: 'play_click', properties }] }));
  expect(answer.status).toBe(400);
});

test('an event of maximum size is accepted', async () => {
  const properties = { seconds: 123_456.789, voiceId: 'é'.repeat(200) };
  expect((await report(JSON.stringify({ events: [{ name: 'audio_time', properties }] }))).status).toBe(202);
});

test.each(['0000-01-01T00:00:00Z', '0000-12-31T23:59:59.999Z'])(
  'a cursor at %s, before the database’s first year, is refused',
  async (time) => {
    const cursor = Buffer.from(JSON.stringify(['audios.recent', time, free.id])).toString('base64url');
    const { status, body } = await get(`/v1/api/audios?cursor=${cursor}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: 'request/bad-cursor' } });
  },
);

test('metrics contain the route', async () => {
  await get('/v1/api/voices/maren-holt/audios?limit=7');
  const figures = await (await fetch(`${url}/metrics`)).text();
  expect(figures).toContain('sotto_http_requests_total{method="GET",route="/v1/api/voices/:id/audios",status="200"}');
});

test('a client that disconnects while sending is no server error', async () => {
  const before = errors.length;
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /v1/api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
  );
  // Once a second request is answered, the first has been processed.
  await get('/v1/api/tags?after=1');
  socket.destroy();
  await vi.waitFor(async () => {
    const figures = await (await fetch(`${url}/metrics`)).text();
    expect(figures).toMatch(/method="POST",route="\/v1\/api\/events",status="400"/);
  });
  expect(errors.slice(before)).toEqual([]);
});

test.each(['x-forwarded-for', 'x-real-ip', 'x-forwarded-proto', 'forwarded', 'via'])(
  'figures are refused for requests by a proxy that sets %s',
  async (name) => {
    expect((await fetch(`${url}/metrics`, { headers: { [name]: '203.0.113.9' } })).status).toBe(404);
  },
);
