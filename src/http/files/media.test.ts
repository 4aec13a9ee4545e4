import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { type IncomingMessage, type OutgoingHttpHeaders, type Server, request } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { mediaRoutes } from './media.ts';
import { slow } from '#test/support/tags.ts';
import type { PlayableFile, PlayableFileResult } from '#domain/listening/media.ts';

const content = randomBytes(300_000);
const largeBytes = 60 * 1024 * 1024;
const modifiedAt = new Date('2026-03-01T12:00:00Z');
const lastModified = 'Sun, 01 Mar 2026 12:00:00 GMT';

let folder: string;
let server: Server;
let port: number;
const serverSockets = new Set<Socket>();
const missing: PlayableFile[] = [];

const file = (key: string, cache: PlayableFile['cache'] = 'public'): PlayableFileResult => ({
  ok: true,
  file: { key, mime: 'audio/mp4', bytes: content.length, etag: 'v1', modifiedAt, cache },
});

const smallContent = randomBytes(1000);

const withSmall = (cache: PlayableFile['cache']): PlayableFileResult => ({
  ok: true,
  file: {
    key: 'audio/free.m4a',
    mime: 'audio/mp4',
    bytes: content.length,
    etag: 'v1',
    modifiedAt,
    cache,
    small: { key: 'audio/small.opus', mime: 'audio/ogg', bytes: smallContent.length, etag: 'v1-small' },
  },
});

const outcomes: Record<string, PlayableFileResult> = {
  both: withSmall('public'),
  free: file('audio/free.m4a'),
  paid: file('audio/free.m4a', 'private'),
  empty: file('audio/empty.m4a'),
  large: file('audio/large.m4a'),
  gone: file('audio/gone.m4a'),
  'for-listeners': { ok: false, reason: 'login-required' },
  'for-subscribers': { ok: false, reason: 'subscription-required' },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-media-'));
  const blobs = openDiskBlobs({ dir: folder });
  await blobs.write('audio/free.m4a', content);
  await blobs.write('audio/small.opus', smallContent);
  await blobs.write('audio/empty.m4a', new Uint8Array());
  await blobs.write('audio/large.m4a', randomBytes(largeBytes));
  const routes = mediaRoutes({
    blobs,
    findPlayableFile: async (_request, id) => outcomes[id] ?? { ok: false, reason: 'not-found' },
    onMissingFile: (lost) => missing.push(lost),
  });
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('x-request-id', 'from-a-middleware');
  });
  app.route('/', routes);
  // `c.header` after the answer rebuilds it around the same body.
  app.use('/rebuilt/*', async (c, next) => {
    await next();
    c.header('x-rebuilt', 'yes');
  });
  app.route('/rebuilt', routes);
  app.use('/inverted/*', async (c, next) => {
    await next();
    const invert = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => controller.enqueue(piece.map((byte) => 255 - byte)),
    });
    c.res = new Response(c.res.body?.pipeThrough(invert), c.res);
  });
  app.route('/inverted', routes);
  server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  server.on('connection', (socket) => {
    serverSockets.add(socket);
    socket.once('close', () => serverSockets.delete(socket));
  });
  if (!server.listening) await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  missing.length = 0;
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

