import { expect, test } from 'vitest';
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
  [401, 'auth/login-required'],
  [402, 'subscription/required'],
  [404, 'request/not-found'],
])('a download that the site refuses with %i %s is not repeated', async (status, code) => {
  const answer = Response.json({ error: { code, message: 'No.' } }, { status });
  expect(await downloadWith(answer)).toEqual({ ok: false, reason: 'refused' });
});

test.each([401, 402, 403, 404, 410, 502])('a download is repeated after a page of a proxy with %i', async (status) => {
  const answer = new Response('<h1>Maintenance</h1>', { status, headers: { 'content-type': 'text/html' } });
  expect(await downloadWith(answer)).toEqual({ ok: false, reason: 'network' });
});
