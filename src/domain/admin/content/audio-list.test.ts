import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createViewer,
  createVoice,
} from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audios, series, tags } from '../../catalogue/tables.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { User } from '../../kernel/viewer.ts';
import { newId } from '../../kernel/ids.ts';
import { audioDrafts, uploads } from '../../studio/tables.ts';
import type { AdminAudioQuery } from './audio-list.ts';

const { db } = await createTestDatabase();
const {
  admin: { content, texts },
  admin,
  catalogue,
  search,
} = await openTestSite(db);
const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const listener: User = await createViewer(db);

const noor = await createVoice(db, { name: 'Noor Azadi', slug: 'noor' });
const wren = await createVoice(db, { name: 'Wren Ashby', slug: 'wren' });
const sleep = await createCategory(db, { label: 'Sleep', slug: 'sleep' });
const future = new Date(Date.now() + 86_400_000);
const rain = { voiceId: noor.id, title: 'Bright Rain', plays: 30, categoryIds: [sleep.id], tagLabels: ['Whispered'] };
const cues = [{ start: 0, end: 1, text: 'Bright star' }];
const made = {
  rain: await createAudio(db, { ...rain, durationMs: 30_000, isFree: true, imageKey: 'images/a.webp' }),
  star: await createAudio(db, { voiceId: noor.id, title: 'Bright Star', plays: 10, durationMs: 90_000, cues }),
  echo: await createAudio(db, { voiceId: wren.id, title: 'Écho, at Night', plays: 20, durationMs: 60_000 }),
  draft: await createAudio(db, { voiceId: wren.id, title: 'Draft of Rain', publishedAt: null }),
  later: await createAudio(db, { voiceId: wren.id, title: 'Later', publishedAt: future }),
};
const gone = await createAudio(db, { voiceId: wren.id, title: 'Gone', publishedAt: null });
await db.update(audios).set({ deletedAt: new Date() }).where(eq(audios.id, gone.id));

const titlesOf = async (query: Partial<AdminAudioQuery>) =>
  (await content.listAudios(ada, { limit: 20, ...query })).items.map(({ title }) => title);

test('only operators see it', async () => {
  await expect(content.listAudios(listener, { limit: 5 })).rejects.toMatchObject({ code: 'request/not-found' });
  await expect(content.listSeries(listener, { limit: 5 })).rejects.toMatchObject({ code: 'request/not-found' });
  await expect(content.findPreview(listener)).rejects.toMatchObject({ code: 'request/not-found' });
});

test('plays of the last 28 days are of those days, and of the rows that are shown', async () => {
  const ago = (days: number) => sql`(now() at time zone 'UTC')::date - ${days}::int`;
  for (const [audio, days, plays] of [
    [made.rain, 0, 3],
    [made.rain, 27, 4],
    [made.rain, 28, 50],
    [made.echo, 1, 9],
  ] as const)
    await db.execute(sql`insert into audio_days (audio_id, day, plays) values (${audio.id}, ${ago(days)}, ${plays})`);
  const { recentPlays } = await content.listAudios(ada, { limit: 20, voice: 'noor' });
  expect(recentPlays).toEqual({ [made.rain.id]: 7 });
});

test('uploads that are processed or failed are counted and listed, those taken off the list are not', async () => {
  const upload = { voiceId: noor.id, fileName: 'take.wav', bytes: 1000, updatedAt: new Date() };
  const rows = [
    { ...upload, id: newId(), title: 'Waits', state: 'waiting' as const },
    { ...upload, id: newId(), title: 'Works', state: 'processing' as const, progress: 64, updatedAt: future },
    { ...upload, id: newId(), title: 'Arrives', state: 'uploading' as const },
    { ...upload, id: newId(), title: 'Silent', state: 'failed' as const, failure: 'silent' as const },
    {
      ...upload,
      id: newId(),
      title: 'Removed',
      state: 'failed' as const,
      failure: 'removed' as const,
      removedAt: new Date(),
    },
  ];
  await db.insert(uploads).values(rows);
  expect(await content.countUploads(ada)).toEqual({ processing: 2, failed: 1 });
  const titles = async (state: 'processing' | 'failed') =>
    (await content.listUploads(ada, state)).map(({ title, voice, isRetriable }) => [title, voice.name, isRetriable]);
  expect(await titles('processing')).toEqual([
    ['Works', 'Noor Azadi', false],
    ['Waits', 'Noor Azadi', false],
  ]);
  expect(await titles('failed')).toEqual([['Silent', 'Noor Azadi', false]]);
  await expect(content.listUploads(listener, 'failed')).rejects.toMatchObject({ code: 'request/not-found' });
  await expect(content.countUploads(listener)).rejects.toMatchObject({ code: 'request/not-found' });
});

