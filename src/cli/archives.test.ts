/** @module-tag slow */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { runSotto } from '#test/support/processes/command-line.ts';

vi.setConfig({ testTimeout: 60_000 });

const { db, url } = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'sotto-cli-archives-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const sotto = (...args: string[]) =>
  runSotto(args, { environment: { DATA_DIR: folder, DATABASE_URL: url }, startFolder: folder });

test('everything of a creator is written to a new file', async () => {
  const voice = await createVoice(db, { name: 'Moving Ana' });
  const audio = await createAudio(db, { voiceId: voice.id });
  const path = join(folder, 'ana.zip');
  expect(await sotto('voices', 'export', voice.slug, '--to', 'ana.zip')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(path) as string,
  });
  const files = unzipSync(new Uint8Array(await readFile(path)));
  expect(Object.keys(files)).toContain('feed.xml');
  expect(Buffer.from(files['missing.txt'] ?? []).toString()).toBe(`sound/${audio.slug}.mp3\n`);
  expect(await sotto('voices', 'export', voice.slug, '--to', 'ana.zip')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is there already') as string,
  });
  expect((await readFile(path)).length).toBeGreaterThan(0);
  expect((await sotto('voices', 'export', 'nobody')).code).toBe(1);
});
