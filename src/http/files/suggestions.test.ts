import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { SuggestionBlock, SuggestionIndex } from '#domain/catalogue/suggestions/public-files.ts';
import { audioNumbers, audios, neighbourCounts, tags } from '#domain/catalogue/tables.ts';
import { listeningHistory } from '#domain/listening/tables.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { readShard } from '#formats/suggestions/shards.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { createBlockCache } from '../public-cache.ts';
import { suggestionRoutes } from './suggestions.ts';

const { url, db, site, blobs, logged } = await startTestSite({ TRUST_PROXY: '1' });

const cover = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#b05040' } })
  .jpeg()
  .toBuffer();
await blobs.write('images/covers/one.jpg', cover);

const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
const people = await Promise.all(Array.from({ length: 12 }, () => createUser(db, { createdAt: longAgo })));
const own = await Promise.all(
  Array.from({ length: 20 }, (_, index) =>
    createAudio(db, {
      title: `Audio ${index}`,
      tagLabels: ['Sea'],
      plays: index === 0 ? 1000 : 3,
      ...(index === 0 && { imageKey: 'images/covers/one.jpg' }),
    }),
  ),
);
const draft = await createAudio(db, { publishedAt: null });
await db
  .insert(listeningHistory)
  .values(
    people.flatMap(({ id: userId }) =>
      own.slice(0, 3).map(({ id: audioId }) => ({ userId, audioId, listens: 1, listenedMs: 60_000 })),
    ),
  );

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });
const indexOf = async () => (await get('/suggestions/index.json')).json() as Promise<SuggestionIndex>;
const blockOf = async (block: number, language = 'en') =>
  ((await (await get(`/suggestions/${language}/audios/${block}`)).json()) as SuggestionBlock).audios;
const numberOf = async (id: string) =>
  (await db.select().from(audioNumbers).where(eq(audioNumbers.audioId, id)))[0]?.number ?? -1;

test('before the first count there is nothing', async () => {
  expect(await indexOf()).toEqual({ version: 0, shards: 0, blocks: 0 });
  expect((await get('/suggestions/0/near/0')).status).toBe(404);
  expect((await get('/suggestions/en/audios/0')).status).toBe(404);
});

test('the files of a count are kept for good, by everybody, and go with it', async () => {
  await site.listening.publishNeighbours();
  await expect.poll(async () => (await indexOf()).blocks, { timeout: 12_000 }).toBe(3);
  const { version, shards } = await indexOf();
  const answer = await get(`/suggestions/${version}/near/0`);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  const etag = answer.headers.get('etag') ?? '';
  expect((await get(`/suggestions/${version}/near/0`, { 'if-none-match': etag })).status).toBe(304);
  const found = readShard(new Uint8Array(await answer.arrayBuffer()), 0, shards);
  expect(found.size).toBe(3);
  expect(found.get(await numberOf(own[0]?.id ?? ''))).toHaveLength(2);
  for (const path of [`${version}/near/1`, `${version - 1}/near/0`, `${version}/near/${10 ** 20}`, 'x/near/0', '1'])
    expect([path, (await get(`/suggestions/${path}`)).status]).toEqual([path, 404]);
  expect((await fetch(`${url}/suggestions/index.json`, { method: 'POST' })).status).toBe(405);
  await db.update(neighbourCounts).set({ countedAt: new Date(Date.now() + 60_000) });
  expect((await indexOf()).version).not.toBe(0);
});

