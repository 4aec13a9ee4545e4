/** @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, expect, test, vi } from 'vitest';
import { loadDemo } from '#demo/load.ts';
import { audios, chapters, importedAudios, transcriptTranslations, voices } from '#domain/catalogue/tables.ts';
import { comments } from '#domain/community/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { feedImportItems, feedImports } from '#domain/studio/tables.ts';
import { importArchive } from '#domain/studio/moving-in/import-archive.ts';
import { importFeed } from '#domain/studio/feed-imports/run-import.ts';
import { processUploadJob } from '#domain/studio/uploads/finish-uploads.ts';
import { processUpload } from '#domain/studio/uploads/process-upload.ts';
import { openArchives } from '#gateways/archives/open-archive.ts';
import { openCovers } from '#gateways/covers.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { readFeed } from '#gateways/web/read-feed.ts';
import { createUser } from '#test/support/factories.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { startTestSite } from '#test/support/site.ts';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { createArrivedUpload } from '#test/support/sound/sound-site.ts';
import { openVoiceArchive } from './voice-archive.ts';

vi.setConfig({ testTimeout: 600_000 });

const demoDir = fileURLToPath(new URL('../../../demo', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sotto-out-and-in-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [former, next] = [await startTestSite(), await startTestSite()];
type TestSite = typeof former;
const engineOf = ({ blobs }: TestSite) => openSoundEngine({ blobs, dir: join(folder, 'work') });
const isThere = (await engineOf(former).version()) !== undefined;
const creator = 'maren-holt';

/** Adds all that the demo does not have. */
async function addTheRest({ db, blobs }: TestSite): Promise<void> {
  const [voice] = await db.select().from(voices).where(eq(voices.slug, creator));
  const own = await db
    .select()
    .from(audios)
    .where(eq(audios.voiceId, voice?.id ?? ''))
    .orderBy(audios.slug);
  const [first, second, third] = own;
  if (voice === undefined || first === undefined || second === undefined || third === undefined)
    throw new Error('the demo has changed');
  const user = await createUser(db);
  const id = await createArrivedUpload({ db, blobs }, wavOf(tone(330), { seconds: 4 }), {
    voiceId: voice.id,
    userId: null as unknown as string,
    fileName: 'take 7.wav',
    title: 'An Upload of its own',
    choices: { isFree: true, language: 'de', syntheticVoice: 'partly' },
  });
  await db.execute(sql`update uploads set user_id = ${user.id} where id = ${id}`);
  await db.execute(sql`insert into voice_owners (voice_id, user_id) values (${voice.id}, ${user.id})`);
  await processUpload({ db, blobs, engine: engineOf(former) }, id);
  await db.update(audios).set({ publishedAt: null, badge: 'New' }).where(eq(audios.id, first.id));
  const inYears = new Date(Date.now() + 400 * 86_400_000);
  await db
    .update(audios)
    .set({ publishedAt: inYears, commentHold: 'all', commentsPausedUntil: inYears, color: '#AA3311' })
    .where(eq(audios.id, second.id));
  await db.insert(chapters).values({
    audioId: third.id,
    chapters: [
      { start: 0, title: 'Soft & <slow>' },
      { start: 12.5, title: 'After' },
    ],
  });
  await db
    .insert(transcriptTranslations)
    .values({ audioId: third.id, language: 'pt-BR', cues: [{ start: 0.5, end: 2, text: 'Entre.\nPor favor.' }] })
    .onConflictDoNothing();
  await db.insert(importedAudios).values({ audioId: third.id, guid: 'of an older host', keepsGuid: true });
  await db
    .insert(comments)
    .values({ id: newId(), audioId: third.id, userId: user.id, text: 'Again', pinnedAt: new Date() });
  await db
    .update(voices)
    .set({
      welcomeAudioId: third.id,
      links: [{ label: 'Letters', url: 'https://letters.example/' }],
      license: 'cc-by-4.0',
      directoryText: 'proof-of-maren',
      heldWords: ['nonsense'],
      holdsLinks: true,
      commentOrder: 'oldest',
      commenters: 'subscribers',
      linkedSeriesId: sql`(select id from series where voice_id = ${voice.id} order by slug limit 1)`,
    })
    .where(eq(voices.id, voice.id));
}

async function archiveOf({ site, blobs }: TestSite): Promise<Buffer> {
  const opened = await openVoiceArchive({ site, blobs }, operator, creator);
  return Buffer.from(await new Response(opened?.read(() => {})).arrayBuffer());
}

