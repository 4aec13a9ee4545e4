import { expect, test } from 'vitest';
import { createAudio, createCategory, createPlaylist, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();

const category = await createCategory(db);
const place = { categoryIds: [category.id] };
const english = await createAudio(db, { ...place, title: 'Wave one' });
const german = await createAudio(db, { ...place, title: 'Wave two', language: 'de' });
const wordless = await createAudio(db, { ...place, title: 'Wave three', language: 'zxx' });
const playlist = await createPlaylist(db, { audioIds: [english.id, german.id, wordless.id] });
const names = new Map([
  [english.id, 'en'],
  [german.id, 'de'],
  [wordless.id, 'zxx'],
]);

async function call(path: string, headers: Record<string, string> = {}, method = 'GET', body?: object) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

async function languagesOf(path: string, headers?: Record<string, string>): Promise<string[]> {
  const { body } = await call(path, headers);
  const items = (body['items'] ?? (body['audios'] as { hits: never } | undefined)?.hits) as unknown as { id: string }[];
  return items.map(({ id }) => names.get(id) ?? '').toSorted();
}

async function logIn() {
  const { id } = await createUser(db);
  return { authorization: `Bearer ${(await createSession(db, id)).token}` };
}

const paths = [
  '/audios',
  `/categories/${category.slug}/audios`,
  `/playlists/${playlist.slug}/audios`,
  `/audios/${english.id}/similar?limit=9`,
  '/search?query=wave',
];
const all = (path: string) => ['de', 'en', 'zxx'].filter((code) => code !== 'en' || !path.includes('similar'));

test.each(paths)('%s: visitors in turn get what their cookies choose, and all where they ask for it', async (path) => {
  const inAll = `${path}${path.includes('?') ? '&' : '?'}languages=all`;
  for (let round = 0; round < 2; round += 1) {
    expect(await languagesOf(path)).toEqual(all(path));
    expect(await languagesOf(path, { cookie: 'sotto_listens=de' })).toEqual(['de', 'zxx']);
    expect(await languagesOf(path, { cookie: 'sotto_listens=fr' })).toEqual(['zxx']);
    expect(await languagesOf(inAll, { cookie: 'sotto_listens=fr' })).toEqual(all(path));
  }
});

test('a choice of the account applies from the next call on, everywhere, and before that the one of the browser', async () => {
  const user = await logIn();
  const cookie = { ...user, cookie: 'sotto_listens=fr' };
  expect(await call('/user/languages', user)).toMatchObject({ body: { listensTo: null, hidesOtherComments: false } });
  expect(await languagesOf('/audios', user)).toEqual(['de', 'en', 'zxx']);
  expect(await languagesOf('/audios', cookie)).toEqual(['zxx']);
  const choice = { listensTo: ['de-AT'], hidesOtherComments: true };
  const saved = { listensTo: ['de'], hidesOtherComments: true };
  expect(await call('/user/languages', user, 'PUT', choice)).toEqual({ status: 200, body: saved });
  expect((await call('/user/languages', cookie)).body).toEqual(saved);
  for (const headers of [user, cookie]) {
    expect(await languagesOf('/audios', headers)).toEqual(['de', 'zxx']);
    expect(await languagesOf('/audios?languages=all', headers)).toEqual(['de', 'en', 'zxx']);
  }
  expect((await call('/user/languages', user, 'PUT', { listensTo: null })).status).toBe(200);
  expect(await languagesOf('/audios', cookie)).toEqual(['de', 'en', 'zxx']);
});

test.each([[['xx']], [['zxx']], [[]], ['de'], [['de', 'not a language']]])('%j is refused', async (listensTo) => {
  const answer = await call('/user/languages', await logIn(), 'PUT', { listensTo });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'request/invalid' } } });
});

test('another value than all is refused', async () => {
  expect((await call('/audios?languages=de')).status).toBe(400);
});

test('the languages of the audios are public, with their numbers', async () => {
  expect((await call('/languages')).body).toEqual({
    items: ['de', 'en', 'zxx'].map((language) => ({ language, audios: 1 })),
  });
});
