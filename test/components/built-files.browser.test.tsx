import { beforeEach, expect, test, vi } from 'vitest';
import { type ReceivedCall, answerCalls } from '#test/support/components/calls.ts';
import { builtFilesOf } from '../../src/service-worker/built-files.ts';

const files = builtFilesOf('b2');
const own = 'sotto-shell-b2';
let calls: ReceivedCall[];

const file = (text: string, status = 200) => new Response(text, { status });
const stored = async () => (await (await caches.open(own)).keys()).map(({ url }) => new URL(url).pathname);
const requestOf = (path: string) => new Request(new URL(path, location.origin));

beforeEach(async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  calls = answerCalls({
    'GET /assets/a.js': () => file('a'),
    'GET /assets/b.js': () => file('b'),
    'GET /assets/gone.js': () => file('Not found', 404),
  });
});

test('a new build removes the files of the former ones, and neither its own nor the downloads', async () => {
  for (const name of ['sotto-shell-b1', own, 'kept']) await (await caches.open(name)).put('/assets/a.js', file(name));
  await files.removeOtherBuilds();
  expect((await caches.keys()).toSorted()).toEqual(['kept', own]);
});

test('what is missing is stored, and nothing is asked for twice', async () => {
  await (await caches.open(own)).put('/assets/a.js', file('a'));
  expect(await files.addMissing(['/assets/a.js', '/assets/b.js'])).toBe(true);
  expect(calls.map(({ path }) => path)).toEqual(['/assets/b.js']);
  expect((await stored()).toSorted()).toEqual(['/assets/a.js', '/assets/b.js']);
});

test('files of which one does not come are not all there, and the others are', async () => {
  expect(await files.addMissing(['/assets/gone.js', '/assets/a.js'])).toBe(false);
  expect(await stored()).toEqual(['/assets/a.js']);
});

test('a file that is used is stored and comes from there next time; an answer that is no file is not', async () => {
  for (let time = 0; time < 2; time += 1)
    expect(await (await files.answer(requestOf('/assets/a.js'))).text()).toBe('a');
  expect((await files.answer(requestOf('/assets/gone.js'))).status).toBe(404);
  await expect.poll(stored).toEqual(['/assets/a.js']);
  expect(calls.map(({ path }) => path)).toEqual(['/assets/a.js', '/assets/gone.js']);
});

test('a full disk keeps no file from its page', async () => {
  vi.spyOn(Cache.prototype, 'put').mockRejectedValue(new DOMException('Full', 'QuotaExceededError'));
  expect(await (await files.answer(requestOf('/assets/a.js'))).text()).toBe('a');
  expect(await files.addMissing(['/assets/a.js'])).toBe(false);
});
