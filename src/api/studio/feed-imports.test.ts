import { expect, test } from 'vitest';
import { importedAudios, oldPaths } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { feedImports } from '#domain/studio/tables.ts';
import { createAudio, createSeries, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, site } = await startTestSite();

const voice = await createVoice(db);
const { id: userId } = await createUser(db);
await setVoiceOwner(db, voice.id, userId, true);
const { token } = await createSession(db, userId);

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api/studio/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

test.each([
  ['nothing', {}],
  ['an address and a file', { url: 'https://old.example/', feed: '<rss/>' }],
  ['a path', { url: '/feed.xml' }],
  ['a local file', { url: 'file:///etc/passwd' }],
  ['words', { url: 'https:// old example' }],
])('%s is no feed', async (_, body) => {
  expect((await call('POST', `voices/${voice.id}/feed-imports`, body)).status).toBe(400);
  expect(await db.$count(feedImports)).toBe(0);
});

test('an import is started, shown, replaced and dropped', async () => {
  expect((await call('GET', `voices/${voice.id}/feed-import`)).status).toBe(404);
  const first = await call('POST', `voices/${voice.id}/feed-imports`, { url: 'https://old.example/feed.xml' });
  expect(first.status).toBe(201);
  const second = await call('POST', `voices/${voice.id}/feed-imports`, { feed: '<rss/>' });
  expect((await call('GET', `voices/${voice.id}/feed-import`)).body).toMatchObject({
    id: second.body.id,
    url: null,
    state: 'reading',
    counts: { all: 0 },
    choices: { isFree: false, publishes: true, keepsGuids: true },
  });
  expect((await call('GET', `feed-imports/${second.body.id}/items`)).body).toEqual({ items: [], nextCursor: null });
  expect((await call('POST', `feed-imports/${second.body.id}/run`, {})).body.error.code).toBe('import/too-late');
  expect((await call('POST', `feed-imports/${second.body.id}/stop`)).body.error.code).toBe('import/too-late');
  expect((await call('DELETE', `feed-imports/${second.body.id}`)).status).toBe(204);
  expect((await call('DELETE', `feed-imports/${second.body.id}`)).status).toBe(404);
});

test('the list of old pages is a file, for those who manage the creator', async () => {
  const audio = await createAudio(db, { voiceId: voice.id });
  await db.insert(oldPaths).values({ path: '/ep/=1,2', audioId: audio.id });
  const get = (by: string) =>
    fetch(`${url}/v1/api/studio/voices/${voice.id}/old-pages.csv`, { headers: { authorization: `Bearer ${by}` } });
  const file = await get(token);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await file.text()).toBe(`Old path,New address\r\n"/ep/=1,2",${site.facts.url}/audio/${audio.slug}\r\n`);
  const stranger = await createSession(db, (await createUser(db)).id);
  expect((await get(stranger.token)).status).toBe(404);
});

test('the feed of a creator names the old GUIDs, and one of a series our own', async () => {
  const audio = await createAudio(db, { voiceId: voice.id, isFree: true });
  const fresh = await createAudio(db, { voiceId: voice.id, isFree: true });
  const series = await createSeries(db, { voiceId: voice.id, audioIds: [audio.id, fresh.id] });
  await db.insert(importedAudios).values([
    { audioId: audio.id, guid: 'https://old.example/?p=1&x=<2>', keepsGuid: true },
    { audioId: fresh.id, guid: 'not-kept', keepsGuid: false },
  ]);
  const guids = async (path: string) =>
    [...(await (await fetch(`${url}${path}/feed.xml`)).text()).matchAll(/<guid isPermaLink="false">([^<]+)</g)]
      .map(([, guid]) => guid)
      .toSorted();
  expect(await guids(`/creators/${voice.slug}`)).toEqual(
    [fresh.id, 'https://old.example/?p=1&amp;x=&lt;2&gt;'].toSorted(),
  );
  expect(await guids(`/series/${series.slug}`)).toEqual([audio.id, fresh.id].toSorted());
});
