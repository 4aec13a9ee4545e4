import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createAudio, createCategory, createPlaylist, createViewer, createVoice } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';
import { setPreview } from '../../catalogue/site-settings.ts';
import { audios, playlistItems } from '../../catalogue/tables.ts';
import { setAdmin, setSuspended } from '../../identity/operators.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { newId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/viewer.ts';
import { editManagedAudio } from '../../studio/audios/edit-audio.ts';
import { bulkActItems, startedBulkActs } from '../../studio/tables.ts';
import type { StartOutcome } from './bulk-acts.ts';
import { BulkActForm, maxPlaylistAudios } from '../forms.ts';

vi.setConfig({ testTimeout: 180_000 });

const { db, url } = await createTestDatabase();
const {
  admin: { content },
} = await openTestSite(db);
const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const listener: User = await createViewer(db);
const voice = await createVoice(db, { slug: 'many' });

const newAudios = async (count: number, overrides: Parameters<typeof createAudio>[1] = {}) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push((await createAudio(db, { voiceId: voice.id, ...overrides })).id);
  return ids;
};
const idOf = (outcome: StartOutcome): string => {
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.id;
};
const start = async (form: object) => idOf(await content.startBulkAct(ada, BulkActForm.parse(form)));
async function act(form: object) {
  const id = await start(form);
  await content.runBulkAct(id);
  const done = await content.findBulkAct(ada, id);
  if (done === undefined) throw new Error('the act is gone');
  return done;
}
async function undo(id: string) {
  const undone = idOf(await content.undoBulkAct(ada, id));
  await content.runBulkAct(undone);
  return content.findBulkAct(ada, undone);
}
const entriesOf = async (ids: string[], action: string) =>
  db.$count(auditEntries, and(inArray(auditEntries.subjectId, ids), eq(auditEntries.action, action)));

test.each([
  [100_000, { ok: true, total: 100_000 }],
  [100_001, { ok: false, reason: 'too-many' }],
])('an act on %i audios', slow, async (count, expected) => {
  const id = newId();
  await db.insert(startedBulkActs).values({
    id,
    verb: 'free',
    subject: {},
    actorRole: 'operator',
    state: 'done',
    total: count,
    finishedAt: new Date(),
  });
  await db.execute(sql`
    insert into bulk_act_items (bulk_act_id, audio_id, outcome)
    select ${id}, gen_random_uuid(), 'changed' from generate_series(1, ${count}::int)`);
  // Undoing an act is one on all its audios.
  expect(await content.undoBulkAct(ada, id)).toMatchObject(expected);
  await db.delete(startedBulkActs);
});

test('listeners start, see and stop none', async () => {
  const form = BulkActForm.parse({ verb: 'free', ids: await newAudios(1) });
  const hidden = { code: 'request/not-found' };
  await expect(content.startBulkAct(listener, form)).rejects.toMatchObject(hidden);
  const id = idOf(await content.startBulkAct(ada, form));
  await expect(content.findBulkAct(listener, id)).rejects.toMatchObject(hidden);
  await expect(content.stopBulkAct(listener, id)).rejects.toMatchObject(hidden);
  await expect(content.undoBulkAct(listener, id)).rejects.toMatchObject(hidden);
});

test('each audio has its own outcome and entry in the log, and undoing gives back what was changed', async () => {
  const [drafts, out] = [await newAudios(2, { publishedAt: null }), await newAudios(1)];
  const unknown = '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b';
  const done = await act({ verb: 'publish', ids: [...drafts, ...out, unknown] });
  expect(done).toMatchObject({ state: 'done', total: 4, changed: 2, unchanged: 1, refused: 1, by: 'ada.m' });
  expect(done.refusals).toEqual([{ id: unknown, title: null, reason: 'not-found' }]);
  expect(await entriesOf(drafts, 'audio.publish')).toBe(2);
  expect(await entriesOf([done.id], 'bulk-act.start')).toBe(1);
  expect(await undo(done.id)).toMatchObject({ verb: 'undo', changed: 2, total: 2 });
  expect(await db.$count(audios, and(inArray(audios.id, drafts), sql`published_at is null`))).toBe(2);
  // Audios that were published before stay published.
  expect(await db.$count(audios, and(inArray(audios.id, out), sql`published_at is not null`))).toBe(1);
});

