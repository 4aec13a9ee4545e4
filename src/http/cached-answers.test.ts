import { type IncomingHttpHeaders, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendFromCaches } from './cached-answers.ts';
import { type CachedAnswer, toCachedBody } from './compression.ts';
import { createPublicCache } from './public-cache.ts';

const text = 'A page of the cache. '.repeat(200);
const answerOf = (headers: Record<string, string>): CachedAnswer => ({
  ...toCachedBody(new TextEncoder().encode(text), 'tag'),
  headers,
});

const cache = createPublicCache({ maxBytes: 1e6, maxAge: 60_000 });
const page = answerOf({ 'content-type': 'text/html', vary: 'Cookie, Accept-Encoding' });
const call = answerOf({ 'content-type': 'application/json' });
const observed: string[] = [];
const config = { siteUrl: 'http://sotto.example', trustProxy: 0, transportKey: undefined as string | undefined };
const pages = { findCached: (url: string) => (url === '/audios' ? { ...page, status: 200 } : undefined) };
const metrics = { observeCached: (method: string, route: string) => void observed.push(`${method} ${route}`) };
const clients: string[] = [];
const ages: Parameters<typeof sendFromCaches>[0]['ages'] = {
  ofCached(_method, _path, _header, client) {
    clients.push(client());
    return { missing: undefined, isPrivate: false };
  },
};
const scopeOf = (wanted: string | undefined) => (wanted === 'de' ? 'de' : '');
const send = sendFromCaches({ config, cache, pages, metrics, scopeOf, ages });
const sendEncrypted = sendFromCaches({
  config: { ...config, transportKey: 'key' },
  cache,
  pages,
  metrics,
  scopeOf,
  ages,
});
let isEncrypted = false;

const server = createServer((incoming, outgoing) => {
  if (!(isEncrypted ? sendEncrypted : send)(incoming, outgoing)) outgoing.end('by the app');
});

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: Buffer };

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ port, path, method, headers: { host: 'sotto.example', ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .once('error', reject)
      .end();
  });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const path of ['/v1/api/audios', '/v2/api/audios', '/v1/api/audios?free=true'])
    await cache.get(`api ${path}`, async () => call);
  for (const answer of [page, call])
    answer.encoded.set('br', { bytes: new Uint8Array(brotliCompressSync(text)), variant: '' });
});
afterAll(() => server.close());

test('rules of age get the address of the client', async () => {
  await ask('/audios');
  expect(clients.at(-1)).toBe('127.0.0.1');
});

describe('an answer from the caches', () => {
  test('is sent in the coding that the client accepts, with its length and tag', async () => {
    const { headers, body } = await ask('/audios', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(body).toString()).toBe(text);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-length': String(body.length),
      etag: '"tag-br"',
      vary: 'Cookie, Accept-Encoding',
    });
    expect(headers['x-request-id']).toMatch(/^\w+-\w+$/);
    const other = await ask('/audios', { 'accept-encoding': 'gzip' });
    expect([gunzipSync(other.body).toString(), other.headers.etag]).toEqual([text, '"tag-gzip-quick"']);
    const plain = await ask('/audios');
    expect([plain.body.toString(), plain.headers.etag]).toEqual([text, '"tag"']);
  });

  test('has no body for HEAD, and is counted', async () => {
    observed.length = 0;
    const { status, headers, body } = await ask('/audios', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, String(text.length), 0]);
    await ask('/v1/api/audios');
    expect(observed).toEqual(['HEAD pages (cached)', 'GET /api (cached)']);
  });

  test('is that of the language which is asked for, where the site has texts in it', async () => {
    expect((await ask('/v1/api/audios', { 'accept-language': 'fr' })).body.toString()).toBe(text);
    expect((await ask('/v1/api/audios', { 'accept-language': 'de' })).body.toString()).toBe('by the app');
  });

  test('is found by the parameters that the API knows', async () => {
    expect((await ask('/v1/api/audios?unknown=1&free=true')).body.toString()).toBe(text);
    expect((await ask('/v1/api/audios?free=false')).body.toString()).toBe('by the app');
  });

  test.each([
    ['another page', '/about', {}, 'GET'],
    ['another host', '/audios', { host: 'other.example' }, 'GET'],
    ['a token', '/v1/api/audios', { authorization: 'Bearer a' }, 'GET'],
    ['a condition', '/audios', { 'if-none-match': '"tag"' }, 'GET'],
    ['a body', '/audios', { 'content-length': '0' }, 'GET'],
    ['a change', '/audios', {}, 'POST'],
    ['an absolute address', 'http://sotto.example/audios', {}, 'GET'],
  ])('is left to the app for %s', async (_what, path, headers, method) => {
    expect((await ask(path, headers, method)).body.toString()).toBe('by the app');
  });

  test('is never sent plain where v2 is encrypted', async () => {
    expect((await ask('/v2/api/audios')).body.toString()).toBe(text);
    isEncrypted = true;
    expect((await ask('/v2/api/audios')).body.toString()).toBe('by the app');
    expect((await ask('/v1/api/audios')).body.toString()).toBe(text);
  });
});
