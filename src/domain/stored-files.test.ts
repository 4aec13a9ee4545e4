import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { slow } from '#test/support/tags.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';
import { readMigrations } from '../db/schema-state.ts';
import { deleteAudio, purgeDeletedAudios, restoreAudio } from './catalogue/editing/deletion.ts';
import { audios, voices } from './catalogue/tables.ts';
import { DomainError } from './kernel/errors.ts';
import {
  backupLock,
  enterUnknownFiles,
  fileColumns,
  removeUnusedFiles,
  storedFiles,
  storeFile,
} from './stored-files.ts';

const { db, pool } = await createTestDatabase();
const dir = mkdtempSync(join(tmpdir(), 'sotto-files-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const blobs = openDiskBlobs({ dir });
const tools = { db, blobs };
const content = Buffer.from('sound');

let number = 0;
const newKey = (folder = 'audio') => `${folder}/file-${(number += 1)}.m4a`;
const store = (key: string, to = tools) => storeFile(to, { key, bytes: 5 }, () => to.blobs.write(key, content));
const isThere = async (key: string) => (await blobs.stat(key)) !== undefined;

async function stateOf(key: string): Promise<string | undefined> {
  return (await db.select().from(storedFiles).where(eq(storedFiles.key, key)))[0]?.state;
}

test('a file has a row before it is written, and goes two days later if its process dies between file and row', async () => {
  const [written, dead, named] = [newKey(), newKey(), newKey()];
  let whileWriting: string | undefined;
  await storeFile(tools, { key: written, bytes: 5 }, async () => {
    whileWriting = await stateOf(written);
    await blobs.write(written, content);
  });
  expect(whileWriting).toBe('arriving');
  const half = storeFile(tools, { key: dead, bytes: 5 }, async () => {
    await blobs.write(dead, content);
    throw new Error('killed');
  });
  await expect(half).rejects.toThrow('killed');
  await store(named);
  await createAudio(db, { fileKey: named });
  expect(await stateOf(named)).toBe('kept');

  expect(await removeUnusedFiles(tools)).toBe(0);
  expect(await removeAfterTwoDays(tools)).toBe(2);
  expect(await Promise.all([written, dead, named].map(isThere))).toEqual([false, false, true]);
  expect(await Promise.all([written, dead, named].map(stateOf))).toEqual([undefined, undefined, 'kept']);
});

test('a file goes two days after the last row that names it, and stays when one names it again', async () => {
  const [sound, cover, other] = [newKey(), newKey('images'), newKey('images')];
  for (const key of [sound, cover, other]) await store(key);
  const [first, second] = [
    await createAudio(db, { fileKey: sound, imageKey: cover }),
    await createAudio(db, { fileKey: sound, imageKey: cover }),
  ];
  await db.update(audios).set({ imageKey: other }).where(eq(audios.id, first.id));
  await db.delete(audios).where(eq(audios.id, second.id));
  expect(await Promise.all([sound, cover, other].map(stateOf))).toEqual(['unused', 'unused', 'kept']);
  await db.update(audios).set({ imageKey: cover }).where(eq(audios.id, first.id));
  expect(await removeAfterTwoDays(tools)).toBe(1);
  // Another row still named the sound.
  expect(await Promise.all([sound, cover, other].map(stateOf))).toEqual(['kept', 'kept', undefined]);
  expect(await Promise.all([sound, cover, other].map(isThere))).toEqual([true, true, false]);
});

test('a file that another row names at that moment is stored all the same, and stays kept', async () => {
  for (const arrange of [
    async () => undefined,
    async (key: string) => db.update(storedFiles).set({ state: 'unused' }).where(eq(storedFiles.key, key)),
  ]) {
    const key = newKey();
    await store(key);
    await arrange(key);
    await meanwhile(
      db,
      (tx) => createAudio(tx, { fileKey: key }),
      () => store(key),
    );
    expect([await stateOf(key), await isThere(key)]).toEqual(['kept', true]);
  }
});

test('a deleted audio is whole for 30 days, and its files go after it', async () => {
  const [sound, cover] = [newKey(), newKey('images')];
  for (const key of [sound, cover]) await store(key);
  const { id } = await createAudio(db, { fileKey: sound, imageKey: cover });
  const age = (days: number) =>
    db.execute(sql`update audios set deleted_at = now() - make_interval(days => ${days}) where id = ${id}`);
  await deleteAudio(db, id);
  await age(29);
  expect(await purgeDeletedAudios(db)).toBe(0);
  expect(await removeAfterTwoDays(tools)).toBe(0);
  expect(await restoreAudio(db, id)).toMatchObject({ ok: true });
  expect(await Promise.all([sound, cover].map(isThere))).toEqual([true, true]);
  await deleteAudio(db, id);
  await age(31);
  expect(await purgeDeletedAudios(db)).toBe(1);
  expect(await removeAfterTwoDays(tools)).toBe(2);
  expect(await Promise.all([sound, cover].map(isThere))).toEqual([false, false]);
});

test('no row can name a file that is being removed, and it is stored again only afterwards', async () => {
  const key = newKey();
  await store(key);
  let refused: unknown[] = [];
  const slowStorage = {
    ...blobs,
    async remove(removed: string) {
      refused = await Promise.all([
        createAudio(db, { fileKey: removed }).catch(({ cause }: Error) => cause),
        store(removed).catch((error: unknown) => error),
      ]);
      await blobs.remove(removed);
    },
  };
  expect(await removeAfterTwoDays({ db, blobs: slowStorage })).toBe(1);
  expect(refused).toEqual([expect.objectContaining({ code: '40001' }), new DomainError('server/unavailable')]);
  await store(key);
  await createAudio(db, { fileKey: key });
  expect(await removeAfterTwoDays(tools)).toBe(0);
  expect(await isThere(key)).toBe(true);
});

test('files that the storage did not remove are tried again, and hold back no others', async () => {
  const keys = Array.from({ length: 30 }, () => newKey());
  for (const key of keys) await store(key);
  const away = { ...blobs, remove: () => Promise.reject(new Error('the storage is away')) };
  await expect(removeAfterTwoDays({ db, blobs: away })).rejects.toThrow('the storage is away');
  expect(await removeUnusedFiles(tools)).toBe(10);
  expect(await removeUnusedFiles(tools)).toBe(0);
  await db.execute(sql`update stored_files set since = since - interval '11 minutes' where state = 'removing'`);
  // A process that died has left one behind: it may be stored again.
  await store(keys[0] ?? '');
  expect((await Promise.all(keys.map(stateOf))).filter((state) => state === 'arriving')).toHaveLength(1);
  expect(await removeUnusedFiles(tools)).toBe(19);
});

test('a file that is stored again while its removal takes too long keeps its row', async () => {
  const key = newKey();
  await store(key);
  const late = {
    ...blobs,
    async remove(gone: string) {
      await blobs.remove(gone);
      await db.execute(sql`update stored_files set since = since - interval '11 minutes' where key = ${gone}`);
      await store(gone);
    },
  };
  await removeAfterTwoDays({ db, blobs: late });
  expect([await isThere(key), await stateOf(key)]).toEqual([true, 'arriving']);
});

test('nothing is removed while a backup is made', async () => {
  const key = newKey();
  await store(key);
  const client = await pool.connect();
  await client.query('select pg_advisory_lock_shared($1)', [backupLock]);
  expect(await removeAfterTwoDays(tools)).toBe(0);
  await client.query('select pg_advisory_unlock_shared($1)', [backupLock]);
  client.release();
  expect(await isThere(key)).toBe(true);
  await removeUnusedFiles(tools);
  expect(await isThere(key)).toBe(false);
});

test('files in the storage without a row are found and go; files of others stay', async () => {
  const [unknown, named, foreign] = [newKey('originals'), newKey(), 'somebody/else.m4a'];
  for (const key of [unknown, named, foreign, 'storage-id']) await blobs.write(key, content);
  // As in a database that was restored without its triggers.
  await createAudio(db, { fileKey: named });
  await db.delete(storedFiles).where(eq(storedFiles.key, named));
  expect(await enterUnknownFiles(tools)).toBe(2);
  expect(await enterUnknownFiles(tools)).toBe(0);
  expect(await removeAfterTwoDays(tools)).toBe(1);
  expect(await Promise.all([unknown, named, foreign, 'storage-id'].map(isThere))).toEqual([false, true, true, true]);
  expect(await stateOf(named)).toBe('kept');
});

test('storage is never called within a transaction', async () => {
  await expect(db.transaction((tx) => store(newKey(), { db: tx as never, blobs }))).rejects.toThrow(
    'within a database',
  );
});

test('every column with a key has its triggers and an index, and the migration knows it', async () => {
  const { rows } = await pool.query<{ column: string; triggers: number }>(
    `select tgrelid::regclass || '.' || argument as column, count(*)::int as triggers
     from pg_trigger, unnest(string_to_array(encode(tgargs, 'escape'), '\\000')) argument
     where tgfoid = 'note_named_files'::regproc and argument <> '' group by 1 order by 1`,
  );
  const columns = fileColumns.map(({ table, key }) => `${table}.${key}`).toSorted();
  expect(rows).toEqual(columns.map((column) => ({ column, triggers: 3 })));
  for (const { table, key } of fileColumns) {
    if (['voices', 'categories', 'series', 'playlists', 'articles'].includes(table)) continue;
    const { rowCount } = await pool.query(
      `select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indrelid = $1::regclass and a.attname = $2`,
      [table, key],
    );
    expect([table, key, rowCount]).toEqual([table, key, 1]);
  }
  const filled =
    readMigrations()
      .find(({ name }) => name === '0095_files_there_are')
      ?.statements.at(-1) ?? '';
  const [voice, gone] = [await createVoice(db), newKey('images')];
  await db
    .update(voices)
    .set({ imageKey: newKey('images') })
    .where(eq(voices.id, voice.id));
  const kept = sql`select key from stored_files where state = 'kept' order by key`;
  const before = (await db.execute(kept)).rows;
  await db.execute(sql`delete from stored_files`);
  await db.execute(sql`insert into stored_files (key, state) values (${gone}, 'unused')`);
  await pool.query(filled);
  expect((await db.execute(kept)).rows).toEqual(before);
  expect(await stateOf(gone)).toBe('unused');
});

test(
  'a statement over 100,000 rows costs no more than twenty inserts of its keys',
  { ...slow, timeout: 300_000 },
  async () => {
    const { id } = await createVoice(db);
    const client = await pool.connect();
    await client.query('set statement_timeout = 0');
    /** Milliseconds that the trigger took. */
    const timed = async (statement: string) => {
      const text = `explain (analyze, format json) ${statement}`;
      const { rows } = await client.query<{ 'QUERY PLAN': { Triggers: { 'Trigger Name': string; Time: number }[] }[] }>(
        {
          text,
          query_timeout: 60_000,
        } as never,
      );
      const triggers = rows[0]?.['QUERY PLAN'][0]?.Triggers ?? [];
      return triggers.find((one) => one['Trigger Name'].startsWith('uploads_files'))?.Time ?? Infinity;
    };
    const uploads = `insert into uploads (id, voice_id, file_name, title, bytes, state, original_key)
    select gen_random_uuid(), '${id}', 'a.wav', 'A', 1, 'waiting', 'originals/many-' || n || '.wav' from generate_series(1, 100000) n`;
    const inserted: number[] = [];
    async function insertPlain(): Promise<void> {
      const began = performance.now();
      await client.query(`create temp table plain (key text primary key)`);
      await client.query(`insert into plain select 'originals/many-' || n || '.wav' from generate_series(1, 100000) n`);
      inserted.push(performance.now() - began);
      await client.query('drop table plain');
    }
    await insertPlain();
    const took = [
      await timed(uploads),
      await timed(`update uploads set progress = 5 where voice_id = '${id}'`),
      await timed(`update uploads set original_key = original_key || 'b' where voice_id = '${id}'`),
      await timed(`delete from uploads where voice_id = '${id}'`),
    ];
    await insertPlain();
    client.release();
    // Not in seconds, which depend on what else the machine does, before and after alike.
    expect(Math.max(...took) / Math.max(...inserted)).toBeLessThan(20);
    const { rows } = await pool.query(
      `select state, count(*)::int as count from stored_files where key like 'originals/many-%' group by 1`,
    );
    expect(rows).toEqual([{ state: 'unused', count: 200_000 }]);
  },
);
