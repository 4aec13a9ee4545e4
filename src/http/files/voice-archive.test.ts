import { strFromU8, unzipSync } from 'fflate';
import { XMLParser } from 'fast-xml-parser';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audioCounts, importedAudios, recordings, transcriptTranslations, voices } from '#domain/catalogue/tables.ts';
import { comments } from '#domain/community/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import type { Blobs } from '#domain/gateways.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { createAudio, createSeries, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { openVoiceArchive } from './voice-archive.ts';

const { url, db, site, blobs, errors } = await startTestSite({ TRUST_PROXY: '1' });

async function newPerson() {
  const { id } = await createUser(db, { email: `private-${newId()}@example.org` });
  return { id, token: (await createSession(db, id)).token };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

const get = (voiceId: string, by?: Person) =>
  fetch(
    `${url}/studio-files/voices/${voiceId}/archive.zip`,
    by && { headers: { authorization: `Bearer ${by.token}` } },
  );

async function createWorld() {
  const voice = await createVoice(db, {
    name: `Ana ${newId().slice(-6)}`,
    bio: 'Reads at night.',
    imageKey: 'images/ana.webp',
  });
  const owner = await newPerson();
  await setVoiceOwner(db, voice.id, owner.id, true);
  const sonnet = await createAudio(db, {
    voiceId: voice.id,
    title: 'A sonnet & more',
    slug: `sonnet-${newId()}`,
    description: '00:00 Soft,\n00:20 <slow>',
    publishedAt: new Date('2026-03-01T20:00:00Z'),
    cues: [{ start: 0, end: 2, text: 'Come in.', certainty: 'check' }],
    imageKey: 'images/sonnet.webp',
  });
  const later = await createAudio(db, {
    voiceId: voice.id,
    publishedAt: new Date('2026-04-01T20:00:00Z'),
    isFree: true,
  });
  const draft = await createAudio(db, { voiceId: voice.id, publishedAt: null });
  const deleted = await createAudio(db, { voiceId: voice.id, publishedAt: null, deletedAt: new Date() });
  const foreign = await createAudio(db);
  await db
    .insert(transcriptTranslations)
    .values({ audioId: sonnet.id, language: 'de', cues: [{ start: 0, end: 2, text: 'Komm herein.' }] });
  await db.insert(recordings).values({
    audioId: sonnet.id,
    fileKey: sonnet.fileKey,
    originalKey: `originals/${sonnet.id}.wav`,
    originalName: 'take 7.wav',
    originalBytes: 8,
    peaks: Buffer.alloc(2400),
  });
  for (const { fileKey, title } of [sonnet, later, draft, deleted, foreign])
    await blobs.write(fileKey, Buffer.from(title));
  await blobs.write(`originals/${sonnet.id}.wav`, Buffer.from('original'));
  await blobs.write('images/ana.webp', Buffer.from('portrait'));
  const series = await createSeries(db, {
    voiceId: voice.id,
    title: `Nights ${voice.name}`,
    audioIds: [later.id, sonnet.id],
  });
  const writer = await newPerson();
  const first = newId();
  await db.insert(comments).values([
    { id: first, audioId: sonnet.id, userId: writer.id, text: 'Again, please', heartedAt: new Date() },
    { id: newId(), audioId: sonnet.id, userId: owner.id, parentId: first, text: 'Tomorrow' },
    { id: newId(), audioId: sonnet.id, userId: writer.id, text: 'hidden words', hiddenAt: new Date() },
    { id: newId(), audioId: foreign.id, userId: writer.id, text: 'elsewhere' },
  ]);
  await db.insert(importedAudios).values({ audioId: later.id, guid: `guid-${later.id}`, keepsGuid: true });
  await db.update(audioCounts).set({ plays: 12 }).where(eq(audioCounts.audioId, sonnet.id));
  return { voice, owner, writer, sonnet, later, draft, deleted, foreign, series };
}

async function unzipped(voiceId: string, by: Person) {
  const response = await get(voiceId, by);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strFromU8(content)]));
}

