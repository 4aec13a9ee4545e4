/** @module-tag slow */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { findTranscript } from '#domain/catalogue/editing/transcripts.ts';
import { scriptTimings } from '#domain/studio/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { runSotto } from '#test/support/processes/command-line.ts';

vi.setConfig({ testTimeout: 120_000 });

const { db, url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sotto = (...args: string[]) =>
  runSotto(args, { environment: { DATABASE_URL: url, DATA_DIR: join(folder, 'data') }, startFolder: folder });

test('scripts of a folder are timed, and their results taken, where there is no transcript', async () => {
  const cues = [{ start: 0, end: 1, text: 'As it was' }];
  const [rain, full] = [await createAudio(db, { slug: 'rain' }), await createAudio(db, { slug: 'full', cues })];
  const put = (name: string, content: string) => writeFileSync(join(folder, name), content);
  put('rain.txt', 'It rains.\n--help\nIt rains on.');
  put('full.txt', 'Another');
  put('empty.txt', '[nothing]');
  put('nobody.txt', 'Nobody');
  put('notes.md', 'Not a script');

  const { code, stdout } = await sotto('audios', 'time-scripts', '.', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    started: 1,
    skipped: ['full.txt'],
    refused: [
      { file: 'empty.txt', reason: 'empty' },
      { file: 'nobody.txt', reason: 'has no audio' },
    ],
  });
  const [timing] = await db.select().from(scriptTimings);
  expect(timing).toMatchObject({ audioId: rain.id, lines: ['It rains.', '--help', 'It rains on.'] });
  await db
    .update(scriptTimings)
    .set({
      state: 'ready',
      times: [0, 1, 2].map((start) => ({ start, end: start + 1, certainty: 'sure' as const })),
      timedFile: sql`(select file_key from audios where id = ${rain.id})`,
    })
    .where(eq(scriptTimings.audioId, rain.id));
  const again = await sotto('audios', 'time-scripts', '.', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ started: 0, skipped: ['full.txt', 'rain.txt'] });
  expect(await sotto('audios', 'take-timings')).toMatchObject({ code: 0 });
  expect((await findTranscript(db, rain.id))?.cues).toHaveLength(3);
  expect((await findTranscript(db, full.id))?.cues).toEqual(cues);
});