test('anything is found by the start of its name, and by its id', async () => {
  const id = await texts.createArticle(ada, { title: 'Brighter evenings' });
  const kinds = async (query: string) =>
    (await admin.findAnything(ada, query)).map(({ kind, name }) => `${kind} ${name}`);
  expect(await kinds('brigh')).toEqual(['audio Bright Rain', 'audio Bright Star', 'article Brighter evenings']);
  expect(await admin.findAnything(ada, id)).toMatchObject([{ kind: 'article', id }]);
  expect(await kinds('PRIV')).toEqual(['info-page Privacy']);
  expect(await kinds('noor')).toEqual(['voice Noor Azadi']);
  const list = await createSeries(db, { title: 'Zither hours' });
  const playlist = await createPlaylist(db, { title: 'Zither lists' });
  const category = await createCategory(db, { label: 'Zithers' });
  const [tag] = await db.insert(tags).values({ id: newId(), slug: 'zither-light', label: 'Zither light' }).returning();
  const things = ['series Zither hours', 'playlist Zither lists', 'category Zithers', 'tag Zither light'];
  expect(await kinds('zith')).toEqual(things);
  for (const [at, one] of [list, playlist, category, tag].entries())
    expect(await kinds(one?.id ?? '')).toEqual([things[at]]);
});

test('words find the beginnings of words in titles, creators and tags', async () => {
  expect(await titlesOf({ q: 'bri', sort: 'title' })).toEqual(['Bright Rain', 'Bright Star']);
  expect(await titlesOf({ q: 'rai brig' })).toEqual(['Bright Rain']);
  expect(await titlesOf({ q: 'ECHO nig' })).toEqual(['Écho, at Night']);
  expect(await titlesOf({ q: 'ashby', sort: 'title' })).toEqual(['Draft of Rain', 'Écho, at Night', 'Later']);
  expect(await titlesOf({ q: 'whisp' })).toEqual(['Bright Rain']);
  expect(await titlesOf({ q: 'ain' })).toEqual([]);
  for (const nonsense of ['%', "'", '\\', '& | !', '\0', "rain' & '", ':*']) await titlesOf({ q: nonsense });
});

test('each filter leaves what it says, and counts are those under the other filters', async () => {
  expect(await titlesOf({ voice: 'noor', sort: 'title' })).toEqual(['Bright Rain', 'Bright Star']);
  expect(await titlesOf({ category: 'sleep' })).toEqual(['Bright Rain']);
  expect(await titlesOf({ tag: 'whispered' })).toEqual(['Bright Rain']);
  expect(await titlesOf({ access: 'free' })).toEqual(['Bright Rain']);
  expect(await titlesOf({ access: 'subscribers', voice: 'noor' })).toEqual(['Bright Star']);
  expect(await titlesOf({ problem: 'no-cover', voice: 'noor' })).toEqual(['Bright Star']);
  expect(await titlesOf({ problem: 'no-text', voice: 'noor' })).toEqual(['Bright Rain']);
  expect((await admin.site.findOverview(ada)).waits.audiosWithoutText).toEqual({ count: 2 });
  expect(await titlesOf({ state: 'draft' })).toEqual(['Draft of Rain']);
  expect(await titlesOf({ state: 'scheduled' })).toEqual(['Later']);
  expect(await titlesOf({ state: 'deleted' })).toEqual(['Gone']);
  const page = await content.listAudios(ada, { voice: 'wren', state: 'draft', limit: 5 });
  expect(page.names.voice).toMatchObject({ label: 'Wren Ashby' });
  const exactly = (count: number) => ({ count, isMore: false });
  expect(page.counts).toEqual({
    all: exactly(3),
    published: exactly(1),
    'in-review': exactly(0),
    returned: exactly(0),
    scheduled: exactly(1),
    draft: exactly(1),
    unpublished: exactly(0),
    deleted: exactly(1),
  });
  expect((await content.listAudios(ada, { limit: 5 })).counts).toMatchObject({ all: exactly(5) });
  expect(await content.listAudios(ada, { voice: 'nobody', limit: 5 })).toMatchObject({
    items: [],
    names: { voice: null },
  });
});

test.each(['changed', 'plays', 'title', 'longest'] as const)(
  'pages by %s hold each audio once, forward and back, filtered and not',
  async (sort) => {
    // Newer than the audio itself: a draft edit counts as a change.
    await db.delete(audioDrafts);
    await db.insert(audioDrafts).values({ audioId: made.star.id, version: 1, updatedAt: new Date(Date.now() + 5000) });
    for (const filter of [{}, { access: 'subscribers' as const }]) {
      const whole = await titlesOf({ ...filter, sort });
      if (sort === 'changed') expect(whole[0]).toBe('Bright Star');
      const seen: string[] = [];
      let after: string | undefined;
      let page;
      do {
        page = await content.listAudios(ada, { ...filter, sort, after, limit: 2 });
        seen.push(...page.items.map(({ title }) => title));
        after = page.olderCursor;
      } while (after !== undefined);
      expect(seen).toEqual(whole);
      const back = await content.listAudios(ada, { ...filter, sort, before: page.newerCursor, limit: 2 });
      expect(back.items.map(({ title }) => title)).toEqual(whole.slice(0, -page.items.length).slice(-2));
    }
    await expect(content.listAudios(ada, { sort, after: 'x', limit: 2 })).rejects.toMatchObject({
      code: 'request/bad-cursor',
    });
  },
);

