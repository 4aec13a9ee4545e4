import { readFile } from 'node:fs/promises';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { slow } from '#test/support/tags.ts';
import { type CachedBody, chooseCoding, copyOf, sendCached, shrink, toCachedBody } from './compression.ts';

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

const browser = 'gzip, deflate, br, zstd';

async function ask(cached: CachedBody, headers: Record<string, string>) {
  const response = await sendCached(cached, { method: 'GET', headers: new Headers(headers) }, {});
  return {
    status: response.status,
    coding: response.headers.get('content-encoding'),
    tag: response.headers.get('etag'),
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

test('the first request gets a quick copy, later ones a smaller copy; each tag is known as long as the body is', async () => {
  const body = new Uint8Array(
    (await readFile(new URL('../../package-lock.json', import.meta.url))).subarray(0, 80_000),
  );
  const cached = toCachedBody(body, 'tag');
  const first = await ask(cached, { 'accept-encoding': browser });
  expect([first.coding, first.tag]).toEqual(['zstd', '"tag-zstd-quick"']);
  expect((await ask(cached, { 'accept-encoding': browser })).tag).toBe(first.tag);
  await expect.poll(async () => (await ask(cached, { 'accept-encoding': browser })).tag).toBe('"tag-zstd"');
  const later = await ask(cached, { 'accept-encoding': browser });
  expect(later.bytes.length).toBeLessThan(first.bytes.length);
  for (const { bytes } of [first, later]) expect(zstdDecompressSync(bytes).equals(body)).toBe(true);
  for (const tag of ['"tag-zstd-quick"', '"tag-zstd"']) {
    const again = await ask(cached, { 'accept-encoding': browser, 'if-none-match': tag });
    expect([again.status, again.tag]).toEqual([304, tag]);
  }
});

test('concurrent first requests for a large body share one copy', async () => {
  const cached = toCachedBody(new Uint8Array(600_000).fill(65), 'tag');
  const [one, other] = [copyOf(cached, 'zstd'), copyOf(cached, 'zstd')];
  expect(one).toBeInstanceOf(Promise);
  expect(await one).toBe(await other);
  // Later requests need not wait.
  expect(copyOf(cached, 'zstd')).toBe(await one);
});

test('a shrunk body is sent by Brotli, smaller than before, and means the same', async () => {
  const body = new Uint8Array(
    (await readFile(new URL('../../package-lock.json', import.meta.url))).subarray(0, 80_000),
  );
  const cached = toCachedBody(body, 'tag');
  const before = [await ask(cached, { 'accept-encoding': browser }), await ask(cached, { 'accept-encoding': 'br' })];
  expect(before.map(({ coding }) => coding)).toEqual(['zstd', 'br']);
  await shrink(cached);
  const after = await ask(cached, { 'accept-encoding': browser });
  expect([after.coding, after.tag]).toEqual(['br', '"tag-br-small"']);
  expect(after.bytes.length).toBeLessThan(Math.min(...before.map(({ bytes }) => bytes.length)));
  expect(brotliDecompressSync(after.bytes).equals(body)).toBe(true);
  expect((await ask(cached, { 'accept-encoding': 'gzip, zstd' })).coding).toBe('zstd');
});

test.each(['zstd', 'br', 'gzip'] as const)(
  '%s takes so little memory that V8 need not collect for it',
  slow,
  async (coding) => {
    const body = new Uint8Array(
      (await readFile(new URL('../../package-lock.json', import.meta.url))).subarray(0, 40_000),
    );
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
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const cached = toCachedBody(body, 'tag');
          while ((await copyOf(cached, coding)).variant === '-quick') await setTimeout(1);
        }),
      );
    await setTimeout(20);
    observer.disconnect();
    expect(collections).toBeLessThan(3);
  },
);
