import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { openTransport } from './transport.ts';

// The browser's side as it is, with Node's WebCrypto, against the site's side over HTTP.
const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
const site = await startTestSite({ TRANSPORT_KEY: key });
await createVoice(site.db, { slug: 'odile', name: 'Odile Ångström 🎧' });

const sent: { path: string; type: string | null; body: unknown }[] = [];
const realFetch = globalThis.fetch;

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    sent.push({ path, type: new Headers(init.headers).get('content-type'), body: init.body });
    return realFetch(site.url + path, init);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const json = { 'content-type': 'application/json' };
const report = JSON.stringify({ events: [{ name: 'play_click' }] });

test('an answer is plain JSON again', async () => {
  const { fetch } = await openTransport(key);
  const response = await fetch('/v2/api/voices/odile?x=1', {});
  expect(response?.headers.get('content-type')).toBe('application/json');
  expect(await response?.json()).toMatchObject({ name: 'Odile Ångström 🎧' });
});

test('a body goes out sealed, with a nonce of its own, and is understood', async () => {
  const { fetch } = await openTransport(key);
  for (const _ of [1, 2]) {
    const response = await fetch('/v2/api/events', { method: 'POST', headers: json, body: report });
    expect(response?.status).toBe(202);
    expect(await response?.json()).toEqual({ recorded: 1 });
  }
  const bodies = sent.map(({ body }) => JSON.parse(String(body)) as { rpc: string });
  expect(bodies.map((body) => Object.keys(body))).toEqual([['rpc'], ['rpc']]);
  expect(new Set(bodies.map(({ rpc }) => rpc.slice(0, 16))).size).toBe(2);
});

test('an error answer keeps its status and its code', async () => {
  const { fetch } = await openTransport(key);
  const response = await fetch('/v2/api/voices/nobody', {});
  expect(response?.status).toBe(404);
  expect(await response?.json()).toMatchObject({ error: { code: 'request/not-found' } });
});

test('with a path that has to be escaped, both sides bind the same', async () => {
  const { fetch } = await openTransport(key);
  const response = await fetch('/v2/api/voices/%C3%A5%20%2F%25', {});
  expect(await response?.json()).toMatchObject({ error: { code: 'request/not-found' } });
});

test('what another key sealed does not open', async () => {
  const other = await openTransport(Buffer.alloc(32, 1).toString('base64'));
  expect(await other.fetch('/v2/api/voices/odile', {})).toBeUndefined();
});

test('the typed client talks to v2 once it has a key, and to v1 until then', async () => {
  const { answerOf, api, configureApi } = await import('./api.ts');
  const plain = await answerOf(api.voices[':id'].$get({ param: { id: 'odile' } }));
  configureApi({ transportKey: key });
  const sealed = await answerOf(api.voices[':id'].$get({ param: { id: 'odile' } }));
  const counted = await answerOf(api.events.$post({ json: { events: [{ name: 'play_click' }] } }));
  expect(sent.map(({ path }) => path)).toEqual(['/v1/api/voices/odile', '/v2/api/voices/odile', '/v2/api/events']);
  expect(sealed).toEqual(plain);
  expect(sealed).toMatchObject({ ok: true, data: { slug: 'odile' } });
  expect(counted).toEqual({ ok: true, data: { recorded: 1 } });
  expect(String(sent[2]?.body)).toMatch(/^\{"rpc":"/);
});

test('encrypted too, a session that the site does not know is over', async () => {
  const { answerOf, api, configureApi } = await import('./api.ts');
  const onSessionEnded = vi.fn();
  configureApi({ transportKey: key, getToken: () => 'unknown', onSessionEnded });
  const refused = { ok: false, code: 'auth/login-required', status: 401 };
  expect(await answerOf(api.user.me.$get())).toMatchObject(refused);
  expect(onSessionEnded).toHaveBeenCalledTimes(1);
  const available = api.auth.username[':username'].$get({ param: { username: 'odile' } });
  expect(await answerOf(available)).toEqual({ ok: true, data: { available: true } });
  expect(sent.map(({ path }) => path)).toEqual(['/v2/api/user/me', '/v2/api/auth/username/odile']);
});

test('what is sent while the page is left goes out at once and plain', async () => {
  const { answerOf, api, configureApi } = await import('./api.ts');
  configureApi({ transportKey: key });
  const answer = answerOf(
    api.events.$post({ json: { events: [{ name: 'play_click' }] } }, { init: { keepalive: true } }),
  );
  expect(sent).toEqual([{ path: '/v1/api/events', type: 'application/json', body: report }]);
  expect(await answer).toEqual({ ok: true, data: { recorded: 1 } });
});

test('after a change of the key the page goes on with v1', async () => {
  const { answerOf, api, configureApi } = await import('./api.ts');
  configureApi({ transportKey: Buffer.alloc(32, 1).toString('base64') });
  expect(await answerOf(api.categories.$get())).toMatchObject({ ok: false, code: 'server/failed' });
  expect(await answerOf(api.categories.$get())).toEqual({ ok: true, data: { items: [] } });
  expect(sent.map(({ path }) => path)).toEqual(['/v2/api/categories', '/v1/api/categories']);
});

test.each([
  ['where there is no WebCrypto (plain HTTP)', undefined, key],
  ['with a key that is none', globalThis.crypto, 'short'],
  ['without a key', globalThis.crypto, null],
])('%s calls go to v1', async (_, available, transportKey) => {
  vi.stubGlobal('crypto', available);
  const { answerOf, api, configureApi } = await import('./api.ts');
  configureApi({ transportKey });
  expect(await answerOf(api.categories.$get())).toEqual({ ok: true, data: { items: [] } });
  expect(sent.map(({ path }) => path)).toEqual(['/v1/api/categories']);
});
