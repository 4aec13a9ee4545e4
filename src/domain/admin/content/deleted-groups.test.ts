import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  createAudio,
  createCategory,
  createSeries,
  createUser,
  createViewer,
  createVoice,
} from '#test/support/factories.ts';
import { actionsAbout } from '#test/support/audit.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audioCategories, audios, categories, series, voices } from '../../catalogue/tables.ts';
import { editAudio } from '../../catalogue/editing/editing.ts';
import { listSitemapEntries } from '../../catalogue/sitemap-entries.ts';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import { voiceOwners } from '../../community/tables.ts';
import { type User, visitor } from '../../kernel/viewer.ts';
import { eraseUser } from '../../privacy/personal-data.ts';
import { storedFiles } from '../../stored-files.ts';
import { VoiceForm } from '../forms.ts';

const { db } = await createTestDatabase();
const site = await openTestSite(db);
const {
  admin: { content },
  catalogue,
  library,
  search,
  studio,
} = site;
const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const listener: User = await createViewer(db);

const snapshot = async (voiceId: string) => ({
  audios: await db.select().from(audios).where(eq(audios.voiceId, voiceId)).orderBy(audios.id),
  series: await db.select().from(series).where(eq(series.voiceId, voiceId)),
});
const addresses = async () =>
  (
    await Promise.all(
      (['voices', 'audios', 'series', 'categories'] as const).map((kind) =>
        listSitemapEntries(db, kind, { after: '' }),
      ),
    )
  ).flatMap((entries) => entries.map(({ slug }) => slug));
const found = async (term: string) => {
  const all = await search.search(visitor, { term, page: 0, limit: 10 }, '');
  return Object.values(all).reduce((sum, { total }) => sum + total, 0);
};

