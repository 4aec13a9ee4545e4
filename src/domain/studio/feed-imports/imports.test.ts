import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openArchives } from '#gateways/archives/open-archive.ts';
import { openCovers } from '#gateways/covers.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { readFeed } from '#gateways/web/read-feed.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createCategory, createVoice } from '#test/support/factories.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { rssOf, startOldHost } from '#test/support/servers/old-host.ts';
import { createCreator } from '#test/support/sound/sound-site.ts';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { findEnclosures } from '../../catalogue/enclosures.ts';
import { publishAudio } from '../../catalogue/editing/publishing.ts';
import { findOldPath } from '../../catalogue/old-paths.ts';
import {
  audioCategories,
  audios,
  chapters,
  episodeNumbers,
  importedAudios,
  series,
  seriesItems,
  transcripts,
} from '../../catalogue/tables.ts';
import { voiceOwners } from '../../community/tables.ts';
import type { MailMessage } from '../../gateways.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import { deleteAudio } from '../audios/publishing.ts';
import { feedImportItems, feedImports, uploads } from '../tables.ts';
import { processUploadJob } from '../uploads/finish-uploads.ts';
import { processUpload } from '../uploads/process-upload.ts';
import { findFeedImport, listFeedItems } from './import-state.ts';
import {
  confirmFeedImport,
  dropFeedImport,
  findWaitingImports,
  purgeFeedImports,
  runFeedImport,
  startFeedImport,
  stopFeedImport,
} from './imports.ts';
import { importFeed } from './run-import.ts';
import { maxFeedImportsPerDay, maxWrongCodes } from './rules.ts';

// The encoder runs at low priority.
vi.setConfig({ testTimeout: 120_000 });

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-imports-'));
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const engine = openSoundEngine({ blobs, dir: join(folder, 'work') });
const isThere = (await engine.version()) !== undefined;
const host = await startOldHost();
const mails: MailMessage[] = [];
let processing: Promise<unknown> = Promise.resolve();

const tools = {
  db,
  blobs,
  readFeed,
  openArchive: openArchives({ blobs }),
  web: host.web,
  covers: openCovers(),
  mail: mailInto(mails),
  site: { name: 'Sotto', url: 'https://sotto.example' },
  async addJobs(name: string, ids: string[]) {
    if (name !== processUploadJob) return;
    for (const id of ids) processing = processing.then(() => processUpload({ db, blobs, engine }, id));
  },
  pauseMs: 20,
};

