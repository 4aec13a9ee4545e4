import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#domain/identity/accounts.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { logOutLimitMs } from '#player/timed-fetch.ts';
import { preloadApi } from '../api.ts';
import { sessionCalls } from './session-calls.ts';
import { type SessionCalls, createSession } from './session.ts';

const ada = { id: 'ada', username: 'ada' } as Me;
const key = 'sotto.session';

/** Like a browser’s storage, its keys are own properties. */
function fakeStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, name: string) {
      return this[name] ?? null;
    },
    setItem(this: Record<string, string>, name: string, value: string) {
      this[name] = value;
    },
    removeItem(this: Record<string, string>, name: string) {
      delete this[name];
    },
  };
  return Object.create(methods) as Storage;
}

function failed(status: number, code = 'auth/login-required') {
  return { ok: false as const, code, message: 'x', status };
}

/** Like `answerOf` for a page of HTML. */
const failedByProxy = (status: number) => failed(status, 'server/failed');

function start(calls: Partial<SessionCalls> = {}, pageUserId?: string) {
  const done: string[] = [];
  const session = createSession(
    {
      logIn: async () => ({ ok: true, data: { token: 'new', user: ada, isNewAccount: false } }),
      exchange: async () => ({ ok: true, data: { user: ada } }),
      restore: async () => ({ ok: true, data: { token: 'restored', user: ada } }),
      logOut: async () => {
        done.push('logOut');
        return { ok: true };
      },
      signOutOfProvider: async () => done.push('signOutOfProvider'),
      ...calls,
    },
    pageUserId,
  );
  session.subscribe((change) => done.push(change));
  return { session, done };
}

function keep(token: string, userId: string) {
  localStorage.setItem(key, JSON.stringify({ token, lastUpdated: 1, userId }));
}

beforeEach(() => {
  vi.stubGlobal('document', {});
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('sessionStorage', fakeStorage());
});
afterEach(() => void vi.unstubAllGlobals());

test('logging in stores the token with its time', async () => {
  const { session, done } = start();
  await expect(session.logIn('id-token')).resolves.toEqual({ ok: true, user: ada, isNewAccount: false });
  expect(session.getToken()).toBe('new');
  expect(JSON.parse(localStorage.getItem(key) ?? '')).toEqual({
    token: 'new',
    lastUpdated: expect.any(Number),
    userId: 'ada',
  });
  expect(done).toEqual(['in']);
});

test('a refused log-in changes nothing', async () => {
  const { session, done } = start({ logIn: async () => failed(409) });
  await expect(session.logIn('id-token')).resolves.toEqual(failed(409));
  expect(session.getToken()).toBeUndefined();
  expect(localStorage.getItem(key)).toBeNull();
  expect(done).toEqual([]);
});

test('logging out clears the user’s data, and keeps the device’s', async () => {
  keep('t', 'ada');
  for (const name of ['sotto_player', 'sotto_keys', 'other']) localStorage.setItem(name, '1');
  localStorage.setItem('sotto.queue', '1');
  sessionStorage.setItem('sotto.paid-link', '1');
  sessionStorage.setItem('sotto_standalone', '1');
  const { session, done } = start();
  await session.logOut();
  expect(session.getToken()).toBeUndefined();
  expect(Object.keys(localStorage).sort()).toEqual(['other', 'sotto_keys', 'sotto_player']);
  expect(Object.keys(sessionStorage)).toEqual(['sotto_standalone']);
  expect(done).toEqual(['logOut', 'out', 'signOutOfProvider']);
});

test('after a log-out, calls of the page that still shows the user request no token', async () => {
  let asked = 0;
  const restore = async () => {
    asked += 1;
    return failed(401);
  };
  const { session } = start({ restore }, 'ada');
  keep('token', 'ada');
  await session.logOut();
  expect(session.untilToken()).toBeUndefined();
  expect(asked).toBe(0);
});

test('pending reports are sent before the token ends, and delay the log-out only briefly', async () => {
  vi.useFakeTimers();
  keep('t', 'ada');
  const { session, done } = start();
  const stop = session.beforeLogOut(async () => void done.push(`sent with ${session.getToken()}`));
  session.beforeLogOut(() => Promise.reject(new Error('offline')));
  session.beforeLogOut(() => new Promise(() => {}));
  const leaving = session.logOut();
  await vi.advanceTimersByTimeAsync(2000);
  await leaving;
  expect(done).toEqual(['sent with t', 'logOut', 'out', 'signOutOfProvider']);
  stop();
  // Without a session there is nothing to send.
  await session.logOut();
  expect(done.slice(4)).toEqual(['logOut', 'out', 'signOutOfProvider']);
  vi.useRealTimers();
});

