import { beforeEach, expect, test } from 'vitest';
import { AgeSettings, ageSetting } from '#domain/age/settings.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { operator } from '#domain/kernel/actor.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, site, blobs, database } = await startTestSite({ TRUST_PROXY: '1', REGION_HEADER: 'CF-IPCountry' });
const audio = await createAudio(db, { isFree: true, fileKey: 'audios/one.m4a', fileBytes: 5 });
await blobs.write('audios/one.m4a', Buffer.from('sound'));
const sound = `/media/audios/${audio.id}`;
const value = AgeSettings.parse({
  rules: [
    { place: 'GB', rule: 'proof', again: 'year' },
    { place: 'FR', rule: 'statement', again: 'year' },
  ],
  others: { rule: 'none', again: 'device' },
});
await changeSetting(db, ageSetting, { actor: operator, value, revision: 0 });
await site.settings.refresh();

type Asks = { cookie?: string; region?: string; form?: Record<string, string>; headers?: Record<string, string> };
function ask(path: string, { cookie, region = 'IS', form, headers }: Asks = {}) {
  return fetch(url + path, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    headers: { 'x-forwarded-for': '198.51.100.7', 'cf-ipcountry': region, ...(cookie && { cookie }), ...headers },
  });
}
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((line) => !line.endsWith('='))
    .join('; ');
const see = (session: string, place: string) => ask('/age/see-as', { cookie: session, form: { place } });

async function newAdmin() {
  const { id } = await createUser(db);
  await setAdmin(db, id, true);
  return { id, session: `sotto_session=${(await createSession(db, id)).token}` };
}
let admin: Awaited<ReturnType<typeof newAdmin>>;
/** Their browser, which sees the site as a visitor of a place. */
async function seenFrom(place: string) {
  const begun = await see(admin.session, place);
  expect([begun.status, begun.headers.get('location')]).toEqual([303, '/']);
  return `${admin.session}; ${cookiesOf(begun)}`;
}
beforeEach(async () => void (admin = await newAdmin()));

test('an operator meets what a visitor of a place meets, and keeps Admin', async () => {
  for (const [place, status, to] of [
    ['GB', 403, '/age?to=%2F'],
    ['FR', 403, null],
    ['JP', 200, null],
    ['elsewhere', 200, null],
  ] as const) {
    const cookie = await seenFrom(place);
    const page = await ask('/', { cookie, headers: { accept: 'text/html' } });
    expect([place, (await ask(sound, { cookie })).status, page.headers.get('location')]).toEqual([place, status, to]);
    expect((await ask('/admin/settings/age', { cookie })).headers.get('location')).toBeNull();
  }
  // The own region does not matter.
  expect((await ask(sound, { cookie: await seenFrom('JP'), region: 'GB' })).status).toBe(200);
});

test('a confirmation of the account counts for nothing meanwhile, and none is given to it', async () => {
  await site.age.keepConfirmation(admin.id, { method: 'wallet', place: 'GB', again: 'year', until: undefined });
  expect((await ask(sound, { cookie: admin.session, region: 'GB' })).status).toBe(200);
  expect((await ask(sound, { cookie: await seenFrom('GB') })).status).toBe(403);

  const other = await newAdmin();
  admin = other;
  const cookie = await seenFrom('FR');
  const stated = await ask('/age/statement', { cookie, form: { answer: 'yes', to: '/' } });
  expect(cookiesOf(stated)).toMatch(/^sotto_tried_age=statement\.FR\.year\./);
  expect((await ask(sound, { cookie: `${cookie}; ${cookiesOf(stated)}` })).status).toBe(200);
  // It opens nothing for a browser that does not try it.
  const tried = await ask(sound, { cookie: cookiesOf(stated), region: 'FR' });
  expect(tried.status).toBe(403);
  const { rows } = await database.pool.query('select from age_confirmations where user_id = $1', [other.id]);
  expect(rows).toEqual([]);
});

test('it ends with a press, and forgets what was tried', async () => {
  const cookie = await seenFrom('GB');
  const ended = await ask('/age/see-as', { cookie, form: {} });
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/admin/settings/age']);
  for (const name of ['sotto_see_as', 'sotto_tried_age', 'sotto_under_age'])
    expect(ended.headers.getSetCookie().find((line) => line.startsWith(`${name}=;`))).toContain('Max-Age=0');
});

test('only an operator begins it, from the site itself, and it is theirs alone', async () => {
  const user = await createUser(db);
  const session = `sotto_session=${(await createSession(db, user.id)).token}`;
  expect([(await see(session, 'GB')).status, (await ask('/age/see-as', { form: { place: 'GB' } })).status]).toEqual([
    404, 404,
  ]);
  expect((await see(admin.session, 'Nowhere')).status).toBe(400);
  const elsewhere = { cookie: admin.session, form: { place: 'JP' }, headers: { 'sec-fetch-site': 'cross-site' } };
  expect((await ask('/age/see-as', elsewhere)).status).toBe(400);

  const [, chosen = ''] = (await seenFrom('JP')).split('; ');
  const status = async (cookie: string) => (await ask(sound, { cookie, region: 'GB' })).status;
  expect(await status(`${admin.session}; ${chosen}`)).toBe(200);
  const later = chosen.replace(/JP\.(\d+)/, (_, at) => `JP.${Number(at) + 1}`);
  const other = await newAdmin();
  for (const cookie of [chosen, `${session}; ${chosen}`, `${other.session}; ${chosen}`, `${admin.session}; ${later}`])
    expect([cookie === chosen, await status(cookie)]).toEqual([cookie === chosen, 403]);
  await setAdmin(db, admin.id, false);
  expect(await status(`${admin.session}; ${chosen}`)).toBe(403);
});

test('no cache keeps an answer to it, or answers it', async () => {
  const call = '/v1/api/audios';
  const cacheOf = async (cookie?: string) => {
    const answer = await ask(call, cookie === undefined ? {} : { cookie });
    return [answer.status, answer.headers.get('cache-control')];
  };
  const usual = await cacheOf();
  const cookie = await seenFrom('FR');
  const [, chosen = ''] = cookie.split('; ');
  expect(await cacheOf(cookie)).toEqual([200, 'private, no-store']);
  // It is in the cache by now, for everybody.
  expect((await ask(call, { cookie: await seenFrom('GB') })).status).toBe(403);
  // A cookie that means nothing changes nothing.
  for (const one of [undefined, 'sotto_see_as=x', chosen]) expect([one, await cacheOf(one)]).toEqual([one, usual]);
});
