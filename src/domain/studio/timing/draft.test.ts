/** @module-tag slow */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { openSpeech } from '#gateways/speech.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { operator } from '../../kernel/actor.ts';
import { findEditedAudio } from '../audios/audio-values.ts';
import { readDraft } from './read-draft.ts';
import { timeScript } from './time-script.ts';
import { findTiming, findWaitingTimings, startDraft, startTiming, takeTiming } from './timings.ts';

// The programs run at low priority.
vi.setConfig({ testTimeout: 120_000 });

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-draft-'));
const dir = join(folder, 'work');
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const engine = openSoundEngine({ blobs, dir });
const isThere = (await engine.version()) !== undefined;

type Asked = { path: string | undefined; key: string | undefined; form: FormData };
let asked: Asked[];
let answers: { status: number; body: unknown }[];

/** A service with the same interface, which says what it is told to say. */
const service = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData();
  asked.push({ path: request.url, key: request.headers.authorization, form });
  const { status, body } = answers.shift() ?? { status: 500, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
const speech = openSpeech({ url: `${url}/`, key: 'secret', model: 'whisper-1' });

beforeEach(() => {
  [asked, answers] = [[], []];
});
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

const heard = (...segments: [number, number, string][]) => ({
  status: 200,
  body: { text: '', segments: segments.map(([start, end, text], id) => ({ id, start, end, text })) },
});

async function drafted(seconds: number, pauseAt = Infinity) {
  const audio = await createAudio(db, { durationMs: seconds * 1000, language: 'de-AT', publishedAt: null });
  const sound = tone(300);
  const wave = wavOf((time, channel) => (time >= pauseAt && time < pauseAt + 1 ? 0 : sound(time, channel)), {
    seconds,
    rate: 8000,
  });
  await blobs.write(audio.fileKey, wave);
  expect(await startDraft({ db, addJobs: async () => undefined }, operator, audio.id)).toEqual({ ok: true });
  const [{ id } = { id: '' }] = await findWaitingTimings(db);
  const run = () => timeScript({ db, blobs, engine, speech }, id);
  return { ...audio, timingId: id, run, find: () => findTiming(db, operator, audio.id) };
}

test.skipIf(!isThere)('a draft is asked for again when the service fails, and waits until it is taken', async () => {
  const { id, run, find } = await drafted(4);
  answers = [{ status: 503, body: {} }, heard([0, 1.5, ' Komm herein.'], [1.5, 9, ' Setz dich. ']), heard()];
  await expect(run()).rejects.toThrow('answered 503');
  expect(await find()).toMatchObject({ source: 'speech', state: 'running', lines: [] });
  await run();
  expect(await find()).toMatchObject({
    state: 'ready',
    lines: ['Komm herein.', 'Setz dich.'],
    times: [
      { start: 0, end: 1.5, certainty: 'check' },
      { start: 1.5, end: 4, certainty: 'check' },
    ],
  });
  expect(asked.map(({ path, key }) => [path, key])).toEqual(
    [1, 2].map(() => ['/v1/audio/transcriptions', 'Bearer secret']),
  );
  const { form } = asked[1]!;
  const file = form.get('file') as File;
  expect([file.name, file.type]).toEqual(['sound.m4a', 'audio/mp4']);
  expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp');
  expect(['model', 'response_format', 'timestamp_granularities[]', 'language'].map((name) => form.get(name))).toEqual([
    'whisper-1',
    'verbose_json',
    'segment',
    'de',
  ]);
  expect((await findEditedAudio(db, operator, id))?.values.transcript).toBeNull();
  expect(await takeTiming(db, operator, id, 0)).toMatchObject({ ok: true });
  expect((await findEditedAudio(db, operator, id))?.values.transcript).toMatchObject([
    { text: 'Komm herein.', certainty: 'check' },
    { text: 'Setz dich.', certainty: 'check' },
  ]);
  expect(readdirSync(dir)).toEqual([]);
});

test.skipIf(!isThere)('a long recording is sent in pieces, cut in a pause', async () => {
  const { run, find } = await drafted(640, 550);
  answers = [heard([0, 2, 'One']), heard([1, 3, 'Two'])];
  await run();
  const { times, lines } = (await find()) ?? {};
  expect(lines).toEqual(['One', 'Two']);
  expect(times?.[1]?.start).toBeGreaterThan(550.9);
  expect(times?.[1]?.start).toBeLessThan(552.1);
  for (const { form } of asked) expect((form.get('file') as File).size).toBeLessThan(25_000_000);
  expect((asked[0]!.form.get('file') as File).size).toBeGreaterThan(1_000_000);
});

test.skipIf(!isThere)(
  'a refusal, an answer that is none, and silence end it; another script takes its place',
  async () => {
    for (const [answer, failure] of [
      [{ status: 400, body: {} }, 'refused'],
      [{ status: 302, body: {} }, 'refused'],
      [{ status: 200, body: { text: 'No segments' } }, 'refused'],
      [heard([0, 1, ' ']), 'nothing-said'],
    ] as const) {
      const { id, run, find } = await drafted(2);
      answers = [answer];
      await run();
      expect(await find()).toMatchObject({ state: 'failed', failure });
      await startTiming({ db, addJobs: async () => undefined }, operator, id, 'Come in.');
      expect(await find()).toMatchObject({ source: 'script', state: 'waiting' });
      await db.execute('delete from script_timings');
    }
  },
);

test('without a service nothing is sent, also what waited before it was turned off', async () => {
  const { timingId, find } = await drafted(2);
  await timeScript({ db, blobs, engine }, timingId);
  expect(await find()).toMatchObject({ state: 'failed', failure: 'failed' });
  expect(asked).toEqual([]);
});

test('a draft has lines in order, within the recording, without control characters', () => {
  const { lines, times } = readDraft(
    [
      { start: 5, end: 8, text: ' Sec\u0000ond\nline ' },
      { start: -1, end: 3, text: 'First' },
      { start: 2, end: 4, text: 'Overlaps' },
      { start: 9, end: 9, text: 'No time' },
      { start: 9, end: 20, text: 'x'.repeat(2000) },
      { start: 30, end: 31, text: 'After the end' },
    ],
    10,
  );
  expect(lines).toEqual(['First', 'Overlaps', 'Sec ond line', 'x'.repeat(1000)]);
  expect(times.map(({ start, end }) => [start, end])).toEqual([
    [0, 3],
    [3, 4],
    [5, 8],
    [9, 10],
  ]);
});
