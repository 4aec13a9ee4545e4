import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, api, apiFetch, configureApi, wasJustUnanswered, withoutOtherCalls } from './api.ts';

type Call = { path: string; init: RequestInit & { headers: Headers } };
const calls: Call[] = [];
let answer: () => Response | Promise<Response> = () => Response.json({});

beforeEach(() => {
  calls.length = 0;
  vi.stubGlobal('fetch', async (path: string, init: Call['init']) => {
    init.signal?.throwIfAborted();
    calls.push({ path, init });
    const aborted = Promise.withResolvers<never>();
    init.signal?.addEventListener('abort', () => aborted.reject(init.signal?.reason as Error));
    return Promise.race([answer(), aborted.promise]);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  configureApi({ getToken: () => undefined, onSessionEnded: () => {} });
});

const refused = (status: number, code: string) => Response.json({ error: { code, message: 'No.' } }, { status });

test('a call carries the current token, its JSON, and same-origin cookies only', async () => {
  answer = () => Response.json({ recorded: 1 }, { status: 202 });
  configureApi({ getToken: () => 'first' });
  expect(await answerOf(api.events.$post({ json: { events: [{ name: 'play_click' }] } }))).toEqual({
    ok: true,
    data: { recorded: 1 },
  });
  configureApi({ getToken: () => undefined });
  await answerOf(api.audios.$get({ query: { sort: 'popular' } }));
  expect(calls.map(({ path }) => path)).toEqual(['/v1/api/events', '/v1/api/audios?sort=popular']);
  const [first, second] = calls;
  expect(first?.init).toMatchObject({ method: 'POST', credentials: 'same-origin' });
  expect(first?.init.body).toBe('{"events":[{"name":"play_click"}]}');
  expect(first?.init.headers.get('content-type')).toBe('application/json');
  expect(first?.init.headers.get('authorization')).toBe('Bearer first');
  expect(first?.init.headers.has('idempotency-key')).toBe(true);
  // The page's own language.
  expect(first?.init.headers.get('accept-language')).toBe('en');
  expect(second?.init.headers.has('authorization')).toBe(false);
});

test('a token passed by the caller is not overwritten', async () => {
  configureApi({ getToken: () => 'old' });
  await apiFetch('/v1/api/categories', { headers: { authorization: 'Bearer new' } });
  expect(calls[0]?.init.headers.get('authorization')).toBe('Bearer new');
});

test('a path parameter with a slash stays one segment', async () => {
  answer = () => refused(404, 'request/not-found');
  await answerOf(api.voices[':id'].$get({ param: { id: '../audios?a=b#c' } }));
  expect(calls[0]?.path).toBe('/v1/api/voices/..%2Faudios%3Fa%3Db%23c');
});

test('an error has its code, message and status', async () => {
  answer = () => refused(409, 'auth/username-already-in-use');
  expect(await answerOf(api.categories.$get({ query: {} }))).toEqual({
    ok: false,
    code: 'auth/username-already-in-use',
    message: 'No.',
    status: 409,
  });
});

test('a response without a body gives undefined', async () => {
  answer = () => new Response(null, { status: 204 });
  expect(await answerOf(api.categories.$get({ query: {} }))).toEqual({ ok: true, data: undefined });
});

test('a lost connection gives the message of the specification', async () => {
  const lost = { ok: false, code: 'network', message: 'No internet connection', status: 0 };
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await answerOf(api.categories.$get({ query: {} }))).toEqual(lost);
  // The connection drops in the middle of the response.
  answer = () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) }));
  expect(await answerOf(api.categories.$get({ query: {} }))).toEqual(lost);
});

