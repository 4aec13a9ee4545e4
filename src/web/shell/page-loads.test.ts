import type { Location } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, api } from '../api.ts';
import { keepPage, setPageKeeper } from './page-loads.ts';

const page: Location = { pathname: '/library', search: '', hash: '', state: null, key: 'a', mask: undefined };
const onRefreshFailed = vi.fn<() => void>();
let remove: () => void;

beforeEach(() => {
  onRefreshFailed.mockReset();
  remove = setPageKeeper({ location: page, loaded: new Set(['root']), onRefreshFailed, onPageFailed: vi.fn() });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
});
afterEach(() => {
  remove();
  vi.unstubAllGlobals();
});

const refresh = () =>
  keepPage({ request: new Request('https://sotto.example/library') }, async () => ({
    root: { type: 'error', result: new Error('offline') },
  }));

test('a refresh that fails is told, and the page stays', async () => {
  // Not right after an act of another file, which may run in the same process.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
  expect(await refresh()).toEqual({});
  expect(onRefreshFailed).toHaveBeenCalledTimes(1);
});

test('one right after an act without an answer is not: the act has said so', async () => {
  await answerOf(api.comments[':id'].$delete({ param: { id: 'rain' } }));
  expect(await refresh()).toEqual({});
  expect(onRefreshFailed).not.toHaveBeenCalled();
});
