import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { openTransport } from './transport.ts';

// The browser’s real code, on Node’s WebCrypto, against the site’s code over HTTP.
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

test('a response is decrypted to plain JSON', async () => {
  const { fetch } = await openTransport(key);
  const response = await fetch('/v2/api/voices/odile?x=1', {});
  expect(response?.headers.get('content-type')).toBe('application/json');
  expect(await response?.json()).toMatchObject({ name: 'Odile Ångström 🎧' });
});

test('a body is sent encrypted, with its own nonce, and the site can read it', async () => {
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

test('an error response keeps its status and code', async () => {
  const { fetch } = await openTransport(key);
  const response = await fetch('/v2/api/voices/nobody', {});
  expect(response?.status).toBe(404);
  expect(await response?.json()).toMatchObject({ error: { code: 'request/not-found' } });
});

test('both sides bind the same path when it needs escaping', async () => {
  const { fetch } = await openTransport(key);
  const response = await fetch('/v2/api/voices/%C3%A5%20%2F%25', {});
  expect(await response?.json()).toMatchObject({ error: { code: 'request/not-found' } });
});

test('a response encrypted with another key is not accepted', async () => {
  const other = await openTransport(Buffer.alloc(32, 1).toString('base64'));
  expect(await other.fetch('/v2/api/voices/odile', {})).toBeUndefined();
});

test('the typed client calls v2 once it has a key, and v1 until then', async () => {
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

test('an unknown session is detected over v2 too', async () => {
  const { answerOf, api, configureApi } = await import('./api.ts');
  const onSessionEnded = vi.fn();
  configureApi({ transportKey: key, getToken: () => 'unknown', onSessionEnded });
  const refused = { ok: false, code: 'auth/login-required', status: 401 };
  expect(await answerOf(api.user.me.$get())).toMatchObject(refused);
  expect(onSessionEnded).toHaveBeenCalledTimes(1);
  const available = api.auth.username[':username'].$get({ param: { username: 'nocturne' } });
  expect(await answerOf(available)).toEqual({ ok: true, data: { available: true } });
  expect(sent.map(({ path }) => path)).toEqual(['/v2/api/user/me', '/v2/api/auth/username/nocturne']);
});

/** Every typed call in the browser’s code, as `['audios', 'play', ':id', '$get']`. */
async function callsOfTheBrowser(): Promise<string[][]> {
  const calls = new Map<string, string[]>();
  for (const { text } of await browserSources())
    for (const [call] of text.matchAll(/(?<![\w.])api(?:\s*\.\w+|\['[^']+'\])+\s*\.\$(?:get|post|put|delete)\(/g)) {
      const parts = [...call.matchAll(/\.([\w$]+)|\['([^']+)'\]/g)].map(([, name, quoted]) => name ?? quoted ?? '');
      calls.set(parts.join('/'), parts);
    }
  return [...calls.values()];
}

async function browserSources() {
  const root = new URL('..', import.meta.url);
  const files = (
    await Promise.all(
      ['web', 'player'].map((folder) =>
        readdir(new URL(folder, root), { recursive: true }).then((names) => names.map((name) => `${folder}/${name}`)),
      ),
    )
  ).flat();
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/test\.tsx?$/.test(file));
  return Promise.all(sources.map(async (file) => ({ file, text: await readFile(new URL(file, root), 'utf8') })));
}

const named = 'an-audio-or-a-term';

test.each([false, true])(
  'every browser call is sent over v2 at once, with no audio or term readable in its body, keepalive %s',
  async (keepalive) => {
    const { answerOf, api, configureApi } = await import('./api.ts');
    configureApi({ transportKey: key });
    await answerOf(api.categories.$get({ query: {} }));
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      sent.push({ path, type: null, body: init.body });
      return new Response(null, { status: 204 });
    });
    const calls = await callsOfTheBrowser();
    expect(calls.map((call) => call.join('/'))).toEqual(
      expect.arrayContaining([
        'audios/play/:id/$get',
        'audios/:id/similar/$get',
        'audios/:id/transcript/$get',
        'audios/:id/comments/$post',
        'history/me/increase-counter/$post',
        'history/me/value/$post',
        'history/me/value/$delete',
        'history/me/items/:id/$delete',
        'user/queue/$put',
        'user/favorite/:id/$post',
        'user/recent-searches/$post',
        'user/recent-searches/$delete',
        'search/$get',
      ]),
    );
    for (const call of calls) {
      sent.length = 0;
      // oxlint-disable-next-line typescript/no-explicit-any -- each call has a type of its own
      const send = call.reduce((part: any, name) => part[name], api);
      const param = Object.fromEntries(
        call.filter((part) => part.startsWith(':')).map((part) => [part.slice(1), named]),
      );
      const isGet = call.at(-1) === '$get';
      const answered = send({ param, ...(isGet ? {} : { json: { id: named } }) }, { init: { keepalive } });
      // Checked synchronously: a closing page gets no further turn of the event loop.
      expect(sent, call.join('/')).toHaveLength(1);
      expect(sent[0]?.path).toMatch(/^\/v2\/api\//);
      if (!isGet) expect(String(sent[0]?.body)).toMatch(/^\{"rpc":"[A-Za-z0-9+/=]+"\}$/);
      await answered;
    }
  },
);

test('no other browser code calls the site’s API', async () => {
  // Every request goes through these two (.oxlintrc.json).
  const outside = (await browserSources()).filter(({ text }) => /import \{[^}]*\btimed(?:Fetch|Head)\b/.test(text));
  // The API client and its transport; the identity provider; the audio file; the styles of pages; a picture.
  expect(outside.map(({ file }) => file).toSorted()).toEqual([
    'player/media/warm-up.ts',
    'player/media/whole-file.ts',
    'player/recovery/recovery.ts',
    'web/api.ts',
    'web/identity/identity-call.ts',
    'web/load-chunk.ts',
    'web/shell/preload-pages.ts',
    'web/studio/picture-field.tsx',
    'web/transport.ts',
  ]);
});

test('after a key change the page continues with v1', async () => {
  const { answerOf, api, configureApi } = await import('./api.ts');
  configureApi({ transportKey: Buffer.alloc(32, 1).toString('base64') });
  expect(await answerOf(api.categories.$get({ query: {} }))).toMatchObject({ ok: false, code: 'server/failed' });
  expect(await answerOf(api.categories.$get({ query: {} }))).toEqual({ ok: true, data: { items: [] } });
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
  expect(await answerOf(api.categories.$get({ query: {} }))).toEqual({ ok: true, data: { items: [] } });
  expect(sent.map(({ path }) => path)).toEqual(['/v1/api/categories']);
});
