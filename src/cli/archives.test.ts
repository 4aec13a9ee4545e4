/** @module-tag slow */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { memberships } from '#domain/membership/tables.ts';
import { articles } from '#domain/editorial/tables.ts';
import { feedImports } from '#domain/studio/tables.ts';
import { createArticle, createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { runSotto } from '#test/support/processes/command-line.ts';

vi.setConfig({ testTimeout: 60_000 });

const { db, url } = await createTestDatabase();
const other = await createTestDatabase();
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

const elsewhere = (...args: string[]) =>
  runSotto(args, {
    environment: { DATA_DIR: join(folder, 'elsewhere'), DATABASE_URL: other.url },
    startFolder: folder,
  });

test('a creator is imported from a file', async () => {
  const voice = await createVoice(db, { name: 'Travelling Bea' });
  await sotto('voices', 'export', voice.slug, '--to', 'bea.zip');
  expect(await elsewhere('voices', 'import', 'none.zip')).toMatchObject({ code: 1 });
  const imported = await elsewhere('voices', 'import', 'bea.zip');
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining(voice.slug) as string });
  expect(await other.db.select().from(feedImports)).toMatchObject([
    { state: 'reading', archiveName: 'bea.zip', archiveFolder: '', runsAlone: true, isByOperator: true },
  ]);
  expect(await elsewhere('voices', 'import', 'bea.zip')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is a creator with this address') as string,
  });
});

test('a site is written to a file, and another one takes it in', async () => {
  const article = await createArticle(db, { title: 'On: rain', body: 'It **rains**.', publishedAt: new Date() });
  const member = await createUser(db, { email: 'paid@sotto.example' });
  await createUser(db, { email: 'unpaid@sotto.example' });
  await db.insert(memberships).values({ userId: member.id, giftUntil: new Date('2027-03-31T10:00:00Z') });
  expect(await sotto('site', 'export', 'site.zip')).toMatchObject({ code: 0 });
  const files = unzipSync(new Uint8Array(await readFile(join(folder, 'site.zip'))));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['look.json', `articles/${article.slug}.md`, 'creators/moving-ana/audios.jsonl']),
  );
  expect(Buffer.from(files['members.csv'] ?? []).toString()).toBe(
    'email,paid until,plan,language,stripe customer\r\npaid@sotto.example,2027-03-31 10:00,,,\r\n',
  );
  const imported = await elsewhere('site', 'import', 'site.zip');
  // The other creator came by a file of their own.
  expect([imported.code, imported.stderr]).toEqual([0, 'travelling-bea is here already\n']);
  expect(await other.db.select().from(articles)).toMatchObject([{ slug: article.slug, title: 'On: rain' }]);
  const started = await other.db.select({ folder: feedImports.archiveFolder }).from(feedImports);
  expect(started.map((one) => one.folder).toSorted()).toEqual(['', 'creators/moving-ana/']);
  expect((await elsewhere('site', 'import', 'bea.zip')).code).toBe(1);
});