test('a block has what everybody may see of its audios, with small covers and rough numbers of plays', async () => {
  const [one] = own;
  const number = await numberOf(one?.id ?? '');
  const shown = await blockOf(Math.floor(number / 8));
  expect(shown.find((audio) => audio.id === one?.id)).toMatchObject({
    number,
    title: 'Audio 0',
    plays: 768,
    tags: [{ slug: 'sea', label: 'Sea' }],
  });
  const { picture } = shown.find(({ id }) => id === one?.id) ?? {};
  expect(await sharp(Buffer.from(picture ?? '', 'base64')).metadata()).toMatchObject({ format: 'heif', width: 256 });
  expect(shown.filter(({ id }) => id !== one?.id).every((audio) => audio.picture === null)).toBe(true);
  const all = (await Promise.all([0, 1, 2].map((block) => blockOf(block)))).flat();
  expect(all).toHaveLength(own.length);
  expect(all.map(({ id }) => id)).not.toContain(draft.id);
  for (const path of ['en/audios/3', `en/audios/${10 ** 12}`, 'fr/audios/0', 'en/audios/-1', 'en/audios/x'])
    expect([path, (await get(`/suggestions/${path}`)).status]).toEqual([path, 404]);
});

test('without a picture that may not be made now, a block is not kept', async () => {
  const block = Math.floor((await numberOf(own[0]?.id ?? '')) / 8);
  const kept = createBlockCache();
  let isRefused = true;
  const routes = suggestionRoutes({
    site,
    images: {
      smallerSide: async () => undefined,
      async variant() {
        if (isRefused) throw new DomainError('request/too-many');
        return { bytes: new Uint8Array(3), mime: 'image/avif', etag: '' };
      },
    },
    cache: kept,
    blockCache: kept,
    rateLimit: () => true,
    trustProxy: 0,
  });
  const ask = async () => routes.request(`/suggestions/en/audios/${block}`);
  const refused = await ask();
  expect([refused.status, refused.headers.get('cache-control'), kept.bytes]).toEqual([200, 'no-store', 0]);
  expect(((await refused.json()) as SuggestionBlock).audios.every(({ picture }) => picture === null)).toBe(true);
  isRefused = false;
  const made = ((await (await ask()).json()) as SuggestionBlock).audios;
  expect(made.some(({ picture }) => picture !== null)).toBe(true);
  expect(kept.bytes).toBeGreaterThanOrEqual(1024);
});

test('what is not to be seen any more is gone at once', async () => {
  const [, two] = own;
  const block = Math.floor((await numberOf(two?.id ?? '')) / 8);
  expect((await blockOf(block)).map(({ id }) => id)).toContain(two?.id);
  await db
    .update(audios)
    .set({ publishedAt: null })
    .where(eq(audios.id, two?.id ?? ''));
  await expect.poll(async () => (await blockOf(block)).map(({ id }) => id), { timeout: 2500 }).not.toContain(two?.id);
  await db.update(tags).set({ label: 'Ocean' }).where(eq(tags.slug, 'sea'));
  await expect.poll(async () => (await blockOf(block))[0]?.tags[0]?.label, { timeout: 2500 }).toBe('Ocean');
});

test('the answer is the same for everybody, and no line of the log says whose it was', async () => {
  const user = await createUser(db);
  const { token } = await createSession(db, user.id);
  const before = logged.length;
  const plain = await get('/suggestions/en/audios/0');
  const named = await get('/suggestions/en/audios/0', {
    authorization: `Bearer ${token}`,
    cookie: `sotto_session=${token}`,
  });
  expect(await named.text()).toBe(await plain.text());
  expect([named.headers.get('set-cookie'), named.headers.get('cache-control')]).toEqual([null, 'public, max-age=60']);
  const lines = JSON.stringify(logged.slice(before));
  expect(lines).toContain('/suggestions/:language');
  for (const word of [user.id, token, 'audios/0']) expect(lines).not.toContain(word);
});

test('a client that asks for hundreds in a minute is refused, as elsewhere', async () => {
  const minute = () => Math.floor(Date.now() / 60_000);
  let asked: Response[];
  let [client, begun] = [70, 0];
  do {
    [client, begun] = [client + 1, minute()];
    const headers = { 'x-forwarded-for': `203.0.113.${client}` };
    asked = await Promise.all(Array.from({ length: 610 }, () => get('/suggestions/index.json', headers)));
    // Another minute has another budget.
  } while (minute() !== begun);
  expect(asked.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(600);
});
