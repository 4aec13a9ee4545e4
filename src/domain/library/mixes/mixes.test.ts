import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createViewer, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { tags } from '../../catalogue/tables.ts';
import { newId } from '../../kernel/ids.ts';
import { mixes } from '../tables.ts';
import { MixChange, MixForm } from './forms.ts';
import { maxMixes } from './rules.ts';

const { db } = await createTestDatabase();
const { library } = await openTestSite(db);
const voice = await createVoice(db);
const sonnets = await createCategory(db, { label: 'Sonnets', slug: 'sonnets' });
const add = (title: string, tagLabels: string[], overrides = {}) =>
  createAudio(db, { title, voiceId: voice.id, categoryIds: [sonnets.id], tagLabels, ...overrides });
await add('Echo', ['longing'], {
  durationMs: 61_000,
  publishedAt: new Date(Date.now() - 3_600_000),
  imageKey: 'echo.webp',
});
await add('Parting', ['longing', 'parting'], { publishedAt: new Date(Date.now() - 3_600_000) });

type Given = Partial<Parameters<typeof MixForm.parse>[0] & object>;

async function save(userId: string, given: Given = {}) {
  const form = {
    name: 'For staying',
    filter: { tag: 'longing', not: ['parting'] },
    category: 'sonnets',
    sort: 'popular',
  };
  const outcome = await library.createMix(userId, MixForm.parse({ ...form, ...given }));
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.mix;
}

const titlesOf = async (viewer: Awaited<ReturnType<typeof createViewer>>, id: string) =>
  (await library.listMixAudios(viewer, id, { limit: 10 }))?.items.map(({ title }) => title);

test('a mix is the place, filters and order under a name, and stays fresh', async () => {
  const viewer = await createViewer(db);
  const mix = await save(viewer.id, { name: '  For\u202E staying ' });
  expect(mix).toMatchObject({
    name: 'For staying',
    place: { kind: 'category', slug: 'sonnets', label: 'Sonnets' },
    filter: { tag: ['longing'], not: ['parting'] },
    sort: 'popular',
    hasNews: false,
  });
  const filled = { totalAudios: 1, totalDuration: 61, newAudios: 0, imageUrls: ['/echo.webp'] };
  expect(await library.listMixes(viewer)).toEqual([{ ...mix, ...filled }]);
  expect(await titlesOf(viewer, mix.id)).toEqual(['Echo']);
  await db
    .update(mixes)
    .set({ visitedAt: new Date(Date.now() - 1_800_000) })
    .where(eq(mixes.id, mix.id));
  await add('Fresh', ['longing'], { publishedAt: new Date(Date.now() - 60_000) });
  expect(await library.listMixes(viewer)).toMatchObject([{ totalAudios: 2, newAudios: 1 }]);
  expect(await library.visitMix(viewer.id, mix.id)).toBe(true);
  expect(await library.listMixes(viewer)).toMatchObject([{ totalAudios: 2, newAudios: 0 }]);
  await library.setTagHidden(viewer.id, 'longing', true);
  expect(await library.listMixes(viewer)).toMatchObject([{ totalAudios: 0 }]);
});

test('it keeps its tags when they are renamed, and finds nothing once one is deleted', async () => {
  const viewer = await createViewer(db);
  await add('Wry', ['wry']);
  const mix = await save(viewer.id, { filter: { tag: 'wry' } });
  await db.update(tags).set({ slug: 'ironic', label: 'ironic' }).where(eq(tags.slug, 'wry'));
  expect(await library.findMix(viewer.id, mix.id)).toMatchObject({
    filter: { tag: ['ironic'] },
    tags: [{ slug: 'ironic', label: 'ironic', facet: null }],
  });
  expect(await titlesOf(viewer, mix.id)).toEqual(['Wry']);
  await db.delete(tags).where(eq(tags.slug, 'ironic'));
  expect(await titlesOf(viewer, mix.id)).toEqual([]);
});

test('an unknown place or wanted tag is refused, one left out is ignored', async () => {
  const viewer = await createViewer(db);
  for (const given of [
    { category: 'nowhere' },
    { voice: newId(), category: null },
    { filter: { tag: 'nothing-has-it' } },
  ])
    await expect(save(viewer.id, given)).rejects.toThrow('not-found');
  expect((await save(viewer.id, { filter: { not: 'nothing-has-it' } })).filter).toEqual({});
});

test('name, news and filters change; another user finds none of it', async () => {
  const [viewer, other] = [await createViewer(db), await createViewer(db)];
  const { id } = await save(viewer.id);
  const change = MixChange.parse({
    name: 'Calm',
    hasNews: true,
    filter: { length: 'short' },
    category: null,
    sort: 'title',
  });
  expect(await library.changeMix(other.id, id, change)).toBeUndefined();
  expect(await library.changeMix(viewer.id, id, change)).toMatchObject({
    name: 'Calm',
    hasNews: true,
    place: null,
    filter: { length: ['short'] },
    sort: 'title',
  });
  expect(await library.changeMix(viewer.id, id, { name: 'Calmer' })).toMatchObject({ name: 'Calmer', hasNews: true });
  expect(await library.listMixAudios(other, id, { limit: 1 })).toBeUndefined();
  expect(await library.visitMix(other.id, id)).toBe(false);
  expect(await library.deleteMix(other.id, id)).toBeUndefined();
  expect(await library.listMixes(other)).toEqual([]);
});

test('a deleted mix can be restored for a while, then it is purged', async () => {
  const viewer = await createViewer(db);
  const { id } = await save(viewer.id);
  expect((await library.deleteMix(viewer.id, id))?.getTime()).toBeGreaterThan(Date.now());
  expect([await library.listMixes(viewer), await library.findMix(viewer.id, id)]).toEqual([[], undefined]);
  expect(await library.restoreMix(viewer.id, id)).toMatchObject({ ok: true, mix: { id } });
  await library.deleteMix(viewer.id, id);
  expect(await library.purgeDeletedMixes()).toBe(0);
  await db
    .update(mixes)
    .set({ deletedAt: sql`now() - interval '11 minutes'` })
    .where(eq(mixes.id, id));
  expect(await library.restoreMix(viewer.id, id)).toEqual({ ok: false, reason: 'not-found' });
  expect(await library.purgeDeletedMixes()).toBe(1);
});

test('a user has fifty at most', async () => {
  const viewer = await createViewer(db);
  const { id } = await save(viewer.id);
  await db.execute(sql`insert into mixes (id, user_id, name, sort)
    select gen_random_uuid(), ${viewer.id}, 'Mix', 'recent' from generate_series(2, ${maxMixes})`);
  await expect(save(viewer.id)).rejects.toThrow('full');
  await library.deleteMix(viewer.id, id);
  await save(viewer.id);
  expect(await library.restoreMix(viewer.id, id)).toEqual({ ok: false, reason: 'full' });
});
