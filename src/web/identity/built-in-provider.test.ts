import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { builtInProvider } from './built-in-provider.ts';

type Asked = { call: string; body: unknown };
const asked: Asked[] = [];
let answers: Record<string, () => Response | Promise<Response>> = {};
let opened: { closed: boolean; close: ReturnType<typeof vi.fn> };
const open = vi.fn();
let hasFocus = true;
const both = { provider: 'built-in', social: ['google', 'facebook'], isLocal: false } as const;
const json = (body: unknown, status = 200) => Response.json(body, { status });

beforeEach(() => {
  asked.length = 0;
  hasFocus = true;
  answers = {
    'POST /identity/sign-in/email': () => json({ redirect: false, user: {} }),
    'GET /identity/token': () => json({ token: 'id-token' }),
    'POST /identity/sign-out': () => json({ success: true }),
    'POST /identity/request-password-reset': () => json({ status: true }),
  };
  opened = { closed: false, close: vi.fn() };
  open.mockReset().mockReturnValue(opened);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  vi.stubGlobal('window', { open });
  vi.stubGlobal('document', { hasFocus: () => hasFocus });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const call = `${init.method} ${path}`;
    asked.push({ call, body: init.body === undefined ? undefined : JSON.parse(String(init.body)) });
    const answer = answers[call];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Same message as `/identity/done` sends. */
function postMessage(message: unknown): void {
  const channel = new BroadcastChannel('sotto-identity');
  channel.postMessage(message);
  channel.close();
}

const calls = () => asked.map(({ call }) => call);

test('a password is exchanged for an ID token, and the provider’s own session ends', async () => {
  const signedIn = await builtInProvider(both).signInWithPassword('a@b.example', 'secret');
  expect(signedIn).toEqual({ ok: true, idToken: 'id-token' });
  expect(asked[0]?.body).toEqual({ email: 'a@b.example', password: 'secret' });
  expect(calls()).toEqual(['POST /identity/sign-in/email', 'GET /identity/token', 'POST /identity/sign-out']);
});

test.each([
  [401, 'auth/wrong-password'],
  [400, 'auth/wrong-password'],
  [429, 'auth/too-many-requests'],
  [403, 'auth/internal-error'],
  [500, 'auth/internal-error'],
])('%i to a password is %s', async (status, code) => {
  answers['POST /identity/sign-in/email'] = () => json({ code: 'X' }, status);
  expect(await builtInProvider(both).signInWithPassword('a@b.example', 'x')).toEqual({ ok: false, code });
  expect(asked).toHaveLength(1);
});

test.each([
  [421, 'request/wrong-host'],
  [429, 'request/too-many'],
  [503, 'server/unavailable'],
  [429, 'auth/too-many-requests'],
])('%i with %s is passed on: nobody has looked at the password, or nobody may', async (status, code) => {
  answers['POST /identity/sign-in/email'] = () => json({ error: { code } }, status);
  expect(await builtInProvider(both).signInWithPassword('a@b.example', 'x')).toEqual({ ok: false, code });
});

test('a lost connection is reported', async () => {
  answers = {};
  const provider = builtInProvider(both);
  const lost = { ok: false, code: 'auth/network-request-failed' };
  expect(await provider.signInWithPassword('a@b.example', 'x')).toEqual(lost);
  expect(await provider.sendPasswordReset('a@b.example')).toEqual(lost);
  expect(await provider.signOut()).toEqual(lost);
});

test('a session without a token is a failed sign-in', async () => {
  answers['GET /identity/token'] = () => json({});
  expect(await builtInProvider(both).signInWithPassword('a@b.example', 'x')).toEqual({
    ok: false,
    code: 'auth/internal-error',
  });
});

test('the window opens within the click, and its message leads to the token', async () => {
  const signingIn = builtInProvider(both).signInWith('google');
  // Checked before any await: browsers block a window that opens later.
  expect(open).toHaveBeenCalledWith('/identity/start?provider=google', 'sotto-identity', expect.any(String));
  postMessage({ ok: true });
  expect(await signingIn).toEqual({ ok: true, idToken: 'id-token' });
  expect(calls()).toEqual(['GET /identity/token', 'POST /identity/sign-out']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a sign-in waits for a log-out that is still being answered', async () => {
  const answer = Promise.withResolvers<Response>();
  answers['POST /identity/sign-out'] = () => answer.promise;
  const replace = vi.fn();
  open.mockReturnValue({ ...opened, location: { replace } });
  vi.stubGlobal('location', { origin: 'https://sotto.example' });
  const provider = builtInProvider(both);
  const leaving = provider.signOut();
  const withPassword = provider.signInWithPassword('a@b.example', 'secret');
  const withGoogle = provider.signInWith('google');
  expect(open).toHaveBeenCalledWith('', 'sotto-identity', expect.any(String));
  await new Promise((resolve) => setImmediate(resolve));
  expect([calls(), replace.mock.calls]).toEqual([['POST /identity/sign-out'], []]);
  answers['POST /identity/sign-out'] = () => json({ success: true });
  answer.resolve(json({ success: true }));
  expect(await leaving).toEqual({ ok: true });
  expect(await withPassword).toEqual({ ok: true, idToken: 'id-token' });
  expect(replace.mock.calls.map(String)).toEqual(['https://sotto.example/identity/start?provider=google']);
  postMessage({ ok: true });
  expect(await withGoogle).toEqual({ ok: true, idToken: 'id-token' });
  void provider.signInWith('facebook');
  expect(open).toHaveBeenLastCalledWith('/identity/start?provider=facebook', 'sotto-identity', expect.any(String));
  postMessage({ ok: false, code: 'auth/popup-closed-by-user' });
});

test.each([
  [
    { ok: false, code: 'auth/account-exists-with-different-credential' },
    'auth/account-exists-with-different-credential',
  ],
  [{ ok: false, code: 'auth/popup-closed-by-user' }, 'auth/popup-closed-by-user'],
  [{ ok: false, code: '<script>' }, 'auth/internal-error'],
  [{ ok: 'true' }, 'auth/internal-error'],
  [null, 'auth/internal-error'],
])('when the window says %j, that is %s', async (message, code) => {
  const signingIn = builtInProvider(both).signInWith('facebook');
  postMessage(message);
  expect(await signingIn).toEqual({ ok: false, code });
  expect(asked).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('no window opens when the provider is not set up, and a blocked one is reported', async () => {
  const provider = builtInProvider({ ...both, social: ['google'] });
  expect(await provider.signInWith('facebook')).toEqual({ ok: false, code: 'auth/not-configured' });
  expect(open).not.toHaveBeenCalled();
  open.mockReturnValue(null);
  expect(await provider.signInWith('google')).toEqual({ ok: false, code: 'auth/popup-blocked' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a window closed without a message counts as canceled soon after', async () => {
  const signingIn = builtInProvider(both).signInWith('google');
  opened.closed = true;
  vi.advanceTimersByTime(2500);
  expect(await signingIn).toEqual({ ok: false, code: 'auth/popup-closed-by-user' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a window that only looks closed is waited for until the listener is back on the page', async () => {
  const signingIn = builtInProvider(both).signInWith('google');
  opened.closed = true;
  hasFocus = false;
  vi.advanceTimersByTime(60_000);
  postMessage({ ok: true });
  expect(await signingIn).toEqual({ ok: true, idToken: 'id-token' });
});

test('a window left open is closed after five minutes and counts as canceled', async () => {
  const signingIn = builtInProvider(both).signInWith('google');
  vi.advanceTimersByTime(5 * 60_000);
  expect(await signingIn).toEqual({ ok: false, code: 'auth/popup-closed-by-user' });
  expect(opened.close).toHaveBeenCalled();
});

test('a second click takes over the window of the first', async () => {
  const provider = builtInProvider(both);
  const first = provider.signInWith('google');
  const second = provider.signInWith('facebook');
  expect(await first).toEqual({ ok: false, code: 'auth/popup-closed-by-user' });
  expect(opened.close).not.toHaveBeenCalled();
  postMessage({ ok: true });
  expect(await second).toEqual({ ok: true, idToken: 'id-token' });
});

test.each([
  [200, { ok: true }],
  [400, { ok: false, code: 'auth/user-not-found' }],
  [429, { ok: false, code: 'auth/too-many-requests' }],
  [500, { ok: false, code: 'auth/internal-error' }],
])('%i to a reset is %j', async (status, outcome) => {
  answers['POST /identity/request-password-reset'] = () => json({}, status);
  expect(await builtInProvider(both).sendPasswordReset('a@b.example')).toEqual(outcome);
  expect(asked[0]?.body).toEqual({ email: 'a@b.example' });
});