const linesOf = (text = '') =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('everything of a creator is in one ZIP, and nothing of others', async () => {
  const { voice, owner, writer, sonnet, later, draft, deleted, series } = await createWorld();
  const files = await unzipped(voice.id, owner);
  expect(Object.keys(files).toSorted()).toEqual(
    [
      'README.txt',
      'creator.json',
      'catalogue.json',
      'series.json',
      'audios.jsonl',
      'feed.xml',
      'audios.csv',
      'figures.csv',
      'comments.jsonl',
      `transcripts/${sonnet.slug}.en.vtt`,
      `transcripts/${sonnet.slug}.de.vtt`,
      `chapters/${sonnet.slug}.json`,
      `covers/${voice.slug}-portrait.webp`,
      `sound/${sonnet.slug}.mp3`,
      `sound/${later.slug}.mp3`,
      `sound/${draft.slug}.mp3`,
      `originals/${sonnet.slug}.wav`,
      'missing.txt',
    ].toSorted(),
  );
  expect(files['missing.txt']).toBe(`covers/${sonnet.slug}.webp\n`);
  expect(files[`sound/${sonnet.slug}.mp3`]).toBe(sonnet.title);
  expect(files[`originals/${sonnet.slug}.wav`]).toBe('original');
  expect(files[`transcripts/${sonnet.slug}.de.vtt`]).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nKomm herein.\n');
  expect(JSON.parse(files[`chapters/${sonnet.slug}.json`] ?? '')).toMatchObject({
    chapters: [
      { startTime: 0, title: 'Soft,' },
      { startTime: 20, title: '<slow>' },
    ],
  });
  expect(JSON.parse(files['creator.json'] ?? '')).toMatchObject({
    name: voice.name,
    bio: 'Reads at night.',
    slug: voice.slug,
  });
  expect(JSON.parse(files['series.json'] ?? '')).toMatchObject([
    { slug: series.slug, audios: [later.slug, sonnet.slug] },
  ]);
  expect(linesOf(files['audios.jsonl'])).toMatchObject([
    {
      id: sonnet.id,
      title: sonnet.title,
      description: '00:00 Soft,\n00:20 <slow>',
      plays: 12,
      sound: `sound/${sonnet.slug}.mp3`,
    },
    { id: later.id, isFree: true },
    { id: draft.id, publishedAt: null },
  ]);
  expect(files['audios.csv']).toContain(`${sonnet.slug},A sonnet & more,2026-03-01T20:00:00.000Z,60,12,0,`);
  expect(linesOf(files['comments.jsonl'])).toMatchObject([
    { audio: sonnet.slug, text: 'Again, please', isHearted: true, parentId: null },
    { audio: sonnet.slug, text: 'Tomorrow' },
  ]);
  const all = JSON.stringify(files);
  for (const secret of [
    'private-',
    writer.id,
    owner.id,
    'hidden words',
    'elsewhere',
    'certainty',
    deleted.id,
    sonnet.fileKey,
  ])
    expect(all.includes(secret), secret).toBe(false);
});

test('its feed has the published audios, newest first, with paths and addresses', async () => {
  const { voice, owner, sonnet, later } = await createWorld();
  const { 'feed.xml': xml = '' } = await unzipped(voice.id, owner);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    isArray: (name) => name === 'podcast:transcript',
  });
  const { channel } = (parser.parse(xml) as { rss: { channel: { title: string; item: Record<string, unknown>[] } } })
    .rss;
  expect(channel.title).toBe(voice.name);
  expect(channel.item.map(({ title }) => title)).toEqual([later.title, sonnet.title]);
  expect(channel.item[0]).toMatchObject({ guid: { '#text': `guid-${later.id}` } });
  expect(channel.item[1]).toMatchObject({
    guid: { '#text': sonnet.id, '@isPermaLink': 'false' },
    pubDate: 'Sun, 01 Mar 2026 20:00:00 GMT',
    enclosure: { '@url': `sound/${sonnet.slug}.mp3`, '@type': 'audio/mpeg', '@length': '1000' },
    'podcast:alternateEnclosure': {
      'podcast:source': { '@uri': `${site.facts.url}/media/audios/${sonnet.id}.mp3` },
    },
    'itunes:image': { '@href': `covers/${sonnet.slug}.webp` },
    'podcast:chapters': { '@url': `chapters/${sonnet.slug}.json`, '@type': 'application/json+chapters' },
    'podcast:transcript': [
      { '@url': `transcripts/${sonnet.slug}.en.vtt`, '@language': 'en' },
      { '@url': `transcripts/${sonnet.slug}.de.vtt`, '@language': 'de' },
    ],
  });
});

