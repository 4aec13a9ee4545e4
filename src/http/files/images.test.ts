import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingMessage, type OutgoingHttpHeaders, type Server, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/kernel/errors.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openImages } from '#gateways/images.ts';
import { errorResponse } from '../errors.ts';
import { imageRoutes } from './images.ts';

let folder: string;
let server: Server;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-images-http-'));
  const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
  const cover = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#b05040' } })
    .jpeg()
    .toBuffer();
  await blobs.write('images/covers/one.jpg', cover);
  await blobs.write('images/text.jpg', Buffer.from('no image'));
  await blobs.write('audio/one.jpg', cover);
  const app = new Hono();
  app.route(
    '/',
    imageRoutes({
      trustProxy: 0,
      images: openImages({ blobs, cacheDir: join(folder, 'cache'), maxCacheBytes: 10_000_000, concurrency: 2 }),
    }),
  );
  app.notFound(() => errorResponse('request/not-found'));
  server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  if (!server.listening) await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

type Answer = { status: number | undefined; headers: IncomingMessage['headers']; body: Buffer };

/** Uses node:http, which does not normalize the path. */
async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces) };
}

const one = '/images/covers/one.jpg';
const sizeOf = async ({ body }: Answer) => {
  const { width, height } = await sharp(body).metadata();
  return [width, height];
};
const codeOf = ({ body }: Answer) => (JSON.parse(body.toString()) as { error: { code: string } }).error.code;

describe('an image', () => {
  test('is 640 wide by default, and cacheable forever', async () => {
    const answer = await ask(one, { accept: 'image/avif,image/webp,*/*' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(answer.body.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(await sizeOf(answer)).toEqual([640, 480]);
  });

  test.each([
    ['width=300', [320, 240]],
    ['width=320', [320, 240]],
    ['width=1', [48, 36]],
    ['width=999999999', [1200, 900]],
    ['width=300&height=300', [320, 320]],
    ['width=300&height=200', [320, 213]],
    ['width=320&height=320&fit=inside', [320, 240]],
    ['width=320&height=320&fit=contain', [320, 320]],
    ['width=48&height=999999', [48, 85]],
    ['width=320&quality=1&format=webp', [320, 240]],
    ['width=320&quality=999', [320, 240]],
  ])('is scaled for %s', async (query, size) => {
    const answer = await ask(`${one}?${query}`);
    expect(answer.status).toBe(200);
    expect(await sizeOf(answer)).toEqual(size);
  });

  test('has the requested format, whatever Accept says', async () => {
    const answer = await ask(`${one}?width=48&format=png`, { accept: 'image/avif' });
    expect(answer.headers['content-type']).toBe('image/png');
    const plain = await ask(`${one}?width=48`, { accept: 'image/avif,image/webp' });
    expect([plain.headers['content-type'], plain.headers.vary, answer.headers.vary]).toEqual([
      'image/jpeg',
      undefined,
      undefined,
    ]);
  });

  test('answers HEAD as GET without the bytes', async () => {
    const whole = await ask(`${one}?width=96`);
    const answer = await ask(`${one}?width=96`, {}, 'HEAD');
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-length': whole.headers['content-length'], etag: whole.headers.etag },
    });
    expect(answer.body).toHaveLength(0);
  });

  test('unchanged is 304; another format has another tag', async () => {
    const { etag } = (await ask(`${one}?width=96&format=webp`)).headers;
    expect(etag).toMatch(/^"[0-9a-f]{40}"$/);
    const again = await ask(`${one}?width=96&format=webp`, { 'if-none-match': etag });
    expect(again).toMatchObject({
      status: 304,
      headers: { etag, 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(again.body).toHaveLength(0);
    expect((await ask(`${one}?width=96&format=avif`, { 'if-none-match': etag })).status).toBe(200);
    expect((await ask(`${one}?width=96&format=webp`, { 'if-match': '"other"' })).status).toBe(412);
  });

  test('has one cache file for all spellings of the same variant', async () => {
    const files = async () => (await readdir(join(folder, 'cache'))).length;
    await ask(`${one}?width=192&format=webp`);
    const before = await files();
    for (const query of [
      'width=180&format=webp',
      'format=webp&width=192&quality=80',
      'width=192&format=webp&utm_source=x',
      'width=192&format=webp&v=2',
      'width=192&format=webp&quality=79',
      'width=192&format=webp&fit=inside',
    ]) {
      expect((await ask(`${one}?${query}`)).status).toBe(200);
    }
    expect(await files()).toBe(before);
  });
});

describe('bad input', () => {
  test.each([
    'width=0',
    'width=-5',
    'width=abc',
    'width=',
    'width',
    'width=1e3',
    'width=64.5',
    'width=%00',
    'width=%zz',
    'width=99999999999',
    'width=64&width=64',
    'height=0',
    'height=x',
    'quality=best',
    'quality=',
    'format=bmp',
    'format=',
    'format=AVIF',
    'format=avif&format=avif',
    'fit=fill',
    'fit=__proto__',
  ])('%s is 400 with a code', async (query) => {
    const answer = await ask(`${one}?${query}`);
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe('request/invalid');
  });

  test.each([
    '/images/',
    '/images/missing.jpg',
    '/images/text.jpg',
    '/images/covers',
    '/images/covers/',
    '/images//covers/one.jpg',
    '/images/covers%2Fone.jpg',
    '/images/covers/%6fne.jpg',
    '/images/../audio/one.jpg',
    '/images/%2e%2e/audio/one.jpg',
    '/images/..%2faudio%2fone.jpg',
    '/images/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/images/covers/one.jpg%00',
    '/images/covers/one.jpg%00.png',
    '/images/%zz',
    '/images/%ff',
    '/images/Covers/one.jpg',
  ])('%s is 404 with a code', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(codeOf(answer)).toBe('request/not-found');
  });

  test('a name of 10 KB is 404 with a code', async () => {
    const answer = await ask(`/images/${'x'.repeat(10_000)}`);
    expect(answer.status).toBe(404);
    expect(codeOf(answer)).toBe('request/not-found');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is 405 and says what is allowed', async (method) => {
    const answer = await ask(one, {}, method);
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(codeOf(answer)).toBe('request/method-not-allowed');
  });

  test('more than can be encoded soon is 429, to be asked for again', async () => {
    const images = {
      variant: () => Promise.reject(new DomainError('request/too-many')),
      smallerSide: async () => undefined,
    };
    const app = imageRoutes({ images, trustProxy: 0 });
    const answer = await app.request(one);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('5');
  });
});
