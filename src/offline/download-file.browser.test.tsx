import { beforeEach, expect, test } from 'vitest';
import { chunkBytes } from './chunks.ts';
import { clearAll } from './database.ts';
import { downloadFile } from './download-file.ts';
import { readPart } from './files.ts';
import type { DownloadedFile } from './records.ts';
import { readKey } from './sealing.ts';

const id = 'a-download';
let key: CryptoKey;
let progress: number[];
let asked: Headers[];

beforeEach(async () => {
  await clearAll('');
  key = (await readKey({ create: true })) ?? expect.fail();
  progress = [];
  asked = [];
});

type Sound = { bytes: Uint8Array<ArrayBuffer>; etag: string };

/** Two whole chunks and a part, with the site's tag of it. */
async function soundOf(seed: number, length = 2 * chunkBytes + 1000): Promise<Sound> {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 7 + seed) % 251;
  return { bytes, etag: await tagOf(bytes) };
}

async function tagOf(bytes: BufferSource): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash.slice(0, 10), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Faults = {
  /** Bytes after which the connection ends as if that were all. */
  endsAfter?: number;
  /** Answers a range even if the file has changed. */
  ignoresIfRange?: boolean;
};

/** The site's media route, as RFC 9110 describes ranges. */
function siteWith({ bytes, etag }: Sound, { endsAfter = Number.POSITIVE_INFINITY, ignoresIfRange }: Faults = {}) {
  return async (_: unknown, init: { headers?: unknown } = {}): Promise<Response> => {
    const headers = new Headers(init.headers as HeadersInit);
    asked.push(headers);
    const isSame = ignoresIfRange === true || headers.get('if-range') === `"${etag}"`;
    const from = isSame ? Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1] ?? 0) : 0;
    const answer = bytes.slice(from);
    return new Response(answer.slice(0, endsAfter), {
      status: from > 0 ? 206 : 200,
      headers: { etag: `"${etag}"`, 'content-length': String(answer.length), 'content-type': 'audio/mpeg' },
    });
  };
}

function download(fetch: ReturnType<typeof siteWith>, file?: DownloadedFile, signal = new AbortController().signal) {
  const onProgress = async ({ chunks }: DownloadedFile) => void progress.push(chunks);
  return downloadFile({ key, id, address: '/media/audios/x', file, fetch, signal, onProgress });
}

/** Tag of the bytes on the device. */
async function stored(): Promise<string> {
  const parts = await Promise.all([0, 1, 2].map((chunk) => readPart(key, id, chunk)));
  return tagOf(await new Blob(parts.filter((part) => part !== undefined)).arrayBuffer());
}

/** A download that stopped after its first chunk. */
async function begin(sound: Sound): Promise<DownloadedFile> {
  const stop = new AbortController();
  const fetch = siteWith(sound);
  const onProgress = async () => stop.abort();
  const { signal } = stop;
  expect(await downloadFile({ key, id, address: '/x', file: undefined, fetch, signal, onProgress })).toEqual({
    ok: false,
    reason: 'stopped',
  });
  asked = [];
  return { size: sound.bytes.length, mime: 'audio/mpeg', etag: sound.etag, chunks: 1 };
}

test('a file is stored in chunks, each of them reported, and read back as it is', async () => {
  const sound = await soundOf(1);
  const outcome = await download(siteWith(sound));
  expect(outcome).toEqual({
    ok: true,
    file: { size: sound.bytes.length, mime: 'audio/mpeg', etag: sound.etag, chunks: 3 },
  });
  expect(progress).toEqual([1, 2, 3]);
  expect(await stored()).toBe(sound.etag);
});

test('a file of whole chunks has no empty one at its end', async () => {
  const sound = await soundOf(1, 2 * chunkBytes);
  expect(await download(siteWith(sound))).toMatchObject({ ok: true, file: { chunks: 2 } });
});

test('a download continues where it stopped, with the rest only', async () => {
  const sound = await soundOf(1);
  const outcome = await download(siteWith(sound), await begin(sound));
  expect(outcome).toMatchObject({ ok: true, file: { chunks: 3 } });
  expect(asked.map((headers) => [headers.get('range'), headers.get('if-range')])).toEqual([
    [`bytes=${chunkBytes}-`, `"${sound.etag}"`],
  ]);
  expect(await stored()).toBe(sound.etag);
});

test('a file that has changed starts over, and nothing of the former one stays', async () => {
  const file = await begin(await soundOf(1));
  const changed = await soundOf(2);
  expect(await download(siteWith(changed), file)).toMatchObject({ ok: true, file: { etag: changed.etag, chunks: 3 } });
  expect(await stored()).toBe(changed.etag);
});

test('the rest of another version is not added to the stored part', async () => {
  const sound = await soundOf(1);
  const file = await begin(sound);
  const answer = await download(siteWith(await soundOf(2), { ignoresIfRange: true }), file);
  expect(answer).toEqual({ ok: false, reason: 'network' });
  expect(await stored()).toBe(await tagOf(sound.bytes.slice(0, chunkBytes)));
  // The former file continues once the site has it again.
  expect(await download(siteWith(sound), file)).toMatchObject({ ok: true });
});

test('a short answer is not taken for the whole file, and its whole chunks count', async () => {
  const sound = await soundOf(1);
  expect(await download(siteWith(sound, { endsAfter: sound.bytes.length - 1 }))).toEqual({
    ok: false,
    reason: 'network',
  });
  expect(progress).toEqual([1, 2]);
  expect(await stored()).toBe(await tagOf(sound.bytes.slice(0, 2 * chunkBytes)));
  expect(await download(siteWith(sound, { endsAfter: chunkBytes }))).toEqual({ ok: false, reason: 'network' });
});

test('what arrives damaged is removed', async () => {
  const sound = await soundOf(1);
  const damaged = { ...(await soundOf(2)), etag: sound.etag };
  expect(await download(siteWith(damaged))).toEqual({ ok: false, reason: 'damaged' });
  expect(await stored()).toBe(await tagOf(new Uint8Array()));
});

test('a file that the device has whole is not asked for again', async () => {
  const sound = await soundOf(1);
  const first = await download(siteWith(sound));
  asked = [];
  expect(await download(siteWith(sound), first.ok ? first.file : expect.fail())).toEqual(first);
  expect(asked).toEqual([]);
});