test('it is for owners and operators, and the log notes it', async () => {
  const { voice, owner } = await createWorld();
  const [editor, stranger, admin] = [await newPerson(), await newPerson(), await newPerson()];
  await db.execute(
    `insert into voice_owners (voice_id, user_id, role) values ('${voice.id}', '${editor.id}', 'editor')`,
  );
  await setAdmin(db, admin.id, true);
  for (const by of [editor, stranger, undefined]) expect((await get(voice.id, by)).status).toBe(404);
  expect((await get(newId(), owner)).status).toBe(404);
  expect((await get('%00', owner)).status).toBe(404);
  const entries = () => db.select().from(auditEntries).where(eq(auditEntries.subjectId, voice.id));
  expect(await entries()).toEqual([]);
  for (const by of [owner, admin]) await (await get(voice.id, by)).arrayBuffer();
  expect(await entries()).toMatchObject([
    { action: 'voice.move-out', actorId: owner.id, actorRole: 'owner' },
    { action: 'voice.move-out', actorId: admin.id, actorRole: 'admin' },
  ]);
  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, voice.id));
  expect((await get(voice.id, owner)).status).toBe(200);
});

const megabyte = new Uint8Array(1024 * 1024);

/** Files of that many megabytes under every key, which are counted while they are open. */
function largeBlobs(megabytes: number): { large: Blobs; open: () => number } {
  let open = 0;
  const large: Blobs = {
    ...blobs,
    stat: async (key) => ({ key, bytes: megabytes * megabyte.length, modifiedAt: new Date() }),
    read() {
      open += 1;
      let left = megabytes;
      const close = () => (open -= 1);
      return new ReadableStream(
        {
          pull(controller) {
            if (left === 0) {
              close();
              controller.close();
              return;
            }
            left -= 1;
            controller.enqueue(megabyte.slice());
          },
          cancel: () => void close(),
        },
        { highWaterMark: 0 },
      );
    },
  };
  return { large, open: () => open };
}

test('a large one is written as it is read, and ends with its reader', async () => {
  const { voice } = await createWorld();
  const { large, open } = largeBlobs(100);
  const read = async () => {
    const opened = await openVoiceArchive({ site, blobs: large }, operator, voice.slug);
    if (opened === undefined) throw new Error('no archive');
    return opened.read(() => {}).getReader();
  };
  const before = process.memoryUsage().rss;
  let most = 0;
  let bytes = 0;
  const whole = await read();
  for (;;) {
    const { done, value } = await whole.read();
    if (done) break;
    bytes += value.length;
    most = Math.max(most, process.memoryUsage().rss - before);
  }
  // Portrait, cover, three recordings and an original.
  expect(bytes).toBeGreaterThan(600 * megabyte.length);
  expect(most).toBeLessThan(200 * megabyte.length);
  expect(open()).toBe(0);

  const left = await read();
  while (open() === 0) await left.read();
  await left.cancel('left');
  expect(open()).toBe(0);
});

test('one that breaks off is told, and is no whole ZIP', async () => {
  const { voice } = await createWorld();
  const failed: unknown[] = [];
  const broken: Blobs = {
    ...blobs,
    read: () =>
      new ReadableStream({
        pull() {
          throw new Error('the disk broke');
        },
      }),
  };
  const opened = await openVoiceArchive({ site, blobs: broken }, operator, voice.slug);
  await expect(new Response(opened?.read((error) => failed.push(error))).arrayBuffer()).rejects.toThrow();
  expect(failed).toMatchObject([{ message: 'the disk broke' }]);
});

test('none of these calls is an error of the site', () => {
  expect(errors).toEqual([]);
});