test('a bulk act does not unpublish the preview, and undo restores a schedule', async () => {
  const [preview = ''] = await newAudios(1);
  await setPreview(db, preview);
  const publishedAt = new Date(Date.now() + 3_600_000);
  const [later = ''] = await newAudios(1, { publishedAt });
  const done = await act({ verb: 'unpublish', ids: [preview, later] });
  expect(done).toMatchObject({ changed: 1, refused: 1, refusals: [{ id: preview, reason: 'is-preview' }] });
  await undo(done.id);
  const [row] = await db.select({ at: audios.publishedAt }).from(audios).where(eq(audios.id, later));
  expect(row?.at?.toISOString()).toBe(publishedAt.toISOString());
});

test('audios get a synthetic voice, and undoing gives each its own back', async () => {
  const ids = [...(await newAudios(1, { syntheticVoice: 'partly' })), ...(await newAudios(1))];
  const values = async () =>
    (await db.select({ of: audios.syntheticVoice }).from(audios).where(inArray(audios.id, ids)).orderBy(audios.id)).map(
      ({ of }) => of,
    );
  const done = await act({ verb: 'set-synthetic-voice', ids, syntheticVoice: 'wholly' });
  expect(done).toMatchObject({ changed: 2, subject: ['wholly'] });
  expect(await values()).toEqual(['wholly', 'wholly']);
  expect(await entriesOf(ids, 'audio.set-synthetic-voice')).toBe(2);
  await undo(done.id);
  expect(await values()).toEqual(['partly', 'none']);
  for (const form of [
    { verb: 'set-synthetic-voice' },
    { verb: 'free', syntheticVoice: 'partly' },
    { verb: 'set-synthetic-voice', syntheticVoice: 'mostly' },
  ])
    expect(BulkActForm.safeParse({ ...form, ids }).success).toBe(false);
});

test('audios get a language, and undoing gives each its own back', async () => {
  const ids = [
    ...(await newAudios(1, { language: 'fr' })),
    ...(await newAudios(1)),
    ...(await newAudios(1, { language: 'de' })),
  ];
  const languages = async () =>
    (await db.select({ language: audios.language }).from(audios).where(inArray(audios.id, ids)).orderBy(audios.id)).map(
      ({ language }) => language,
    );
  const done = await act({ verb: 'set-language', ids, language: 'DE' });
  expect(done).toMatchObject({ changed: 2, unchanged: 1, subject: ['de'] });
  expect(await languages()).toEqual(['de', 'de', 'de']);
  expect(await entriesOf(ids, 'audio.set-language')).toBe(2);
  await undo(done.id);
  expect(await languages()).toEqual(['fr', 'en', 'de']);
  for (const form of [
    { verb: 'set-language' },
    { verb: 'free', language: 'de' },
    { verb: 'set-language', language: 'xx' },
  ])
    expect(BulkActForm.safeParse({ ...form, ids }).success).toBe(false);
});

/** Ids of its categories, then labels of its tags. */
async function namesOf(id: string) {
  const { rows } = await db.execute<{ names: string[] }>(sql`
    select array(select category_id::text from audio_categories where audio_id = ${id} order by position)
      || array(select t.label from audio_tags a join tags t on t.id = a.tag_id where a.audio_id = ${id} order by 1) as names`);
  return rows[0]?.names;
}

