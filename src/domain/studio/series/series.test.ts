import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSeries as insertSeries, createUser, createVoice } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { deleteAudio, restoreAudio } from '../../catalogue/editing/deletion.ts';
import { editAudio } from '../../catalogue/editing/editing.ts';
import { maxSeriesAudios } from '../../catalogue/rules.ts';
import { findSeries } from '../../catalogue/series.ts';
import { series as seriesTable, voices } from '../../catalogue/tables.ts';
import type { User, VoiceRole } from '../../kernel/viewer.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { newId } from '../../kernel/ids.ts';
import * as deleted from './deleted-series.ts';
import * as seriesOrder from './series-order.ts';
import * as series from './series.ts';
import { deletedSeries } from '../tables.ts';
import { storedFiles } from '../../stored-files.ts';

const { db } = await createTestDatabase();

function actorIn(voiceId: string, role: VoiceRole): User {
  return { kind: 'user', id: newId(), isSubscribed: false, isComplete: true, voiceRoles: { [voiceId]: role } };
}

async function openSeries(count = 3) {
  const { id: voiceId } = await createVoice(db);
  const parts = [];
  for (let number = 0; number < count; number += 1) parts.push(await createAudio(db, { voiceId }));
  const ids = parts.map(({ id }) => id);
  const { id } = await insertSeries(db, { voiceId, audioIds: ids });
  // Audit entries need an existing account.
  const owner: User = { ...actorIn(voiceId, 'owner'), id: await someUser() };
  return { voiceId, id, ids: ids as [string, string, string], owner };
}

async function someUser(): Promise<string> {
  return (await createUser(db)).id;
}

async function orderOf(id: string): Promise<string[]> {
  const { rows } = await db.execute<{ audio_id: string; position: number }>(
    sql`select audio_id, position from series_items where series_id = ${id} order by position`,
  );
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index));
  return rows.map(({ audio_id }) => audio_id);
}

test('audios move within a series, and each move is recorded', async () => {
  const { id, ids, owner } = await openSeries();
  const [a, b, c] = ids;
  expect(await seriesOrder.moveInSeries(db, owner, id, c, null)).toEqual({ ok: true, changed: true });
  expect(await orderOf(id)).toEqual([c, a, b]);
  expect(await seriesOrder.moveInSeries(db, owner, id, c, b)).toEqual({ ok: true, changed: true });
  expect(await seriesOrder.moveInSeries(db, owner, id, c, b)).toEqual({ ok: true, changed: false });
  expect(await orderOf(id)).toEqual([a, b, c]);
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id)).orderBy(auditEntries.id);
  expect(entries.map(({ before, after }) => [before?.['part'], after?.['part']])).toEqual([
    [3, 1],
    [1, 3],
  ]);
});

test('only audios of the same voice that are in no other series are added', async () => {
  const { id, owner, voiceId } = await openSeries(1);
  const [own, other, elsewhere] = [
    await createAudio(db, { voiceId, publishedAt: null }),
    await createAudio(db, { voiceId }),
    await createAudio(db),
  ];
  await insertSeries(db, { voiceId, title: 'Taken', audioIds: [other.id] });
  expect(await seriesOrder.addToSeries(db, owner, id, own.id)).toEqual({ ok: true, changed: true });
  expect(await seriesOrder.addToSeries(db, owner, id, other.id)).toEqual({ ok: false, reason: 'in-another' });
  const deleted = await createAudio(db, { voiceId, publishedAt: null, deletedAt: new Date() });
  for (const unknown of [elsewhere.id, deleted.id, newId(), 'no id'])
    expect(await seriesOrder.addToSeries(db, owner, id, unknown)).toEqual({ ok: false, reason: 'not-found' });
  expect((await orderOf(id)).at(-1)).toBe(own.id);
  const found = await series.findAudiosForSeries(db, owner, voiceId, other.title, 5);
  expect(found?.map((audio) => audio.series?.title)).toEqual(['Taken']);
});

test('a series takes 500 audios and no more', async () => {
  const { id, voiceId, owner } = await openSeries();
  await db.execute(sql`
    with made as (
      insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms)
      select gen_random_uuid(), 'part-' || n, 'Part', 'part', ${voiceId}, 'audio/x.mp3', 'audio/mpeg', 1, 1
      from generate_series(1, ${maxSeriesAudios - 4}::int) n returning id)
    insert into series_items (series_id, audio_id, position) select ${id}, id, 2 + row_number() over () from made`);
  const add = async () => seriesOrder.addToSeries(db, owner, id, (await createAudio(db, { voiceId })).id);
  expect(await add()).toEqual({ ok: true, changed: true });
  expect(await add()).toEqual({ ok: false, reason: 'full' });
});

test('a removed audio returns to its position', async () => {
  const { id, ids, owner } = await openSeries();
  const [a, b, c] = ids;
  await seriesOrder.removeFromSeries(db, owner, id, b);
  expect(await orderOf(id)).toEqual([a, c]);
  await seriesOrder.addToSeries(db, owner, id, b, a);
  expect(await orderOf(id)).toEqual([a, b, c]);
});

test('a deleted audio keeps its place while others move', async () => {
  const { id, ids, owner } = await openSeries();
  const [a, b, c] = ids;
  await deleteAudio(db, b);
  expect((await series.findManagedSeries(db, owner, id))?.parts.map((part) => part.id)).toEqual([a, c]);
  await seriesOrder.moveInSeries(db, owner, id, c, null);
  await restoreAudio(db, b);
  expect((await series.findManagedSeries(db, owner, id))?.parts.map((part) => part.id)).toEqual([c, a, b]);
});

