import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#api/calls.ts';
import { operator } from '#domain/kernel/actor.ts';
import { users } from '#domain/identity/tables.ts';
import { type AgeGate, mayEnter } from '#domain/age/rules.ts';
import { AgeSettings, ageSetting } from '#domain/age/settings.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { Languages } from '#domain/settings/languages.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import pages from '#web/routes.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { writeMmdb } from '#test/support/mmdb.ts';
import { startTestSite } from '#test/support/site.ts';
import { ageClassOf } from './age-classes.ts';

const folder = mkdtempSync(join(tmpdir(), 'sotto-age-'));
afterAll(() => rmSync(folder, { recursive: true }));
const regions = join(folder, 'regions.mmdb');
writeMmdb(regions, { '203.0.113.0/24': 'IS', '2001:db8::/32': 'IS' });

const { url, db, site, blobs, routes } = await startTestSite({
  TRUST_PROXY: '1',
  REGION_HEADER: 'CF-IPCountry',
  REGION_DATABASE: regions,
});
const bytes = Buffer.from('sound');
const audio = await createAudio(db, { isFree: true, fileKey: 'audios/one.m4a', fileBytes: bytes.length });
await blobs.write('audios/one.m4a', bytes);

let revision = 0;
async function set(value: Partial<AgeSettings>): Promise<void> {
  await changeSetting(db, ageSetting, { actor: operator, value: AgeSettings.parse(value), revision });
  revision += 1;
  await site.settings.refresh();
}

/** Rules of three regions: one for each state of a visitor who has confirmed nothing. */
const rules = [
  { place: 'IS', rule: 'none', again: 'device', preset: null },
  { place: 'FR', rule: 'statement', again: 'year', preset: null },
  { place: 'DE', rule: 'proof', again: 'device', preset: null },
  { place: 'GB', rule: 'proof', again: 'year', preset: null },
] as const;
const regionOf: Record<AgeGate, string> = { open: 'IS', statement: 'FR', proof: 'GB' };
const states = Object.keys(regionOf) as AgeGate[];

beforeAll(async () => {
  await site.admin.site.changeSection(operator, 'languages', { value: Languages.parse({ de: true }), revision: 0 });
  await set({ rules: [...rules] });
});

type Asks = { method?: string; region?: string; token?: string; cookie?: string; accept?: string; headers?: object };

function ask(path: string, { method = 'GET', region = 'IS', token, cookie, accept, headers }: Asks = {}) {
  return fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': '198.51.100.7',
      'cf-ipcountry': region,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
      ...(accept && { accept }),
      ...headers,
    },
  });
}

async function isRefused(response: Response): Promise<boolean> {
  if (response.status === 302) return response.headers.get('location')?.startsWith('/age?to=') === true;
  return response.status === 403 && (await response.text()).includes('age/required');
}

const yearAgo = new Date(Date.now() - 400 * 24 * 60 * 60 * 1000);

/** Their statement, of when the account was made, no longer counts. */
async function newUser() {
  const { id } = await createUser(db);
  await db.update(users).set({ termsAcceptedAt: yearAgo }).where(eq(users.id, id));
  return { id, token: (await createSession(db, id)).token };
}

const filled = (path: string) => path.replace(/\{\w+\}|:\w+(?:\{[^}]*\}(?:\)\})?)?\??/g, audio.id).replace('*', 'x');

/** Calls, routes and pages that a rule leaves open. All others are closed before a proof. */
const openCalls =
  /^\/(?:admin|auth|notices|subscription|gift-cards|stripe|age|profile|events)\b|^\/user(?:$|\/(?:me|profile|password|email|languages?|discreet|export|sessions|subscription|invoices|gift-cards?|feeds|blocks?|hidden-tags|analytics-consent|notification-preferences|push-subscriptions|offline-devices)\b)/;