test('a token without a user in the page is exchanged for the cookie', async () => {
  keep('t', 'ada');
  const { session, done } = start();
  await session.agreeWith(undefined);
  expect(session.getToken()).toBe('t');
  expect(done).toEqual(['in']);
});

test('a page of another user triggers an exchange too; one of the same user needs nothing', async () => {
  keep('t', 'ada');
  const { session, done } = start();
  await session.agreeWith('ada');
  expect(done).toEqual([]);
  await session.agreeWith('bob');
  expect(done).toEqual(['in']);
});

test.each([401, 403])('a token that the site refuses with %i is cleared silently', async (status) => {
  keep('t', 'ada');
  const { session, done } = start({ exchange: async () => failed(status) });
  await session.agreeWith(undefined);
  expect(session.getToken()).toBeUndefined();
  expect(localStorage.getItem(key)).toBeNull();
  expect(done).toEqual(['out']);
});

test('the token stays when the site cannot be reached', async () => {
  keep('t', 'ada');
  const { session, done } = start({ exchange: async () => failed(0) });
  await session.agreeWith(undefined);
  expect(session.getToken()).toBe('t');
  expect(done).toEqual([]);
});

test.each([401, 403])('an error page of a proxy with %i ends no session', async (status) => {
  keep('t', 'ada');
  const { session, done } = start({ exchange: async () => failedByProxy(status) });
  await session.agreeWith(undefined);
  expect([session.getToken(), done]).toEqual(['t', []]);

  localStorage.removeItem(key);
  const byCookie = start({ restore: async () => failedByProxy(status) }, 'ada');
  await byCookie.session.agreeWith('ada');
  expect(byCookie.done).toEqual([]);
  expect(byCookie.session.untilToken()).toBeDefined();
});

test('a page with a user but no token gets it from the cookie, without a reload', async () => {
  const { session, done } = start();
  await session.agreeWith('ada');
  expect(session.getToken()).toBe('restored');
  expect(JSON.parse(localStorage.getItem(key) ?? '')).toMatchObject({ token: 'restored', userId: 'ada' });
  expect(done).toEqual([]);
});

test('calls of a page without a token wait for one, which is requested once', async () => {
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const { session } = start(
    {
      restore: async () => {
        asked += 1;
        await gate.promise;
        return { ok: true, data: { token: 'restored', user: ada } };
      },
    },
    'ada',
  );
  const waits = [session.untilToken(), session.untilToken(), session.agreeWith('ada')];
  gate.resolve();
  await Promise.all(waits);
  expect([asked, session.getToken(), session.untilToken()]).toEqual([1, 'restored', undefined]);
  expect(start().session.untilToken()).toBeUndefined();
});

test('a cookie of another user than the page’s reloads the page’s data', async () => {
  const { session, done } = start();
  await session.agreeWith('bob');
  expect(session.getToken()).toBe('restored');
  expect(done).toEqual(['in']);
});

test.each([
  [401, ['out']],
  [400, ['logOut', 'out']],
])('when the site refuses the cookie with %i, nobody is logged in', async (status, expected) => {
  const { session, done } = start({ restore: async () => failed(status) }, 'ada');
  await session.agreeWith('ada');
  expect(session.getToken()).toBeUndefined();
  expect(session.untilToken()).toBeUndefined();
  expect(done).toEqual(expected);
});

test.each([0, 429, 503])('after an answer of %i, the next call retries', async (status) => {
  let isAway = true;
  const restored = { ok: true as const, data: { token: 'restored', user: ada } };
  const { session, done } = start({ restore: async () => (isAway ? failed(status) : restored) }, 'ada');
  await session.agreeWith('ada');
  expect([session.getToken(), done]).toEqual([undefined, []]);
  isAway = false;
  await session.untilToken();
  expect(session.getToken()).toBe('restored');
});

test('a log-out that did not reach the site is repeated, and the cookie does not restore the session', async () => {
  vi.stubGlobal('window', { location: { protocol: 'https:' } });
  keep('t', 'ada');
  let isAway = true;
  const calls: string[] = [];
  const { session, done } = start({
    logOut: async () => {
      calls.push('logOut');
      return { ok: !isAway };
    },
    restore: async () => {
      calls.push('restore');
      return { ok: true, data: { token: 'restored', user: ada } };
    },
  });
  await session.logOut();
  expect(document.cookie).toMatch(/^sotto_left=1; .*Secure/);
  await session.agreeWith('ada');
  expect(document.cookie).toMatch(/^sotto_left=1/);
  isAway = false;
  await session.agreeWith('ada');
  expect([calls, session.getToken()]).toEqual([['logOut', 'logOut', 'logOut'], undefined]);
  expect(document.cookie).toMatch(/^sotto_left=; .*Max-Age=0/);
  expect(done).toEqual(['out', 'signOutOfProvider', 'out', 'out']);
});

