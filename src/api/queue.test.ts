import { request } from 'node:http';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { keptReasons } from '#domain/listening/forms.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, errors, site } = await startTestSite();
const first = await createAudio(db);
const second = await createAudio(db);

const item = ({ id }: { id: string }, source = 'playlist') => ({ id, source });
const queue = (more: object = {}) => ({
  list: [item(first, 'queue'), item(second)],
  played: [],
  listType: 'playlist',
  index: 0,
  individualAddToQueueIndex: 1,
  isIndividualQueueUpdate: false,
  position: 0.25,
  ...more,
});

async function call(token: string | undefined, method: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/v1/api/user/queue`, {
    method,
    headers: {
      // Otherwise fetch requests compression, which changes the entity tag.
      'accept-encoding': 'identity',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const put = (token: string, seen: number, body: unknown) => call(token, 'PUT', body, { 'if-match': `"${seen}"` });
const newUser = async () => (await createSession(db, (await createUser(db)).id)).token;

test('the position goes with the history', async () => {
  const token = await newUser();
  const remove = (audioId = '') =>
    fetch(`${url}/v1/api/history/me${audioId && `/items/${audioId}`}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
  const position = async () => (await call(token, 'GET')).body.queue.position;
  await put(token, 0, queue());
  expect((await remove(second.id)).status).toBe(204);
  expect(await position()).toBe(0.25);
  expect((await remove(first.id)).status).toBe(204);
  expect(await position()).toBe(0);
  expect((await put(token, 1, queue())).status).toBe(200);
  expect((await remove()).status).toBe(204);
  expect(await position()).toBe(0);
});

test.each(keptReasons)('a queue that goes on by itself (%s) is saved', async (reason) => {
  const token = await newUser();
  const kept = queue({ list: [item(first, `audio_details:${reason}`)], individualAddToQueueIndex: 0 });
  expect((await put(token, 0, kept)).status).toBe(200);
  expect((await call(token, 'GET')).body.queue).toEqual(kept);
});

test('a queue saved on one device is on the other, with its audios', async () => {
  const token = await newUser();
  const empty = await call(token, 'GET');
  expect(empty).toMatchObject({
    status: 200,
    body: { version: 0, audios: [], dropped: 0, queue: { list: [], index: 0 } },
  });
  expect(empty.headers.get('etag')).toBe('"0"');
  expect(empty.headers.get('cache-control')).toBe('private, no-store');

  const saved = await put(token, 0, queue());
  expect(saved).toMatchObject({ status: 200, body: { version: 1, dropped: 0 } });
  expect(saved.headers.get('etag')).toBe('"1"');
  const read = await call(token, 'GET');
  expect(read).toMatchObject({ status: 200, body: { version: 1, queue: queue(), dropped: 0 } });
  expect(read.headers.get('etag')).toBe('"1"');
  expect(read.body.audios.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  expect(read.body.audios[0]).toMatchObject({ title: first.title, numberDuration: 60 });
  expect((await put(token, 1, queue({ list: [item(second)] }))).body).toEqual({ version: 2, dropped: 0 });
  expect((await call(await newUser(), 'GET')).body).toMatchObject({ version: 0 });
});

test('a page gets only the head: the first audio that still exists, and its place', async () => {
  const { id } = await createUser(db);
  expect((await site.findPageFacts(id))?.queueHead).toBeUndefined();
  const gone = await createAudio(db);
  await site.library.saveQueue(id, [0], queue({ list: [item(gone, 'queue'), item(first, 'search'), item(second)] }));
  expect((await site.findPageFacts(id))?.queueHead).toMatchObject({
    audio: { id: gone.id },
    source: 'queue',
    seconds: 15,
  });
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, gone.id));
  expect((await site.findPageFacts(id))?.queueHead).toMatchObject({
    audio: { id: first.id },
    source: 'search',
    seconds: 0,
  });
  await site.listening.saveProgress(id, first.id, 42);
  expect((await site.findPageFacts(id))?.queueHead).toMatchObject({ audio: { id: first.id }, seconds: 42 });
  await site.listening.removeProgress(id, first.id);
  expect((await site.findPageFacts(id))?.queueHead).toMatchObject({ audio: { id: first.id }, seconds: 0 });
  await site.library.saveQueue(id, [1], queue({ list: [] }));
  expect((await site.findPageFacts(id))?.queueHead).toBeUndefined();
});

