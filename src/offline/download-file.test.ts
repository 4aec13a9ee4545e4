import { expect, test, vi } from 'vitest';
import { browserLimits, timedHead } from '#player/browser-limits.ts';
import { silent } from '#test/support/browser-calls.ts';
import { openSilentPeer } from '#test/support/servers/silent-peer.ts';
import { chunkBytes } from './chunks.ts';
import { downloadFile } from './download-file.ts';

function downloadWith(answer: Response) {
  return downloadFile({
    key: {} as CryptoKey,
    id: 'x',
    address: '/media/audios/x',
    file: undefined,
    fetch: async () => answer,
    signal: new AbortController().signal,
    onProgress: async () => {},
  });
}

test.each([
  [401, 'auth/login-required', 'refused'],
  [402, 'subscription/required', 'refused'],
  [403, 'audio/stream-only', 'stream-only'],
  [404, 'request/not-found', 'refused'],
])('a download that the site refuses with %i %s is not repeated', async (status, code, reason) => {
  const answer = Response.json({ error: { code, message: 'No.' } }, { status });
  expect(await downloadWith(answer)).toEqual({ ok: false, reason });
});

test.each([401, 402, 403, 404, 410, 502])('a download is repeated after a page of a proxy with %i', async (status) => {
  const answer = new Response('<h1>Maintenance</h1>', { status, headers: { 'content-type': 'text/html' } });
  expect(await downloadWith(answer)).toEqual({ ok: false, reason: 'network' });
});

test.each([
  ['never begins', ''],
  ['stops after its head', 'HTTP/1.1 206 Partial Content\r\netag: "e"\r\ncontent-length: 1000\r\n\r\n'],
  ['stops in the middle', 'HTTP/1.1 206 Partial Content\r\netag: "e"\r\ncontent-length: 1000\r\n\r\nhalf'],
])(`${silent('silence within a download')} %s: it ends, and is repeated`, async (_how, beginning) => {
  const peer = await openSilentPeer({ beginning });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const begun = Promise.withResolvers<void>();
  let outcome: unknown;
  const download = downloadFile({
    key: {} as CryptoKey,
    id: 'x',
    address: `http://${peer.host}/`,
    file: { size: 3 * chunkBytes, mime: 'audio/mpeg', etag: 'e', chunks: 1 },
    async fetch(address, init) {
      const answer = timedHead(address, init);
      if (beginning !== '') await answer;
      begun.resolve();
      return answer;
    },
    signal: new AbortController().signal,
    onProgress: async () => {},
  }).then((got) => (outcome = got));
  await begun.promise;
  let waited = 0;
  for (; outcome === undefined && waited < 2 * browserLimits.silence; waited += 1000) {
    vi.advanceTimersByTime(1000);
    // Arrived bytes are read.
    await new Promise(setImmediate);
  }
  vi.useRealTimers();
  expect(outcome).toEqual({ ok: false, reason: 'network' });
  expect(waited).toBeGreaterThanOrEqual(browserLimits.silence);
  await download;
  await peer.close();
});
