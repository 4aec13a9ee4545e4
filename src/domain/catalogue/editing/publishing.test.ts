import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { openTestSite } from '#test/support/test-site.ts';
import {
  choosePreview,
  publishAudio,
  setAudioFree,
  setCommenters,
  setCommentsDisabled,
  unpublishAudio,
} from './publishing.ts';

const { db, pool } = await createTestDatabase();
const { catalogue, listening } = await openTestSite(db);
const visitor = { kind: 'visitor' } as const;
const hour = 60 * 60 * 1000;

test('a draft is hidden until it is published, and hidden again when it is unpublished', async () => {
  const { id, slug } = await createAudio(db, { publishedAt: null, isFree: true });
  expect(await catalogue.findAudio(slug)).toBeUndefined();

  expect(await publishAudio(db, slug)).toMatchObject({ ok: true, changed: true, audio: { state: 'published' } });
  expect(await catalogue.findAudio(slug)).toMatchObject({ id });
  expect((await catalogue.listAudios(visitor, { limit: 100 })).items.map((audio) => audio.id)).toContain(id);
  expect(await listening.findPlayableFile(visitor, id)).toMatchObject({ ok: true });

  expect(await unpublishAudio(db, slug)).toMatchObject({
    ok: true,
    changed: true,
    audio: { state: 'draft', publishedAt: null },
  });
  expect(await unpublishAudio(db, slug)).toMatchObject({ ok: true, changed: false });
  expect(await catalogue.findAudio(slug)).toBeUndefined();
  expect((await catalogue.listAudios(visitor, { limit: 100 })).items.map((audio) => audio.id)).not.toContain(id);
  expect(await listening.findPlayableFile(visitor, id)).toEqual({ ok: false, reason: 'not-found' });
});

test('a published audio keeps its date when it is published again', async () => {
  const publishedAt = new Date(Date.now() - 48 * hour);
  const { id, slug } = await createAudio(db, { publishedAt });
  const read = async () =>
    (await pool.query<{ updated_at: Date }>('select updated_at from audios where id = $1', [id])).rows[0]?.updated_at;
  const before = await read();
  expect(await publishAudio(db, slug)).toMatchObject({
    ok: true,
    changed: false,
    audio: { publishedAt: publishedAt.toISOString() },
  });
  expect(await read()).toEqual(before);
});

test('an audio that was published before keeps its first date when it is published again', async () => {
  const publishedAt = new Date(Date.now() - 48 * hour);
  const { slug } = await createAudio(db, { publishedAt });
  await unpublishAudio(db, slug);
  expect(await publishAudio(db, slug)).toMatchObject({ audio: { publishedAt: publishedAt.toISOString() } });
  // A scheduled time that was never reached does not count as the first publication.
  const { slug: scheduled } = await createAudio(db, { publishedAt: new Date(Date.now() + hour) });
  await unpublishAudio(db, scheduled);
  const result = await publishAudio(db, scheduled);
  expect(result).toMatchObject({ audio: { state: 'published' } });
});

test('an audio that is unpublished at that moment is published, and one that is scheduled is published now', async () => {
  const [there, later] = [await createAudio(db), await createAudio(db, { publishedAt: null })];
  const [, again] = await meanwhile(
    db,
    (tx) => unpublishAudio(tx, there.id),
    () => publishAudio(db, there.id),
  );
  expect(again).toMatchObject({ changed: true, audio: { state: 'published' } });
  const [, now] = await meanwhile(
    db,
    (tx) => publishAudio(tx, later.id, new Date(Date.now() + hour)),
    () => unpublishAudio(db, later.id),
  );
  expect(now).toMatchObject({ ok: true, changed: true, audio: { state: 'draft' } });
});

test('nothing of a deleted audio changes', async () => {
  const { id } = await createAudio(db, { publishedAt: null, deletedAt: new Date() });
  for (const act of [publishAudio(db, id), setAudioFree(db, id, true), setCommentsDisabled(db, id, true)])
    expect(await act).toEqual({ ok: false, reason: 'not-found' });
});

test('the preview is not unpublished by mistake', async () => {
  const { slug } = await createAudio(db);
  await choosePreview(db, slug);
  expect(await unpublishAudio(db, slug)).toEqual({ ok: false, reason: 'is-preview' });
  expect(await unpublishAudio(db, slug, { evenPreview: true })).toMatchObject({ ok: true, audio: { state: 'draft' } });
});

