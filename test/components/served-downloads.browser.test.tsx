import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { licenceFor } from '#test/support/components/signed-licence.ts';
import { chunkBytes } from '#offline/chunks.ts';
import { clearAll } from '#offline/database.ts';
import { removeAllFiles, writePart } from '#offline/files.ts';
import { recordTime, readLicence } from '#offline/licence.ts';
import { type DownloadRecord, type DownloadedFile, writeRecord } from '#offline/records.ts';
import { readKey } from '#offline/sealing.ts';
import { serveDownload } from '../../src/service-worker/serve-download.ts';

const id = 'a-download';
const size = 2 * chunkBytes + 10;
const bytes = new Uint8Array(size).map((_, index) => (index * 7) % 251);
const file: DownloadedFile = { size, mime: 'audio/mpeg', etag: 'x', chunks: 3 };
let key: CryptoKey;

async function keep(change: Partial<DownloadRecord> = {}, parts = [0, 1, 2]): Promise<void> {
  const voice = { id: 'v1', name: 'Nora', slug: 'nora' };
  const facts = { id: 'a1', slug: 'rain', title: 'Rain', imageUrl: null, numberDuration: 1, color: null, isFree: true };
  const track = { ...facts, voice, audioFileUrl: '/media/audios/a1' };
  await writeRecord(key, { id, track, state: 'kept', addedAt: 1, file, ...change });
  for (const part of parts)
    await writePart(key, id, part, bytes.slice(part * chunkBytes, Math.min(size, (part + 1) * chunkBytes)));
}

beforeEach(async () => {
  await clearAll('');
  await removeAllFiles();
  key = (await readKey({ create: true })) ?? expect.fail();
  await licenceFor(60);
});

const ask = (range?: string, of = id) =>
  serveDownload({ id: of, part: 'sound' }, new Request('/', range === undefined ? {} : { headers: { range } }));
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

test('a sound is given whole, and by ranges over the borders of its parts', async () => {
  await keep();
  const whole = await ask();
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(size)]);
  // Comparing them as arrays takes WebKit a minute.
  const given = await bytesOf(whole);
  expect([given.length, given.findIndex((byte, index) => byte !== bytes[index])]).toEqual([size, -1]);
  for (const [range, from, to] of [
    [`bytes=${chunkBytes - 2}-${chunkBytes + 1}`, chunkBytes - 2, chunkBytes + 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=-3', size - 3, size - 1],
    ['bytes=0-0', 0, 0],
    [`bytes=${size - 4}-${size + 100}`, size - 4, size - 1],
  ] as const) {
    const answer = await ask(range);
    expect([range, answer.status, answer.headers.get('content-range')]).toEqual([
      range,
      206,
      `bytes ${from}-${to}/${size}`,
    ]);
    expect(await bytesOf(answer)).toEqual(bytes.slice(from, to + 1));
  }
  const beyond = await ask(`bytes=${size}-`);
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
});

test.each([
  ['is not begun', { file: undefined }, []],
  ['has only its first parts', { file: { ...file, chunks: 2 } }, [0, 1]],
  ['lost its first part', {}, [1, 2]],
])('a sound that %s comes from the site', async (_, change, parts) => {
  await keep(change, parts);
  const answer = await ask();
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${location.origin}/media/audios/a1`]);
});

test('a sound that lost a later part breaks off there', async () => {
  await keep({}, [0, 2]);
  await expect((await ask()).arrayBuffer()).rejects.toThrow();
  expect(await bytesOf(await ask('bytes=0-9'))).toEqual(bytes.slice(0, 10));
});

test('no sound is given without a licence of this site that goes on, nor one that is not stored', async () => {
  await keep();
  expect((await ask(undefined, 'another')).status).toBe(404);
  await licenceFor(-1);
  expect((await ask()).status).toBe(402);
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  await licenceFor(60, await crypto.subtle.exportKey('jwk', privateKey));
  expect((await ask()).status).toBe(402);
  await licenceFor(60);
  expect((await ask()).status).toBe(200);
});

test('a cover is given as it was stored, if there is one', async () => {
  await keep({ cover: 'image/webp' });
  const cover = () => serveDownload({ id, part: 'cover' }, new Request('/'));
  expect((await cover()).status).toBe(404);
  await writePart(key, id, 'cover', new TextEncoder().encode('a picture'));
  const answer = await cover();
  expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['image/webp', 'a picture']);
});

afterEach(() => vi.useRealTimers());

test('the time is noted each minute, so that a clock set back later ends the licence', async () => {
  await keep();
  await licenceFor(3600);
  vi.useFakeTimers({ toFake: ['Date'] });
  const latest = async () => (await readLicence())?.latest ?? Number.NaN;
  const first = await latest();
  vi.setSystemTime(first + 59_000);
  await ask();
  expect(await latest()).toBe(first);
  vi.setSystemTime(first + 20 * 60_000);
  await ask();
  expect(await latest()).toBeGreaterThan(first + 19 * 60_000);
  vi.setSystemTime(first + 16 * 60_000);
  expect((await ask()).status).toBe(200);
  vi.setSystemTime(first + 14 * 60_000);
  expect((await ask()).status).toBe(402);
});

test('a time is noted by the site’s clock, and not in a licence that was renewed meanwhile', async () => {
  await licenceFor(3600);
  const licence = (await readLicence()) ?? expect.fail();
  const hour = 60 * 60_000;
  await recordTime({ ...licence, licence: 'the former one' }, licence.latest + hour);
  expect((await readLicence())?.latest).toBe(licence.latest);
  // The site's clock is two minutes ahead.
  await recordTime({ ...licence, skew: 120_000 }, licence.latest);
  expect((await readLicence())?.latest).toBe(licence.latest + 120_000);
});