const openPages =
  /^(?:about|terms|privacy|reset-password|confirm-email|unsubscribe\/:token\?|report(?:\/:token)?|consent\/:token\/:step\?|manifest\.webmanifest|account(?:\/(?:profile|subscription|gift-cards|feeds|sessions|blocked|notifications|analytics|data))?|account\/invoices(?:\/:id)?|gift-card(?:\/redeem|\/:id)?|(?:admin|age)(?:\/.*)?)$/;
const soundCalls = [
  'GET /audios/play/{id}',
  'GET /audios/{id}/transcript',
  'GET /audios/{id}/chapters',
  'POST /user/offline-devices',
];
soundCalls.push('POST /user/offline-devices/{id}/licence');

const ofCall = (method: string, path: string) =>
  soundCalls.includes(`${method} ${path}`) ? 'sound' : openCalls.test(path) ? 'open' : 'page';

describe.each(['visitor', 'user'] as const)('for a %s', (who) => {
  test.each(states)('every call obeys a rule whose state is “%s”', async (state) => {
    const token = who === 'user' ? (await newUser()).token : undefined;
    for (const { call } of calls) {
      const method = call.method.toUpperCase();
      // Their own acts end the session, or take a try.
      if (ofCall(method, call.path) === 'open' && method !== 'GET') continue;
      const path = `/v1/api${filled(call.path)}`;
      const response = await ask(path, { method, region: regionOf[state], ...(token && { token }) });
      expect([method, call.path, await isRefused(response)]).toEqual([
        method,
        call.path,
        !mayEnter(state, ofCall(method, call.path)),
      ]);
    }
  });
});

test('each call that is open or gives sound has the class that this table says, whatever its version', () => {
  for (const { call } of calls)
    for (const version of ['v1', 'v2']) {
      const method = call.method.toUpperCase();
      const { of } = ageClassOf(method, `/${version}/api${filled(call.path)}`);
      expect([method, call.path, of]).toEqual([method, call.path, ofCall(method, call.path)]);
    }
});

test.each(states)('every route of files, feeds and pages obeys a rule whose state is “%s”', async (state) => {
  const open =
    /^\/(?:healthz|readyz|metrics|look|feeds|identity|webhooks|unsubscribe|report|consent|age|embed|offline|favicon\.ico|robots\.txt|service-worker\.js|\.well-known)\b/;
  const sound = /^\/(?:media|studio-files|clip\/[^/]+\/sound)\b/;
  const read = routes.filter(({ method, path }) => method === 'GET' && !/\/v\d\/api/.test(path) && path !== '*');
  expect(read.length).toBeGreaterThan(25);
  for (const { path } of read) {
    const of = sound.test(path) ? 'sound' : open.test(path) ? 'open' : 'page';
    const response = await ask(filled(path), { region: regionOf[state] });
    expect([path, await isRefused(response)]).toEqual([path, !mayEnter(state, of)]);
  }
});

type RouteEntry = { path?: string; index?: boolean; children?: RouteEntry[] };
function pathsOf(entries: readonly RouteEntry[], base = ''): string[] {
  return entries.flatMap(({ path, children, index }) => {
    const whole = path === undefined ? base : `${base}${base === '' ? '' : '/'}${path}`;
    return [...(index || (path !== undefined && !children) ? [whole] : []), ...pathsOf(children ?? [], whole)];
  });
}

test('every page and its data is closed before a proof, but for those of this list', async () => {
  const paths = [...new Set(pathsOf(pages as RouteEntry[]))];
  expect(paths.length).toBeGreaterThan(70);
  for (const path of paths) {
    const isOpen = openPages.test(path);
    const address = `/${filled(path)}`;
    const page = await ask(address, { region: 'GB', accept: 'text/html' });
    expect([path, await isRefused(page)]).toEqual([path, !isOpen]);
    const data = await ask(address === '/' ? '/_root.data' : `${address}.data`, { region: 'GB' });
    expect([path, data.headers.get('x-remix-redirect')]).toEqual([
      path,
      isOpen ? null : `/age?to=${encodeURIComponent(address)}`,
    ]);
    const shown = await ask(`/de${address}`, { region: 'FR', accept: 'text/html' });
    expect([path, await isRefused(shown)]).toEqual([path, false]);
  }
});