beforeEach(() => {
  mails.length = 0;
  host.asked.length = 0;
});
afterAll(async () => {
  await processing;
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

let hertz = 300;
/** Puts a recording at the host. @returns an item that names it */
function episode(guid: string, more = '', seconds = 1.5): string {
  host.put(`/${guid}.wav`, wavOf(tone((hertz += 1)), { seconds }), 'audio/wav');
  return `<item><title>Episode ${guid}</title><guid isPermaLink="false">${guid}</guid>
    <pubDate>Sat, 21 Nov 2020 10:00:00 GMT</pubDate>
    <enclosure url="${host.url}/${guid}.wav" type="audio/wav" length="144044"/>${more}</item>`;
}

const owner = '<itunes:owner><itunes:email>maren@old.example</itunes:email></itunes:owner>';

async function newCreator() {
  const { voiceId, userId } = await createCreator(db);
  const actor: Actor = {
    kind: 'user',
    id: userId,
    isSubscribed: false,
    isComplete: true,
    voiceRoles: { [voiceId]: 'owner' },
  };
  return { voiceId, actor };
}

const choices = { isFree: false, publishes: true, keepsGuids: true };

async function start(actor: Actor, voiceId: string, path = '/feed.xml'): Promise<string> {
  const started = await startFeedImport(tools, actor, voiceId, { url: host.url + path });
  if (!started.ok) throw new Error(started.reason);
  await importFeed(tools, started.id);
  return started.id;
}

const codeIn = (mail: MailMessage | undefined) => /code is: ([A-Z0-9-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

async function findImport(actor: Actor, voiceId: string) {
  const found = await findFeedImport(db, actor, voiceId);
  if (found === undefined) throw new Error('there is no import');
  return found;
}

const audiosOf = (voiceId: string) =>
  db
    .select({ audio: audios, imported: importedAudios })
    .from(audios)
    .innerJoin(importedAudios, eq(importedAudios.audioId, audios.id))
    .where(and(eq(audios.voiceId, voiceId), isNull(audios.deletedAt)))
    .orderBy(asc(importedAudios.guid));

describe.skipIf(!isThere)('a feed of another host', () => {
  test('becomes audios with all that came along, once its owner has confirmed', async () => {
    const { voiceId, actor } = await newCreator();
    const category = await createCategory(db);
    host.put(
      '/one.png',
      await sharp({ create: { width: 1500, height: 1500, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      'image/png',
    );
    const stated = [
      { startTime: 10.5, title: 'The <kiss>' },
      { startTime: 0, title: ' Rain ' },
      { startTime: 900, title: 'Late' },
    ];
    host.put('/one.json', JSON.stringify({ version: '1.2.0', chapters: stated }), 'application/json+chapters');
    host.put('/one.vtt', 'WEBVTT\n\n00:00.200 --> 00:01.000\nHush\n', 'text/vtt');
    host.put(
      '/feed.xml',
      rssOf(`${owner}<language>de</language>
        ${episode(
          'one',
          `<link>https://maren.example/ep/one/</link><itunes:episode>7</itunes:episode><itunes:image href="${host.url}/one.png"/>
          <description><![CDATA[<p>First</p><script>x</script>]]></description>
          <podcast:transcript url="${host.url}/one.vtt" type="text/vtt"/>
          <podcast:chapters url="${host.url}/one.json" type="application/json+chapters"/>`,
          22,
        )}
        <item><title>No date</title><guid>dateless</guid><enclosure url="${host.url}/one.wav" type="audio/wav" length="1"/></item>
        <item><title>Film</title><guid>film</guid><enclosure url="${host.url}/film.mp4" type="video/mp4" length="1"/></item>
        <item><title>Again</title><guid isPermaLink="false">one</guid><enclosure url="${host.url}/one.wav" type="audio/wav" length="1"/></item>
        <item><title>Lost</title><guid>lost</guid><enclosure url="${host.url}/lost.wav" type="audio/wav" length="1"/></item>
        <item><title>Huge</title><guid>huge</guid><enclosure url="${host.url}/huge.wav" type="audio/wav" length="3000000000"/></item>`),
    );
    const id = await start(actor, voiceId);
    expect(await findImport(actor, voiceId)).toMatchObject({
      state: 'asking',
      title: 'After Ten',
      ownerHint: 'm…n@old.example',
      counts: { all: 6, new: 3, cannot: 3 },
    });
    expect(mails).toMatchObject([{ to: 'maren@old.example' }]);
    const run = { ...choices, isFree: true, categoryId: category.id };
    expect(await runFeedImport(tools, actor, id, run)).toMatchObject({ reason: 'import-too-late' });
    expect(await confirmFeedImport(db, actor, id, 'ABCD-EFGH')).toMatchObject({ reason: 'wrong-feed-code' });
    expect(await confirmFeedImport(db, actor, id, codeIn(mails[0]).toLowerCase())).toEqual({ ok: true });
    expect(host.asked.filter((path) => path !== '/feed.xml')).toEqual([]);
    expect(await runFeedImport(tools, actor, id, run)).toEqual({ ok: true });
    await importFeed(tools, id);

    expect(await findImport(actor, voiceId)).toMatchObject({
      state: 'done',
      counts: { new: 0, made: 2, failed: 1, published: 1, withText: 1, oldPaths: 1 },
    });
    const [dateless, one] = await audiosOf(voiceId);
    expect(one).toMatchObject({
      audio: {
        title: 'Episode one',
        description: 'First',
        language: 'de',
        isFree: true,
        imageKey: expect.stringMatching(/^images\//),
        publishedAt: new Date('2020-11-21T10:00:00Z'),
      },
      imported: { guid: 'one', keepsGuid: true },
    });
    expect(dateless).toMatchObject({ audio: { title: 'No date', publishedAt: null }, imported: { publishedAt: null } });
    const audioId = one?.audio.id ?? '';
    expect(await db.select().from(transcripts).where(eq(transcripts.audioId, audioId))).toMatchObject([
      { cues: [{ start: 0.2, end: 1, text: 'Hush' }] },
    ]);
    expect(await db.select().from(chapters).where(eq(chapters.audioId, audioId))).toMatchObject([
      {
        chapters: [
          { start: 0, title: 'Rain' },
          { start: 10.5, title: 'The <kiss>' },
        ],
      },
    ]);
    expect(await db.select().from(episodeNumbers).where(eq(episodeNumbers.audioId, audioId))).toMatchObject([
      { number: 7 },
    ]);
    expect(await db.select().from(audioCategories).where(eq(audioCategories.audioId, audioId))).toHaveLength(1);
    expect((await findEnclosures(db, [audioId])).get(audioId)).toMatchObject({ guid: 'one', number: 7 });
    expect(await findOldPath(db, '/ep/one')).toBe(one?.audio.slug);
    const listed = await listFeedItems(db, actor, id, { limit: 10 });
    expect(
      listed?.items.map(({ title, state, obstacle, failure, held }) => [title, state, obstacle ?? failure ?? held]),
    ).toEqual([
      ['Episode one', 'made', null],
      ['No date', 'made', 'no-date'],
      ['Film', 'cannot', 'video-only'],
      ['Again', 'cannot', 'twice'],
      ['Lost', 'failed', 'gone'],
      ['Huge', 'cannot', 'too-large'],
    ]);

    // Repeated: what failed comes, and nothing twice.
    host.put('/lost.wav', wavOf(tone(777), { seconds: 1.5 }), 'audio/wav');
    expect(await runFeedImport(tools, actor, id, run)).toEqual({ ok: true });
    await importFeed(tools, id);
    expect((await audiosOf(voiceId)).map(({ imported }) => imported.guid)).toEqual(['dateless', 'lost', 'one']);
    const second = await start(actor, voiceId);
    expect(await findImport(actor, voiceId)).toMatchObject({ id: second, counts: { new: 0, here: 3, cannot: 3 } });

    // A deleted one may come again; published later, it keeps its date.
    await deleteAudio(db, actor, audioId);
    const third = await start(actor, voiceId);
    expect(await confirmFeedImport(db, actor, third, codeIn(mails.at(-1)))).toEqual({ ok: true });
    expect(await runFeedImport(tools, actor, third, { ...choices, publishes: false })).toEqual({ ok: true });
    await importFeed(tools, third);
    const again = (await audiosOf(voiceId)).find(({ imported }) => imported.guid === 'one')?.audio;
    expect(again).toMatchObject({ publishedAt: null });
    await publishAudio(db, again?.id ?? '');
    const [published] = await db
      .select()
      .from(audios)
      .where(eq(audios.id, again?.id ?? ''));
    expect(published?.publishedAt).toEqual(new Date('2020-11-21T10:00:00Z'));
  });

  test('is stopped in the midst, keeps what is here, and goes on', async () => {
    const { voiceId, actor } = await newCreator();
    host.put('/feed.xml', rssOf(`${owner}${episode('s1')}${episode('s2')}${episode('s3')}`));
    const asked = Promise.withResolvers<void>();
    host.answer('/s2.wav', () => asked.resolve());
    const id = await start(actor, voiceId);
    await confirmFeedImport(db, actor, id, codeIn(mails[0]));
    await runFeedImport(tools, actor, id, { ...choices, leftOut: [2] });
    const running = importFeed(tools, id);
    await asked.promise;
    expect(await startFeedImport(tools, actor, voiceId, { url: host.url })).toMatchObject({
      reason: 'import-under-way',
    });
    expect(await dropFeedImport(db, actor, id)).toMatchObject({ reason: 'import-under-way' });
    expect(await stopFeedImport(db, actor, id)).toEqual({ ok: true });
    await running;
    await processing;
    expect(await findImport(actor, voiceId)).toMatchObject({
      state: 'stopped',
      counts: { made: 1, new: 1, leftOut: 1 },
    });
    expect(await findWaitingImports(db)).not.toContain(id);

    host.put('/s2.wav', wavOf(tone(555), { seconds: 1.5 }), 'audio/wav');
    await runFeedImport(tools, actor, id, choices);
    expect(await findWaitingImports(db)).toContain(id);
    await importFeed(tools, id);
    expect((await audiosOf(voiceId)).map(({ imported }) => imported.guid)).toEqual(['s1', 's2']);
    expect(await dropFeedImport(db, actor, id)).toEqual({ ok: true });
    expect(await audiosOf(voiceId)).toHaveLength(2);
  });

  test('has its seasons as series, if the creator wants that', async () => {
    const { id: voiceId } = await createVoice(db);
    const season = (number: number, part: number) =>
      `<itunes:season>${number}</itunes:season><itunes:episode>${part}</itunes:episode><itunes:explicit>false</itunes:explicit>`;
    const items = episode('t22', season(2, 2)) + episode('t21', season(2, 1)) + episode('t11', season(1, 1));
    const started = await startFeedImport(tools, operator, voiceId, { feed: rssOf(items) });
    const id = started.ok ? started.id : '';
    await importFeed(tools, id);
    const { title, counts } = await findImport(operator, voiceId);
    expect(counts).toMatchObject({ seasons: 2, notExplicit: 3 });
    await runFeedImport(tools, operator, id, choices);
    await importFeed(tools, id);
    expect(await db.$count(series, eq(series.voiceId, voiceId))).toBe(0);
    for (let time = 0; time < 2; time += 1) {
      await runFeedImport(tools, operator, id, { ...choices, seasonsAsSeries: true });
      await importFeed(tools, id);
    }
    const found = await db
      .select({ title: series.title, guid: importedAudios.guid })
      .from(series)
      .innerJoin(seriesItems, eq(seriesItems.seriesId, series.id))
      .innerJoin(importedAudios, eq(importedAudios.audioId, seriesItems.audioId))
      .where(eq(series.voiceId, voiceId))
      .orderBy(asc(series.title), asc(seriesItems.position));
    expect(found).toEqual([
      { title: `${title} · 1`, guid: 't11' },
      { title: `${title} · 2`, guid: 't21' },
      { title: `${title} · 2`, guid: 't22' },
    ]);
  });

  test('is imported by operators without a code, also from a file', async () => {
    const { id: voiceId } = await createVoice(db);
    const started = await startFeedImport(tools, operator, voiceId, { feed: rssOf(episode('o1')) });
    const id = started.ok ? started.id : '';
    await importFeed(tools, id);
    expect(await findImport(operator, voiceId)).toMatchObject({ state: 'planned', url: null, isByOperator: true });
    expect(mails).toEqual([]);
    await runFeedImport(tools, operator, id, choices);
    await importFeed(tools, id);
    expect(await audiosOf(voiceId)).toMatchObject([{ audio: { title: 'Episode o1' }, imported: { guid: 'o1' } }]);
  });

  test('names its files, of which those at private addresses and those without sound do not come', async () => {
    const { voiceId, actor } = await newCreator();
    host.put('/words.mp3', 'no sound at all', 'audio/mpeg');
    const item = (guid: string, address: string) =>
      `<item><title>${guid}</title><guid>${guid}</guid><enclosure url="${address}" type="audio/mpeg" length="1"/></item>`;
    host.answer('/inwards.mp3', (_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    host.put(
      '/feed.xml',
      rssOf(`${owner}${item('inside', 'http://127.0.0.1:5432/a.mp3')}${item('literal', 'http://[::1]/a.mp3')}
        ${item('inwards', `${host.url}/inwards.mp3`)}${item('words', `${host.url}/words.mp3`)}`),
    );
    const id = await start(actor, voiceId);
    await confirmFeedImport(db, actor, id, codeIn(mails[0]));
    await runFeedImport(tools, actor, id, choices);
    await importFeed(tools, id);
    const listed = await listFeedItems(db, actor, id, { show: 'failed', limit: 10 });
    expect(listed?.items.map(({ title, failure }) => [title, failure])).toEqual([
      ['inside', 'not-public'],
      ['literal', 'not-public'],
      ['inwards', 'not-public'],
      ['words', 'not-sound'],
    ]);
    expect(await audiosOf(voiceId)).toEqual([]);
  });

  test('waits for tomorrow when its bytes are more than a day’s', async () => {
    const { voiceId, actor } = await newCreator();
    host.put('/feed.xml', rssOf(`${owner}${episode('d1')}${episode('d2')}`));
    const id = await start(actor, voiceId);
    await confirmFeedImport(db, actor, id, codeIn(mails[0]));
    await runFeedImport(tools, actor, id, choices);
    await importFeed({ ...tools, bytesPerDay: 200_000 }, id);
    expect(await findImport(actor, voiceId)).toMatchObject({ state: 'running', counts: { made: 1, new: 1 } });
    await db
      .update(uploads)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(uploads.voiceId, voiceId));
    await importFeed({ ...tools, bytesPerDay: 200_000 }, id);
    expect(await findImport(actor, voiceId)).toMatchObject({ state: 'done', counts: { made: 2 } });
  });
});

test('an import stops by itself when its user does not manage the creator any more', async () => {
  const { voiceId, actor } = await newCreator();
  host.put('/feed.xml', rssOf(owner + episode('r1')));
  const id = await start(actor, voiceId);
  await confirmFeedImport(db, actor, id, codeIn(mails[0]));
  await runFeedImport(tools, actor, id, choices);
  await db.delete(voiceOwners).where(eq(voiceOwners.voiceId, voiceId));
  await importFeed(tools, id);
  expect(await findImport(actor, voiceId)).toMatchObject({ state: 'stopped', counts: { new: 1 } });
  expect(host.asked).toEqual(['/feed.xml']);
});

describe('a feed', () => {
  test('is read over its pages, each once', async () => {
    const { voiceId, actor } = await newCreator();
    const page = (guid: string, next: string) =>
      rssOf(`${owner}<atom:link rel="next" href="${next}"/>${episode(guid)}`);
    host.put('/p1', page('p1', 'p2'));
    host.put('/p2', page('p2', `${host.url}/p3`));
    host.put('/p3', page('p3', '/p1'));
    await start(actor, voiceId, '/p1');
    expect(await findImport(actor, voiceId)).toMatchObject({ state: 'asking', counts: { all: 3 } });
    expect(host.asked).toEqual(['/p1', '/p2', '/p3']);
  });

  test('is refused to a creator whom nobody can confirm', async () => {
    const { voiceId, actor } = await newCreator();
    host.put('/feed.xml', rssOf(episode('x')));
    await start(actor, voiceId);
    expect(await findImport(actor, voiceId)).toMatchObject({
      state: 'failed',
      failure: 'no-owner',
      counts: { all: 0 },
    });
    expect(mails).toEqual([]);
  });

  test('takes few wrong codes, and none after a day', async () => {
    const { voiceId, actor } = await newCreator();
    host.put('/feed.xml', rssOf(owner + episode('x')));
    const id = await start(actor, voiceId);
    const right = codeIn(mails[0]);
    for (let count = 0; count < maxWrongCodes; count += 1)
      expect(await confirmFeedImport(db, actor, id, 'AAAA-AAAA')).toMatchObject({ reason: 'wrong-feed-code' });
    expect(await confirmFeedImport(db, actor, id, right)).toMatchObject({ reason: 'import-too-late' });
    expect(await findImport(actor, voiceId)).toMatchObject({ state: 'failed', failure: 'wrong-codes' });

    const second = await start(actor, voiceId);
    expect(await confirmFeedImport(db, actor, second, right)).toMatchObject({ reason: 'wrong-feed-code' });
    await db
      .update(feedImports)
      .set({ codeUntil: new Date(Date.now() - 1000) })
      .where(eq(feedImports.id, second));
    expect(await confirmFeedImport(db, actor, second, codeIn(mails[1]))).toMatchObject({ reason: 'import-too-late' });
  });

  test('is read a few times a day, since each sends a mail', async () => {
    const { voiceId, actor } = await newCreator();
    for (let count = 0; count < maxFeedImportsPerDay; count += 1)
      expect(await startFeedImport(tools, actor, voiceId, { url: host.url })).toMatchObject({ ok: true });
    expect(await startFeedImport(tools, actor, voiceId, { url: host.url })).toMatchObject({
      reason: 'too-many-imports',
    });
  });

  test('is nobody else’s', async () => {
    const [{ voiceId, actor }, other] = [await newCreator(), await newCreator()];
    host.put('/feed.xml', rssOf(owner + episode('x')));
    const id = await start(actor, voiceId);
    const refused = { ok: false, reason: 'not-found' };
    expect(await startFeedImport(tools, other.actor, voiceId, { url: host.url })).toEqual(refused);
    expect(await findFeedImport(db, other.actor, voiceId)).toBeUndefined();
    expect(await listFeedItems(db, other.actor, id, { limit: 5 })).toBeUndefined();
    expect(await confirmFeedImport(db, other.actor, id, codeIn(mails[0]))).toEqual(refused);
    expect(await runFeedImport(tools, other.actor, id, choices)).toEqual(refused);
    expect(await stopFeedImport(db, other.actor, id)).toEqual(refused);
    expect(await dropFeedImport(db, other.actor, id)).toEqual(refused);
  });

  test('is forgotten after three months, unless it goes on', async () => {
    const { voiceId, actor } = await newCreator();
    host.put('/feed.xml', rssOf(owner + episode('x')));
    const id = await start(actor, voiceId);
    await db.execute(sql`alter table feed_imports disable trigger feed_imports_touch`);
    const age = (state: 'planned' | 'running') =>
      db
        .update(feedImports)
        .set({ state, codeHash: null, updatedAt: sql`now() - interval '91 days'` })
        .where(eq(feedImports.id, id));
    await age('running');
    expect(await purgeFeedImports(db)).toBe(0);
    await age('planned');
    expect(await purgeFeedImports(db)).toBe(1);
    await db.execute(sql`alter table feed_imports enable trigger feed_imports_touch`);
    expect(await db.$count(feedImportItems, eq(feedImportItems.importId, id))).toBe(0);
  });

  test.each<[string, string, () => void]>([
    ['at a private address', 'not-public', () => undefined],
    [
      'that leads inwards',
      'not-public',
      () => host.answer('/feed.xml', (_, response) => response.writeHead(301, { location: 'http://127.0.0.1/' }).end()),
    ],
    ['that is a page', 'not-a-feed', () => host.put('/feed.xml', '<!doctype html><p>Hello', 'text/html')],
    [
      'that declares entities',
      'not-a-feed',
      () =>
        host.put(
          '/feed.xml',
          `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${rssOf(`${owner}<item><title>&a;</title></item>`)}`,
        ),
    ],
    [
      'that unfolds to any size',
      'too-large',
      () => {
        const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
        host.answer('/feed.xml', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
      },
    ],
    [
      'with too many episodes',
      'too-large',
      () => host.put('/feed.xml', rssOf(owner + '<item><guid>x</guid></item>'.repeat(5001))),
    ],
    ['without episodes', 'empty', () => host.put('/feed.xml', rssOf(owner))],
    ['that is gone', 'unreachable', () => host.gone('/feed.xml')],
  ])('%s is refused', async (what, failure, put) => {
    const { voiceId, actor } = await newCreator();
    put();
    const url = what === 'at a private address' ? 'http://127.0.0.1/feed.xml' : `${host.url}/feed.xml`;
    const started = await startFeedImport(tools, actor, voiceId, { url });
    await importFeed(tools, started.ok ? started.id : '');
    expect(await findImport(actor, voiceId)).toMatchObject({ state: 'failed', failure, counts: { all: 0 } });
  });

  test('whose host is away is tried again, and then not any more', async () => {
    const { voiceId, actor } = await newCreator();
    host.answer('/feed.xml', (_, response) => response.writeHead(503).end());
    const started = await startFeedImport(tools, actor, voiceId, { url: `${host.url}/feed.xml` });
    const id = started.ok ? started.id : '';
    for (let count = 0; count < 3; count += 1) await expect(importFeed(tools, id)).rejects.toThrow('503');
    expect(await findImport(actor, voiceId)).toMatchObject({ state: 'reading' });
    await importFeed(tools, id);
    expect(await findImport(actor, voiceId)).toMatchObject({ state: 'failed', failure: 'unreachable' });
  });
});
