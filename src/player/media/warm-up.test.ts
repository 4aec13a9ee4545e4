import { expect, test, vi } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { createWarmUp } from './warm-up.ts';

function setUp(status = 206, savesData?: () => boolean) {
  const made: FakeElement[] = [];
  const requests: { url: string; init: RequestInit }[] = [];
  const warmUp = createWarmUp({
    savesData,
    createElement() {
      const element = new FakeElement();
      made.push(element);
      return element;
    },
    async fetch(url, init) {
      requests.push({ url, init });
      return new Response(new Uint8Array(8), { status });
    },
  });
  return { warmUp, made, requests };
}

class FakeElement {
  preload = '';
  muted = false;
  loads = 0;
  readonly files: string[] = [];
  #src = '';
  get src() {
    return this.#src;
  }
  set src(file: string) {
    this.#src = file;
    this.files.push(file);
  }
  removeAttribute(name: string) {
    if (name === 'src') this.#src = '';
  }
  load() {
    this.loads += 1;
  }
}

test('one silent element loads one file after the other, each once', () => {
  const { warmUp, made, requests } = setUp();
  for (const file of ['/a', '/a', '/b', '/a']) warmUp.warm(file, true);
  expect(made).toHaveLength(1);
  expect(made[0]).toMatchObject({ preload: 'auto', muted: true, files: ['/a', '/b', '/a'] });
  expect(requests).toEqual([]);
});

test('a file that may not be played is loaded just far enough to start', () => {
  const { warmUp, made } = setUp();
  warmUp.warm('/a', true, 'metadata');
  expect(made[0]).toMatchObject({ preload: 'metadata', files: ['/a'] });
});

test('dropping ends the download, and the same file can be requested again', () => {
  const { warmUp, made } = setUp();
  warmUp.drop();
  warmUp.warm('/a', true);
  warmUp.drop();
  warmUp.drop();
  expect(made[0]).toMatchObject({ src: '', loads: 1 });
  warmUp.warm('/a', true);
  expect(made[0]?.files).toEqual(['/a', '/a']);
});

test('with only one media element, the start of the file is requested with the listener’s cookie', () => {
  const { warmUp, made, requests } = setUp();
  warmUp.warm('/a', false);
  expect(made).toEqual([]);
  expect(requests).toMatchObject([
    { url: '/a', init: { credentials: 'same-origin', redirect: 'manual', headers: { Range: 'bytes=0-262143' } } },
  ]);
  warmUp.warm('/b', false);
  expect(requests[0]?.init.signal?.aborted).toBe(true);
  expect(requests[1]?.init.signal?.aborted).toBe(false);
});

test('a server without ranges does not send the whole file', async () => {
  const { warmUp, requests } = setUp(200);
  warmUp.warm('/a', false);
  await settle();
  expect(requests[0]?.init.signal?.aborted).toBe(true);
});

test('a failed request has no consequence', async () => {
  const warmUp = createWarmUp({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  warmUp.warm('/a', false);
  await settle();
  expect(() => warmUp.drop()).not.toThrow();
});

test('nothing is preloaded in data-saving mode, and a running download is dropped', () => {
  let savesData = false;
  const { warmUp, made, requests } = setUp(206, () => savesData);
  warmUp.warm('/a', true);
  savesData = true;
  warmUp.warm('/a', true);
  expect(made[0]).toMatchObject({ src: '', loads: 1 });
  warmUp.warm('/b', true);
  warmUp.warm('/b', false);
  expect(made[0]?.files).toEqual(['/a']);
  expect(requests).toEqual([]);
});

test.each([
  ['the browser’s Save-Data', { saveData: true }, false, 0],
  ['a preference for reduced data', undefined, true, 0],
  ['neither', { saveData: false }, false, 1],
])('%s is what it goes by', (_name, connection, prefersLess, elements) => {
  vi.stubGlobal('navigator', { connection });
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: prefersLess && query.includes('reduced-data') }));
  let made = 0;
  const warmUp = createWarmUp({ createElement: () => ((made += 1), new FakeElement()) });
  warmUp.warm('/a', true);
  vi.unstubAllGlobals();
  expect(made).toBe(elements);
});