const get = (id: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
  ask(`/media/audios/${id}`, headers, method);
const codeOf = ({ body }: Answer) => (JSON.parse(body.toString()) as { error: { code: string } }).error.code;

describe('a file', () => {
  test('is sent in full, with the headers for seeking and caching', async () => {
    const answer = await get('free');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mp4',
      'content-length': '300000',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'last-modified': lastModified,
      'cache-control': 'public, max-age=3600',
      'content-disposition': 'inline',
      // Loadable by other sites, because feeds link to it.
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'from-a-middleware',
    });
    expect(answer.headers['transfer-encoding']).toBeUndefined();
    expect(answer.body.equals(content)).toBe(true);
  });

  test('answers HEAD as GET without the bytes, and ignores a range there', async () => {
    const answer = await get('free', { range: 'bytes=0-9' }, 'HEAD');
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-length': '300000', 'accept-ranges': 'bytes', 'content-type': 'audio/mp4' },
    });
    expect(answer.headers['content-range']).toBeUndefined();
    expect(answer.body).toHaveLength(0);
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=1000-199999', 1000, 199_999],
    ['bytes=299990-', 299_990, 299_999],
    ['bytes=0-', 0, 299_999],
    ['bytes=-100', 299_900, 299_999],
    ['bytes=250000-999999', 250_000, 299_999],
  ])('in part: %s', async (range, start, end) => {
    const answer = await get('free', { range });
    expect(answer.status).toBe(206);
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/300000`,
      'content-length': String(end - start + 1),
      'content-type': 'audio/mp4',
      etag: '"v1"',
      'last-modified': lastModified,
      'cache-control': 'public, max-age=3600',
      'x-request-id': 'from-a-middleware',
    });
    expect(answer.body.equals(content.subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=300000-', 'bytes=-0', 'bytes=999999-9999999'])('beyond its end: %s', async (range) => {
    const answer = await get('free', { range });
    expect(answer.status).toBe(416);
    expect(answer.headers['content-range']).toBe('bytes */300000');
    expect(codeOf(answer)).toBe('request/range-not-satisfiable');
  });

  test.each([
    ['a range that ends before it begins', 'bytes=9-1'],
    ['no numbers', 'bytes=abc'],
    ['another unit', 'seconds=0-5'],
    ['two ranges', 'bytes=0-9,20-29'],
    ['two thousand ranges', `bytes=${'0-1,'.repeat(2000)}`],
  ])('is sent whole for %s', async (_name, range) => {
    const answer = await get('free', { range });
    expect(answer.status).toBe(200);
    expect(answer.body.equals(content)).toBe(true);
  });

  test('may be empty', async () => {
    expect(await get('empty')).toMatchObject({ status: 200, headers: { 'content-length': '0' } });
    expect(await get('empty', { range: 'bytes=0-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */0' },
    });
  });

  test('keeps the connection for the next request', async () => {
    const socket = connect(port, '127.0.0.1');
    const line = 'GET /media/audios/free HTTP/1.1\r\nHost: x\r\nRange: bytes=0-199999\r\n';
    socket.write(`${line}\r\n${line}Connection: close\r\n\r\n`);
    const pieces: Buffer[] = [];
    for await (const piece of socket) pieces.push(piece as Buffer);
    const all = Buffer.concat(pieces);
    const parts = all.toString('latin1').split('HTTP/1.1 206 Partial Content').slice(1);
    expect(parts).toHaveLength(2);
    for (const sent of parts)
      expect(Buffer.from(sent.slice(sent.indexOf('\r\n\r\n') + 4), 'latin1').equals(content.subarray(0, 200_000))).toBe(
        true,
      );
  });

  test('is sent to many clients at once without mixing their bytes', slow, async () => {
    const starts = Array.from({ length: 40 }, (_, index) => index * 2_500);
    const answers = await Promise.all(
      starts.map((start) => get('free', { range: `bytes=${start}-${start + 199_999}` })),
    );
    for (const [index, { body }] of answers.entries())
      expect(body.equals(content.subarray(starts[index], (starts[index] ?? 0) + 200_000))).toBe(true);
  });
});

describe('a body that a middleware has changed', () => {
  test('arrives as the middleware made it', async () => {
    const rebuilt = await ask('/rebuilt/media/audios/free', { range: 'bytes=1000-' });
    expect(rebuilt).toMatchObject({ status: 206, headers: { 'x-rebuilt': 'yes', 'content-length': '299000' } });
    expect(rebuilt.body.equals(content.subarray(1000))).toBe(true);
    const inverted = await ask('/inverted/media/audios/free', { range: 'bytes=1000-' });
    expect(inverted.body.equals(content.subarray(1000).map((byte) => 255 - byte))).toBe(true);
  });

  test('is readable without a server too', async () => {
    const app = mediaRoutes({
      blobs: openDiskBlobs({ dir: folder }),
      findPlayableFile: async () => file('audio/free.m4a'),
    });
    const answer = await app.request('/media/audios/free', { headers: { range: 'bytes=-1000' } });
    expect(answer.status).toBe(206);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(-1000))).toBe(true);
  });
});

describe('conditions', () => {
  test('an unchanged copy is 304 without a body', async () => {
    for (const headers of [
      { 'if-none-match': '"v1"' },
      { 'if-none-match': 'W/"v1"' },
      { 'if-modified-since': lastModified },
      { 'if-none-match': '"v1"', range: 'bytes=0-9' },
    ]) {
      const answer = await get('free', headers);
      expect(answer).toMatchObject({
        status: 304,
        headers: { etag: '"v1"', 'last-modified': lastModified, 'cache-control': 'public, max-age=3600' },
      });
      expect(answer.headers['content-type']).toBeUndefined();
      expect(answer.body).toHaveLength(0);
    }
    expect((await get('free', { 'if-none-match': '"v0"', 'if-modified-since': lastModified })).status).toBe(200);
  });

  test('a range of another version is not mixed into a copy', async () => {
    expect((await get('free', { range: 'bytes=0-9', 'if-range': '"v1"' })).status).toBe(206);
    expect((await get('free', { range: 'bytes=0-9', 'if-range': lastModified })).status).toBe(206);
    for (const stale of ['"v0"', 'W/"v1"', 'Sat, 28 Feb 2026 12:00:00 GMT', 'nonsense']) {
      const answer = await get('free', { range: 'bytes=0-9', 'if-range': stale });
      expect(answer.status).toBe(200);
      expect(answer.body).toHaveLength(300_000);
    }
    expect((await get('free', { range: 'bytes=300000-', 'if-range': '"v0"' })).status).toBe(200);
  });

  test('the URL may end in the file extension', async () => {
    expect((await get('free.m4a')).status).toBe(200);
    expect((await get('free.exe')).status).toBe(404);
  });

  test('a failed If-Match or If-Unmodified-Since is 412', async () => {
    expect((await get('free', { 'if-match': '"v0"' })).status).toBe(412);
    expect((await get('free', { 'if-unmodified-since': 'Sat, 28 Feb 2026 12:00:00 GMT' })).status).toBe(412);
    expect((await get('free', { 'if-match': '"v1"', range: 'bytes=0-9' })).status).toBe(206);
  });
});

describe('access', () => {
  test('a file that needs a log-in or a subscription says so, and is not cached', async () => {
    const visitor = await get('for-listeners', { range: 'bytes=0-9' });
    expect(visitor).toMatchObject({
      status: 401,
      headers: { 'cache-control': 'no-store', 'www-authenticate': 'Bearer' },
    });
    expect(codeOf(visitor)).toBe('auth/login-required');
    const user = await get('for-subscribers');
    expect(user).toMatchObject({ status: 402, headers: { 'cache-control': 'no-store' } });
    expect(codeOf(user)).toBe('subscription/required');
    expect((await get('for-subscribers', {}, 'HEAD')).status).toBe(402);
  });

  test('a restricted file is never for a shared cache, in full, in part or unchanged', async () => {
    for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '"v1"' }]) {
      const answer = await get('paid', headers);
      expect(answer.headers['cache-control']).toBe('private, no-cache');
      expect(answer.headers['cross-origin-resource-policy']).not.toBe('cross-origin');
    }
  });
});

describe('bad input', () => {
  test.each(['nothing', '..%2f..%2fetc%2fpasswd', '%2e%2e%2ffree', 'free%00', 'free%2Fx', '%zz', '%ff%fe', 'free;x'])(
    '%s is 404 with a code',
    async (id) => {
      const answer = await get(id);
      expect(answer.status).toBe(404);
      expect(codeOf(answer)).toBe('request/not-found');
    },
  );

  test('an id of 10 KB is 404 with a code', async () => {
    const answer = await get('y'.repeat(10_000));
    expect(answer.status).toBe(404);
    expect(codeOf(answer)).toBe('request/not-found');
  });

  test('listeners who save data get the small file, if any, under its own tag', async () => {
    const usual = await get('both', { range: 'bytes=0-9' });
    expect(usual).toMatchObject({
      status: 206,
      headers: { etag: '"v1"', 'content-type': 'audio/mp4', vary: 'Save-Data' },
    });
    const saving = { 'save-data': 'on' };
    const small = await get('both', { ...saving, range: 'bytes=0-9' });
    expect(small).toMatchObject({
      status: 206,
      headers: {
        etag: '"v1-small"',
        'content-type': 'audio/ogg',
        'content-range': 'bytes 0-9/1000',
        vary: 'Save-Data',
      },
    });
    expect(small.body).toEqual(smallContent.subarray(0, 10));
    // Their ranges must never be combined.
    const ifRange = { 'if-range': '"v1"', range: 'bytes=10-19' };
    expect(await get('both', { ...saving, ...ifRange })).toMatchObject({
      status: 200,
      headers: { etag: '"v1-small"' },
    });
    expect(await get('both', { ...saving, 'if-none-match': '"v1"' })).toMatchObject({ status: 200 });
    expect(await get('both', { ...saving, 'if-none-match': '"v1-small"' })).toMatchObject({ status: 304 });
    expect(await get('free', saving)).toMatchObject({ status: 200, headers: { etag: '"v1"', vary: 'Save-Data' } });
  });

  test('a file missing on the disk is 404, and is logged', async () => {
    const answer = await get('gone', { range: 'bytes=0-9' });
    expect(answer.status).toBe(404);
    expect(codeOf(answer)).toBe('request/not-found');
    expect(missing.map(({ key }) => key)).toEqual(['audio/gone.m4a']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is 405 and says what is allowed', async (method) => {
    const answer = await get('free', {}, method);
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(codeOf(answer)).toBe('request/method-not-allowed');
  });
});

/** Sends a request without reading the answer. */
async function stall(path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

async function openDescriptors(): Promise<number> {
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  );
  return targets.filter((target) => target.endsWith('large.m4a')).length;
}

describe.skipIf(process.platform !== 'linux')('clients that do not read', () => {
  test.each(['/media/audios/large', '/rebuilt/media/audios/large'])(
    'cost next to no memory, do not hold up others, and leave no open file behind: %s',
    slow,
    async (path) => {
      const before = process.memoryUsage().rss;
      const clients = await Promise.all(Array.from({ length: 50 }, () => stall(path)));
      await vi.waitFor(() => expect([...serverSockets].filter((socket) => socket.writableNeedDrain)).toHaveLength(50), {
        timeout: 15_000,
      });
      // While this client reads the whole file, an unbounded reader for the stalled ones would fill the memory.
      const reading = request({ host: '127.0.0.1', port, path, agent: false }).end();
      const [answer] = (await once(reading, 'response')) as [IncomingMessage];
      let received = 0;
      for await (const piece of answer) received += (piece as Buffer).length;
      expect(received).toBe(largeBytes);

      const held = [...serverSockets].reduce((sum, socket) => sum + socket.writableLength, 0);
      expect(held).toBeLessThan(50 * 300 * 1024);
      expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
      expect(await openDescriptors()).toBe(50);

      for (const client of clients) client.destroy();
      await vi.waitFor(async () => expect(await openDescriptors()).toBe(0), { timeout: 15_000 });
    },
  );
});