test('an audio is published at the given time, even when it is published already', async () => {
  const later = new Date(Date.now() + hour);
  const earlier = new Date(Date.now() - 100 * hour);
  const { slug } = await createAudio(db);
  expect(await publishAudio(db, slug, later)).toMatchObject({
    ok: true,
    changed: true,
    audio: { state: 'scheduled', publishedAt: later.toISOString() },
  });
  expect(await catalogue.findAudio(slug)).toBeUndefined();
  expect(await publishAudio(db, slug, earlier)).toMatchObject({ ok: true, audio: { state: 'published' } });
  expect(await catalogue.findAudio(slug)).toMatchObject({ publishedAt: earlier.toISOString() });
  expect(await publishAudio(db, slug, earlier)).toMatchObject({ ok: true, changed: false });
});

test('a published audio that is scheduled keeps its date for publishing it now, unless it is the preview', async () => {
  const publishedAt = new Date(Date.now() - 48 * hour);
  const later = (hours: number) => new Date(Date.now() + hours * hour);
  const { slug } = await createAudio(db, { publishedAt });
  await publishAudio(db, slug, later(1));
  expect(await publishAudio(db, slug, later(2))).toMatchObject({ audio: { state: 'scheduled' } });
  expect(await publishAudio(db, slug)).toMatchObject({ audio: { publishedAt: publishedAt.toISOString() } });

  await choosePreview(db, slug);
  expect(await publishAudio(db, slug, later(1))).toEqual({ ok: false, reason: 'is-preview' });
  expect(await catalogue.findPreview()).toMatchObject({ slug });
  const earlier = new Date(Date.now() - 100 * hour);
  expect(await publishAudio(db, slug, earlier)).toMatchObject({ ok: true, audio: { state: 'published' } });
});

test('publishing without a time publishes a scheduled audio now', async () => {
  const { slug } = await createAudio(db, { publishedAt: new Date(Date.now() + hour) });
  expect(await publishAudio(db, slug)).toMatchObject({ ok: true, changed: true, audio: { state: 'published' } });
  expect(await catalogue.findAudio(slug)).toBeDefined();
});

test('visitors may hear free audios', async () => {
  const { id, slug } = await createAudio(db);
  expect(await listening.findPlayableFile(visitor, id)).toEqual({ ok: false, reason: 'login-required' });
  expect(await setAudioFree(db, slug, true)).toMatchObject({ ok: true, changed: true, audio: { isFree: true } });
  expect(await listening.findPlayableFile(visitor, id)).toMatchObject({ ok: true, file: { cache: 'public' } });
  expect(await setAudioFree(db, slug, true)).toMatchObject({ ok: true, changed: false });
  expect(await setAudioFree(db, slug, false)).toMatchObject({ ok: true, changed: true });
  expect(await listening.findPlayableFile(visitor, id)).toEqual({ ok: false, reason: 'login-required' });
});

test('comments are turned off and on', async () => {
  const { slug } = await createAudio(db);
  expect(await setCommentsDisabled(db, slug, true)).toMatchObject({ ok: true, changed: true });
  expect(await catalogue.findAudio(slug)).toMatchObject({ commentsDisabled: true });
  expect(await setCommentsDisabled(db, slug, false)).toMatchObject({ ok: true, changed: true });
  expect(await catalogue.findAudio(slug)).toMatchObject({ commentsDisabled: false });
  const forSubscribers = { ok: true, audio: { commenters: 'subscribers' } };
  expect(await setCommenters(db, slug, 'subscribers')).toMatchObject({ ...forSubscribers, changed: true });
  expect(await setCommenters(db, slug, 'subscribers')).toMatchObject({ ...forSubscribers, changed: false });
});

test('the preview is one published audio that visitors may hear', async () => {
  const { id, slug } = await createAudio(db);
  const draft = await createAudio(db, { publishedAt: null });
  expect(await choosePreview(db, draft.slug)).toEqual({ ok: false, reason: 'not-published' });
  expect(await choosePreview(db, slug)).toMatchObject({ ok: true, changed: true, audio: { isPreview: true } });
  expect(await catalogue.findPreview()).toMatchObject({ id, isFree: true });
  expect(await listening.findPlayableFile(visitor, id)).toMatchObject({ ok: true });
  expect(await choosePreview(db, slug)).toMatchObject({ ok: true, changed: false });

  expect(await unpublishAudio(db, slug, { evenPreview: true })).toMatchObject({
    ok: true,
    audio: { isPreview: true, state: 'draft' },
  });
  expect(await catalogue.findPreview()).toBeUndefined();
});

test.each(['', 'no-such-audio', '../x', 'A B', 'x\0y', '0'.repeat(10_000), '01890000-0000-7000-8000-000000000000'])(
  '%j names no audio',
  async (name) => {
    expect(await publishAudio(db, name)).toEqual({ ok: false, reason: 'not-found' });
    expect(await choosePreview(db, name)).toEqual({ ok: false, reason: 'not-found' });
  },
);