test('categories and tags are added and removed, and undoing leaves those that were there before', async () => {
  const [sleep, rain] = [await createCategory(db), await createCategory(db)];
  const [one = '', two = ''] = await newAudios(2);
  const [had = ''] = await newAudios(1, { categoryIds: [sleep.id], tagLabels: ['Soft'] });
  const ids = [one, two, had];
  const added = await act({ verb: 'add-categories', ids, categoryIds: [sleep.id, rain.id] });
  expect(added).toMatchObject({ changed: 3, subject: expect.arrayContaining([sleep.label, rain.label]) });
  expect(await namesOf(had)).toEqual([sleep.id, rain.id, 'Soft']);
  expect(await act({ verb: 'add-tags', ids, tags: ['soft', 'New one'] })).toMatchObject({ changed: 3 });
  expect(await namesOf(had)).toEqual([sleep.id, rain.id, 'New one', 'Soft']);
  await undo(added.id);
  expect(await namesOf(had)).toEqual([sleep.id, 'New one', 'Soft']);
  expect(await namesOf(one)).toEqual(['New one', 'Soft']);
  expect(await act({ verb: 'remove-tags', ids, tags: ['New one', 'SOFT'] })).toMatchObject({ changed: 3 });
  expect(await namesOf(had)).toEqual([sleep.id]);
  expect(await entriesOf([had], 'audio.edit')).toBe(4);
  const gone = BulkActForm.parse({ verb: 'add-categories', ids, categoryIds: [one] });
  expect(await content.startBulkAct(ada, gone)).toEqual({ ok: false, reason: 'gone' });
});