test('a deleted creator is nowhere, keeps the address, and comes back exactly as it was', async () => {
  const voice = await createVoice(db, { name: 'Grey Heron', slug: 'grey-heron' });
  const out = await createAudio(db, { voiceId: voice.id, title: 'Grey reeds', slug: 'grey-reeds', plays: 7 });
  for (const publishedAt of [new Date(Date.now() + 3_600_000), null])
    await createAudio(db, { voiceId: voice.id, publishedAt });
  await createSeries(db, { voiceId: voice.id, slug: 'grey-marsh', title: 'Grey marsh', audioIds: [out.id] });
  const owner = await createUser(db);
  await setVoiceOwner(db, voice.id, owner.id, true);
  await library.setFavorite(listener, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  const before = await snapshot(voice.id);
  await expect.poll(() => found('grey')).toBe(3);

  expect(await content.deleteGroup(ada, 'voice', voice.id, 'Heron')).toEqual({ ok: false, reason: 'other-name' });
  expect(await content.deleteGroup(listener, 'voice', voice.id, 'Grey Heron')).toEqual({
    ok: false,
    reason: 'not-found',
  });
  expect(await content.deleteGroup(ada, 'voice', voice.id, 'Grey Heron')).toEqual({ ok: true });
  expect(await catalogue.findVoice('grey-heron')).toBeUndefined();
  expect(await catalogue.findAudio('grey-reeds')).toBeUndefined();
  expect(await catalogue.findSeries('grey-marsh')).toBeUndefined();
  expect(await addresses()).not.toEqual(expect.arrayContaining([expect.stringMatching(/grey/)]));
  await expect.poll(() => found('grey')).toBe(0);
  expect((await content.listVoices(ada, { limit: 50 })).items.map(({ id }) => id)).not.toContain(voice.id);
  expect(await content.findVoiceChoices(ada, 'Grey Heron', 10)).toEqual([]);
  expect(await content.findVoice(ada, voice.id)).toBeUndefined();
  expect(await site.admin.findAnything(ada, 'grey-heron')).toEqual([]);
  expect(await content.editVoice(ada, voice.id, { isHidden: false })).toEqual({ ok: false, reason: 'not-found' });
  expect(await studio.findManagedVoice(ada, voice.id)).toBeUndefined();
  expect(await content.listDeletedGroups(ada, 'voice')).toMatchObject([
    { id: voice.id, name: 'Grey Heron', audios: 3 },
  ]);
  // The address stays taken.
  const made = await content.createVoice(ada, VoiceForm.parse({ name: 'Grey Heron', voiceType: 'female' }));
  expect(made.ok && (await db.select().from(voices).where(eq(voices.id, made.id)))[0]?.slug).toBe('grey-heron-2');
  if (made.ok) await db.delete(voices).where(eq(voices.id, made.id));

  expect(await content.restoreGroup(listener, 'voice', voice.id)).toBe(false);
  expect(await content.restoreGroup(ada, 'voice', voice.id)).toBe(true);
  const withoutTimes = ({ audios: all, series: deletedSeries }: typeof before) => ({
    series: deletedSeries,
    audios: all.map(({ updatedAt: _at, ...audio }) => audio),
  });
  expect(withoutTimes(await snapshot(voice.id))).toEqual(withoutTimes(before));
  expect(await catalogue.findVoice('grey-heron')).toMatchObject({ totalAudios: 1, totalFavorite: 1 });
  await expect.poll(() => found('grey')).toBe(3);
  expect(await content.restoreGroup(ada, 'voice', voice.id)).toBe(false);
  expect(await actionsAbout(db, voice.id)).toEqual(['voice.delete', 'voice.restore']);
});

test('one that was hidden is hidden after its restoration, and nobody owns one whose owner was erased meanwhile', async () => {
  const voice = await createVoice(db, { name: 'Owl' });
  const owner = await createUser(db);
  await setVoiceOwner(db, voice.id, owner.id, true);
  await content.editVoice(ada, voice.id, { isHidden: true });
  await content.deleteGroup(ada, 'voice', voice.id, 'Owl');
  await eraseUser(db, owner.id);
  expect(await db.$count(voiceOwners, eq(voiceOwners.voiceId, voice.id))).toBe(0);
  expect(await content.restoreGroup(ada, 'voice', voice.id)).toBe(true);
  expect(await content.findVoice(ada, voice.id)).toMatchObject({ isHidden: true, owners: 0 });
});

test('a deleted category leaves every list, and its audios have it again afterwards, also those edited meanwhile', async () => {
  const [fog, mist] = [
    await createCategory(db, { label: 'Fog', slug: 'fog' }),
    await createCategory(db, { label: 'Mist', slug: 'mist' }),
  ];
  const kept = await createAudio(db, { categoryIds: [fog.id, mist.id] });
  const edited = await createAudio(db, { categoryIds: [fog.id] });
  await db.update(voices).set({ categoryId: fog.id }).where(eq(voices.id, kept.voiceId));
  const rows = () =>
    db
      .select()
      .from(audioCategories)
      .where(inArray(audioCategories.audioId, [kept.id]))
      .orderBy(audioCategories.position);
  const before = await rows();
  expect(await content.deleteGroup(ada, 'category', fog.id, 'Fog')).toEqual({ ok: true });
  expect(await catalogue.findCategory('fog')).toBeUndefined();
  expect(await addresses()).not.toContain('fog');
  expect((await content.listCategories(ada)).map(({ label }) => label)).not.toContain('Fog');
  expect((await content.listCategoryChoices(ada)).map(({ label }) => label)).not.toContain('Fog');
  expect((await catalogue.findAudio(kept.id))?.categories.map(({ label }) => label)).toEqual(['Mist']);
  expect(await found('fog')).toBe(0);
  expect(await editAudio(db, edited.id, { categories: ['fog'] })).toMatchObject({
    ok: false,
    reason: 'unknown-category',
  });
  expect(await editAudio(db, edited.id, { categories: ['mist'] })).toMatchObject({ ok: true });
  expect(
    await content.orderByHand(ada, 'category', { ids: (await content.listCategories(ada)).map(({ id }) => id) }),
  ).toBe(true);
  expect(await content.restoreGroup(ada, 'category', fog.id)).toBe(true);
  expect(await rows()).toEqual(before);
  expect((await catalogue.findAudio(edited.id))?.categories.map(({ label }) => label).toSorted()).toEqual([
    'Fog',
    'Mist',
  ]);
  expect((await catalogue.findVoice(kept.voiceId))?.category).toMatchObject({ slug: 'fog' });
  expect(await actionsAbout(db, fog.id)).toEqual(['category.delete', 'category.restore']);
});

test('after 30 days both are purged with all that was their own, and their files with them', async () => {
  const voice = await createVoice(db, { name: 'Wren', imageKey: 'images/wren.webp' });
  const gone = await Promise.all([1, 2, 3].map(() => createAudio(db, { voiceId: voice.id })));
  await createSeries(db, { voiceId: voice.id, audioIds: gone.map(({ id }) => id) });
  const category = await createCategory(db, { label: 'Dew', imageKey: 'images/dew.webp' });
  const stays = await createAudio(db, { categoryIds: [category.id] });
  await content.deleteGroup(ada, 'voice', voice.id, 'Wren');
  await content.deleteGroup(ada, 'category', category.id, 'Dew');
  const other = await createVoice(db);
  const fan = await createVoice(db, { recommendedIds: [voice.id, other.id] });
  expect(await content.purgeDeletedGroups()).toEqual({ voices: 0, categories: 0, playlists: 0 });
  const unused = () =>
    db
      .select({ key: storedFiles.key })
      .from(storedFiles)
      .where(sql`${storedFiles.state} = 'unused' and ${storedFiles.key} in ('images/wren.webp', 'images/dew.webp')`);
  expect(await unused()).toEqual([]);
  for (const table of [voices, categories])
    await db
      .update(table)
      .set({ deletedAt: sql`now() - interval '30 days 1 second'` })
      .where(sql`deleted_at is not null`);
  expect(await content.restoreGroup(ada, 'voice', voice.id)).toBe(false);
  await content.purgeDeletedGroups();
  expect(await db.$count(voices, eq(voices.id, voice.id))).toBe(0);
  const [left] = await db.select({ ids: voices.recommendedIds }).from(voices).where(eq(voices.id, fan.id));
  expect(left?.ids).toEqual([other.id]);
  expect(await db.$count(series, eq(series.voiceId, voice.id))).toBe(0);
  expect(
    await db.$count(
      audios,
      inArray(
        audios.id,
        gone.map(({ id }) => id),
      ),
    ),
  ).toBe(0);
  expect(await db.$count(categories, eq(categories.id, category.id))).toBe(0);
  expect(await catalogue.findAudio(stays.id)).toMatchObject({ categories: [] });
  expect((await unused()).map(({ key }) => key).toSorted()).toEqual(['images/dew.webp', 'images/wren.webp']);
});
