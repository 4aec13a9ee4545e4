import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseCoding, sendCached, shrink, toCachedBody } from './compression.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=1.0, br;q=0.5, zstd;q=0', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, br;q=0.1', 'br'],
  ['gzip;q=0.2, identity;q=0.5', undefined],
  ['gzip;q=0.5, identity;q=0.2', 'gzip'],
  ['deflate', undefined],
  ['*', 'zstd'],
  ['*;q=0', undefined],
  ['zstd;q=0, *', 'br'],
  ['gzip;q=0.3, *;q=0', 'gzip'],
  ['identity;q=0', 'gzip'],
  ['identity;q=0, gzip;q=0', undefined],
  ['identity;q=0, br', 'br'],
])('Accept-Encoding %j gets %s', (header, coding) => {
  expect(chooseCoding(header, 10_000)).toBe(coding);
});

test('a small answer is encoded only for clients that refuse the plain one', () => {
  expect(chooseCoding('gzip', 500)).toBeUndefined();
  expect(chooseCoding('gzip, *;q=0', 500)).toBe('gzip');
});

test('a shrunk body is sent by Brotli, smaller than before, and means the same', async () => {
  const body = new Uint8Array(await readFile(new URL('../../CHANGELOG.md', import.meta.url)));
  const cached = toCachedBody(body, 'tag');
  const ask = async (accepted: string) => {
    const request = { method: 'GET', headers: new Headers({ 'accept-encoding': accepted }) };
    const response = await sendCached(cached, request, {});
    const { headers } = response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { coding: headers.get('content-encoding'), tag: headers.get('etag'), bytes };
  };
  const browser = 'gzip, deflate, br, zstd';
  const before = [await ask(browser), await ask('br')];
  expect(before.map(({ coding }) => coding)).toEqual(['zstd', 'br']);
  await shrink(cached);
  const after = await ask(browser);
  expect(after.coding).toBe('br');
  expect(after.bytes.length).toBeLessThan(Math.min(...before.map(({ bytes }) => bytes.length)));
  expect([...before, after].map(({ tag }) => tag)).toEqual(['"tag-zstd"', '"tag-br"', '"tag-br-small"']);
  expect(new Uint8Array(brotliDecompressSync(after.bytes))).toEqual(body);
  expect((await ask('gzip, zstd')).coding).toBe('zstd');
});