test('a hidden series disappears from pages, search and links to its creator; it is restored as it was', async () => {
  const one = await createSeries(db, { voiceId: noor.id, title: 'Night Rain', audioIds: [made.rain.id] });
  await createSeries(db, { voiceId: wren.id, title: 'Field Notes' });
  expect(await content.linkSeries(ada, noor.id, { seriesId: one.id, before: null })).toEqual({ ok: true });
  // Two operators: the second saw no link yet.
  const late = content.linkSeries(ada, noor.id, { seriesId: null, before: null });
  await expect(late).rejects.toMatchObject({ code: 'list/changed', change: { at: expect.any(Date) } });
  expect((await content.listSeries(ada, { q: 'noor', limit: 5 })).items).toMatchObject([
    { title: 'Night Rain', totalAudios: 1, isLinked: true, isHidden: false, voice: { name: 'Noor Azadi' } },
  ]);
  const first = await content.listSeries(ada, { limit: 1 });
  const second = await content.listSeries(ada, { limit: 1, cursor: first.nextCursor });
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(['Field Notes', 'Night Rain']);

  const found = async () => {
    await search.catchUp();
    return JSON.stringify(
      await search.search({ kind: 'visitor' }, { term: 'night rain', page: 0, limit: 10 }, '192.0.2.1'),
    );
  };
  await expect.poll(found, { timeout: 5000 }).toContain(one.slug);
  const seen = async () => ({
    page: (await catalogue.findSeries(one.slug)) !== undefined,
    link: (await catalogue.findVoice('noor'))?.linkedSeries?.slug ?? null,
    audioLink: (await catalogue.findAudio(made.rain.slug))?.voice.linkedSeries?.slug ?? null,
  });
  const shown = { page: true, link: one.slug, audioLink: one.slug };
  expect(await seen()).toEqual(shown);
  expect(await content.setSeriesHidden(ada, one.id, true)).toBe(true);
  expect(await seen()).toEqual({ page: false, link: null, audioLink: null });
  expect(await catalogue.findAudio(made.rain.slug)).toBeDefined();
  await expect.poll(found, { timeout: 5000 }).not.toContain(one.slug);
  expect((await content.listSeries(ada, { hidden: true, limit: 5 })).items).toMatchObject([{ id: one.id }]);
  expect(await content.setSeriesHidden(ada, one.id, false)).toBe(true);
  expect(await seen()).toEqual(shown);
  await expect.poll(found, { timeout: 5000 }).toContain(one.slug);
  const entries = await db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subjectId, one.id))
    .orderBy(sql`id`);
  expect(entries.map(({ action }) => action)).toEqual(['series.hide', 'series.show']);
  expect(await db.$count(series, eq(series.id, one.id))).toBe(1);
});

test('two operators choose the preview: the second gets a conflict, and the first choice stays', async () => {
  const { revision } = await content.findPreview(ada);
  expect(await content.chooseSitePreview(ada, made.draft.id, revision)).toEqual({
    ok: false,
    reason: 'not-published',
  });
  expect(await content.chooseSitePreview(ada, made.rain.id, revision)).toMatchObject({ ok: true, changed: true });
  await expect(content.chooseSitePreview(ada, made.star.id, revision)).rejects.toMatchObject({
    code: 'preview/changed',
    message: expect.stringMatching(/^ada\.m chose the preview meanwhile\./),
    change: { by: 'ada.m', at: expect.any(Date) },
  });
  expect(await content.findPreview(ada)).toMatchObject({
    audio: { title: 'Bright Rain' },
    by: 'ada.m',
    revision: 1,
  });
  const results = await Promise.allSettled(
    [made.star, made.echo].map(({ id }) => content.chooseSitePreview(ada, id, 1)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the export holds every audio of the filters once, and defuses formulas', async () => {
  await createAudio(db, { voiceId: wren.id, title: '=cmd()', publishedAt: null });
  let text = '';
  for await (const line of content.exportAudios(ada, { voice: 'wren', sort: 'title' })) text += line;
  const lines = text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(text).toContain(`'=cmd(),Wren Ashby,draft,subscribers`);
});

test('parts of a filter that leave many each, but few together, are counted together', async () => {
  await db.execute(sql`
    insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at, is_free)
    select gen_random_uuid(), 'many-' || n, 'Many', 'many', case when n % 2 = 0 then ${noor.id}::uuid else ${wren.id}::uuid end,
      'many', 'audio/mpeg', 1, 1000, now(), n % 2 = 1
    from generate_series(1, 4200) n`);
  const { items, total } = await content.listAudios(ada, { voice: 'noor', access: 'free', limit: 20 });
  expect(items.map(({ title }) => title)).toEqual(['Bright Rain']);
  expect(total).toEqual({ count: 1, isMore: false });
});