test('a log-out that the closing of the tab interrupted is finished on the next page', async () => {
  vi.stubGlobal('window', { location: { protocol: 'https:' } });
  keep('t', 'ada');
  void start({ logOut: () => new Promise(() => {}) }, 'ada').session.logOut();
  const { session, done } = start({}, 'ada');
  await session.agreeWith('ada');
  expect([session.getToken(), localStorage.getItem(key), done]).toEqual([undefined, null, ['logOut', 'out']]);
  expect(document.cookie).toMatch(/^sotto_left=;/);
});

test('a log-out does not wait for a stalled connection', async () => {
  await preloadApi();
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  );
  const answer = sessionCalls({ provider: 'built-in' } as BrowserIdentitySettings).logOut();
  await vi.advanceTimersByTimeAsync(logOutLimitMs);
  expect(await answer).toMatchObject({ ok: false });
  vi.useRealTimers();
});

test('a visitor without a token makes no calls', async () => {
  const { session, done } = start();
  await session.agreeWith(undefined);
  expect(done).toEqual([]);
});

test('an exchange that ends after a new log-in changes nothing', async () => {
  keep('old', 'ada');
  const gate = Promise.withResolvers<ReturnType<typeof failed>>();
  const { session } = start({ exchange: () => gate.promise });
  const agreeing = session.agreeWith(undefined);
  await session.logIn('id-token');
  gate.resolve(failed(401));
  await agreeing;
  expect(session.getToken()).toBe('new');
});

test.each(['{"token":', '"t"', '{"token":""}', 'null'])('invalid session data in storage is ignored: %s', (text) => {
  localStorage.setItem(key, text);
  expect(start().session.getToken()).toBeUndefined();
});

test('a session that the site has ended is reported once', () => {
  keep('t', 'ada');
  const { session, done } = start();
  session.ended();
  session.ended();
  expect(done).toEqual(['out']);
});

test('with blocked storage, the session lasts for the page', async () => {
  const blocked = () => {
    throw new Error('blocked');
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  const { session } = start();
  await session.logIn('id-token');
  expect(session.getToken()).toBe('new');
  session.ended();
  expect(session.getToken()).toBeUndefined();
});

test.each([
  ['throws', true],
  ['is always empty', false],
])('storage that %s logs nobody out, neither on the next page nor when a page is shown again', async (_how, throws) => {
  const target = new EventTarget();
  vi.stubGlobal('window', target);
  const blocked = () => {
    if (throws) throw new Error('blocked');
    return null;
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  const { session, done } = start({}, 'ada');
  const leave = session.followTabs();
  await session.agreeWith('ada');
  expect(session.getToken()).toBe('restored');
  target.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  target.dispatchEvent(Object.assign(new Event('storage'), { key: null }));
  expect([session.getToken(), done]).toEqual(['restored', []]);
  leave();
});

test('a log-in or log-out in another tab is followed', () => {
  const target = new EventTarget();
  vi.stubGlobal('window', target);
  const { session, done } = start();
  const leave = session.followTabs();
  const changeStorage = (name: string | null) =>
    target.dispatchEvent(Object.assign(new Event('storage'), { key: name }));

  keep('theirs', 'bob');
  changeStorage(key);
  expect(session.getToken()).toBe('theirs');
  localStorage.removeItem(key);
  changeStorage(null);
  changeStorage('sotto_player');
  expect(done).toEqual(['in', 'out']);
  leave();
  keep('later', 'bob');
  changeStorage(key);
  expect(done).toEqual(['in', 'out']);
});

test('a page back from the back/forward cache follows what happened meanwhile; one that just loaded does not', () => {
  const target = new EventTarget();
  vi.stubGlobal('window', target);
  keep('hers', 'ada');
  const { session, done } = start();
  const leave = session.followTabs();
  const show = (persisted: boolean) => target.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

  show(true);
  expect(done).toEqual([]);
  localStorage.removeItem(key);
  show(false);
  expect([session.getToken(), done]).toEqual(['hers', []]);
  show(true);
  expect([session.getToken(), done]).toEqual([undefined, ['out']]);
  keep('his', 'bob');
  show(true);
  expect([session.getToken(), done]).toEqual(['his', ['out', 'in']]);
  leave();
  localStorage.removeItem(key);
  show(true);
  expect(done).toEqual(['out', 'in']);
});
