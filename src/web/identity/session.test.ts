import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#domain/identity/accounts.ts';
import type { SessionCalls } from './session.ts';
import { createSession } from './session.ts';

const ada = { id: 'ada', username: 'ada' } as Me;
const key = 'sotto.session';

/** As a browser has it: its keys are its own properties. */
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

function failed(status: number) {
  return { ok: false as const, code: 'x', message: 'x', status };
}

function start(calls: Partial<SessionCalls> = {}) {
  const done: string[] = [];
  const session = createSession({
    logIn: async () => ({ ok: true, data: { token: 'new', user: ada, isNewAccount: false } }),
    exchange: async () => ({ ok: true, data: { user: ada } }),
    logOut: async () => done.push('logOut'),
    signOutOfProvider: async () => done.push('signOutOfProvider'),
    ...calls,
  });
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

test('logging in keeps the token with its time', async () => {
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

test('a refused log-in leaves everything as it was', async () => {
  const { session, done } = start({ logIn: async () => failed(409) });
  await expect(session.logIn('id-token')).resolves.toEqual(failed(409));
  expect(session.getToken()).toBeUndefined();
  expect(localStorage.getItem(key)).toBeNull();
  expect(done).toEqual([]);
});

test('logging out clears what belongs to the user, and keeps what belongs to the device', async () => {
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

test('what has to be sent while the token counts goes first, and holds nobody up for long', async () => {
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
  // Nobody is in: there is nothing to send.
  await session.logOut();
  expect(done.slice(4)).toEqual(['logOut', 'out', 'signOutOfProvider']);
  vi.useRealTimers();
});

test('a token without a user in the page is changed for the cookie', async () => {
  keep('t', 'ada');
  const { session, done } = start();
  await session.agreeWith(undefined);
  expect(session.getToken()).toBe('t');
  expect(done).toEqual(['in']);
});

test('a page of another user is exchanged too; one of the same needs nothing', async () => {
  keep('t', 'ada');
  const { session, done } = start();
  await session.agreeWith('ada');
  expect(done).toEqual([]);
  await session.agreeWith('bob');
  expect(done).toEqual(['in']);
});

test.each([401, 403])('a token that the site refuses with %i is cleared without a word', async (status) => {
  keep('t', 'ada');
  const { session, done } = start({ exchange: async () => failed(status) });
  await session.agreeWith(undefined);
  expect(session.getToken()).toBeUndefined();
  expect(localStorage.getItem(key)).toBeNull();
  expect(done).toEqual(['out']);
});

test('where the site cannot be reached the token stays', async () => {
  keep('t', 'ada');
  const { session, done } = start({ exchange: async () => failed(0) });
  await session.agreeWith(undefined);
  expect(session.getToken()).toBe('t');
  expect(done).toEqual([]);
});

test('a user in the page without a token is logged out there', async () => {
  const { session, done } = start();
  await session.agreeWith('ada');
  expect(done).toEqual(['logOut', 'out']);
});

test('a visitor without a token asks the site nothing', async () => {
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

test.each(['{"token":', '"t"', '{"token":""}', 'null'])('what is no session in storage is none: %s', (text) => {
  localStorage.setItem(key, text);
  expect(start().session.getToken()).toBeUndefined();
});

test('a session that the site has ended is told once', () => {
  keep('t', 'ada');
  const { session, done } = start();
  session.ended();
  session.ended();
  expect(done).toEqual(['out']);
});

test('where storage is blocked, the session holds for the page', async () => {
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

test('another tab that logs in or out is followed', () => {
  const target = new EventTarget();
  vi.stubGlobal('window', target);
  const { session, done } = start();
  const leave = session.followTabs();
  const tell = (name: string | null) => target.dispatchEvent(Object.assign(new Event('storage'), { key: name }));

  keep('theirs', 'bob');
  tell(key);
  expect(session.getToken()).toBe('theirs');
  localStorage.removeItem(key);
  tell(null);
  tell('sotto_player');
  expect(done).toEqual(['in', 'out']);
  leave();
  keep('later', 'bob');
  tell(key);
  expect(done).toEqual(['in', 'out']);
});
