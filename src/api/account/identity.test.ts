import { eq, sql } from 'drizzle-orm';
import { unzipSync, strFromU8 } from 'fflate';
import { expect, test, vi } from 'vitest';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { registerUser, signIn } from '#test/support/identity.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';
import { readRows } from '#test/support/read-rows.ts';
import { forPreferences } from '#domain/identity/preference-rules.ts';
import { avatarColors } from '#domain/identity/rules.ts';
import { users } from '#domain/identity/tables.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';

const started = await startTestSite();
const { url, site, identity, db, blobs } = started;

type Call = { token?: string; cookie?: string; body?: unknown; headers?: Record<string, string> };

async function call(method: string, path: string, { token, cookie, body, headers }: Call = {}) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    // oxlint-disable-next-line typescript/no-explicit-any -- each test knows its answer
    body: (isJson ? JSON.parse(text) : text) as any,
  };
}

const form = { email: 'ada@lovelace.example', username: 'ada.m', password: 'night owl', tac: true, legal: true };

test('registering, logging in and logging out by the calls of the specification', async () => {
  const registered = await call('POST', '/auth/register', { body: { ...form, email: ' Ada@Lovelace.example' } });
  expect(registered.status).toBe(201);
  expect(registered.body.user).toMatchObject({ username: 'ada.m', email: 'ada@lovelace.example' });

  const firebaseIdtoken = await signIn(identity, form.email, form.password);
  const loggedIn = await call('POST', '/auth/login', {
    body: { firebaseIdtoken },
    headers: {
      'user-agent':
        'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
    },
  });
  expect(loggedIn.status).toBe(200);
  expect(loggedIn.body).toMatchObject({
    isNewAccount: false,
    user: {
      email: 'ada@lovelace.example',
      username: 'ada.m',
      isSubscribed: false,
      hasBlockedUsers: false,
      blockedUsers: [],
    },
  });
  const { token } = loggedIn.body as { token: string };
  expect(loggedIn.headers.get('set-cookie')).toBe(
    `sotto_session=${token}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax`,
  );
  expect(loggedIn.headers.get('cache-control')).toContain('no-store');

  const favorites = { audios: [], voices: [], categories: [], playlists: [], users: [] };
  expect((await call('GET', '/user/me', { token })).body).toEqual({ ...loggedIn.body.user, favorites });
  expect((await call('GET', '/profile', { token })).body).toMatchObject({ ...loggedIn.body.user, hasPassword: true });
  expect((await call('GET', '/user/sessions', { token })).body.items).toMatchObject([
    { device: 'Chrome on Android', isCurrent: true },
  ]);

  const out = await call('POST', '/auth/logout', { token, cookie: `sotto_session=${token}` });
  expect(out.status).toBe(204);
  expect(out.headers.get('set-cookie')).toContain('Expires=Thu, 01 Jan 1970');
  expect((await call('GET', '/user/me', { token })).status).toBe(401);
});

const otherLetters = 'Use Latin letters, digits, dots, hyphens and underscores';
test.each([
  [{ email: 'not an address' }, 400, 'auth/invalid-email', 'Enter a valid email address'],
  [{ email: form.email, username: 'other' }, 409, 'auth/email-already-in-use', 'This email address is already in use'],
  [{ username: 'ADA.M' }, 409, 'auth/username-already-in-use', 'This username is unavailable'],
  [{ username: '' }, 400, 'auth/invalid-username', 'Please enter username'],
  [{ username: '<script>' }, 400, 'auth/invalid-username', otherLetters],
  [{ username: '小夜子' }, 400, 'auth/invalid-username', otherLetters],
  [{ username: 'שירה' }, 400, 'auth/invalid-username', otherLetters],
  [{ username: 'аna' }, 400, 'auth/invalid-username', otherLetters],
  [{ username: 'a'.repeat(25) }, 400, 'auth/invalid-username', 'At most 24 characters'],
  [{ password: 'x'.repeat(257) }, 400, 'auth/weak-password', 'At most 256 characters'],
  [{ password: '12345' }, 400, 'auth/weak-password', 'Password have a minimum of 6 characters'],
  [
    { password: 'Password1' },
    400,
    'auth/common-password',
    'This is one of the most common passwords, which are guessed first. Please choose another.',
  ],
  [{ username: 'Admin' }, 409, 'auth/username-already-in-use', 'This username is unavailable'],
  [{ tac: false }, 400, 'auth/under-age', 'You must be at least 18 years old'],
  [{ legal: undefined }, 400, 'auth/terms-not-accepted', 'You must accept the terms and conditions'],
])('registering with %o is refused with %i %s', async (wrong, statusCode, code, message) => {
  const answer = await call('POST', '/auth/register', {
    body: { ...form, email: 'new@example.org', username: 'new', ...wrong },
  });
  expect(answer.status).toBe(statusCode);
  expect(answer.body).toEqual({ error: { code, message, statusCode } });
});

