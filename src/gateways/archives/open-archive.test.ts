import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip } from 'client-zip';
import { type Zippable, zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { WebRefusal } from '#domain/gateways.ts';
import { openDiskBlobs } from '../disk-blobs.ts';
import { openArchives } from './open-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'sotto-archives-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const openArchive = openArchives({ blobs, folder });

let number = 0;
async function store(zip: Uint8Array): Promise<string> {
  const key = `archives/${(number += 1)}.zip`;
  await blobs.write(key, zip);
  return key;
}
const open = async (zip: Uint8Array, within = '') => openArchive(await store(zip), within);
const zipOf = (files: Zippable) => zipSync(files, { level: 6 });
const text = (content: string) => Buffer.from(content);

async function refusalOf(opened: Promise<unknown>): Promise<string> {
  try {
    await opened;
    return 'none';
  } catch (error) {
    if (!(error instanceof WebRefusal)) throw error;
    return error.reason;
  }
}

/** In the list of files and before each file. */
function replaced(zip: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(zip).toString('latin1').replaceAll(from, to), 'latin1');
}

test('files are read, stored or compressed, and written to a file that goes again', async () => {
  const files = await open(zipOf({ 'one.txt': text('one '.repeat(1000)), 'sound/a.wav': [text('two'), { level: 0 }] }));
  expect(files.names).toEqual(['one.txt', 'sound/a.wav']);
  expect((await files.read('one.txt', { bytes: 4000 })).content.toString()).toBe('one '.repeat(1000));
  const kept = await files.download('sound/a.wav', { bytes: 3 }, async ({ path, bytes, sha256 }) => {
    expect((await readFile(path)).toString()).toBe('two');
    return { bytes, sha256 };
  });
  expect(kept).toEqual({ bytes: 3, sha256: '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3' });
  expect(await readdir(folder)).toEqual(['blobs']);
  expect(await refusalOf(files.read('one.txt', { bytes: 3999 }))).toBe('too-large');
  expect(await refusalOf(files.read('three.txt', { bytes: 10 }))).toBe('status');
  files.close();
});

test('one that was written while it was read is read, and a folder of it alone', async () => {
  const zip = makeZip([
    { name: 'creators/ana/creator.json', input: '{}' },
    { name: 'creators/anabel/creator.json', input: '{"a":1}' },
  ]);
  const files = await open(Buffer.from(await new Response(zip).arrayBuffer()), 'creators/ana/');
  expect(files.names).toEqual(['creator.json']);
  expect((await files.read('creator.json', { bytes: 10 })).content.toString()).toBe('{}');
});

describe('it refuses', () => {
  test.each([
    ['what is no ZIP', text('PK, but not really')],
    ['nothing', Buffer.alloc(0)],
    ['one that was cut off', zipOf({ 'a.txt': text('a') }).slice(0, -10)],
    ['a name that leads out', replaced(zipOf({ 'aa/b.txt': text('a') }), 'aa/b.txt', '../b.txt')],
    ['an absolute name', replaced(zipOf({ 'a/b.txt': text('a') }), 'a/b.txt', '/tmp/xx')],
    ['a name of a Windows drive', replaced(zipOf({ 'aa/b.txt': text('a') }), 'aa/b.txt', 'c:/b.txt')],
    ['two files of one name', replaced(zipOf({ 'a.txt': text('a'), 'b.txt': text('b') }), 'b.txt', 'a.txt')],
  ])('%s', async (_, zip) => {
    expect(await refusalOf(open(zip))).toBe('unreadable');
  });

  test('one that is gone', async () => {
    expect(await refusalOf(openArchive('archives/none.zip', ''))).toBe('status');
  });

  test('encrypted files', async () => {
    const zip = Buffer.from(zipOf({ 'a.txt': text('a') }));
    const at = zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    zip.writeUInt16LE(zip.readUInt16LE(at + 8) | 1, at + 8);
    expect(await refusalOf(open(zip))).toBe('unreadable');
  });

  test('one that unfolds to far more than it is', async () => {
    const bomb = zipOf({ 'a.wav': Buffer.alloc(110 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusalOf(open(bomb))).toBe('too-large');
  });

  test('a file that is larger than its list says', async () => {
    const zip = Buffer.from(zipOf({ 'a.wav': Buffer.alloc(1024 * 1024) }));
    const at = zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    zip.writeUInt32LE(1000, at + 24);
    const files = await open(zip);
    expect(await refusalOf(files.read('a.wav', { bytes: 2000 }))).toBe('unreadable');
    expect(await refusalOf(files.download('a.wav', { bytes: 2000 }, async () => undefined))).toBe('unreadable');
    expect(await readdir(folder)).toEqual(['blobs']);
  });

  test('many names of the same bytes', async () => {
    const one = Buffer.from(zipOf({ 'a.wav': [Buffer.alloc(9 * 1024 * 1024, 7), { level: 0 }] }));
    const [list, end] = [one.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')), one.length - 22];
    const entry = one.subarray(list, end);
    const many = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn'].map((letter) => {
      const copy = Buffer.from(entry);
      copy.write(`${letter}.wav`, 46, 'latin1');
      return copy;
    });
    const tail = Buffer.from(one.subarray(end));
    tail.writeUInt16LE(many.length, 8);
    tail.writeUInt16LE(many.length, 10);
    tail.writeUInt32LE(entry.length * many.length, 12);
    expect(await refusalOf(open(Buffer.concat([one.subarray(0, list), ...many, tail])))).toBe('too-large');
  });
});

test('an archive within an archive is a file like others', async () => {
  const files = await open(zipOf({ 'inner.zip': zipOf({ '../../x': text('x') }) }));
  expect(files.names).toEqual(['inner.zip']);
});
