import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeEach, expect, test, vi } from 'vitest';
import { playlists, series, voices } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import type { FeedKind } from '#domain/feeds/rules.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { newId } from '#domain/kernel/ids.ts';
import { arrivingPictures, shownPictures } from '#gateways/pictures/pictures.ts';
import {
  createArticle,
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createSession,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';

const { url, site, db, blobs, routes, errors } = await startTestSite();

/** Each picture that the programs draw, measure, scale or cut. */
let works: { mock: { calls: unknown[] }; mockClear: () => void }[];
const countDrawn = () => works.reduce((sum, { mock }) => sum + mock.calls.length, 0);
beforeEach(() => {
  works = [vi.spyOn(shownPictures, 'run'), vi.spyOn(arrivingPictures, 'run')];
});

async function newUser({ isAdmin }: { isAdmin: boolean }) {
  const { id } = await createUser(db, { termsAcceptedAt: new Date() });
  await giveMonths(db, id, 1);
  if (isAdmin) await setAdmin(db, id, true);
  return { id, headers: { authorization: `Bearer ${(await createSession(db, id)).token}` } };
}
const admin = await newUser({ isAdmin: true });
const listener = await newUser({ isAdmin: false });
const creator = await newUser({ isAdmin: false });

/** A condition must not turn a missing subject into an answer without a body. */
const ways: RequestInit[] = [
  {},
  { method: 'HEAD' },
  { headers: { 'if-none-match': '*' } },
  { headers: { 'if-match': '"other"' } },
  { headers: { range: 'bytes=0-0' } },
];

function statusesOf(path: string): Promise<number[]> {
  return Promise.all(
    ways.map(
      async (way) => (await fetch(url + path, { ...way, headers: { ...admin.headers, ...way.headers } })).status,
    ),
  );
}
const all = (status: number) => ways.map(() => status);

const id = newId();
const slug = 'nothing-has-this-name';
/** Values of the parameters of routes outside the API. */
const absent: Record<string, string> = { id, slug, audio: id, kind: 'audio', token: 'A'.repeat(32) };
const absentFiles: [RegExp, string][] = [
  [/^\/look\/.*css/, `/look/${'0'.repeat(20)}.css`],
  [/^\/look\//, `/look/${'0'.repeat(64)}.png`],
  [/^\/feeds\/:file/, `/feeds/${'A'.repeat(32)}.xml`],
  [/^\/feeds\/.*mp3/, `/feeds/${'A'.repeat(32)}/${id}/audio.mp3`],
  [/^\/feed-covers\//, '/feed-covers/covers/absent.jpg'],
  [/^\/images\//, '/images/covers/absent.jpg'],
  [/^\/cards\//, '/cards/audio/absent.jpg'],
  [/^\/sitemaps\//, '/sitemaps/absent.xml'],
];

function addressOf(path: string): string {
  const file = absentFiles.find(([pattern]) => pattern.test(path));
  return (
    file?.[1] ??
    path.replaceAll(/:(\w+)(?:\{\[[^\]]*\](?:\{\d+\}|[+*])?\})?/g, (_, name: string) => absent[name] ?? name)
  );
}

/** These need no subject, or answer for one that is not there. */
const others = /^\/(?:identity|stripe-sandbox|kept|uploads|feeds\/\*|look\/\*|feed-covers\/\*)/;

const ofSubjects = routes
  .filter(({ method, path }) => method === 'GET' && /[:*]/.test(path) && !others.test(path) && !/^\/v\d\//.test(path))
  .map(({ path }) => path);

test('routes with a subject are found in the table of routes', () => {
  expect(ofSubjects).toEqual(
    expect.arrayContaining([
      expect.stringContaining('/cards/'),
      expect.stringContaining('/images/'),
      expect.stringContaining('/feed-covers/'),
      expect.stringContaining('/cover.jpg'),
    ]),
  );
});

test.for(ofSubjects)('%s without its subject: 404, and nothing is drawn', async (path) => {
  expect(await statusesOf(addressOf(path))).toEqual(all(404));
  expect(countDrawn()).toBe(0);
});

const ofApi = routes
  .filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/api/') && path.includes(':'))
  .map(({ path }) => path);

test('no call of the API draws for a subject that is not there', slow, async () => {
  for (const path of ofApi) {
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => absent[name] ?? slug);
    expect([path, await statusesOf(address)]).not.toEqual([path, expect.arrayContaining([500])]);
  }
  expect(await statusesOf(`/v1/api/user/invoices/${id}/pdf`)).toEqual(all(404));
  expect(ofApi.length).toBeGreaterThan(20);
  expect(countDrawn()).toBe(0);
});

const later = new Date(Date.now() + 3_600_000);
const voice = await createVoice(db);
const hiddenVoice = await createVoice(db, { hiddenAt: new Date() });
const named = (kind: string, made: { slug: string }) => `/cards/${kind}/${made.slug}.jpg`;
const unseen = {
  'a draft': named('audio', await createAudio(db, { voiceId: voice.id, publishedAt: null })),
  'a scheduled audio': named('audio', await createAudio(db, { voiceId: voice.id, publishedAt: later })),
  'an audio of a hidden creator': named('audio', await createAudio(db, { voiceId: hiddenVoice.id })),
  'a hidden creator': named('creators', hiddenVoice),
  'a hidden series': named('series', await createSeries(db, { voiceId: voice.id, hiddenAt: new Date() })),
  'an unpublished playlist': named('playlists', await createPlaylist(db, { publishedAt: null })),
  'a hidden category': named('categories', await createCategory(db, { hiddenAt: new Date() })),
  'an article of tomorrow': named('blog', await createArticle(db, { publishedAt: later })),
};

test.for(Object.entries(unseen))('the card of %s: 404, and nothing is drawn', async ([, path]) => {
  expect(await statusesOf(path)).toEqual(all(404));
  expect(countDrawn()).toBe(0);
});

test('a card is drawn once, and not for HEAD or for a client that has it', async () => {
  const path = named('audio', await createAudio(db, { voiceId: voice.id }));
  const etag = (await fetch(url + path, { method: 'HEAD' })).headers.get('etag') ?? '';
  expect((await fetch(url + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(countDrawn()).toBe(0);
  for (const _ of [1, 2]) expect((await fetch(url + path)).headers.get('etag')).toBe(etag);
  expect(countDrawn()).toBe(1);
});

async function newFeed(kind: FeedKind, subject?: string): Promise<string> {
  const answer = await fetch(`${url}/v1/api/user/feeds`, {
    method: 'POST',
    headers: { ...listener.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ kind, ...(subject && { subject }) }),
  });
  const { address } = (await answer.json()) as { address: string };
  return new URL(address).pathname;
}

const ofFeeds: Record<string, () => Promise<{ feed: string; remove: () => Promise<unknown> }>> = {
  async voice() {
    const made = await createVoice(db);
    await createAudio(db, { voiceId: made.id });
    const remove = () => db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, made.id));
    return { feed: await newFeed('voice', made.id), remove };
  },
  async series() {
    const { id: audioId } = await createAudio(db, { voiceId: voice.id });
    const made = await createSeries(db, { voiceId: voice.id, audioIds: [audioId] });
    const remove = () => db.update(series).set({ hiddenAt: new Date() }).where(eq(series.id, made.id));
    return { feed: await newFeed('series', made.id), remove };
  },
  async playlist() {
    const { id: audioId } = await createAudio(db, { voiceId: voice.id });
    const made = await createPlaylist(db, { audioIds: [audioId] });
    const remove = () => db.update(playlists).set({ publishedAt: null }).where(eq(playlists.id, made.id));
    return { feed: await newFeed('playlist', made.id), remove };
  },
  async userPlaylist() {
    const { id: audioId } = await createAudio(db, { voiceId: voice.id });
    const made = await createUserPlaylist(db, { userId: listener.id, audioIds: [audioId] });
    const remove = () => site.library.deleteUserPlaylist(listener.id, made.id);
    return { feed: await newFeed('userPlaylist', made.id), remove };
  },
};

test.for(Object.entries(ofFeeds))(
  'a private feed whose %s is gone draws no cover, and names none',
  async ([, make]) => {
    const { feed, remove } = await make();
    const cover = feed.replace('.xml', '/cover.jpg');
    expect((await fetch(url + cover)).status).toBe(200);
    expect(countDrawn()).toBe(1);
    await remove();
    works.forEach((work) => work.mockClear());
    expect(await statusesOf(cover)).toEqual(all(404));
    expect(countDrawn()).toBe(0);
    expect((await (await fetch(url + feed)).text()).match(/<title>[^<]*|itunes:image/g)).not.toContain('itunes:image');
  },
);

const picture = (
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#b05040' } })
    .png()
    .toBuffer()
).toString('base64');
const foreign = await createSeries(db, { voiceId: voice.id });
await setVoiceOwner(db, (await createVoice(db)).id, creator.id, true);

function send(by: typeof admin, method: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}/v1/api${path}`, {
    method,
    headers: { ...by.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const withPicture = [
  ['PATCH', `/studio/series/${id}`, { picture }],
  ['PATCH', `/studio/series/${foreign.id}`, { picture }],
  ['PATCH', `/studio/voices/${id}`, { picture }],
  ['PATCH', `/studio/voices/${voice.id}`, { picture }],
  ['PUT', `/studio/audios/${id}/cover`, { version: 0, choice: { picture } }],
  ['PUT', `/studio/audios/${id}/cover`, { version: 0, choice: { drawn: true } }],
  ['PUT', `/admin/categories/${id}/picture`, { picture, before: null }],
  ['PUT', `/admin/playlists/${id}/picture`, { picture, before: null }],
  ['PUT', `/admin/articles/${id}/picture`, { revision: 1, picture }],
  ['PUT', `/admin/articles/${id}/picture`, { revision: 1, drawn: true }],
] as const;

test.for(withPicture)(
  '%s %s: a picture for a subject that is not there is not opened',
  async ([method, path, body]) => {
    for (const by of path.includes(id) ? [admin, creator] : [creator])
      expect((await send(by, method, path, body)).status).toBe(404);
    expect(countDrawn()).toBe(0);
  },
);

test('a picture from a listener without a creator page is refused unopened', async () => {
  for (const [method, path, body] of withPicture) {
    const answer = await send(listener, method, path, body);
    const isStudio = path.startsWith('/studio');
    expect([path, answer.status]).toEqual([path, isStudio ? 403 : 404]);
    if (isStudio) expect(await answer.json()).toMatchObject({ error: { code: 'studio/no-creator' } });
  }
  expect(countDrawn()).toBe(0);
});

test('a stored picture is scaled for the address that names it', async () => {
  await blobs.write('images/covers/here.png', Buffer.from(picture, 'base64'));
  expect((await fetch(`${url}/images/covers/here.png?width=80`)).status).toBe(200);
  expect(countDrawn()).toBe(1);
  expect(errors).toEqual([]);
});