test('a refused page names where it came from, in its language, and is kept by nobody', async () => {
  const response = await ask('/de/audio/one?t=9', { region: 'GB', accept: 'text/html' });
  expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
    302,
    '/de/age?to=%2Fde%2Faudio%2Fone%3Ft%3D9',
    'private, no-store',
  ]);
});

test('nothing that differs by region is left to shared caches', async () => {
  const images = await ask('/v1/api/audios', { region: 'IS' });
  expect(images.headers.get('cache-control') ?? 'private').toMatch(/^private/);
  const sound = await ask(`/media/audios/${audio.id}`, { region: 'IS' });
  expect([sound.status, sound.headers.get('cache-control')]).toEqual([200, 'private, max-age=3600']);
});

test('the region is the proxy’s word alone, and unknown ones have the rule for everywhere else', async () => {
  const sound = `/media/audios/${audio.id}`;
  await set({ rules: [...rules], others: { rule: 'statement', again: 'device' } });
  const status = async (headers: object, region?: string) =>
    (await ask(sound, { headers, ...(region && { region }) })).status;
  expect(await status({}, 'IS')).toBe(200);
  for (const region of ['XX', 'T1', 'JP', 'I S']) expect([region, await status({}, region)]).toEqual([region, 403]);
  // Without a proxy in between, the header is the client's own.
  expect(await status({ 'x-forwarded-for': '' }, 'IS')).toBe(403);
  await set({ rules: [...rules] });
});

test('the operator’s file knows the region where the proxy names none', async () => {
  const sound = `/media/audios/${audio.id}`;
  await set({ rules: [...rules], others: { rule: 'statement', again: 'device' } });
  const status = async (from: string, region = '') =>
    (await ask(sound, { region, headers: { 'x-forwarded-for': from } })).status;
  for (const from of ['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9:4711', '2001:db8:1::1', 'IS, 203.0.113.9'])
    expect([from, await status(from)]).toEqual([from, 200]);
  for (const from of ['198.51.100.7', '203.0.113.9, 198.51.100.7', '203.0.113.9.1', 'x', ''])
    expect([from, await status(from)]).toEqual([from, 403]);
  expect(await status('203.0.113.9', 'FR')).toBe(403);
  expect(await status('203.0.113.9', 'XX')).toBe(200);
  // Answers from memory ask by address, too.
  const path = '/v1/api/audios';
  await set({ rules: [...rules], others: { rule: 'proof', again: 'device' } });
  const list = async (from: string) => (await ask(path, { region: '', headers: { 'x-forwarded-for': from } })).status;
  expect([await list('203.0.113.9'), await list('203.0.113.9'), await list('198.51.100.7')]).toEqual([200, 200, 403]);
  await set({ rules: [...rules] });
});

test.each([
  ['GB', 'statement', false],
  ['GB', 'wallet', true],
  ['GB', 'provider', true],
  ['DE', 'statement', false],
  // Each device needs its own there; a feed has none, and counts once.
  ['DE', 'wallet', true],
] as const)(
  'in %s, an account’s %s opens its feed, and downloads where it opens the device: %s',
  async (region, method, opens) => {
    const { id, token } = await newUser();
    await giveMonths(db, id, 1);
    const owner = { kind: 'user', id, isSubscribed: true, isComplete: true } as const;
    const made = await site.feeds.makeFeed(owner, { kind: 'all', subject: undefined } as never);
    if (!made.ok) throw new Error(made.reason);
    const feed = async () => (await ask(`/feeds/${made.token}.xml`, { region })).text();
    const download = () => ask('/v1/api/user/offline-devices', { method: 'POST', region, token });
    expect(await feed()).toContain('Confirm your age');
    expect(await isRefused(await download())).toBe(true);
    await site.age.keepConfirmation(id, { method, place: region, again: 'year', until: undefined });
    expect((await feed()).includes('Confirm your age')).toBe(!opens);
    expect(await isRefused(await download())).toBe(!opens || region === 'DE');
  },
);