test.each([
  ['a page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 502],
  ['a page where JSON should be', () => new Response('<h1>Log in to the Wi-Fi</h1>'), 200],
  ['nothing at all', () => new Response(null, { status: 500 }), 500],
  ['another shape', () => Response.json({ error: 'no' }, { status: 500 }), 500],
  ['null', () => new Response('null', { status: 500 }), 500],
])('%s is a failure of the site', async (_, made, status) => {
  answer = made;
  expect(await answerOf(api.categories.$get({ query: {} }))).toMatchObject({
    ok: false,
    code: 'server/failed',
    status,
  });
});

test('the end of the session is reported once, however many calls fail', async () => {
  let token: string | undefined = 'gone';
  const onSessionEnded = vi.fn(() => (token = undefined));
  configureApi({ getToken: () => token, onSessionEnded });
  answer = () => refused(401, 'auth/login-required');
  const [first] = await Promise.all([1, 2, 3].map(() => answerOf(api.categories.$get({ query: {} }))));
  expect(first).toMatchObject({ ok: false, code: 'auth/login-required' });
  expect(onSessionEnded).toHaveBeenCalledTimes(1);
  token = 'gone too';
  await answerOf(api.categories.$get({ query: {} }));
  expect(onSessionEnded).toHaveBeenCalledTimes(2);
});

test('a 401 for a token that a log-in has replaced does not end the new session', async () => {
  let token = 'old';
  const onSessionEnded = vi.fn();
  configureApi({ getToken: () => token, onSessionEnded });
  const answered = Promise.withResolvers<Response>();
  answer = () => answered.promise;
  const call = answerOf(api.categories.$get({ query: {} }));
  await vi.waitFor(() => expect(calls.length).toBeGreaterThan(0));
  token = 'new';
  answered.resolve(refused(401, 'auth/login-required'));
  expect(await call).toMatchObject({ code: 'auth/login-required' });
  expect(onSessionEnded).not.toHaveBeenCalled();
});

test('during a log-out, other calls are aborted and no new ones are sent', async () => {
  const answered = Promise.withResolvers<Response>();
  answer = () => answered.promise;
  const before = answerOf(api.categories.$get({ query: {} }));
  await vi.waitFor(() => expect(calls.length).toBeGreaterThan(0));
  const loggedOut = withoutOtherCalls(() => answerOf(api.auth.logout.$post({})));
  const meanwhile = answerOf(api.categories.$get({ query: {} }));
  expect(await before).toMatchObject({ code: 'network' });
  expect(await meanwhile).toMatchObject({ code: 'network' });
  answered.resolve(Response.json({}));
  expect(await loggedOut).toMatchObject({ ok: true });
  answer = () => Response.json({});
  expect(await answerOf(api.categories.$get({ query: {} }))).toMatchObject({ ok: true });
  expect(calls).toHaveLength(3);
});

test.each([
  ['of a call without a token', undefined, 'auth/login-required'],
  ['for another reason', 'good', 'auth/invalid-id-token'],
])('a 401 %s ends no session', async (_, token, code) => {
  const onSessionEnded = vi.fn();
  configureApi({ getToken: () => token, onSessionEnded });
  answer = () => refused(401, code);
  await answerOf(api.categories.$get({ query: {} }));
  expect(onSessionEnded).not.toHaveBeenCalled();
});

test('the end of the session is told once, so that its answers have no message; after another log-in they have', async () => {
  let token: string | undefined = 'old';
  let ends = 0;
  configureApi({
    getToken: () => token,
    onSessionEnded() {
      ends += 1;
      token = undefined;
    },
  });
  answer = () => refused(401, 'auth/login-required');
  const send = () => answerOf(api.events.$post({ json: { events: [{ name: 'play_click' }] } }));
  expect(await Promise.all([send(), send()])).toMatchObject([{ message: '' }, { message: '' }]);
  expect(ends).toBe(1);
  token = 'old';
  answer = () => {
    token = 'new';
    return refused(401, 'auth/login-required');
  };
  expect(await send()).toMatchObject({ message: 'No.' });
  expect(ends).toBe(1);
});

test('an act without an answer is known for a moment, a read is not', async () => {
  answer = () => Promise.reject(new TypeError('offline'));
  await answerOf(api.categories.$get({ query: {} }));
  expect(wasJustUnanswered()).toBe(false);
  await answerOf(api.events.$post({ json: { events: [{ name: 'play_click' }] } }));
  expect(wasJustUnanswered()).toBe(true);
});