test('two devices save over the same version: the second gets the newer queue', async () => {
  const token = await newUser();
  for (const seen of [0, 1]) {
    const outcomes = await Promise.all(
      [first, second].map((head) => put(token, seen, queue({ list: [item(head)], position: 0 }))),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const refused = outcomes.find(({ status }) => status === 412);
    const won = outcomes[0]?.status === 200 ? first : second;
    expect(refused?.body).toMatchObject({
      error: { code: 'queue/newer-version' },
      newest: { version: seen + 1, queue: { list: [item(won)] }, audios: [{ id: won.id }], dropped: 0 },
    });
    expect(refused?.headers.get('etag')).toBe(`"${seen + 1}"`);
  }
  expect((await put(token, 7, queue())).status).toBe(412);
});

test('a request without If-Match changes nothing', async () => {
  const token = await newUser();
  expect(await call(token, 'PUT', queue())).toMatchObject({
    status: 428,
    body: { error: { code: 'request/precondition-required' } },
  });
  expect(await call(token, 'PUT', queue(), { 'if-match': '0' })).toMatchObject({
    status: 400,
    body: { error: { code: 'request/invalid' } },
  });
  // Strong comparison, and `*` needs a saved queue (RFC 9110 §13.1.1).
  for (const ifMatch of ['*', 'W/"0"', '"1", "2"', '"-1"', '"x"', '"99999999999999999999"'])
    expect(await call(token, 'PUT', queue(), { 'if-match': ifMatch })).toMatchObject({
      status: 412,
      body: { error: { code: 'queue/newer-version' } },
    });
  expect((await call(token, 'GET')).body).toMatchObject({ version: 0 });
});

test('If-Match accepts a list of versions, `*`, and the tag of a compressed answer', async () => {
  const token = await newUser();
  const save = (ifMatch: string) => call(token, 'PUT', queue({ list: [item(first)] }), { 'if-match': ifMatch });
  expect((await save('"7", "0"')).body).toMatchObject({ version: 1 });
  expect((await save('W/"1", "0"')).status).toBe(412);
  expect((await save('"0", "1"')).body).toMatchObject({ version: 2 });
  expect((await save('*')).body).toMatchObject({ version: 3 });
  const { headers } = await fetch(`${url}/v1/api/user/queue`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, identity;q=0' },
  });
  expect([headers.get('etag'), headers.get('content-encoding')]).toEqual(['"3-gzip"', 'gzip']);
  expect((await save(headers.get('etag') ?? '')).body).toMatchObject({ version: 4 });
});

test('audios that are gone are removed and counted', async () => {
  const token = await newUser();
  const [gone, draft] = [await createAudio(db), await createAudio(db)];
  const list = [gone, first, draft, second].map((one) => item(one));
  expect((await put(token, 0, queue({ list: [...list, item({ id: newId() })], index: 1 }))).body).toEqual({
    version: 1,
    dropped: 1,
  });
  await db.delete(audios).where(eq(audios.id, gone.id));
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, draft.id));
  expect((await call(token, 'GET')).body).toMatchObject({
    version: 1,
    dropped: 2,
    queue: { list: [item(first), item(second)], index: 0, individualAddToQueueIndex: 1, position: 0 },
    audios: [{ id: first.id }, { id: second.id }],
  });
});

test.each<[string, unknown]>([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['nothing', {}],
  ['an id that is none', queue({ list: [{ id: 'first', source: 'queue' }] })],
  ['no source', queue({ list: [{ id: first.id }] })],
  ['a source with a NUL', queue({ list: [{ id: first.id, source: 'a\0b' }] })],
  ['too many items', queue({ list: Array.from({ length: 1001 }, () => item(first)) })],
  ['too many played', queue({ played: Array.from({ length: 1001 }, () => item(first)) })],
  ['a negative index', queue({ index: -1 })],
  ['half an index', queue({ individualAddToQueueIndex: 0.5 })],
  ['an index in words', queue({ index: '1' })],
  ['a position beyond the end', queue({ position: 1.01 })],
  ['a position before the beginning', queue({ position: -0.1 })],
  ['null for a list', queue({ list: null })],
  ['a number for a list type', queue({ listType: 5 })],
  ['a word for a truth', queue({ isIndividualQueueUpdate: 'yes' })],
])('%s is a 400, and nothing is stored', async (_name, body) => {
  const token = await newUser();
  expect(await put(token, 0, body)).toMatchObject({ status: 400, body: { error: { code: 'request/invalid' } } });
  expect((await call(token, 'GET')).body).toMatchObject({ version: 0 });
});

test('a thousand items and a thousand played are accepted', async () => {
  const token = await newUser();
  const many = (offset: number) =>
    Array.from({ length: 1000 }, (_, index) => item(index + offset === 500 ? second : first, 'audio_dynamic_link'));
  expect((await put(token, 0, queue({ list: many(0), played: many(1), index: 1000 }))).status).toBe(200);
  const { body } = await call(token, 'GET');
  expect([body.queue.list.length, body.queue.played.length, body.audios.length]).toEqual([1000, 1000, 2]);
});

test('oversized, foreign and malformed requests are refused', async () => {
  const token = await newUser();
  expect(await putAlone(token, JSON.stringify(queue({ rest: 'x'.repeat(600_000) })))).toBe(413);
  expect((await call(token, 'PUT', 'x', { 'if-match': '"0"', 'content-type': 'text/plain' })).status).toBe(415);
  for (const [method, body] of [['GET'], ['PUT', queue()]] as const)
    for (const nobody of [undefined, 'x'.repeat(43)])
      expect(await call(nobody, method, body, { 'if-match': '"0"' })).toMatchObject({
        status: 401,
        body: { error: { code: 'auth/login-required' } },
      });
  for (const method of ['POST', 'DELETE', 'PATCH'])
    expect(await call(token, method, queue())).toMatchObject({
      status: 405,
      body: { error: { code: 'request/method-not-allowed' } },
    });
  expect(errors).toEqual([]);
});

/** Uses its own connection, since the site closes one with an unread body. @returns the status */
function putAlone(token: string, body: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '"0"' };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/api/user/queue`, { method: 'PUT', headers, agent: false }, (answer) => {
      resolve(answer.statusCode);
      answer.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
