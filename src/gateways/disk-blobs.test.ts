import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Blobs } from '#domain/gateways.ts';
import { openDiskBlobs } from './disk-blobs.ts';

let folder: string;
let dir: string;
let blobs: Blobs;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-blobs-'));
  dir = join(folder, 'blobs');
  blobs = openDiskBlobs({ dir });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

async function keys(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of blobs.list(prefix)) found.push(key);
  return found;
}

describe('writing and reading', () => {
  test('written content is read back, whole and in ranges', async () => {
    const content = randomBytes(700_000);
    const info = await blobs.write('audio/one.m4a', content);
    expect(info).toMatchObject({ key: 'audio/one.m4a', bytes: content.length });
    expect(await blobs.stat('audio/one.m4a')).toEqual(info);
    expect((await bytesOf(blobs.read('audio/one.m4a'))).equals(content)).toBe(true);
    expect((await bytesOf(blobs.read('audio/one.m4a', { start: 5, end: 5 }))).equals(content.subarray(5, 6))).toBe(
      true,
    );
    expect(
      (await bytesOf(blobs.read('audio/one.m4a', { start: 100_000, end: 650_000 }))).equals(
        content.subarray(100_000, 650_001),
      ),
    ).toBe(true);
  });

  test('a stream is written as it arrives, and may be empty', async () => {
    const content = randomBytes(300_000);
    await blobs.write('a/b/c/stream', new Blob([content]).stream());
    expect((await bytesOf(blobs.read('a/b/c/stream'))).equals(content)).toBe(true);
    expect(await blobs.write('empty', new Uint8Array())).toMatchObject({ bytes: 0 });
    expect(await bytesOf(blobs.read('empty'))).toHaveLength(0);
  });

  test('content with another hash than the expected one is refused, and the old content stays', async () => {
    const old = Buffer.from('old');
    await blobs.write('audio/one.m4a', old, createHash('sha256').update(old).digest('hex'));
    await expect(blobs.write('audio/one.m4a', Buffer.from('new'), 'a'.repeat(64))).rejects.toThrow(
      'not the expected one',
    );
    expect((await bytesOf(blobs.read('audio/one.m4a'))).toString()).toBe('old');
  });

  test('a broken stream keeps the old content and leaves no files behind', async () => {
    await blobs.write('audio/one.m4a', Buffer.from('old'));
    let pulls = 0;
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls > 3) throw new Error('The upload broke off');
        controller.enqueue(randomBytes(10_000));
      },
    });
    await expect(blobs.write('audio/one.m4a', broken)).rejects.toThrow('broke off');
    expect((await bytesOf(blobs.read('audio/one.m4a'))).toString()).toBe('old');
    expect(await readdir(join(dir, '.incoming'))).toEqual([]);
  });

  test('a reader during a replacement gets the old content to its end', async () => {
    const old = randomBytes(1_000_000);
    await blobs.write('audio/one.m4a', old);
    const reader = blobs.read('audio/one.m4a').getReader();
    const pieces = [(await reader.read()).value ?? new Uint8Array()];
    await blobs.write('audio/one.m4a', Buffer.from('new'));
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
    expect(Buffer.concat(pieces).equals(old)).toBe(true);
    expect((await bytesOf(blobs.read('audio/one.m4a'))).toString()).toBe('new');
  });

  test('a file is copied in and the source stays', async () => {
    const source = join(folder, 'source.mp3');
    await writeFile(source, 'sound');
    expect(await blobs.importFile('audio/two.mp3', source)).toMatchObject({ key: 'audio/two.mp3', bytes: 5 });
    expect((await bytesOf(blobs.read('audio/two.mp3'))).toString()).toBe('sound');
    expect(await readFile(source, 'utf8')).toBe('sound');
    await expect(blobs.importFile('audio/three.mp3', join(folder, 'missing.mp3'))).rejects.toThrow('ENOENT');
    expect(await blobs.stat('audio/three.mp3')).toBeUndefined();
  });

  test('a reader with its own buffer gets the bytes in it', async () => {
    await blobs.write('audio/one.m4a', Buffer.from('abcdefgh'));
    const reader = blobs.read('audio/one.m4a', { start: 1, end: 6 }).getReader({ mode: 'byob' });
    const first = await reader.read(new Uint8Array(4));
    const second = await reader.read(new Uint8Array(4));
    expect(Buffer.from(first.value ?? []).toString()).toBe('bcde');
    expect(Buffer.from(second.value ?? []).toString()).toBe('fg');
    expect((await reader.read(new Uint8Array(4))).done).toBe(true);
  });

  test('a range beyond the end is an error, not a short answer', async () => {
    await blobs.write('audio/one.m4a', Buffer.from('abc'));
    await expect(bytesOf(blobs.read('audio/one.m4a', { start: 1, end: 10 }))).rejects.toThrow('ends at byte 3');
  });

  test('removing is idempotent', async () => {
    await blobs.write('audio/one.m4a', Buffer.from('abc'));
    await blobs.remove('audio/one.m4a');
    await blobs.remove('audio/one.m4a');
    await blobs.remove('no/such/folder');
    expect(await blobs.stat('audio/one.m4a')).toBeUndefined();
    await expect(bytesOf(blobs.read('audio/one.m4a'))).rejects.toThrow('No blob');
  });
});