test('a playlist of the site takes 500 audios and no more', async () => {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms)
    select gen_random_uuid(), 'one-of-500-' || n, 'Part', 'part', ${voice.id}, 'audio/x.mp3', 'audio/mpeg', 1, 1
    from generate_series(1, ${maxPlaylistAudios - 1}::int) n returning id`);
  const playlist = await createPlaylist(db);
  await db
    .insert(playlistItems)
    .values(rows.map(({ id }, position) => ({ playlistId: playlist.id, audioId: id, position })));
  const done = await act({ verb: 'add-to-playlist', ids: await newAudios(2), playlistId: playlist.id });
  expect(done).toMatchObject({ changed: 1, refusals: [{ reason: 'full' }] });
});

test('what is added to an audio while it is being edited comes on top of the edit', async () => {
  const [id = ''] = await newAudios(1, { tagLabels: ['Soft'] });
  const [sleep, rain] = [await createCategory(db), await createCategory(db)];
  const changes = [
    { edit: { tags: ['Soft', 'Slow'] }, verb: { verb: 'add-tags', tags: ['Warm'] } },
    { edit: { categories: [sleep.slug] }, verb: { verb: 'add-categories', categoryIds: [rain.id] } },
  ];
  for (const { edit, verb } of changes) {
    const form = { ...verb, ids: [id] };
    await meanwhile(
      db,
      (tx) => editManagedAudio(tx, operator, id, edit),
      () => act(form),
    );
  }
  expect(await namesOf(id)).toEqual([sleep.id, rain.id, 'Slow', 'Soft', 'Warm']);
});

test('audios go into a playlist once, at its end, and out again', async () => {
  const ids = await newAudios(3);
  const playlist = await createPlaylist(db, { audioIds: ids.slice(0, 1) });
  const done = await act({ verb: 'add-to-playlist', ids, playlistId: playlist.id });
  expect(done).toMatchObject({ changed: 2, unchanged: 1, subject: [playlist.title] });
  expect(await db.$count(playlistItems, eq(playlistItems.playlistId, playlist.id))).toBe(3);
  await undo(done.id);
  expect(await db.$count(playlistItems, eq(playlistItems.playlistId, playlist.id))).toBe(1);
});

test.each([
  { verb: 'free' },
  { verb: 'free', ids: ['x'], filter: {} },
  { verb: 'free', ids: [] },
  { verb: 'fly', filter: {} },
  { verb: 'add-tags', filter: {} },
  { verb: 'free', filter: {}, tags: ['one'] },
  { verb: 'free', filter: { state: 'lost' } },
])('%j is refused', (form) => expect(BulkActForm.safeParse(form).success).toBe(false));

test('finished acts are kept for thirty days', async () => {
  const { id } = await act({ verb: 'free', ids: await newAudios(1) });
  const age = (time: string) =>
    db.execute(sql`update bulk_acts set finished_at = now() - ${time}::interval where id = ${id}`);
  await age('29 days 23 hours');
  await content.purgeBulkActs();
  expect(await content.findBulkAct(ada, id)).toBeDefined();
  await age('30 days 1 minute');
  await content.purgeBulkActs();
  expect(await content.findBulkAct(ada, id)).toBeUndefined();
});

test.each([
  ['no longer an admin', (id: string) => setAdmin(db, id, false)],
  ['suspended', (id: string) => setSuspended(db, id, true)],
])('acts stop when the user who started them is %s', async (_, change) => {
  const eve: User = { ...(await createViewer(db, { isAdmin: true })), isAdmin: true };
  const ids = await newAudios(2);
  const id = idOf(await content.startBulkAct(eve, BulkActForm.parse({ verb: 'free', ids })));
  await change(eve.id);
  await content.runBulkAct(id);
  expect(await content.findBulkAct(ada, id)).toMatchObject({ state: 'stopped', changed: 0 });
});

const max = 10_000;

test(
  '10,000 audios: after a killed process the act continues where it stopped, each audio changes once, and the rest can be stopped',
  slow,
  async () => {
    const crowd = await createVoice(db, { slug: 'crowd' });
    await db.execute(sql`
    insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
    select gen_random_uuid(), 'crowd-' || n, 'Crowd ' || n, 'crowd ' || n, ${crowd.id}, 'audio/x.mp3', 'audio/mpeg', 1, 1000, now()
    from generate_series(1, ${max}::int) n`);
    const id = await start({ verb: 'free', filter: { voice: 'crowd' } });
    expect(await content.findBulkAct(ada, id)).toMatchObject({ state: 'waiting', total: max });

    const program = fileURLToPath(new URL('../../../../test/support/processes/bulk-act-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, url, id], {
      stdio: 'inherit',
    });
    const ended = once(child, 'exit');
    await vi.waitFor(async () => expect((await content.findBulkAct(ada, id))?.changed).toBeGreaterThan(40), {
      timeout: 60_000,
      interval: 20,
    });
    child.kill('SIGKILL');
    await ended;
    const atKill = await content.findBulkAct(ada, id);
    expect(atKill).toMatchObject({ state: 'running', unchanged: 0, refused: 0 });
    const changed = atKill?.changed ?? 0;
    expect(changed).toBeLessThan(max);
    // Changes, outcomes, counts and the log agree at any moment.
    const ofCrowd = sql`voice_id = ${crowd.id}`;
    const agree = async () => [
      await db.$count(audios, sql`${ofCrowd} and is_free`),
      await db.$count(bulkActItems, sql`bulk_act_id = ${id} and outcome = 'changed'`),
      await db.$count(auditEntries, sql`${ofCrowd} and action = 'audio.free'`),
    ];
    expect(await agree()).toEqual([changed, changed, changed]);
    expect(await content.findWaitingBulkActs()).toContain(id);

    // Two processes briefly run the same act.
    const until = Date.now() + 1500;
    await Promise.all([content.runBulkAct(id, { until }), content.runBulkAct(id, { until })]);
    const later = (await content.findBulkAct(ada, id))?.changed ?? 0;
    expect(later).toBeGreaterThan(changed);
    expect(await agree()).toEqual([later, later, later]);

    const aborted = AbortSignal.abort(new Error('the process stops'));
    await expect(content.runBulkAct(id, { signal: aborted })).rejects.toThrow('the process stops');
    expect(await content.stopBulkAct(ada, id)).toBe(true);
    expect(await content.findBulkAct(ada, id)).toMatchObject({ isStopping: true });
    await content.runBulkAct(id);
    expect(await content.findBulkAct(ada, id)).toMatchObject({ state: 'stopped', changed: later, isStopping: false });
    expect(await content.stopBulkAct(ada, id)).toBe(false);
    expect(await content.findWaitingBulkActs()).not.toContain(id);
  },
);