test.each(['Άννα', 'สมหญิง', '지우', 'नेहा', 'ليلى', 'ＡＮＡ', 'ana🌙', 'ana\u200Bb', 'ana!', '١٢٣'])(
  'the username %j is told which letters it may have',
  async (username) => {
    const answer = await call('POST', '/auth/register', { body: { ...form, email: 'new@example.org', username } });
    expect([answer.status, answer.body.error.message]).toEqual([400, otherLetters]);
  },
);

test('sign-up sources are counted anonymously, and an unknown source does not block a sign-up', async () => {
  const countsOf = async () =>
    (await db.execute(sql`select source, users from sign_up_days order by source`)).rows as unknown[];
  const before = await countsOf();
  const formOf = (name: string) => ({ ...form, email: `${name}@example.org`, username: name });
  for (const [name, source] of [
    ['from-home', 'home'],
    ['from-home-too', 'home'],
    ['from-nowhere', 'the moon'],
    ['from-an-app', undefined],
  ] as const)
    expect((await call('POST', '/auth/register', { body: { ...formOf(name), source } })).status).toBe(201);
  const refused = await call('POST', '/auth/register', { body: { ...formOf('from-home'), source: 'page' } });
  expect(refused.status).toBe(409);
  // A social account chooses its username, once.
  const user = await createUser(db, { username: null });
  const { token } = await createSession(db, user.id);
  const profile = { username: 'from-google', tac: true, legal: true, source: 'paid-link' };
  for (let tries = 0; tries < 2; tries += 1)
    expect((await call('POST', '/user/profile', { token, body: profile })).status).toBe(200);
  expect(before).toEqual([]);
  expect(await countsOf()).toEqual([
    { source: 'home', users: 2 },
    { source: 'paid-link', users: 1 },
  ]);
});

test('too many registrations get the time of the next possible attempt', async () => {
  const body = { ...form, email: 'often@example.org', username: 'Admin' };
  for (let tries = 0; tries < 10; tries += 1) expect((await call('POST', '/auth/register', { body })).status).toBe(409);
  const refused = await call('POST', '/auth/register', { body });
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(59 * 60);
  expect(wait).toBeLessThanOrEqual(60 * 60);
  const message = 'Too many tries. The next one is possible in 60 minutes.';
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { code: 'request/too-many', message, statusCode: 429 } },
  });
});

test('a free username is answered with 202 and not cached', async () => {
  const free = await call('GET', '/auth/username/nobody-yet');
  expect(free.status).toBe(202);
  expect(free.headers.get('cache-control')).toContain('no-store');
  expect(await call('GET', '/auth/username/Ada.M')).toMatchObject({
    status: 409,
    body: { error: { code: 'auth/username-already-in-use', message: 'This username is unavailable' } },
  });
  for (const odd of ['%00', 'a%2Fb', 'two%20words', 'x'.repeat(200)])
    expect((await call('GET', `/auth/username/${odd}`)).status, odd).toBe(400);
});

test('the own username in another case is free for its user, and for nobody else', async () => {
  const user = await registerUser(site, identity);
  const path = `/auth/username/${user.username?.toUpperCase()}`;
  expect([(await call('GET', path, { token: user.token })).status, (await call('GET', path)).status]).toEqual([
    202, 409,
  ]);
});