test('moves at once leave every audio at one place', async () => {
  const { id, ids, owner } = await openSeries();
  await Promise.all(ids.map((audioId) => seriesOrder.moveInSeries(db, owner, id, audioId, null)));
  expect((await orderOf(id)).toSorted()).toEqual(ids.toSorted());
});

test('a deleted series is restored with its address, order and links, without audios that moved to another series', async () => {
  const { id, ids, owner, voiceId } = await openSeries();
  const [a, b, c] = ids;
  await db.update(voices).set({ linkedSeriesId: id }).where(eq(voices.id, voiceId));
  const before = await findSeries(db, id);
  expect(await deleted.deleteSeries(db, owner, id)).toEqual({ ok: true });
  expect(await findSeries(db, id)).toBeUndefined();
  await insertSeries(db, { voiceId, audioIds: [b] });
  expect((await deleted.listDeletedSeries(db, voiceId, 5)).map((one) => [one.id, one.totalAudios])).toEqual([[id, 3]]);
  expect(await deleted.restoreSeries(db, owner, id)).toEqual({ ok: true });
  expect(await orderOf(id)).toEqual([a, c]);
  expect((await findSeries(db, id))?.slug).toBe(before?.slug);
  expect((await series.findManagedSeries(db, owner, id))?.isLinked).toBe(true);
  expect(await deleted.restoreSeries(db, owner, id)).toEqual({ ok: false, reason: 'not-found' });
});

test('an audio that joins a series while it is being deleted is in the restored one', async () => {
  const { id, voiceId, ids, owner } = await openSeries();
  const joining = await createAudio(db, { voiceId });
  const slug =
    (await db.select({ slug: seriesTable.slug }).from(seriesTable).where(eq(seriesTable.id, id)))[0]?.slug ?? '';
  await meanwhile(
    db,
    (tx) => editAudio(tx, joining.id, { series: { slug } }),
    () => deleted.deleteSeries(db, owner, id),
  );
  expect(await deleted.restoreSeries(db, owner, id)).toEqual({ ok: true });
  const restored = await series.findManagedSeries(db, owner, id);
  expect(restored?.parts.map((part) => part.id)).toEqual([...ids, joining.id]);
});

test('its address was taken meanwhile: it is restored at the next free one', async () => {
  const { id, owner, voiceId } = await openSeries();
  const slug = (await findSeries(db, id))?.slug ?? '';
  await deleted.deleteSeries(db, owner, id);
  await insertSeries(db, { voiceId, slug });
  await deleted.restoreSeries(db, owner, id);
  expect((await findSeries(db, id))?.slug).toBe(`${slug}-2`);
});

test('after 30 days a series is gone for good, and its cover with it', async () => {
  const { id, owner, voiceId } = await openSeries();
  await db.execute(sql`update series set image_key = 'images/series.webp' where id = ${id}`);
  await deleted.deleteSeries(db, owner, id);
  await db
    .update(deletedSeries)
    .set({ deletedAt: sql`now() - interval '31 days'` })
    .where(eq(deletedSeries.id, id));
  expect(await deleted.listDeletedSeries(db, voiceId, 5)).toEqual([]);
  expect(await deleted.restoreSeries(db, owner, id)).toEqual({ ok: false, reason: 'not-found' });
  expect(await deleted.purgeDeletedSeries(db)).toBe(1);
  const isUnused = and(eq(storedFiles.key, 'images/series.webp'), eq(storedFiles.state, 'unused'));
  expect(await db.$count(storedFiles, isUnused)).toBe(1);
});

test('editors do all but delete; others find nothing', async () => {
  const { id, ids, voiceId } = await openSeries();
  const editor: User = { ...actorIn(voiceId, 'editor'), id: await someUser() };
  const stranger = actorIn(newId(), 'owner');
  const notFound = { ok: false, reason: 'not-found' };
  expect(await seriesOrder.moveInSeries(db, editor, id, ids[2], null)).toMatchObject({ ok: true });
  expect(await deleted.deleteSeries(db, editor, id)).toEqual(notFound);
  expect(await series.findManagedSeries(db, stranger, id)).toBeUndefined();
  expect(await series.listManagedSeries(db, stranger, voiceId, { limit: 5 })).toBeUndefined();
  expect(await series.findAudiosForSeries(db, stranger, voiceId, '', 5)).toBeUndefined();
  expect(await series.createSeries(db, stranger, voiceId, { title: 'Mine', description: '' })).toEqual(notFound);
  expect(await seriesOrder.moveInSeries(db, stranger, id, ids[0], null)).toEqual(notFound);
  expect(await deleted.deleteSeries(db, stranger, id)).toEqual(notFound);
});

test('series are listed A to Z in pages, with drafts counted', async () => {
  const { id: voiceId } = await createVoice(db);
  const owner: User = { ...actorIn(voiceId, 'owner'), id: await someUser() };
  for (const title of ['Beta', 'Alpha', 'Alpha'])
    expect(await series.createSeries(db, owner, voiceId, { title, description: '' })).toMatchObject({ ok: true });
  const first = await series.listManagedSeries(db, owner, voiceId, { limit: 2 });
  expect(first?.items.map(({ title, slug }) => [title, slug])).toEqual([
    ['Alpha', 'alpha'],
    ['Alpha', 'alpha-2'],
  ]);
  const draft = await createAudio(db, { voiceId, publishedAt: null });
  const second = await series.listManagedSeries(db, owner, voiceId, { limit: 2, cursor: first?.nextCursor });
  const [beta] = second?.items ?? [];
  await seriesOrder.addToSeries(db, owner, beta?.id ?? '', draft.id);
  expect((await series.findManagedSeries(db, owner, beta?.id ?? ''))?.totalAudios).toBe(1);
});
