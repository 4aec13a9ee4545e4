import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { setPreview } from '#domain/catalogue/site-settings.ts';
import { audioCounts, audios, recordings } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { newId } from '#domain/kernel/ids.ts';
import {
  audioSourceDays,
  listenedSeconds,
  listeningHistory,
  listeningProgress,
  playMarks,
} from '#domain/listening/tables.ts';
import { saveQueue } from '#domain/library/saved-queue.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { createAudio, createCategory, createPlaylist, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';

const { url, db, site, blobs, errors, database } = await startTestSite({ TRUST_PROXY: '1' });
const free = await createAudio(db, { isFree: true, durationMs: 600_000 });
const locked = await createAudio(db, { durationMs: 600_000 });
const draft = await createAudio(db, { isFree: true, publishedAt: null });

type Client = { token?: string; address?: string };

async function call(client: Client, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: {
      'x-forwarded-for': client.address ?? '192.0.2.1',
      ...(client.token === undefined ? {} : { authorization: `Bearer ${client.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

async function newUser({ isSubscribed = false } = {}) {
  const { id } = await createUser(db);
  if (isSubscribed) await giveMonths(db, id, 1);
  const { token } = await createSession(db, id);
  return { id, token };
}

const play = (client: Client, id: string) => call(client, 'GET', `/audios/play/${id}`);
const count = (client: Client, body: unknown) => call(client, 'POST', '/history/me/increase-counter', body);
const place = (client: Client, id: string, seconds: number) =>
  call(client, 'POST', '/history/me/value', { type: 'currentlyListening', id, seconds, title: 'passed over' });
const history = async (client: Client) => (await call(client, 'GET', '/history/me')).body;
const nothing = {
  currentlyListening: {},
  listenCounter: {},
  played30sCounter: {},
  completed: [],
  recentlySearch: [],
  playingElsewhere: null,
};

test('a play counts once per listener during the audio: for each visitor and each user, on any address', async () => {
  const { id } = await createAudio(db, { isFree: true, plays: 10 });
  const user = await newUser();
  expect(await play({ address: '198.51.100.1' }, id)).toMatchObject({
    status: 200,
    body: { counted: true, plays: 11 },
  });
  expect((await play({ address: '198.51.100.1' }, id)).body).toEqual({
    counted: false,
    plays: 11,
    number: null,
    tags: [],
  });
  expect((await play({ address: '198.51.100.2' }, id)).body).toEqual({
    counted: true,
    plays: 12,
    number: null,
    tags: [],
  });
  expect((await play({ ...user, address: '198.51.100.1' }, id)).body).toEqual({
    counted: true,
    plays: 13,
    number: null,
    tags: [],
  });
  const again = await play({ ...user, address: '198.51.100.9' }, id);
  expect(again.body).toEqual({ counted: false, plays: 13, number: null, tags: [] });
  expect(again.headers.get('cache-control')).toBe('private, no-store');
  const kept = JSON.stringify(await db.select().from(playMarks).where(eq(playMarks.audioId, id)));
  expect(kept).not.toMatch(/198\.51|user/);
  expect(kept).not.toContain(user.id);
});

test('twenty simultaneous requests count one play and one listen', async () => {
  const audio = await createAudio(db, { isFree: true });
  const user = await newUser();
  const plays = await Promise.all(Array.from({ length: 20 }, () => play({ address: '198.51.100.77' }, audio.slug)));
  expect(plays.filter(({ body }) => body.counted)).toHaveLength(1);
  for (const type of ['listenCounter', 'played30sCounter']) {
    const listens = await Promise.all(Array.from({ length: 20 }, () => count(user, { type, key: audio.id })));
    expect(listens.map(({ body }) => body.counted).toSorted()).toEqual([...Array.from({ length: 19 }, () => 0), 1]);
  }
  const [row] = await db.select().from(audioCounts).where(eq(audioCounts.audioId, audio.id));
  expect(row).toMatchObject({ plays: 1 });
  expect(await history(user)).toMatchObject({ listenCounter: { [audio.id]: 1 }, played30sCounter: { [audio.id]: 1 } });
});

test('a play that is repeated after the audio’s duration counts once, also by a wrong clock', async () => {
  const audio = await createAudio(db, { isFree: true, durationMs: 90_000 });
  const report = (secondsAgo: number, clockSeconds: number) => {
    const at = (ago: number) => new Date(Date.now() + (clockSeconds - ago) * 1000).toISOString();
    const query = new URLSearchParams({ notedAt: at(secondsAgo), sentAt: at(0) });
    return call({ address: '192.0.2.90' }, 'GET', `/audios/play/${audio.id}?${query}`);
  };
  const pass = (seconds: number) =>
    db
      .update(playMarks)
      .set({ until: sql`until - make_interval(secs => ${seconds})` })
      .where(eq(playMarks.audioId, audio.id));
  expect((await report(0, 0)).body).toEqual({ counted: true, plays: 1, number: null, tags: [] });
  await pass(100);
  for (const clock of [0, -3600, 3600])
    expect((await report(100, clock)).body).toEqual({ counted: false, plays: 1, number: null, tags: [] });
  // A new play, by a clock that is a little slow: its mark ended ten seconds ago.
  expect((await report(0, -20)).body).toEqual({ counted: true, plays: 2, number: null, tags: [] });
});

test('a play is counted under the list it was started from, and one of unknown origin all the same', async () => {
  const audio = await createAudio(db, { isFree: true });
  const start = (query: string, address: string) => call({ address }, 'GET', `/audios/play/${audio.id}${query}`);
  for (const [index, query] of ['?source=search', '?source=search', '?source=made-up', ''].entries())
    expect((await start(query, `192.0.2.${100 + index}`)).body).toEqual({
      counted: true,
      plays: index + 1,
      number: null,
      tags: [],
    });
  await site.listening.addUpFigures();
  const rows = await db.select().from(audioSourceDays).where(eq(audioSourceDays.audioId, audio.id));
  expect(rows.map(({ source, plays }) => [source, plays]).toSorted()).toEqual([
    ['search', 2],
    ['unknown', 2],
  ]);
});

test('a play from a playlist counts for that playlist, unless it does not carry the audio', async () => {
  const audio = await createAudio(db, { isFree: true });
  const [carrier, other] = [await createPlaylist(db, { audioIds: [audio.id] }), await createPlaylist(db)];
  const sources = [`playlist:${carrier.id.toUpperCase()}`, `playlist:${other.id}`, 'playlist:x', carrier.id];
  for (const [index, source] of sources.entries())
    await call({ address: `192.0.2.${120 + index}` }, 'GET', `/audios/play/${audio.id}?source=${source}`);
  await site.listening.addUpFigures();
  const rows = await db.select().from(audioSourceDays).where(eq(audioSourceDays.audioId, audio.id));
  expect(Object.fromEntries(rows.map(({ source, plays }) => [source, plays]))).toEqual({
    [carrier.id]: 1,
    playlist: 1,
    unknown: 2,
  });
});

test('only a listener with access can play an audio; HEAD counts nothing', async () => {
  const [user, subscriber] = [await newUser(), await newUser({ isSubscribed: true })];
  expect(await play({}, locked.id)).toMatchObject({ status: 401, body: { error: { code: 'auth/login-required' } } });
  expect(await play(user, locked.id)).toMatchObject({
    status: 402,
    body: { error: { code: 'subscription/required' } },
  });
  expect(await play(subscriber, locked.id)).toMatchObject({ status: 200, body: { counted: true, plays: 1 } });
  for (const id of [newId(), draft.id, 'no-such-slug', '%00', 'x'.repeat(300)])
    expect((await play({}, id)).status).toBe(id.length > 200 ? 400 : 404);
  expect((await call({}, 'HEAD', `/audios/play/${free.id}`)).status).toBe(405);
  expect((await call({}, 'POST', `/audios/play/${free.id}`)).status).toBe(405);
  const preview = await createAudio(db);
  await setPreview(db, preview.id);
  expect((await play({ address: '198.51.100.5' }, preview.id)).body).toEqual({
    counted: true,
    plays: 1,
    number: null,
    tags: [],
  });
});

test('anyone sees the waveform of an audio, also of one that is locked; null while it is not measured', async () => {
  const user = await newUser();
  const waveform = await call(user, 'GET', `/audios/${locked.id}/waveform`);
  expect(waveform).toMatchObject({ status: 200, body: { bars: null } });
  const peaks = Buffer.alloc(2400, 128);
  await db.insert(recordings).values({ audioId: locked.id, fileKey: locked.fileKey, peaks });
  for (const client of [user, {}]) {
    const measured = await call(client, 'GET', `/audios/${locked.slug}/waveform`);
    expect(measured).toMatchObject({ status: 200, body: { bars: 'z'.repeat(150) } });
    expect(measured.headers.get('cache-control')).toBe('public, max-age=300');
  }
  expect((await call(user, 'GET', `/audios/${draft.id}/waveform`)).status).toBe(404);
});

test('creators hear their own audios and admins all, without a subscription and outside the ledger', async () => {
  const { bytes: fileBytes } = await blobs.write('audio/own.mp3', new Uint8Array(1000));
  const cues = [{ start: 0, end: 1, text: 'Own.' }];
  const own = await createAudio(db, { fileKey: 'audio/own.mp3', fileBytes, durationMs: 600_000, cues });
  const [creator, admin] = [await newUser(), await newUser()];
  await setVoiceOwner(db, own.voiceId, creator.id, true);
  await setAdmin(db, admin.id, true);
  const file = (client: Client, id: string) =>
    fetch(`${url}/media/audios/${id}`, { method: 'HEAD', headers: { authorization: `Bearer ${client.token}` } });
  const heardBy = async (client: Client, id: string) => [
    (await play(client, id)).status,
    (await file(client, id)).status,
    (await count(client, { type: 'audioListenedSeconds', key: id, value: 5 })).body.counted,
  ];
  expect(await heardBy(creator, own.id)).toEqual([200, 200, 5]);
  expect((await call(creator, 'GET', `/audios/${own.id}/transcript`)).status).toBe(200);
  expect(await heardBy(creator, locked.id)).toEqual([402, 402, 0]);
  expect(await heardBy(admin, own.id)).toEqual([200, 200, 5]);
  expect(await db.$count(listenedSeconds, eq(listenedSeconds.audioId, own.id))).toBe(0);

  const { viewer } = (await site.identity.findSession(creator.token)) ?? {};
  expect(viewer).toMatchObject({ voiceRoles: { [own.voiceId]: 'owner' } });
  await setVoiceOwner(db, own.voiceId, creator.id, false);
  await setAdmin(db, admin.id, false);
  for (const client of [creator, admin]) expect(await heardBy(client, own.id)).toEqual([402, 402, 0]);
});

test('a play clears no cache and changes no version of the audio', async () => {
  const audio = await createAudio(db, { isFree: true });
  const [before] = await db.select().from(audios).where(eq(audios.id, audio.id));
  const heard: string[] = [];
  const client = await database.pool.connect();
  client.on('notification', ({ channel }) => heard.push(channel));
  await client.query('listen catalogue_changed');
  const user = await newUser();
  await play(user, audio.id);
  await place(user, audio.id, 5);
  await count(user, { type: 'audioListenedSeconds', key: audio.id, value: 5 });
  // Notifications arrive in order, so this one arrives after all earlier ones.
  await client.query('listen done');
  await client.query(`notify done`);
  await client.query('select 1');
  client.release(true);
  expect(heard).toEqual(['done']);
  expect(await db.select().from(audios).where(eq(audios.id, audio.id))).toEqual([before]);
});

test('the place in an audio is stored, up to its duration, until the audio is completed', async () => {
  const user = await newUser();
  expect(await place(user, free.id, 95.25)).toMatchObject({ status: 200, body: { seconds: 95.25 } });
  expect((await place(user, free.id.toUpperCase(), 100_000)).body).toEqual({ seconds: 600, takenOver: false });
  expect((await place(user, locked.id, 12)).body).toEqual({ seconds: 12, takenOver: false });
  expect(await history(user)).toMatchObject({ currentlyListening: { [free.id]: 600, [locked.id]: 12 } });
  const done = await call(user, 'DELETE', '/history/me/value', { type: 'currentlyListening', id: free.id });
  expect(done).toMatchObject({ status: 204, body: null });
  expect((await history(user)).currentlyListening).toEqual({ [locked.id]: 12 });
  const again = await call(user, 'DELETE', '/history/me/value', { type: 'currentlyListening', id: newId() });
  expect(again.status).toBe(204);
});

test('“Play here” after a change of track continues with the next audio, which was not reported yet', async () => {
  const phone = await newUser();
  const laptop = { token: (await createSession(db, phone.id)).token };
  const item = ({ id }: { id: string }) => ({ id, source: 'category' });
  const queue = { list: [item(locked)], played: [item(free)], listType: null, index: 0, position: 0 };
  await saveQueue(db, phone.id, [0], { ...queue, individualAddToQueueIndex: 1, isIndividualQueueUpdate: false });
  await place(phone, locked.id, 12);
  const playing = { type: 'currentlyListening', id: free.id, seconds: 590, isPlaying: true };
  await call(phone, 'POST', '/history/me/value', playing);
  await call(phone, 'DELETE', '/history/me/value', { type: 'currentlyListening', id: free.id });
  const taken = await call(laptop, 'POST', '/history/me/play-here');
  expect(taken.body).toEqual({ playing: { audioId: locked.id, seconds: 12 } });
});

test('simultaneous places are all stored, and an invalid one fails alone', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => newUser()));
  const outcomes = await Promise.all(
    users.flatMap((user, index) => [place(user, free.id, index), place(user, newId(), 1), place({}, free.id, 1)]),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(users.flatMap(() => [200, 404, 401]));
  for (const [index, user] of users.entries())
    expect((await history(user)).currentlyListening).toEqual({ [free.id]: index });
});

test('a listen counts once during the audio, and again after it', async () => {
  const user = await newUser({ isSubscribed: true });
  const report = { type: 'listenCounter', key: locked.id, value: 7 };
  expect((await count(user, report)).body).toEqual({ counted: 1 });
  expect((await count(user, report)).body).toEqual({ counted: 0 });
  await db
    .update(listeningHistory)
    .set({ listenCountedAt: new Date(Date.now() - 601_000) })
    .where(eq(listeningHistory.userId, user.id));
  expect((await count(user, report)).body).toEqual({ counted: 1 });
  expect((await history(user)).listenCounter).toEqual({ [locked.id]: 2 });
});

test('half a minute of an audio counts only if the audio is that long', async () => {
  const short = await createAudio(db, { isFree: true, durationMs: 29_999 });
  const exact = await createAudio(db, { isFree: true, durationMs: 30_000 });
  const user = await newUser();
  expect((await count(user, { type: 'played30sCounter', key: short.id })).body).toEqual({ counted: 0 });
  for (const { id } of [exact, free])
    expect((await count(user, { type: 'played30sCounter', key: id })).body).toEqual({ counted: 1 });
  expect((await history(user)).played30sCounter).toEqual({ [exact.id]: 1, [free.id]: 1 });
});

test('seconds are answered with the counted part; a repeated report counts nothing', async () => {
  const audio = await createAudio(db, { isFree: true, durationMs: 40_000 });
  const user = await newUser();
  const report = { type: 'audioListenedSeconds', key: audio.id, value: 35.5, reportId: 'a-1', position: 36 };
  expect((await count(user, report)).body).toEqual({ counted: 35.5 });
  expect((await count(user, report)).body).toEqual({ counted: 0 });
  expect((await count(user, { ...report, reportId: 'a-2', value: 100_000 })).body.counted).toBeLessThan(10);
  const voice = { type: 'voiceListenedSeconds', key: audio.voiceId, value: 35.5, reportId: 'a-1' };
  expect((await count(user, voice)).body).toEqual({ counted: 35.5 });
  expect((await count(user, { ...voice, key: audio.id })).status).toBe(404);
  const listen = { type: 'listenCounter', key: audio.id, reportId: 'a-1' };
  expect((await count(user, listen)).body).toEqual({ counted: 1 });
  await db.update(listeningHistory).set({ listenCountedAt: null }).where(eq(listeningHistory.userId, user.id));
  expect((await count(user, listen)).body).toEqual({ counted: 0 });
});

test('nothing is counted without access to the audio', async () => {
  const user = await newUser();
  for (const type of ['listenCounter', 'played30sCounter', 'audioListenedSeconds'])
    expect(await count(user, { type, key: locked.id, value: 30 })).toMatchObject({ status: 200, body: { counted: 0 } });
  expect(await history(user)).toEqual(nothing);
});

test.each<[string, unknown]>([
  ['no JSON', '{'],
  ['NaN', `{"type":"audioListenedSeconds","key":"${free.id}","value":NaN}`],
  ['nothing', {}],
  ['an unknown type', { type: 'likes', key: free.id, value: 1 }],
  ['a type of Object', { type: 'constructor', key: free.id, value: 1 }],
  ['no key', { type: 'listenCounter' }],
  ['a key that is no id', { type: 'listenCounter', key: 'bright-star' }],
  ['keys in a list', { type: 'listenCounter', key: [free.id] }],
  ['no seconds', { type: 'audioListenedSeconds', key: free.id }],
  ['negative seconds', { type: 'audioListenedSeconds', key: free.id, value: -1 }],
  ['a negative count', { type: 'listenCounter', key: free.id, value: -1 }],
  ['seconds in words', { type: 'audioListenedSeconds', key: free.id, value: '30' }],
  ['huge seconds', { type: 'audioListenedSeconds', key: free.id, value: 1e9 }],
  ['infinite seconds', `{"type":"audioListenedSeconds","key":"${free.id}","value":1e999}`],
  ['a report id with a NUL', { type: 'listenCounter', key: free.id, reportId: 'a\0' }],
  ['a long report id', { type: 'listenCounter', key: free.id, reportId: 'x'.repeat(65) }],
  ['a negative position', { type: 'audioListenedSeconds', key: free.id, value: 1, position: -1 }],
])('a counter with %s is a 400, and nothing is stored', async (_name, body) => {
  const user = await newUser();
  expect(await count(user, body)).toMatchObject({ status: 400, body: { error: { code: 'request/invalid' } } });
  expect(await history(user)).toEqual(nothing);
  expect(await db.select().from(listenedSeconds).where(eq(listenedSeconds.audioId, free.id))).toEqual([]);
});

test.each<[string, unknown]>([
  ['another type', { type: 'favorite', id: free.id, seconds: 1 }],
  ['no id', { type: 'currentlyListening', seconds: 1 }],
  ['an id that is none', { type: 'currentlyListening', id: 'x', seconds: 1 }],
  ['no seconds', { type: 'currentlyListening', id: free.id }],
  ['negative seconds', { type: 'currentlyListening', id: free.id, seconds: -0.5 }],
  ['huge seconds', { type: 'currentlyListening', id: free.id, seconds: 1e12 }],
  ['null seconds', { type: 'currentlyListening', id: free.id, seconds: null }],
  ['seconds in words', { type: 'currentlyListening', id: free.id, seconds: '5' }],
  ['a time that is none', { type: 'currentlyListening', id: free.id, seconds: 5, notedAt: 'yesterday' }],
])('a place with %s is a 400, and nothing is stored', async (_name, body) => {
  const user = await newUser();
  expect(await call(user, 'POST', '/history/me/value', body)).toMatchObject({
    status: 400,
    body: { error: { code: 'request/invalid' } },
  });
  expect(await db.select().from(listeningProgress).where(eq(listeningProgress.userId, user.id))).toEqual([]);
});

test('a late place neither overwrites a newer one nor restores a completed audio', async () => {
  const user = await newUser();
  const ago = (seconds: number) => ({
    notedAt: new Date(Date.now() - seconds * 1000).toISOString(),
    sentAt: new Date().toISOString(),
  });
  const value = (more: object) => ({ type: 'currentlyListening', id: free.id, ...more });
  await call(user, 'POST', '/history/me/value', value({ seconds: 300, ...ago(10) }));
  const late = await call(user, 'POST', '/history/me/value', value({ seconds: 20, ...ago(60) }));
  expect(late.status).toBe(200);
  expect((await history(user)).currentlyListening).toEqual({ [free.id]: 300 });
  await call(user, 'DELETE', '/history/me/value', value(ago(5)));
  await call(user, 'POST', '/history/me/value', value({ seconds: 310, ...ago(8) }));
  expect((await history(user)).currentlyListening).toEqual({});
  expect((await call(user, 'GET', '/history/me/items')).body.items).toMatchObject([{ seconds: null }]);
  for (const notedAt of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
    expect(await call(user, 'POST', '/history/me/value', value({ seconds: 7, notedAt }))).toMatchObject({
      status: 200,
    });
  expect((await history(user)).currentlyListening).toEqual({ [free.id]: 7 });
});

test('the history lists audios, latest first, and deletes one or all on request', async () => {
  const user = await newUser();
  const heard = [];
  for (let index = 0; index < 3; index += 1) {
    const audio = await createAudio(db, { isFree: true });
    await count(user, { type: 'listenCounter', key: audio.id });
    await play(user, audio.id);
    heard.unshift(audio);
  }
  await place(user, heard[2]?.id ?? '', 7);
  const first = await call(user, 'GET', '/history/me/items?limit=2');
  expect(first.body.items.map(({ audio }: { audio: { id: string } }) => audio.id)).toEqual([
    heard[0]?.id,
    heard[1]?.id,
  ]);
  expect(first.body.items[0]).toEqual({
    audio: expect.objectContaining({ title: heard[0]?.title, plays: 1 }),
    lastListenedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    listens: 1,
    seconds: null,
  });
  const second = await call(user, 'GET', `/history/me/items?limit=2&cursor=${first.body.nextCursor}`);
  expect(second.body).toMatchObject({ items: [{ audio: { id: heard[2]?.id }, seconds: 7 }] });
  expect(second.body.nextCursor).toBeNull();
  const recent = await call(user, 'GET', '/user/recent-activity');
  expect(recent.body.items.map(({ audio, at }: { audio: { id: string }; at: string }) => [audio.id, at])).toEqual(
    [...first.body.items, ...second.body.items].map(({ audio, lastListenedAt }) => [audio.id, lastListenedAt]),
  );

  expect((await call(user, 'DELETE', `/history/me/items/${heard[2]?.id}`)).status).toBe(204);
  expect((await call(user, 'DELETE', `/history/me/items/${heard[2]?.id}`)).status).toBe(204);
  expect(await history(user)).toEqual({
    ...nothing,
    listenCounter: { [heard[0]?.id ?? '']: 1, [heard[1]?.id ?? '']: 1 },
  });
  expect((await call(user, 'DELETE', '/history/me')).status).toBe(204);
  expect(await history(user)).toEqual(nothing);
  expect((await call(user, 'GET', '/history/me/items')).body).toEqual({ items: [], nextCursor: null });
  expect((await call(user, 'GET', '/user/recent-activity')).body).toEqual({ items: [] });
  const [counts] = await db
    .select()
    .from(audioCounts)
    .where(eq(audioCounts.audioId, heard[0]?.id ?? ''));
  expect(counts?.plays).toBe(1);
});

test('an audio is completed once its place was ended, not when it was only started, until it has a place again', async () => {
  const user = await newUser();
  await count(user, { type: 'listenCounter', key: free.id });
  expect((await history(user)).completed).toEqual([]);
  await call(user, 'DELETE', '/history/me/value', { type: 'currentlyListening', id: free.id });
  expect((await history(user)).completed).toEqual([free.id]);
  await place(user, free.id, 3);
  expect((await history(user)).completed).toEqual([]);
});

test('nobody can access another user’s history', async () => {
  const [one, other] = [await newUser(), await newUser()];
  await place(one, free.id, 42);
  await count(one, { type: 'listenCounter', key: free.id });
  await call(other, 'DELETE', `/history/me/items/${free.id}`);
  await call(other, 'DELETE', '/history/me/value', { type: 'currentlyListening', id: free.id });
  await call(other, 'DELETE', '/history/me');
  expect(await history(other)).toEqual(nothing);
  expect(await history(one)).toMatchObject({ currentlyListening: { [free.id]: 42 }, listenCounter: { [free.id]: 1 } });
});

const ownCalls: [method: string, path: string, body?: object][] = [
  ['GET', '/history/me'],
  ['DELETE', '/history/me'],
  ['GET', '/history/me/items'],
  ['DELETE', `/history/me/items/${free.id}`],
  ['POST', '/history/me/increase-counter', { type: 'listenCounter', key: free.id }],
  ['POST', '/history/me/value', { type: 'currentlyListening', id: free.id, seconds: 1 }],
  ['DELETE', '/history/me/value', { type: 'currentlyListening', id: free.id }],
  ['GET', '/user/recent-activity'],
];

test.each(ownCalls)('%s %s is for who is logged in', async (method, path, body) => {
  const ended = await newUser();
  await site.identity.logOutEverywhere(ended.id);
  for (const token of [undefined, 'x', 'x'.repeat(43), ended.token]) {
    const answer = await call(token === undefined ? {} : { token }, method, path, body);
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'auth/login-required' } } });
  }
});

test.each([
  ['PUT', '/history/me'],
  ['POST', '/history/me/items'],
  ['GET', `/history/me/items/${free.id}`],
  ['GET', '/history/me/increase-counter'],
  ['PUT', '/history/me/value'],
  ['DELETE', '/user/recent-activity'],
])('%s %s is a 405', async (method, path) => {
  const user = await newUser();
  const { status, headers } = await call(user, method, path, method === 'GET' ? undefined : {});
  expect(status).toBe(405);
  expect(headers.get('allow')).toMatch(/GET|POST|DELETE/);
});

test('bad pages, ids and bodies are refused', async () => {
  const user = await newUser();
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=e30', `cursor=${'x'.repeat(1300)}`])
    expect((await call(user, 'GET', `/history/me/items?${query}`)).status).toBe(400);
  const odd = Buffer.from(JSON.stringify(['history', '0000-01-01T00:00:00Z', free.id])).toString('base64url');
  expect((await call(user, 'GET', `/history/me/items?cursor=${odd}`)).status).toBe(400);
  expect((await call(user, 'DELETE', '/history/me/items/x')).status).toBe(400);
  expect((await call(user, 'DELETE', '/history/me/value')).status).toBe(400);
  expect((await count(user, { type: 'listenCounter', key: free.id, more: 'x'.repeat(40_000) })).status).toBe(413);
});

test('a user who counts too often gets a 429', slow, async () => {
  const user = await newUser();
  const report = { type: 'listenCounter', key: newId() };
  const statuses = new Set<number>();
  // The minute may change once during the loop.
  for (let round = 0; round < 13 && !statuses.has(429); round += 1)
    for (const { status } of await Promise.all(Array.from({ length: 100 }, () => count(user, report))))
      statuses.add(status);
  expect([...statuses].toSorted()).toEqual([404, 429]);
  expect((await place(user, free.id, 1)).status).toBe(200);
});

test('a play names the public number and the tags of its audio, and the history has them with what was heard', async () => {
  const { id } = await createAudio(db, { isFree: true, title: 'Tide', tagLabels: ['Ebb'] });
  await site.listening.publishNeighbours();
  const user = await newUser();
  const { number, tags } = (await play({ address: '198.51.100.90' }, id)).body;
  expect([Number.isInteger(number), tags]).toEqual([true, ['ebb']]);
  await count(user, { type: 'listenCounter', key: id });
  const heard = await call(user, 'GET', '/history/me/heard');
  expect(heard.headers.get('cache-control')).toBe('private, no-store');
  expect(heard.body.items).toEqual([
    {
      number,
      id,
      title: 'Tide',
      language: 'en',
      tags: ['ebb'],
      listens: 1,
      isFinished: false,
      isFavorite: false,
      at: expect.stringMatching(/^\d{4}-.+Z$/),
    },
  ]);
});

test('a player continues with similar audios', async () => {
  const category = await createCategory(db);
  const list = [];
  for (let index = 0; index < 3; index += 1) list.push(await createAudio(db, { categoryIds: [category.id] }));
  const similar = await call({}, 'GET', `/audios/${list[0]?.id}/similar?limit=1`);
  expect(similar.body.items).toHaveLength(1);
  expect([list[1]?.id, list[2]?.id]).toContain(similar.body.items[0].id);
  expect((await call({}, 'GET', `/audios/${list[0]?.slug}/similar`)).body.items).toHaveLength(2);
  expect((await call({}, 'GET', `/audios/${newId()}/similar`)).status).toBe(404);
  expect((await call({}, 'GET', `/audios/${list[0]?.id}/similar?limit=0`)).status).toBe(400);
});

test('no request above was a server error', () => {
  expect(errors).toEqual([]);
});
