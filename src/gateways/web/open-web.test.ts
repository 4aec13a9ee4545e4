import type { WebRefusal } from '#domain/gateways.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Resolve, openWeb } from './open-web.ts';
import { isPublicAddress } from './public-address.ts';

/** An address of this machine that counts as public in these tests; 127.0.0.1 stays private. */
const outside = '127.0.0.2';
let asked: string[] = [];
const answers: Record<string, RequestListener> = {};

async function serve(host: string) {
  const server = createServer((request, response) => {
    asked.push(`${host}${request.url}`);
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

const [far, near] = await Promise.all([serve(outside), serve('127.0.0.1')]);
/** Answers of the stand-in of a resolver, one after the other; the last one stays. */
const names: Record<string, string[]> = {};
const resolve: Resolve = (host, _options, done) => {
  const found = names[host] ?? [];
  const address = found.length > 1 ? found.shift() : found[0];
  if (address === undefined) done(Object.assign(new Error(`${host} is unknown`), { code: 'ENOTFOUND' }), []);
  else done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
};
const web = openWeb({
  resolve,
  isPublic: (address) => address === outside || isPublicAddress(address),
  ports: ['', String(far.port), String(near.port)],
});
const site = `http://feed.example:${far.port}`;
const limits = { bytes: 100_000 };

beforeAll(() => {
  asked = [];
  names['feed.example'] = [outside];
});
afterAll(async () => {
  await web.close();
  far.server.close();
  near.server.close();
});

const refusal = (address: string, more = {}) =>
  web.read(address, { ...limits, ...more }).then(
    () => 'taken',
    (error: WebRefusal) => error.reason ?? error,
  );

describe('What an address holds', () => {
  test('is read, after redirects, with its type', async () => {
    answers['/old'] = (_, response) => response.writeHead(301, { location: '/new' }).end();
    answers['/new'] = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end('<a/>');
    const { url, type, content } = await web.read(`${site}/old`, limits);
    expect({ url, type, content: content.toString() }).toEqual({
      url: `${site}/new`,
      type: 'text/xml',
      content: '<a/>',
    });
  });

  test('is decoded', async () => {
    answers['/zipped'] = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('text'));
    expect((await web.read(`${site}/zipped`, limits)).content.toString()).toBe('text');
  });

  test('is loaded as a file with its hash, which is gone afterwards', async () => {
    answers['/sound'] = (_, response) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound');
    let kept = '';
    const { bytes, sha256 } = await web.download(`${site}/sound`, limits, async (file) => {
      kept = file.path;
      expect(await readFile(file.path, 'utf8')).toBe('sound');
      return file;
    });
    expect({ bytes, sha256 }).toEqual({
      bytes: 5,
      sha256: createHash('sha256').update('sound').digest('hex'),
    });
    await expect(readFile(kept)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('Another machine is not asked', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::1]',
    '[2001:db8::1]',
  ])('at the private address %s', async (host) => {
    expect(await refusal(`http://${host}/`)).toBe('private');
  });

  test.each([
    'file:///etc/passwd',
    'ftp://feed.example/',
    'gopher://feed.example/',
    'data:text/xml,x',
    'javascript:1',
    'x',
    '',
    'http://user:password@feed.example/',
    'http://feed.example:5432/',
    `http://feed.example/${'x'.repeat(3000)}`,
  ])('at %s', async (address) => {
    expect(await refusal(address)).toBe('address');
  });

  test('at a name of a private address', async () => {
    names['inside.example'] = ['10.1.2.3'];
    expect(await refusal('http://inside.example/')).toBe('private');
  });

  test('at a name of this machine', async () => {
    names['near.example'] = ['127.0.0.1'];
    answers['/secret'] = (_, response) => response.end('secret');
    expect(await refusal(`http://near.example:${near.port}/secret`)).toBe('private');
    expect(asked).not.toContain('127.0.0.1/secret');
  });

  test('when a redirect leads inwards', async () => {
    for (const [at, location] of [
      `http://127.0.0.1:${near.port}/secret`,
      `http://near.example:${near.port}/secret`,
      'http://169.254.169.254/',
    ].entries()) {
      answers[`/in${at}`] = (_, response) => response.writeHead(302, { location }).end();
      expect(await refusal(`${site}/in${at}`)).toBe('private');
    }
    answers['/file'] = (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    expect(await refusal(`${site}/file`)).toBe('address');
    expect(asked).not.toContain('127.0.0.1/secret');
  });

  test('when the resolver changes its answer', async () => {
    names['turning.example'] = [outside, '127.0.0.1'];
    answers['/turn'] = (_, response) => response.writeHead(200, { connection: 'close' }).end('turned');
    answers['/turned'] = (_, response) => response.end('secret');
    expect(await refusal(`http://turning.example:${far.port}/turn`)).toBe('taken');
    expect(await refusal(`http://turning.example:${near.port}/turned`)).toBe('private');
    expect(asked).not.toContain('127.0.0.1/turned');
  });

  test('more than a few times', async () => {
    answers['/round'] = (_, response) => response.writeHead(302, { location: '/round' }).end();
    expect(await refusal(`${site}/round`)).toBe('redirects');
  });
});

describe('An answer is not taken', () => {
  test('that unfolds to more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.byteLength).toBeLessThan(100_000);
    answers['/bomb'] = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect(await refusal(`${site}/bomb`)).toBe('too-large');
  });

  test('that is larger than the limit, with and without its length', async () => {
    answers['/large'] = (_, response) =>
      response.writeHead(200, { 'content-length': 200_000 }).end(Buffer.alloc(200_000));
    answers['/endless'] = (_, response) => {
      const send = () => response.destroyed || (response.write(Buffer.alloc(10_000)), setImmediate(send));
      send();
    };
    expect(await refusal(`${site}/large`)).toBe('too-large');
    expect(await refusal(`${site}/endless`)).toBe('too-large');
  });

  test('that is cut off, or coded wrongly', async () => {
    answers['/cut'] = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('half');
      setTimeout(() => response.destroy(), 20);
    };
    answers['/half'] = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('text'.repeat(99)).subarray(0, 20));
    answers['/coded'] = (_, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('text');
    expect(await refusal(`${site}/cut`)).toBe('unreachable');
    expect(await refusal(`${site}/half`)).toBe('unreachable');
    expect(await refusal(`${site}/coded`)).toBe('unreadable');
  });

  test('that is no success', async () => {
    answers['/gone'] = (_, response) => response.writeHead(410).end();
    await expect(web.read(`${site}/gone`, limits)).rejects.toMatchObject({ reason: 'status', status: 410 });
    expect(await refusal('http://nowhere.example/')).toBe('unreachable');
  });
});
