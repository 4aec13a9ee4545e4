/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createVoice } from '#test/support/factories.ts';
import { rssOf, startOldHost } from '#test/support/servers/old-host.ts';
import { noise, wavOf } from '#test/support/sound/sounds.ts';
import { audios, importedAudios } from '../../catalogue/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { feedImports } from '../tables.ts';
import { findFeedImport } from './import-state.ts';
import { runFeedImport, startFeedImport } from './imports.ts';

/** With more, it says how long a feed of that size takes. */
const count = Number(process.env['IMPORTED_EPISODES'] ?? 12);
vi.setConfig({ testTimeout: 300_000 + count * 10_000 });

const { db, url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-kill-import-'));
const blobDir = join(folder, 'blobs');
const program = fileURLToPath(new URL('../../../../test/support/processes/import-process.ts', import.meta.url));
const isThere =
  (await openSoundEngine({ blobs: openDiskBlobs({ dir: blobDir }), dir: join(folder, 'work') }).version()) !==
  undefined;
const host = await startOldHost();
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startProcess(id: string): Promise<{ child: ChildProcess; ended: Promise<unknown> }> {
  const args = [
    '--disable-warning=ExperimentalWarning',
    program,
    url,
    join(folder, 'data'),
    blobDir,
    id,
    String(host.port),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return { child, ended };
}

const addJobs = async () => undefined;

test.skipIf(!isThere)('a process killed at any moment loses no episode, and makes none twice', async () => {
  const { id: voiceId } = await createVoice(db);
  const guids = Array.from({ length: count }, (_, index) => `e${String(index).padStart(5, '0')}`);
  for (let index = 0; index < 12; index += 1)
    host.put(`/${index}.wav`, wavOf(noise(0.1 + index / 30), { seconds: 3 }), 'audio/wav');
  host.put(
    '/feed.xml',
    rssOf(
      guids
        .map(
          (
            guid,
            index,
          ) => `<item><title>${guid}</title><guid>${guid}</guid><pubDate>Sat, 21 Nov 2020 10:00:00 GMT</pubDate>
            <enclosure url="${host.url}/${index % 12}.wav" type="audio/wav" length="1"/></item>`,
        )
        .join(''),
    ),
  );
  const started = await startFeedImport({ db, addJobs }, operator, voiceId, { url: `${host.url}/feed.xml` });
  const id = started.ok ? started.id : '';
  const kill = async (delay: number) => {
    const { child, ended } = await startProcess(id);
    await wait(delay);
    child.kill('SIGKILL');
    await ended;
  };
  // While the feed is read; three tries are left.
  await kill(5);
  const reader = await startProcess(id);
  await reader.ended;
  expect((await findFeedImport(db, operator, voiceId))?.state).toBe('planned');
  await runFeedImport({ db, addJobs }, operator, id, { isFree: false, publishes: true, keepsGuids: true });
  const made: number[] = [];
  for (const delay of [30, 150, 300, 600, 900, 1300, 1800]) {
    await kill(delay);
    made.push((await findFeedImport(db, operator, voiceId))?.counts.made ?? 0);
  }
  // They were killed during it.
  expect(made[0]).toBe(0);
  expect((await db.select().from(feedImports).where(eq(feedImports.id, id)))[0]?.state).toBe('running');
  const begun = performance.now();
  const { ended } = await startProcess(id);
  expect(await ended).toEqual([0, null]);
  const seconds = Math.round((performance.now() - begun) / 1000);
  if (count > 12) process.stdout.write(`${count} episodes after the last kill: ${seconds} s\n`);
  expect(await findFeedImport(db, operator, voiceId)).toMatchObject({
    state: 'done',
    counts: { made: count, failed: 0 },
  });
  const rows = await db
    .select({ guid: importedAudios.guid })
    .from(importedAudios)
    .innerJoin(
      audios,
      and(eq(audios.id, importedAudios.audioId), eq(audios.voiceId, voiceId), isNull(audios.deletedAt)),
    );
  expect(rows.map(({ guid }) => guid).toSorted()).toEqual(guids);
  expect(await db.$count(audios, eq(audios.voiceId, voiceId))).toBe(count);
});
