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

test('refuses where there is no file', async () => {
  await expect(store.write(Readable.from([Buffer.from('a')]), 'none', 0)).rejects.toMatchObject({ status_code: 500 });
});