describe('a statement', () => {
  const sound = `/media/audios/${audio.id}`;
  const answer = (body: object, headers: Record<string, string> = {}, region = 'FR') =>
    fetch(`${url}/age/statement`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-for': '198.51.100.7', 'cf-ipcountry': region, ...headers },
      body: new URLSearchParams({ ...body }),
    });
  const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  test('opens sound on this device, leads back, and is none for a rule that asks for proof', async () => {
    const response = await answer({ answer: 'yes', to: '/audio/one' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/audio/one']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^sotto_age=.*; Max-Age=31\d{6}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const cookie = cookieOf(response);
    expect((await ask(sound, { region: 'FR', cookie })).status).toBe(200);
    expect((await ask(sound, { region: 'GB', cookie })).status).toBe(403);
    const forged = cookie.replace('statement', 'stand-in');
    expect((await ask(sound, { region: 'GB', cookie: forged })).status).toBe(403);
    expect((await ask(sound, { region: 'FR', cookie: forged })).status).toBe(403);
  });

  test('is kept for the account, too, and counts for its feeds and apps without a cookie', async () => {
    const { id, token } = await newUser();
    await giveMonths(db, id, 1);
    const made = await site.feeds.makeFeed({ kind: 'user', id, isSubscribed: true, isComplete: true }, {
      kind: 'all',
      subject: undefined,
    } as never);
    if (!made.ok) throw new Error(made.reason);
    const feed = () => ask(`/feeds/${made.token}.xml`, { region: 'FR' }).then((response) => response.text());
    expect(await feed()).toContain('Confirm your age');
    expect((await ask(sound, { region: 'FR', token })).status).toBe(403);
    const stated = await ask('/v1/api/age/statement', { method: 'POST', region: 'FR', token });
    expect([stated.status, cookieOf(stated)]).toEqual([204, expect.stringContaining('sotto_age=statement.FR.year.')]);
    expect((await ask(sound, { region: 'FR', token })).status).toBe(200);
    expect(await feed()).not.toContain('Confirm your age');
  });

  test('was given by an account when it was made', async () => {
    const { id, token } = await newUser();
    expect((await ask(sound, { region: 'FR', token })).status).toBe(403);
    await db.update(users).set({ termsAcceptedAt: new Date() }).where(eq(users.id, id));
    expect((await ask(sound, { region: 'FR', token })).status).toBe(200);
    await db.update(users).set({ username: null }).where(eq(users.id, id));
    expect((await ask(sound, { region: 'FR', token })).status).toBe(403);
  });

  test('“I am under 18” leads to its page, and “by mistake” asks again', async () => {
    const no = await answer({ answer: 'no', to: '/de/audio/one' });
    expect([no.headers.get('location'), cookieOf(no)]).toEqual([
      '/de/age/under?to=%2Fde%2Faudio%2Fone',
      'sotto_under_age=1',
    ]);
    const again = await answer({ answer: 'again', to: '/audio/one' });
    expect([again.headers.get('location'), cookieOf(again)]).toEqual([
      '/age/statement?to=%2Faudio%2Fone',
      'sotto_under_age=',
    ]);
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '', 'audio/one', '/a\nb'])(
    'does not lead to %j',
    async (to) => {
      expect((await answer({ answer: 'yes', to })).headers.get('location')).toBe('/');
    },
  );

  test('is not taken from other sites, nor any other answer', async () => {
    expect((await answer({ answer: 'yes' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    expect((await answer({ answer: 'maybe' })).status).toBe(400);
    expect((await answer({})).status).toBe(400);
    expect(cookieOf(await answer({ answer: 'yes' }, {}, 'IS'))).toBe('');
  });
});