describe('listing', () => {
  test('a prefix may end within a name, and the order is by name', async () => {
    for (const key of ['images/b.webp', 'images/a.webp', 'images/voices/a.webp', 'audio/a.mp3', 'imagesque'])
      await blobs.write(key, Buffer.from(key));
    expect(await keys('')).toEqual([
      'audio/a.mp3',
      'images/a.webp',
      'images/b.webp',
      'images/voices/a.webp',
      'imagesque',
    ]);
    expect(await keys('images/')).toEqual(['images/a.webp', 'images/b.webp', 'images/voices/a.webp']);
    expect(await keys('images/vo')).toEqual(['images/voices/a.webp']);
    expect(await keys('ima')).toEqual(['images/a.webp', 'images/b.webp', 'images/voices/a.webp', 'imagesque']);
    expect(await keys('video/')).toEqual([]);
  });

  test('nothing outside the folder is listed', async () => {
    await writeFile(join(folder, 'outside'), 'secret');
    for (const prefix of ['../', '/', '../blobs/', 'a/../../']) expect(await keys(prefix)).toEqual([]);
  });
});

describe('invalid keys', () => {
  const tricks = [
    '',
    '.',
    '..',
    '../outside',
    'audio/../../outside',
    '/etc/passwd',
    'audio//one',
    'audio/',
    '/audio',
    'a\0b',
    'audio/one.m4a\0.png',
    'a\\b',
    'C:/x',
    'Ä',
    'A',
    'a b',
    'a%2fb',
    '.hidden',
    'audio/.hidden',
    '.incoming/x',
    'a..b',
    'a\n',
    'x'.repeat(10_000),
  ];

  test.each(tricks)('%j reaches nothing', async (key) => {
    await writeFile(join(folder, 'outside'), 'secret');
    expect(await blobs.stat(key)).toBeUndefined();
    await expect(bytesOf(blobs.read(key))).rejects.toThrow('No blob');
    await expect(blobs.write(key, Buffer.from('x'))).rejects.toThrow('Not a blob key');
    await expect(blobs.importFile(key, join(folder, 'outside'))).rejects.toThrow('Not a blob key');
    await blobs.remove(key);
    expect(await readFile(join(folder, 'outside'), 'utf8')).toBe('secret');
  });

  test('a folder and a path below a file are not blobs', async () => {
    await blobs.write('audio/one.m4a', Buffer.from('abc'));
    expect(await blobs.stat('audio')).toBeUndefined();
    expect(await blobs.stat('audio/one.m4a/x')).toBeUndefined();
  });
});

describe('links', () => {
  test('no call follows a link that leads outside', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'elsewhere', 'secret'), 'secret');
    await symlink(join(folder, 'elsewhere'), join(dir, 'door'));
    await symlink(join(folder, 'elsewhere', 'secret'), join(dir, 'window'));
    for (const key of ['door/secret', 'window']) {
      expect(await blobs.stat(key)).toBeUndefined();
      await expect(bytesOf(blobs.read(key))).rejects.toThrow('No blob');
    }
    await expect(blobs.write('door/new', Buffer.from('x'))).rejects.toThrow('leads outside');
    await expect(blobs.write('door/deep/new', Buffer.from('x'))).rejects.toThrow('leads outside');
    await blobs.remove('door/secret');
    expect(await readdir(join(folder, 'elsewhere'))).toEqual(['secret']);
    expect(await keys('')).toEqual([]);
  });

  test('a folder whose name starts like the blob folder is outside', async () => {
    await mkdir(`${dir}-other`);
    await writeFile(join(`${dir}-other`, 'secret'), 'secret');
    await symlink(`${dir}-other`, join(dir, 'door'));
    expect(await blobs.stat('door/secret')).toBeUndefined();
  });

  test('a link within, and a blob folder that is itself a link, work', async () => {
    await blobs.write('audio/one.m4a', Buffer.from('abc'));
    await symlink(join(dir, 'audio'), join(dir, 'sound'));
    expect(await blobs.stat('sound/one.m4a')).toMatchObject({ bytes: 3 });
    await symlink(dir, join(folder, 'linked'));
    expect(await openDiskBlobs({ dir: join(folder, 'linked') }).stat('audio/one.m4a')).toMatchObject({ bytes: 3 });
  });
});

test('half-written files are removed at the start after a day; younger files stay', async () => {
  const incoming = join(dir, '.incoming');
  await writeFile(join(incoming, 'old'), 'x');
  await writeFile(join(incoming, 'young'), 'x');
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
  await utimes(join(incoming, 'old'), twoDaysAgo, twoDaysAgo);
  openDiskBlobs({ dir });
  await vi.waitFor(async () => expect(await readdir(incoming)).toEqual(['young']));
});
