import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SavedQueue } from '#player/queue/saved-queue.ts';
import { historyServer, queueServer } from './listening-calls.ts';

let answer: () => Response;
let asked = '';

beforeEach(
  () =>
    void vi.stubGlobal('fetch', async (address: string) => {
      asked = address;
      return answer();
    }),
);
afterEach(() => void vi.unstubAllGlobals());

const bySite = (status: number, code: string) => () => Response.json({ error: { code, message: 'No.' } }, { status });
const byProxy = (status: number) => () =>
  new Response('<h1>Maintenance</h1>', { status, headers: { 'content-type': 'text/html' } });

const report = () => historyServer.send({ call: 'set-place', audioId: 'a', seconds: 7, isPlaying: true }, 0);
const save = () => queueServer(() => {}).put({ items: [] } as unknown as SavedQueue, 1, false);

test.each([200, 401, 403, 404, 408, 502])(
  'after a page of a proxy with %i, reports and queue are sent again',
  async (status) => {
    answer = byProxy(status);
    await expect(report()).rejects.toThrow('server/failed');
    await expect(save()).rejects.toThrow();
  },
);

test.each([
  [408, 'request/timeout'],
  [429, 'request/too-many'],
  [500, 'server/failed'],
])('after %i %s from the site, reports and queue are sent again', async (status, code) => {
  answer = bySite(status, code);
  await expect(report()).rejects.toThrow(code);
  await expect(save()).rejects.toThrow(String(status));
});

test.each([
  [400, 'request/invalid'],
  [401, 'auth/login-required'],
  [404, 'request/not-found'],
])('after %i %s from the site, nothing is sent again', async (status, code) => {
  answer = bySite(status, code);
  expect(await report()).toBe('refused');
  expect(await save()).toEqual({ ok: false, reason: 'refused' });
});

test('what the site took is done; another device that plays is reported', async () => {
  answer = () => Response.json({ seconds: 7, takenOver: false });
  expect(await report()).toBe('done');
  answer = () => Response.json({ seconds: 7, takenOver: true });
  expect(await report()).toBe('taken-over');
  answer = () => Response.json({ version: 2 });
  expect(await save()).toEqual({ ok: true, version: 2 });
});

test('a play tells when it was noted, so that its repetition does not count again', async () => {
  answer = () => Response.json({ counted: true, plays: 1 });
  await historyServer.send({ call: 'play', audioId: 'a', source: 'queue' }, Date.UTC(2026, 0, 2));
  const { pathname, searchParams } = new URL(asked, 'https://sotto.example');
  expect(pathname).toBe('/v1/api/audios/play/a');
  expect(Object.fromEntries(searchParams)).toEqual({
    source: 'queue',
    notedAt: '2026-01-02T00:00:00.000Z',
    sentAt: expect.stringMatching(/Z$/),
  });
});