test('no call that changes data accepts the cookie', async () => {
  const user = await registerUser(site, identity);
  const cookie = `sotto_session=${user.token}`;
  for (const [method, path, body] of [
    ['PUT', '/user/profile', { username: 'stolen' }],
    ['POST', '/user/password', { currentPassword: user.password, newPassword: 'changed' }],
    ['POST', '/user/email', { email: 'evil@example.org', password: user.password }],
    ['DELETE', '/user/sessions', undefined],
    ['DELETE', '/user', { password: user.password }],
    ['GET', '/user/me', undefined],
    ['GET', '/user/export', undefined],
  ] as const)
    expect(await call(method, path, { cookie, body }), `${method} ${path}`).toMatchObject({
      status: 401,
      body: { error: { code: 'auth/login-required' } },
    });
  expect((await call('GET', '/user/me', { token: user.token })).body.username).toBe(user.username);
});

test('a form on another site can neither log in nor register', async () => {
  for (const path of ['/auth/login', '/auth/register', '/auth/logout'])
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect(
        (await call('POST', path, { body: 'x', headers: { 'content-type': type } })).status,
        `${path} as ${type}`,
      ).toBe(415);
});

test('the token is restored as a cookie; a foreign one gets a 401 that deletes the cookie', async () => {
  const user = await registerUser(site, identity);
  const exchanged = await call('POST', '/auth/session', { token: user.token, body: {} });
  expect(exchanged).toMatchObject({ status: 200, body: { isNewAccount: false, user: { id: user.id } } });
  expect(exchanged.headers.get('set-cookie')).toContain(`sotto_session=${user.token}`);

  const foreign = await call('POST', '/auth/session', {
    token: 'A'.repeat(43),
    cookie: `sotto_session=${'A'.repeat(43)}`,
    body: {},
  });
  expect(foreign).toMatchObject({ status: 401, body: { error: { code: 'auth/login-required' } } });
  expect(foreign.headers.get('set-cookie')).toContain('Expires=Thu, 01 Jan 1970');
});

