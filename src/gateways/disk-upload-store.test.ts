import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskUploadStore } from './disk-upload-store.ts';

let dir: string;
let store: DiskUploadStore;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sotto-uploads-'));
  store = new DiskUploadStore({ directory: dir });
});

afterEach(() => rm(dir, { recursive: true }));

test('writes chunks in their order after what is there, and frees each chunk', async () => {
  await writeFile(join(dir, 'one'), 'begin');
  const chunks = Array.from({ length: 80 }, (_, index) => Buffer.alloc(65_536, index));
  const expected = Buffer.concat([Buffer.from('begin'), ...chunks]);
  expect(await store.write(Readable.from(chunks), 'one', 5)).toBe(expected.length);
  expect((await readFile(join(dir, 'one'))).equals(expected)).toBe(true);
  expect(chunks.reduce((sum, { length }) => sum + length, 0)).toBe(0);
});

test('leaves memory alone that a chunk shares with others', async () => {
  await writeFile(join(dir, 'one'), '');
  const whole = Buffer.from('shared memory');
  await store.write(Readable.from([whole.subarray(0, 6)]), 'one', 0);
  expect(whole.toString()).toBe('shared memory');
});

test('keeps what arrived before the connection broke', async () => {
  await writeFile(join(dir, 'one'), '');
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(70_000, 1);
      throw new Error('The connection broke');
    })(),
  );
  await expect(store.write(broken, 'one', 0)).rejects.toMatchObject({ status_code: 500 });
  expect((await readFile(join(dir, 'one'))).equals(Buffer.alloc(70_000, 1))).toBe(true);
});

test('knows the hash of what came part by part, also after a broken connection', async () => {
  await writeFile(join(dir, 'one'), '');
  const parts = [Buffer.alloc(70_000, 1), Buffer.alloc(200_000, 2), Buffer.from('end')];
  const [first, second, third] = parts.map((part) => Buffer.from(part));
  const expected = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  await store.write(Readable.from([first]), 'one', 0);
  const broken = Readable.from(
    (async function* () {
      yield second;
      throw new Error('The connection broke');
    })(),
  );
  await expect(store.write(broken, 'one', 70_000)).rejects.toThrow();
  await store.write(Readable.from([third]), 'one', 270_000);
  expect(store.hashOf('one', 270_003)).toBe(expected);
  expect(store.hashOf('one', 270_002)).toBeUndefined();
  store.forget('one');
  expect(store.hashOf('one', 270_003)).toBeUndefined();
});

test('has no hash of a file whose middle came by another process, and a new one of a file that begins anew', async () => {
  await writeFile(join(dir, 'one'), '');
  await store.write(Readable.from([Buffer.from('begin')]), 'one', 0);
  await new DiskUploadStore({ directory: dir }).write(Readable.from([Buffer.from('middle')]), 'one', 5);
  await store.write(Readable.from([Buffer.from('end')]), 'one', 11);
  expect(store.hashOf('one', 14)).toBeUndefined();
  await store.write(Readable.from([Buffer.from('again')]), 'one', 0);
  expect(store.hashOf('one', 5)).toBe(createHash('sha256').update('again').digest('hex'));
});

test('refuses where there is no file', async () => {
  await expect(store.write(Readable.from([Buffer.from('a')]), 'none', 0)).rejects.toMatchObject({ status_code: 500 });
});