/** As the operator's command and the jobs of the site do. */
async function importInto(target: TestSite, zip: Buffer): Promise<void> {
  const { db, blobs } = target;
  await blobs.write('archives/one.zip', zip);
  const openArchive = openArchives({ blobs });
  const addJobs = async (name: string, ids: string[]) => {
    if (name === processUploadJob)
      for (const id of ids) await processUpload({ db, blobs, engine: engineOf(target) }, id);
  };
  const started = await importArchive({ db, addJobs, openArchive }, operator, {
    key: 'archives/one.zip',
    name: 'one.zip',
  });
  if (!started.ok) throw new Error(started.reason);
  const web = { read: noWeb, download: noWeb };
  const tools = { db, blobs, readFeed, openArchive, covers: openCovers(), mail: mailInto([]), addJobs, pauseMs: 20 };
  await importFeed({ ...tools, web, site: { name: 'Sotto', url: target.url } }, started.id);
}

const noWeb = () => Promise.reject(new Error('nothing is asked of the web'));

type Archived = Record<string, Uint8Array>;
const textOf = (files: Archived, name: string) => Buffer.from(files[name] ?? []).toString();
type Line = Record<string, unknown> & { id: string; guid: string; slug: string };
const linesOf = (files: Archived) =>
  textOf(files, 'audios.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .toSorted((one, other) => one.slug.localeCompare(other.slug));

test.skipIf(!isThere)('a creator who moves to an empty site and out again has the same archive', async () => {
  await loadDemo({ db: former.db, blobs: former.blobs, demoDir, now: new Date() });
  await addTheRest(former);
  const before = await archiveOf(former);
  await importInto(next, before);
  const outcomes = await next.db
    .select({
      title: sql`item ->> 'title'`,
      outcome: feedImportItems.outcome,
      held: feedImportItems.held,
      failure: feedImportItems.failure,
      detail: feedImportItems.detail,
    })
    .from(feedImportItems);
  expect(outcomes.filter(({ outcome, held }) => outcome !== 'made' || held !== null)).toEqual([]);
  expect(await next.db.select().from(feedImports)).toMatchObject([{ state: 'done', archiveKey: null }]);
  const [one, other] = [unzipSync(before), unzipSync(await archiveOf(next))];

  const moved = ['figures.csv', 'audios.csv', 'comments.jsonl'];
  for (const name of moved) expect(textOf(other, `before/1/${name}`), name).toBe(textOf(one, name));
  expect(textOf(one, 'comments.jsonl')).toContain('"Again"');
  // Numbers and comments of the former site do not count as those of the new one.
  expect(textOf(other, 'comments.jsonl')).toBe('');

  const namesOf = (files: Archived) =>
    Object.keys(files)
      .filter((name) => !name.startsWith('before/'))
      .toSorted();
  expect(namesOf(other)).toEqual(namesOf(one));

  // Ids, dates of the import, and what counts at each site.
  const notCompared = { id: '', createdAt: '', updatedAt: '', plays: 0, favorites: 0, comments: 0 };
  const factsOf = (files: Archived) =>
    linesOf(files).map(({ credits, ...facts }) => ({
      ...facts,
      ...notCompared,
      credits: (credits as { voice: { slug: string } | null }[]).map(({ voice, ...credit }) => ({
        ...credit,
        // Pages of others are not there.
        voice: voice?.slug === creator ? voice : null,
      })),
    }));
  expect(linesOf(one).length).toBeGreaterThan(5);
  expect(factsOf(other)).toEqual(factsOf(one));

  const pageOf = (files: Archived) => ({ ...(JSON.parse(textOf(files, 'creator.json')) as object), recommended: [] });
  expect(pageOf(other)).toEqual(pageOf(one));
  for (const name of ['series.json', 'catalogue.json'])
    expect(JSON.parse(textOf(other, name)), name).toEqual(JSON.parse(textOf(one, name)));

  const idByGuid = new Map(linesOf(one).map(({ guid, id }) => [guid, id]));
  const feedOf = (files: Archived, url: string) =>
    linesOf(files)
      .reduce((xml, { id, guid }) => xml.replaceAll(id, idByGuid.get(guid) ?? ''), textOf(files, 'feed.xml'))
      .replaceAll(url, 'https://site.example')
      // Pages of others are not there.
      .replaceAll(/ href="[^"]*\/creators\/(?!maren-holt)[^"]*"/g, '');
  expect(feedOf(other, next.site.facts.url)).toBe(feedOf(one, former.site.facts.url));

  for (const name of namesOf(one).filter((path) => path.includes('/')))
    expect(Buffer.compare(other[name] ?? Buffer.alloc(0), one[name] ?? Buffer.alloc(0)), name).toBe(0);
  expect(next.errors).toEqual([]);
});