test('the cookie is restored as a token, only for a page of this site', async () => {
  const user = await registerUser(site, identity);
  const cookie = `sotto_session=${user.token}`;
  const own = { origin: url, 'sec-fetch-site': 'same-origin' };
  const ask = (headers: Record<string, string>, sent = cookie) =>
    call('POST', '/auth/session/token', { cookie: sent, headers, body: {} });
  const restored = await ask(own);
  expect(restored).toMatchObject({ status: 200, body: { token: user.token, user: { id: user.id } } });
  expect(restored.headers.get('cache-control')).toContain('no-store');
  expect(restored.headers.get('access-control-allow-origin')).toBeNull();
  expect(restored.headers.get('set-cookie')).toMatch(`${cookie}; Max-Age=7776000;`);

  for (const foreign of [
    {},
    { origin: url },
    { 'sec-fetch-site': 'same-origin' },
    { ...own, origin: 'null' },
    { ...own, origin: 'https://evil.example' },
    { ...own, origin: url.replace('http:', 'https:') },
    { ...own, origin: 'http://127.0.0.1:1' },
    ...['cross-site', 'same-site', 'none'].map((from) => ({ ...own, 'sec-fetch-site': from })),
  ] as Record<string, string>[]) {
    const refused = await ask(foreign);
    expect(refused, JSON.stringify(foreign)).toMatchObject({
      status: 400,
      body: { error: { code: 'request/invalid' } },
    });
    expect(JSON.stringify(refused.body)).not.toContain(user.token);
  }
  const form = await call('POST', '/auth/session/token', {
    cookie,
    headers: { ...own, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'x=1',
  });
  expect(form.status).toBe(415);
  expect((await call('GET', '/auth/session/token', { cookie, headers: own })).status).toBe(405);

  await site.identity.logOutEverywhere(user.id);
  const ended = await ask(own);
  expect(ended).toMatchObject({ status: 401, body: { error: { code: 'auth/login-required' } } });
  expect(ended.headers.get('set-cookie')).toContain('Expires=Thu, 01 Jan 1970');
  const statuses = new Set<number>();
  for (let asked = 0; asked < 60; asked += 1) statuses.add((await ask(own, '')).status);
  expect([...statuses]).toEqual([401, 429]);
});

test('a call with the token extends the cookie with the session, if the browser has both', async () => {
  const user = await registerUser(site, identity);
  const cookie = `sotto_session=${user.token}`;
  const setBy = async (sent: { token: string; cookie?: string }) => {
    await db.execute(sql`update sessions set last_used_at = now() - interval '2 hours' where user_id = ${user.id}`);
    return (await call('GET', '/user/me', sent)).headers.get('set-cookie');
  };
  expect(await setBy({ token: user.token, cookie })).toMatch(`${cookie}; Max-Age=7776000;`);
  expect(await setBy({ token: user.token, cookie: `sotto_session=${'A'.repeat(43)}` })).toBeNull();
  expect(await setBy({ token: user.token })).toBeNull();
});

test('a call that replaces or deletes the cookie does not extend the old one', async () => {
  const user = await registerUser(site, identity);
  const setBy = async (path: string, token: string, body?: object) => {
    await db.execute(sql`update sessions set last_used_at = now() - interval '2 hours' where user_id = ${user.id}`);
    const answer = await call('POST', path, { token, cookie: `sotto_session=${token}`, body });
    return { token: answer.body?.token as string, cookies: answer.headers.getSetCookie() };
  };
  const passwords = { currentPassword: user.password, newPassword: 'another password' };
  const { token, cookies } = await setBy('/user/password', user.token, passwords);
  expect(cookies).toEqual([expect.stringContaining(`sotto_session=${token};`)]);
  expect((await setBy('/auth/logout', token)).cookies).toEqual([expect.stringMatching(/^sotto_session=; .*1970/)]);
});

test('under https the cookie has a name that no other host can set, and the former cookie is deleted', async () => {
  const guarded = await startTestSite({ SITE_URL: 'https://sotto.example' });
  const { token } = await createSession(guarded.db, (await createUser(guarded.db)).id);
  const setBy = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${guarded.url}/v1/api${path}`, { method: 'POST', headers })).headers.getSetCookie();
  const [plain, host] = [`sotto_session=${token}`, `__Host-sotto_session=${token}`];
  const own = { origin: 'https://sotto.example', 'sec-fetch-site': 'same-origin' };
  for (const [path, headers] of [
    ['/auth/session', { authorization: `Bearer ${token}`, cookie: plain }],
    ['/auth/session/token', { ...own, cookie: plain }],
  ] as const)
    expect(await setBy(path, headers), path).toEqual([
      `${host}; Max-Age=7776000; Path=/; HttpOnly; Secure; SameSite=Lax`,
      expect.stringMatching(/^sotto_session=;.*Expires=Thu, 01 Jan 1970/),
    ]);
  expect(await setBy('/auth/logout', { cookie: `${plain}; ${host}` })).toEqual([
    expect.stringMatching(/^__Host-sotto_session=;.*Expires=Thu, 01 Jan 1970.*Secure/),
    expect.stringMatching(/^sotto_session=;.*Expires=Thu, 01 Jan 1970/),
  ]);
  expect(await guarded.site.identity.findSession(token)).toBeUndefined();
});

test('a cookie planted before the log-in is replaced', async () => {
  const attacker = await registerUser(site, identity);
  const victim = await registerUser(site, identity);
  const firebaseIdtoken = await signIn(identity, victim.email, victim.password);
  const answer = await call('POST', '/auth/login', {
    body: { firebaseIdtoken },
    cookie: `sotto_session=${attacker.token}`,
  });
  expect(answer.body.user.id).toBe(victim.id);
  expect(answer.body.token).not.toBe(attacker.token);
  expect(answer.headers.get('set-cookie')).toContain(`sotto_session=${answer.body.token as string}`);
});

test.each(['', 'x', 'a.b.c', `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.`, 'x'.repeat(9000)])(
  'an ID token such as %# is refused',
  async (firebaseIdtoken) => {
    const { status, body } = await call('POST', '/auth/login', { body: { firebaseIdtoken } });
    expect([400, 401]).toContain(status);
    expect(body.error.code).toMatch(/^(auth\/invalid-id-token|request\/invalid)$/);
  },
);

test('a password change answers with a new session and ends the others', async () => {
  const user = await registerUser(site, identity);
  const change = { currentPassword: user.password, newPassword: 'brand-new' };
  expect(
    await call('POST', '/user/password', { token: user.token, body: { ...change, newPassword: '12345' } }),
  ).toMatchObject({
    status: 400,
    body: { error: { code: 'auth/weak-password' } },
  });
  expect(
    await call('POST', '/user/password', { token: user.token, body: { ...change, currentPassword: 'no' } }),
  ).toMatchObject({ status: 403, body: { error: { code: 'auth/wrong-password' } } });
  expect(
    await call('POST', '/user/password', { token: user.token, body: { ...change, newPassword: 'qwerty' } }),
  ).toMatchObject({ status: 400, body: { error: { code: 'auth/common-password' } } });
  const changed = await call('POST', '/user/password', { token: user.token, body: change });
  expect(changed.status).toBe(200);
  expect((await call('GET', '/user/me', { token: user.token })).status).toBe(401);
  expect((await call('GET', '/user/me', { token: changed.body.token })).status).toBe(200);
});

test('password guessing inside an account is limited like log-in', slow, async () => {
  const user = await registerUser(site, identity);
  const guess = () =>
    call('POST', '/user/password', { token: user.token, body: { currentPassword: 'no', newPassword: 'new-one' } });
  for (let index = 0; index < 10; index += 1) expect((await guess()).status).toBe(403);
  expect(await guess()).toMatchObject({ status: 429, body: { error: { code: 'auth/too-many-requests' } } });
});

test('a new email takes effect when the link in its mail is followed', async () => {
  const user = await registerUser(site, identity);
  expect(await call('POST', '/user/email', { token: user.token, body: { email: 'no', password: 'x' } })).toMatchObject({
    status: 400,
    body: { error: { code: 'auth/invalid-email' } },
  });
  const asked = await call('POST', '/user/email', {
    token: user.token,
    body: { email: 'Moved@Example.org', password: user.password },
  });
  expect(asked.status).toBe(202);
  expect((await call('GET', '/user/me', { token: user.token })).body.email).toBe(user.email);
  await expect.poll(() => identity.mails.some(({ to }) => to === 'moved@example.org')).toBe(true);
  const mail = identity.mails.find(({ to }) => to === 'moved@example.org');
  const link = /https?:\/\/\S+\/confirm-email\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  expect(await call('POST', '/auth/email/confirm', { body: { token: `${link.slice(0, -1)}!` } })).toMatchObject({
    status: 400,
    body: { error: { code: 'auth/invalid-link' } },
  });
  expect(await call('POST', '/auth/email/confirm', { body: { token: link } })).toMatchObject({
    status: 200,
    body: { email: 'moved@example.org' },
  });
  expect((await call('GET', '/user/me', { token: user.token })).body.email).toBe('moved@example.org');
  expect((await call('POST', '/auth/email/confirm', { body: { token: link } })).status).toBe(400);
});

test('the export is a ZIP of JSON with the user’s data and no secrets', async () => {
  const user = await registerUser(site, identity);
  const response = await fetch(`${url}/v1/api/user/export`, { headers: { authorization: `Bearer ${user.token}` } });
  expect(response.headers.get('content-type')).toBe('application/zip');
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  expect(Object.keys(files).toSorted()).toEqual(
    expect.arrayContaining(['membership.json', 'playlists.json', 'profile.json', 'sessions.json', 'sign-in.json']),
  );
  const all = Object.values(files)
    .map((file) => strFromU8(file))
    .join('\n');
  expect(all).toContain(user.email);
  expect(all).not.toMatch(/argon2|tokenHash|token_hash/);
  expect(all).not.toContain(user.token);
});

test('deleting an account needs the password, and invalidates token and cookie', async () => {
  const user = await registerUser(site, identity);
  expect(await call('DELETE', '/user', { token: user.token, body: { password: 'no' } })).toMatchObject({
    status: 403,
    body: { error: { code: 'auth/wrong-password' } },
  });
  const firebaseIdtoken = await signIn(identity, user.email, user.password);
  expect((await call('DELETE', '/user', { token: user.token, body: { firebaseIdtoken } })).status).toBe(403);
  const deleted = await call('DELETE', '/user', {
    token: user.token,
    cookie: `sotto_session=${user.token}`,
    body: { password: user.password },
  });
  expect(deleted.status).toBe(204);
  expect(deleted.headers.get('set-cookie')).toContain('Expires=Thu, 01 Jan 1970');
  expect((await call('GET', '/user/me', { token: user.token })).status).toBe(401);
  expect((await call('GET', `/users/${user.id}`)).status).toBe(404);
});

test('a new account is pink, and colors go in and out as the hexes of the palette', async () => {
  const { id, token } = await registerUser(site, identity);
  expect((await call('GET', '/user/me', { token })).body.color).toBe('#F29AB0');
  const saved = await call('PUT', '/user/profile', { token, body: { color: '#8fc7b5' } });
  expect(saved.body.user.color).toBe('#8FC7B5');
  expect((await call('GET', `/users/${id}`)).body.color).toBe('#8FC7B5');
  expect((await call('PUT', '/user/profile', { token, body: { color: 2 } })).status).toBe(400);
});

test('a public profile shows a name and no address', async () => {
  const user = await registerUser(site, identity);
  const { status, body } = await call('GET', `/users/${user.id}`);
  expect(status).toBe(200);
  expect(Object.keys(body).toSorted()).toEqual(['color', 'createdAt', 'icon', 'id', 'username']);
  expect((await call('GET', '/users/nobody')).status).toBe(404);
});

test('discreet mode is stored with the account for every session, and is part of its export', async () => {
  const [user, other] = [await registerUser(site, identity), await registerUser(site, identity)];
  const isDiscreet = async ({ token }: { token: string }) => (await call('GET', '/user/me', { token })).body.isDiscreet;
  expect(await isDiscreet(user)).toBeNull();
  for (const choice of [true, false, true]) {
    const put = await call('PUT', '/user/discreet', { token: user.token, body: { isDiscreet: choice } });
    expect([put.status, put.body]).toEqual([200, { isDiscreet: choice }]);
    expect(await isDiscreet(await createSession(db, user.id))).toBe(choice);
  }
  expect(await isDiscreet(other)).toBeNull();
  expect(await readRows(await site.identity.exportUser(user.id))).toMatchObject({ profile: { isDiscreet: true } });
  expect((await call('PUT', '/user/discreet', { body: { isDiscreet: true } })).status).toBe(401);
  expect((await call('PUT', '/user/discreet', { token: user.token, body: { isDiscreet: 'yes' } })).status).toBe(400);
});

test('the language that a user chooses counts in each of their sessions', async () => {
  const user = await registerUser(site, identity);
  expect((await call('PUT', '/user/language', { token: user.token, body: { language: 'fr' } })).status).toBe(200);
  const { token: other } = await createSession(db, user.id);
  expect((await call('GET', '/user/me', { token: other })).body).toMatchObject({ language: 'fr' });
  expect((await site.identity.findSession(other))?.viewer.language).toBe('fr');
  expect(await readRows(await site.identity.exportUser(user.id))).toMatchObject({ profile: { language: 'fr' } });
  expect((await call('PUT', '/user/language', { token: user.token, body: { language: 'xx' } })).status).toBe(400);
  expect((await call('PUT', '/user/language', { body: { language: 'fr' } })).status).toBe(401);
});

test('preferences are changed one by one; unknown ones, and values of another kind, are refused', async () => {
  const user = await registerUser(site, identity);
  const patch = (preferences: unknown) => call('PATCH', '/user/me', { token: user.token, body: { preferences } });
  const off = { ...forPreferences(() => null), isDiscreet: false };
  expect(await patch({ isDiscreet: false })).toMatchObject({ status: 200, body: { preferences: off } });
  expect(await patch({})).toMatchObject({ status: 200, body: { preferences: off } });
  const wrong = [{ isDiscreet: null }, { isDiscreet: 'yes' }, { isLoud: true }, null];
  for (const preferences of wrong) expect((await patch(preferences)).status).toBe(400);
  expect((await call('PATCH', '/user/me', { body: { preferences: off } })).status).toBe(401);
  expect((await call('GET', '/user/me', { token: user.token })).body).toMatchObject({ preferences: off });
});

test('processes of the version before and this one read what the other has written', async () => {
  const { id } = await registerUser(site, identity);
  const former = async (isDiscreet: boolean) => {
    const [row] = await db.update(users).set({ isDiscreet }).where(eq(users.id, id)).returning();
    return row?.preferences;
  };
  expect(await former(true)).toEqual({ isDiscreet: true });
  expect(await site.identity.savePreferences(id, { isDiscreet: false })).toMatchObject({ isDiscreet: false });
  expect(await db.select({ isDiscreet: users.isDiscreet }).from(users).where(eq(users.id, id))).toEqual([
    { isDiscreet: false },
  ]);
  expect(await former(true)).toEqual({ isDiscreet: true });
});

test('a locked file and its transcript open only for a subscribed user, by cookie and by token', async () => {
  const content = new Uint8Array(1000).fill(7);
  const { bytes } = await blobs.write('audio/locked.mp3', content);
  const audio = await createAudio(db, {
    fileKey: 'audio/locked.mp3',
    fileBytes: bytes,
    cues: [{ start: 0, end: 2, text: 'Secret' }],
  });
  const user = await registerUser(site, identity);
  const file = (headers: Record<string, string>) => fetch(`${url}/media/audios/${audio.id}`, { headers });
  const cookie = `sotto_session=${user.token}`;
  expect((await file({})).status).toBe(401);
  expect((await file({ cookie })).status).toBe(402);
  expect((await call('GET', `/audios/${audio.id}/transcript`, { token: user.token })).status).toBe(402);
  await giveMonths(db, user.id, 1);
  const bearer = { authorization: `Bearer ${user.token}` };
  for (const headers of [{ cookie } as Record<string, string>, bearer]) {
    const opened = await file(headers);
    expect(opened.status).toBe(200);
    expect(opened.headers.get('cache-control')).toBe('private, no-cache');
  }
  expect((await call('GET', `/audios/${audio.id}/transcript`, { token: user.token })).status).toBe(200);
  expect((await call('GET', `/audios/${audio.id}/transcript`, { cookie })).status).toBe(401);
});

test.each([
  ['POST', '/auth/login', '{'],
  ['POST', '/auth/login', '[]'],
  ['POST', '/auth/login', { firebaseIdtoken: 7 }],
  ['POST', '/auth/register', { email: {}, username: [], password: null }],
  ['POST', '/auth/register', { ...form, email: `${'a'.repeat(3000)}@example.org` }],
  ['POST', '/auth/email/confirm', { token: '' }],
  ['PUT', '/user/profile', { color: '#123456' }],
  ['PUT', '/user/profile', { username: 5 }],
] as const)('%s %s with a body such as %j is a 400', async (method, path, body) => {
  const user = await registerUser(site, identity);
  const answer = await call(method, path, { body, token: user.token });
  expect(answer.status).toBe(400);
  expect(typeof answer.body.error.code).toBe('string');
});

test.each(['\u0000', 'a\u0000', '\ud800', '\u202e', 'a\u200b'])(
  'an invisible letter (%j) counts as none',
  async (icon) => {
    const user = await registerUser(site, identity);
    // Built by hand: the unpaired surrogate must arrive unchanged.
    const body = JSON.stringify({ icon });
    expect((await call('PUT', '/user/profile', { token: user.token, body })).status).toBe(400);
  },
);

test('a letter may be an emoji of several characters; an empty one counts as none', async () => {
  const { token } = await registerUser(site, identity);
  const save = async (icon: string) => (await call('PUT', '/user/profile', { token, body: { icon } })).body.user.icon;
  expect(await save(' 👩\u200d🚀 ')).toBe('👩\u200d🚀');
  expect(await save(' ')).toBeNull();
});

test('profile changes are rate limited, since each clears the caches', async () => {
  const { token } = await registerUser(site, identity);
  const save = (color: number) => call('PUT', '/user/profile', { token, body: { color: avatarColors[color] } });
  for (let round = 0; round < 30; round += 1) expect((await save(round % 6)).status).toBe(200);
  expect(await save(1)).toMatchObject({ status: 429, body: { error: { code: 'request/too-many' } } });
});

test('with Firebase, which changes the email on its own page, the answer says to log in again', async () => {
  const user = await registerUser(site, identity);
  vi.spyOn(site.facts, 'identity', 'get').mockReturnValue({ provider: 'firebase' } as typeof site.facts.identity);
  const body = { email: 'moves@example.org', password: user.password };
  expect((await call('POST', '/user/email', { token: user.token, body })).body.message).toBe(
    'Follow the link that was sent to moves@example.org to make the change. Then log out, and log in with the new address.',
  );
});

test('password and email changes are rate limited: each sends a mail', { ...slow, timeout: 60_000 }, async () => {
  const user = await registerUser(site, identity);
  const ask = async (round: number) =>
    (
      await call('POST', '/user/email', {
        token: user.token,
        body: { email: `new-${round}@example.org`, password: user.password },
      })
    ).status;
  const { length } = identity.mails;
  for (let round = 0; round < 5; round += 1) expect(await ask(round)).toBe(202);
  expect(await ask(5)).toBe(429);
  await vi.waitFor(() => expect(identity.mails.length - length).toBe(5));
  let { token, password } = user;
  const change = (newPassword: string) =>
    call('POST', '/user/password', { token, body: { currentPassword: password, newPassword } });
  for (let round = 0; round < 20; round += 1) {
    const changed = await change(`password ${round}`);
    expect(changed.status).toBe(200);
    token = changed.body.token;
    password = `password ${round}`;
  }
  expect((await change('one more')).status).toBe(429);
  // Hashes eighty passwords, which is slow by design.
});

test('a change of email with a wrong password uses none of its five mails a day', async () => {
  const user = await registerUser(site, identity);
  const ask = async (round: number, password: string) =>
    (
      await call('POST', '/user/email', {
        token: user.token,
        body: { email: `wrong-${round}@example.org`, password },
      })
    ).status;
  for (let round = 0; round < 6; round += 1) expect(await ask(round, 'not mine')).toBe(403);
  expect(await ask(6, user.password)).toBe(202);
});

test('a cross-site call from a browser changes nothing', async () => {
  const user = await registerUser(site, identity);
  const firebaseIdtoken = await signIn(identity, user.email, user.password);
  const logIn = (from: string) =>
    call('POST', '/auth/login', { body: { firebaseIdtoken }, headers: { 'sec-fetch-site': from } });
  for (const from of ['cross-site', 'same-site', 'none']) {
    const refused = await logIn(from);
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([400, null]);
  }
  expect((await logIn('same-origin')).status).toBe(200);
});

test('deleting an account during concurrent use causes no error and leaves no data', slow, async () => {
  const user = await registerUser(site, identity);
  const { token, password, email } = user;
  const idTokens = await Promise.all([1, 2, 3].map(() => signIn(identity, email, password)));
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => call('DELETE', '/user', { token, body: { password } })),
    ...idTokens.map((firebaseIdtoken) => call('POST', '/auth/login', { body: { firebaseIdtoken } })),
    call('PUT', '/user/profile', { token, body: { color: '#F0B37E', username: `${user.username}-2` } }),
    call('POST', '/user/password', { token, body: { currentPassword: password, newPassword: 'another one' } }),
    call('POST', '/user/email', { token, body: { email: `2-${email}`, password } }),
    call('GET', '/user/export', { token }),
    call('GET', '/profile', { token }),
  ]);
  for (const { status } of answers) expect(status).toBeLessThan(500);
  expect(answers[0]?.status).toBe(204);
  for (const table of ['users', 'provider_users'])
    expect((await started.database.pool.query(`select from ${table} where email = $1`, [email])).rowCount).toBe(0);
});

test('following links is rate limited', async () => {
  const follow = async () => (await call('POST', '/auth/email/confirm', { body: { token: 'no link' } })).status;
  const statuses = new Set<number>();
  // Other tests follow links too.
  for (let round = 0; round < 61; round += 1) statuses.add(await follow());
  expect([...statuses]).toEqual([400, 429]);
});

test('a body of 20 kB is too large, and no request above logged an error', async () => {
  expect((await call('POST', '/auth/login', { body: { firebaseIdtoken: 'x'.repeat(20_000) } })).status).toBe(413);
  expect(started.errors).toEqual([]);
});
