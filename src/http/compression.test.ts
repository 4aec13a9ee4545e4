import { readFile } from 'node:fs/promises';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseCoding, copyOf, sendCached, shrink, toCachedBody } from './compression.ts';

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

test.each(['zstd', 'br', 'gzip'] as const)(
  '%s takes so little memory that V8 need not collect for it',
  async (coding) => {
    const body = new Uint8Array((await readFile(new URL('../../CHANGELOG.md', import.meta.url))).subarray(0, 40_000));
    let collections = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (
          ((entry as PerformanceEntry & { detail: { flags: number } }).detail.flags &
            constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY) !==
          0
        )
          collections += 1;
    });
    observer.observe({ entryTypes: ['gc'] });
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 8 }, () => copyOf(toCachedBody(body, 'tag'), coding)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    observer.disconnect();
    expect(collections).toBeLessThan(3);
  },
);
