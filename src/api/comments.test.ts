import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { tags } from '#domain/catalogue/tables.ts';
import { commentReports, comments } from '#domain/community/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { createAudio, createSession, createUser, createUserPlaylist } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';

const { url, db, errors } = await startTestSite({ TRUST_PROXY: '1' });
const audio = await createAudio(db, { tagLabels: ['Thunder'] });

type Client = { id: string; token: string; address: string };
let clients = 0;

/** Each client has its own address, because attempts are counted by address. */
async function newClient(overrides: Parameters<typeof createUser>[1] = {}): Promise<Client> {
  const { id } = await createUser(db, overrides);
  clients += 1;
  return { id, token: (await createSession(db, id)).token, address: `192.0.2.${clients}` };
}

async function call(by: Client | undefined, method: string, path: string, body?: unknown, language?: string) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: {
      'x-forwarded-for': by?.address ?? '198.51.100.1',
      ...(language !== undefined && { 'accept-language': language }),
      ...(by && { authorization: `Bearer ${by.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const postComment = (by: Client | undefined, body: unknown, id: string = audio.slug) =>
  call(by, 'POST', `/audios/${id}/comments`, body);
const refusal = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) } } });

test('a comment has the language of its page, and loses it with its text', async () => {
  const ada = await newClient();
  const path = `/audios/${(await createAudio(db)).slug}/comments`;
  const write = async (text: string, language: string) => (await call(ada, 'POST', path, { text }, language)).body;
  expect(await write('Sehr ruhig', 'de')).toMatchObject({ language: 'de' });
  expect(await write('Muito calmo', 'pt-br, en;q=0.5')).toMatchObject({ language: 'pt-BR' });
  expect(await write('?!', '*')).toMatchObject({ language: null });
  const first = await write('Reste', 'fr');
  await call(await newClient(), 'POST', path, { text: 'Oui', parentId: first.id }, 'fr');
  const languageOf = async () => (await db.select().from(comments).where(eq(comments.id, first.id)))[0]?.language;
  expect(await languageOf()).toBe('fr');
  await call(ada, 'DELETE', `/comments/${first.id}`);
  expect(await languageOf()).toBeNull();
});

test('a comment is returned, public, and deletable by its author', async () => {
  const [ada, nell] = [await newClient({ username: 'ada.c' }), await newClient()];
  const written = await postComment(ada, { text: '<script>alert("1")</script> 😀\nשלום' });
  expect(written).toMatchObject({
    status: 201,
    body: {
      audioId: audio.id,
      parentId: null,
      state: 'shown',
      text: '<script>alert("1")</script> 😀\nשלום',
      user: { id: ada.id, username: 'ada.c', icon: null, color: '#F29AB0' },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      totalReplies: 0,
    },
  });
  expect(await postComment(ada, { text: '<script>alert("1")</script> 😀\nשלום' })).toMatchObject({
    status: 200,
    body: written.body,
  });
  const reply = await postComment(nell, { text: 'yes', parentId: written.body.id.toUpperCase() }, audio.id);
  expect(reply).toMatchObject({ status: 201, body: { parentId: written.body.id } });
  const page = await call(nell, 'GET', `/audios/${audio.slug}/comments?limit=1`);
  expect(page.body).toEqual({
    items: [{ ...written.body, totalReplies: 1, replies: [reply.body] }],
    nextCursor: null,
    order: 'newest',
    pausedUntil: null,
    totalComments: 2,
    commentsDisabled: false,
    commenters: 'everyone',
  });
  expect((await call(undefined, 'GET', `/comments/${written.body.id}/replies`)).body).toEqual({
    items: [reply.body],
    nextCursor: null,
  });
  expect((await call(nell, 'POST', `/comments/${written.body.id}/report`, { reason: 'unkind' })).status).toBe(204);
  expect(await call(ada, 'DELETE', `/comments/${written.body.id}`)).toMatchObject({ status: 204, body: null });
  expect((await call(nell, 'GET', `/audios/${audio.id}/comments`)).body.items).toMatchObject([
    { state: 'deleted', text: null, user: null, replies: [{ text: 'yes' }] },
  ]);
  await call(nell, 'DELETE', `/comments/${reply.body.id}`);
});

test.each<[string, unknown, number, string]>([
  ['no JSON', '{', 400, 'request/invalid'],
  ['nothing', {}, 400, 'request/invalid'],
  ['a number', { text: 7 }, 400, 'request/invalid'],
  ['a list', { text: ['a'] }, 400, 'request/invalid'],
  ['an empty text', { text: '' }, 400, 'comment/empty'],
  ['spaces', { text: ' \n\t\u3000 ' }, 400, 'comment/empty'],
  ['what cannot be seen', { text: '\u200B\u2066\u202E\uFE0F' }, 400, 'comment/empty'],
  ['too much', { text: '😀'.repeat(1001) }, 400, 'comment/too-long'],
  ['far too much', { text: 'x'.repeat(25_000) }, 400, 'request/invalid'],
  ['a megabyte', { text: 'x'.repeat(1 << 20) }, 413, 'request/too-large'],
  ['a parent that is no id', { text: 'a', parentId: '1 or 1=1' }, 400, 'request/invalid'],
  ['a parent that is not there', { text: 'a', parentId: newId() }, 404, 'request/not-found'],
])('a comment of %s is refused, and nothing is kept', async (_what, body, status, code) => {
  const client = await newClient();
  expect(await postComment(client, body)).toMatchObject(refusal(status, code));
  expect(await db.$count(comments, eq(comments.userId, client.id))).toBe(0);
});

test('bidirectional controls are removed; emoji alone, and the maximum length, are accepted', async () => {
  const client = await newClient();
  expect((await postComment(client, { text: 'safe\u202Egnp.exe\u2069' })).body.text).toBe('safegnp.exe');
  expect((await postComment(client, { text: '❤️' })).body.text).toBe('❤️');
  // JSON may escape it, at twelve bytes per character.
  const escaped = `{"text":"${'\\ud83d\\ude00'.repeat(1000)}"}`;
  expect((await postComment(client, escaped)).body.text).toBe('😀'.repeat(1000));
});

test('a refused comment gets the reason', async () => {
  expect(await postComment(undefined, { text: 'x'.repeat(1 << 20) })).toMatchObject(
    refusal(401, 'auth/login-required'),
  );
  const nameless = await newClient({ username: null });
  expect(await postComment(nameless, { text: 'a' })).toMatchObject(refusal(400, 'auth/invalid-username'));
  expect(await call(nameless, 'POST', '/users-playlists', { title: 'a' })).toMatchObject(
    refusal(400, 'auth/invalid-username'),
  );
  const closed = await createAudio(db, { commentsDisabled: true });
  const refused = await postComment(await newClient(), { text: 'a' }, closed.id);
  expect(refused).toMatchObject(refusal(403, 'comments/disabled'));
  expect(refused.body.error.message).toBe('This creator has turned off their comments.');
  expect((await call(undefined, 'GET', `/audios/${closed.id}/comments`)).body).toEqual({
    items: [],
    nextCursor: null,
    order: 'newest',
    pausedUntil: null,
    totalComments: 0,
    commentsDisabled: true,
    commenters: 'nobody',
  });
});

test('when the creator lets only subscribers comment, others read, and managers of the voice reply', async () => {
  const members = await createAudio(db, { commentsForSubscribers: true });
  const [listener, subscriber, owner] = [await newClient(), await newClient(), await newClient()];
  await giveMonths(db, subscriber.id, 1);
  await setVoiceOwner(db, members.voiceId, owner.id, true);
  const written = await postComment(subscriber, { text: 'from a subscriber' }, members.id);
  expect(written.status).toBe(201);
  expect((await postComment(owner, { text: 'from the creator', parentId: written.body.id }, members.id)).status).toBe(
    201,
  );
  for (const body of [{ text: 'a' }, { text: 'a', parentId: written.body.id }])
    expect(await postComment(listener, body, members.id)).toMatchObject(refusal(403, 'comments/subscribers-only'));
  expect((await call(undefined, 'GET', `/audios/${members.id}/comments`)).body).toMatchObject({
    totalComments: 2,
    commentsDisabled: false,
    commenters: 'subscribers',
  });
  // The switch on the audio's page keeps the choice.
  for (const [commentsDisabled, commenters] of [
    [true, 'nobody'],
    [false, 'subscribers'],
  ] as const) {
    await call(owner, 'PUT', `/audios/${members.id}/comments-disabled`, { commentsDisabled });
    // The database's notification clears the cache of public answers a moment later.
    await expect
      .poll(async () => (await call(undefined, 'GET', `/audios/${members.id}/comments`)).body.commenters, {
        timeout: 5000,
      })
      .toBe(commenters);
  }
});

test('comments are rate limited across processes; reading is not', slow, async () => {
  const client = await newClient();
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, index) => postComment(client, { text: `number ${index}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  const refused = answers.find(({ status }) => status !== 201);
  expect(refused).toMatchObject(refusal(429, 'request/too-many'));
  const wait = Number(refused?.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(4 * 60);
  expect(wait).toBeLessThanOrEqual(5 * 60);
  expect(refused?.body.error.message).toBe('Too many tries. The next one is possible in 5 minutes.');
  expect((await call(client, 'GET', `/audios/${audio.id}/comments`)).status).toBe(200);
});

test.each<[string, unknown, number]>([
  ['no reason', {}, 400],
  ['a reason of its own', { reason: 'constructor' }, 400],
  ['too many details', { reason: 'spam', details: 'x'.repeat(501) }, 400],
  ['details in a list', { reason: 'spam', details: ['x'] }, 400],
  ['a megabyte', { reason: 'spam', details: 'x'.repeat(1 << 20) }, 413],
])('a report with %s is refused', async (_what, body, status) => {
  const [author, client] = [await newClient(), await newClient()];
  const { body: comment } = await postComment(author, { text: 'reported' });
  expect((await call(client, 'POST', `/comments/${comment.id}/report`, body)).status).toBe(status);
  expect((await call(author, 'POST', `/comments/${comment.id}/report`, { reason: 'spam' })).status).toBe(404);
  expect(await db.$count(commentReports, eq(commentReports.commentId, comment.id))).toBe(0);
});

test('favorites by their call: returned with the total, part of the user’s data, grouped as specified', async () => {
  const client = await newClient();
  const favor = (isFavorite: boolean) =>
    call(client, 'POST', `/user/favorite/${audio.id}`, { contentTypeId: 'audio', isFavorite });
  expect(await favor(true)).toMatchObject({
    status: 200,
    body: { contentTypeId: 'audio', id: audio.id, isFavorite: true, totalFavorite: 1 },
  });
  const me = await call(client, 'GET', '/user/me');
  expect(me.body).toMatchObject({
    id: client.id,
    favorites: { audios: [audio.id], voices: [], categories: [], playlists: [], users: [] },
  });
  const grouped = await call(client, 'GET', '/user/favorites');
  expect(grouped.headers.get('cache-control')).toBe('private, no-store');
  expect(grouped.body).toEqual({
    audios: [expect.objectContaining({ id: audio.id, totalFavorite: 1 })],
    voices: [],
    categories: [],
    playlists: [],
    users: [],
    totals: { audios: 1, voices: 0, categories: 0, playlists: 0, users: 0, ownPlaylists: 0, mixes: 0 },
  });
  expect((await call(client, 'GET', '/user/favorites/audios?sort=title&filter=x%00&limit=1')).body).toEqual({
    items: [],
    nextCursor: null,
  });
  expect((await call(client, 'GET', '/user/favorites/audios?sort=popular')).body.items).toHaveLength(1);
  expect((await favor(false)).body).toMatchObject({ isFavorite: false, totalFavorite: 0 });
});

test.each<[string, string, unknown, number]>([
  ['no JSON', audio.id, '{', 400],
  ['nothing', audio.id, {}, 400],
  ['no type', audio.id, { isFavorite: true }, 400],
  ['a type of its own', audio.id, { contentTypeId: 'series', isFavorite: true }, 400],
  ['a type of Object', audio.id, { contentTypeId: 'constructor', isFavorite: true }, 400],
  ['a wish in words', audio.id, { contentTypeId: 'audio', isFavorite: 'true' }, 400],
  ['a slug', audio.slug, { contentTypeId: 'audio', isFavorite: true }, 400],
  ['an id of nothing', newId(), { contentTypeId: 'audio', isFavorite: true }, 404],
  ['an id of another type', audio.id, { contentTypeId: 'userPlaylist', isFavorite: true }, 404],
  ['a megabyte', audio.id, { contentTypeId: 'x'.repeat(1 << 20), isFavorite: true }, 413],
])('a favourite with %s is refused', async (_what, id, body, status) => {
  expect((await call(await newClient(), 'POST', `/user/favorite/${id}`, body)).status).toBe(status);
});

test.each(['sort=random', 'limit=0', 'limit=101', 'cursor=e30', `filter=${'x'.repeat(101)}`, 'sort=title&sort=recent'])(
  'the library asked with %s is a 400',
  async (query) => {
    const client = await newClient();
    expect((await call(client, 'GET', `/user/favorites/audios?${query}`)).status).toBe(400);
    expect((await call(client, 'GET', '/user/favorites/constructor')).status).toBe(400);
  },
);

test('a playlist from its creation to its restoration, as its owner and as others see it', async () => {
  const [client, other] = [await newClient(), await newClient()];
  const more = await createAudio(db);
  const made = await call(client, 'POST', '/users-playlists', { title: 'Rain', audioIds: [audio.id] });
  expect(made).toMatchObject({ status: 201, body: { title: 'Rain', isPublic: false, totalAudios: 1 } });
  const path = `/users-playlists/${made.body.id}`;
  expect((await call(client, 'POST', `${path}/audios`, { audioIds: [more.id.toUpperCase()] })).body).toEqual({
    added: 1,
    totalAudios: 2,
  });
  expect((await call(client, 'POST', `${path}/move`, { audioId: more.id, after: null, before: audio.id })).status).toBe(
    204,
  );
  expect((await call(client, 'GET', `${path}/audios`)).body.items.map(({ id }: Client) => id)).toEqual([
    more.id,
    audio.id,
  ]);
  expect((await call(client, 'GET', `/user/playlists?audioId=${more.id}`)).body.items).toMatchObject([
    { id: made.body.id, hasAudio: true },
  ]);
  expect((await call(other, 'GET', path)).status).toBe(404);
  expect((await call(client, 'PATCH', path, { isPublic: true })).body).toMatchObject({ isPublic: true, title: 'Rain' });
  expect((await call(other, 'GET', path)).status).toBe(200);
  expect((await call(other, 'POST', `${path}/play`)).body).toEqual({ counted: true, plays: 1 });
  expect((await call(client, 'DELETE', `${path}/audios/${more.id}`)).status).toBe(204);
  const deleted = await call(client, 'DELETE', path);
  expect(Date.parse(deleted.body.restorableUntil)).toBeGreaterThan(Date.now());
  expect((await call(other, 'GET', path)).status).toBe(404);
  expect((await call(client, 'POST', `${path}/restore`)).body).toMatchObject({
    title: 'Rain',
    totalAudios: 1,
    plays: 1,
  });
});

test('hiding a list is never rate limited, even after many changes', slow, async () => {
  const client = await newClient();
  const { id } = await createUserPlaylist(db, { userId: client.id });
  const change = (isPublic: boolean) => call(client, 'PATCH', `/users-playlists/${id}`, { isPublic });
  const statuses = (await Promise.all(Array.from({ length: 61 }, () => change(true)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect((await change(false)).body).toMatchObject({ isPublic: false });
});

test.each<[string, string, string, unknown, number, string]>([
  ['without a title', 'POST', '', {}, 400, 'request/invalid'],
  ['with an empty title', 'POST', '', { title: ' \u202E ' }, 400, 'request/invalid'],
  ['with another font', 'POST', '', { title: 'a', font: 'Comic Sans' }, 400, 'request/invalid'],
  ['with another background', 'POST', '', { title: 'a', background: 'url(x)' }, 400, 'request/invalid'],
  ['with a megabyte', 'POST', '', { title: 'x'.repeat(1 << 20) }, 413, 'request/too-large'],
  ['changed to a long title', 'PATCH', '/{own}', { title: 'x'.repeat(101) }, 400, 'request/invalid'],
  ['that is no id', 'PATCH', '/rain', { title: 'a' }, 400, 'request/invalid'],
  ['filled with nothing', 'POST', '/{own}/audios', { audioIds: [] }, 400, 'request/invalid'],
  ['filled with what is no id', 'POST', '/{own}/audios', { audioIds: ['x'] }, 400, 'request/invalid'],
  ['filled with what is gone', 'POST', '/{own}/audios', { audioIds: [newId()] }, 404, 'request/not-found'],
  ['moved without a place', 'POST', '/{own}/move', { audioId: audio.id }, 400, 'request/invalid'],
  ['moved behind itself', 'POST', '/{own}/move', { audioId: audio.id, after: audio.id }, 400, 'request/invalid'],
  ['moved of what is gone', 'POST', '/{own}/move', { audioId: newId(), after: null }, 404, 'request/not-found'],
  ['moved between what is gone', 'POST', '/{own}/move', { audioId: audio.id, after: newId() }, 409, 'playlist/changed'],
])('a playlist %s is refused', async (_what, method, path, body, status, code) => {
  const client = await newClient();
  const own = await createUserPlaylist(db, { userId: client.id, audioIds: [audio.id] });
  expect(await call(client, method, `/users-playlists${path.replace('{own}', own.id)}`, body)).toMatchObject(
    refusal(status, code),
  );
});

test('blocking by its call, and its refusals', async () => {
  const [client, other] = [await newClient(), await newClient({ username: 'nell.c' })];
  const block = (id: string, body: unknown = { isBlocked: true }) => call(client, 'POST', `/user/block/${id}`, body);
  expect((await block(other.id)).body).toEqual({ id: other.id, isBlocked: true });
  expect((await call(client, 'GET', '/user/me')).body).toMatchObject({
    hasBlockedUsers: true,
    blockedUsers: [other.id],
  });
  expect((await call(client, 'GET', '/user/blocks')).body.items).toMatchObject([{ id: other.id, username: 'nell.c' }]);
  expect(await block(client.id)).toMatchObject(refusal(400, 'request/invalid'));
  expect(await block(newId())).toMatchObject(refusal(404, 'request/not-found'));
  expect(await block('ada')).toMatchObject(refusal(400, 'request/invalid'));
  expect(await block(other.id, { isBlocked: 1 })).toMatchObject(refusal(400, 'request/invalid'));
  expect((await block(other.id, { isBlocked: false })).body).toEqual({ id: other.id, isBlocked: false });
  expect((await call(client, 'GET', '/user/blocks')).body).toEqual({ items: [], nextCursor: null });
});

test('hidden tags apply to this listener’s calls only, whose answers are not cached', async () => {
  const client = await newClient();
  const [tag] = await db.select().from(tags);
  const list = async (by?: Client) => {
    const { body, headers } = await call(by, 'GET', '/audios?limit=100');
    return [body.items.some(({ id }: Client) => id === audio.id), headers.get('cache-control')];
  };
  expect(await list()).toEqual([true, 'no-cache']);
  expect((await call(client, 'POST', `/user/hidden-tags/${tag?.slug}`, { isHidden: true })).body).toEqual({
    slug: 'thunder',
    isHidden: true,
  });
  expect(await list(client)).toEqual([false, 'private, no-cache']);
  expect(await list()).toEqual([true, 'no-cache']);
  expect((await call(client, 'GET', '/user/hidden-tags')).body).toEqual({
    items: [{ slug: 'thunder', label: 'Thunder' }],
  });
  expect((await call(client, 'POST', '/user/hidden-tags/%2e%2e', { isHidden: true })).status).toBe(404);
  expect((await call(client, 'POST', '/user/hidden-tags/thunder', { isHidden: null })).status).toBe(400);
});

test('no request above was logged as a server error', async () => {
  expect(errors).toEqual([]);
});
