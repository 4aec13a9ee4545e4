import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { findRunningServer } from '#db/embedded/server.ts';
import { browserFetch, browserHeaders } from './browser-headers.ts';
import { type Figure, atMost, median, ratio } from './figures.ts';
import { createListeners } from './listeners.ts';

const fileBytes = 400 * 1024 * 1024;
/** The chunk size that the browser uses on a fast line. */
const partBytes = 32 * 1024 * 1024;
const rounds = 5;

/**
 * A file uploaded by the tus protocol until it is stored, against a bare write of the same bytes to the same disk. Both
 * end with the bytes synced. Each upload is compared with the write just before it, because the disk's speed drifts.
 */
export async function benchUploads(siteUrl: string, dataDir: string, pid: number): Promise<Figure[]> {
  const by = await createCreator(dataDir);
  const part = randomBytes(partBytes);
  const [written, uploaded]: [number[], number[]] = [[], []];
  let maxMemory = 0;
  const watching = setInterval(() => {
    void readMemory(pid).then((bytes) => (maxMemory = Math.max(maxMemory, bytes)));
  }, 100);
  try {
    for (let round = 0; round < rounds; round += 1) {
      written.push(await time(() => writeBare(join(dataDir, 'bare'), part)));
      // Different content each time, because the same file would already be stored.
      part.set(randomBytes(16));
      uploaded.push(await time(() => upload(siteUrl, by, part)));
    }
  } finally {
    clearInterval(watching);
  }
  const speed = (seconds: number) => Math.round(fileBytes / seconds / 1e6);
  const what = `An upload of ${fileBytes / 1024 / 1024} MB`;
  return [
    ratio(
      `${what} (${speed(median(uploaded))} MB/s) against a bare write (${speed(median(written))} MB/s)`,
      median(written.map((seconds, round) => seconds / (uploaded[round] ?? Infinity))),
      0.5,
    ),
    atMost(`${what}: most memory of the site`, maxMemory / 1024 / 1024, 512, 'MB'),
  ];
}

async function time(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}

async function writeBare(path: string, part: Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  for (let at = 0; at < fileBytes; at += part.length) await file.write(part, 0, Math.min(part.length, fileBytes - at));
  await file.sync();
  await file.close();
  await rm(path);
}

type Creator = { token: string; voiceId: string };

async function upload(siteUrl: string, { token, voiceId }: Creator, part: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' };
  const metadata = Object.entries({ voiceId, fileName: 'bench.wav' })
    .map(([name, value]) => `${name} ${btoa(value)}`)
    .join();
  const made = await browserFetch(`${siteUrl}/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(fileBytes), 'upload-metadata': metadata },
  });
  const path = made.headers.get('location');
  if (path === null) throw new Error(`The upload was refused: ${made.status} ${await made.text()}`);
  for (let at = 0; at < fileBytes; at += part.length) {
    const sent = await sendPart(siteUrl + path, part.subarray(0, Math.min(part.length, fileBytes - at)), {
      ...headers,
      'upload-offset': String(at),
    });
    if (sent.status !== 204) throw new Error(`A part was refused: ${sent.status} ${sent.text}`);
  }
}

const agent = new Agent({ keepAlive: true });

/**
 * Without `fetch`, which copies each part three times here: more work than the site's own. A browser reads from the
 * file.
 */
function sendPart(
  url: string,
  part: Uint8Array,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method: 'PATCH',
      agent,
      headers: {
        ...browserHeaders,
        ...headers,
        'content-type': 'application/offset+octet-stream',
        'content-length': part.length,
      },
    });
    sending.on('error', reject);
    sending.on('response', (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, text: body }), reject);
    });
    sending.end(part);
  });
}

/** A listener who owns one of the demo's voices. */
async function createCreator(dataDir: string): Promise<Creator> {
  const databaseUrl = await findRunningServer(dataDir);
  if (databaseUrl === undefined) throw new Error('The database of the site does not answer');
  const [listener] = await createListeners(databaseUrl, 1);
  if (listener === undefined) throw new Error('There is no listener');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ voice_id: string }>(
      'insert into voice_owners (voice_id, user_id) select id, $1 from voices order by id limit 1 returning voice_id',
      [listener.id],
    );
    return { token: listener.token, voiceId: rows[0]?.voice_id ?? '' };
  } finally {
    await client.end();
  }
}

/** Resident bytes of a process. */
async function readMemory(pid: number): Promise<number> {
  const file = await open(`/proc/${pid}/statm`, 'r');
  try {
    const pages = Number((await file.readFile('utf8')).split(' ')[1]);
    return pages * 4096;
  } finally {
    await file.close();
  }
}
