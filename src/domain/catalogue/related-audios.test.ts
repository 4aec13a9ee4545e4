import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { createSharedReads } from '../kernel/shared-reads.ts';
import { visitor } from '../kernel/viewer.ts';
import { audioCounts, audios, audioTags, categories } from './tables.ts';

const { db } = await createTestDatabase();
const clock = { now: 0 };
const shared = createSharedReads({ now: () => clock.now });
const { catalogue } = await openTestSite(db, undefined, undefined, undefined, { shared });

async function relatedTo(id: string, limit = 12): Promise<string[]> {
  const audio = (await catalogue.findAudio(id))!;
  return (await catalogue.listRelatedAudios(visitor, audio, limit)).map(({ slug }) => slug);
}

test('related audios are ranked by what they share, then by plays, and never include the audio itself', async () => {
  const [sea, fire] = [await createCategory(db), await createCategory(db)];
  const audio = await createAudio(db, { categoryIds: [sea.id, fire.id], tagLabels: ['keats', 'slow'] });
  await createAudio(db, { slug: 'one-and-tags', categoryIds: [sea.id], tagLabels: ['keats', 'slow', 'loud'] });
  await createAudio(db, { slug: 'both', categoryIds: [sea.id, fire.id] });
  await createAudio(db, { slug: 'one-and-tag', categoryIds: [sea.id], tagLabels: ['keats'] });
  await createAudio(db, { slug: 'one', categoryIds: [fire.id], plays: 1 });
  await createAudio(db, { slug: 'one-with-plays', categoryIds: [fire.id], plays: 2 });
  await createAudio(db, { slug: 'none', tagLabels: ['keats'] });
  const expected = ['one-and-tags', 'both', 'one-and-tag', 'one-with-plays', 'one'];
  expect(await relatedTo(audio.id)).toEqual(expected);
  expect(await relatedTo(audio.id, 2)).toEqual(expected.slice(0, 2));
});

test('of more than can be compared, the newest are', async () => {
  const { id } = await createCategory(db);
  const publishedAt = (age: number) => new Date(Date.now() - 60_000 - age * 1000);
  const audio = await createAudio(db, { categoryIds: [id], tagLabels: ['rare'], publishedAt: publishedAt(60) });
  for (const age of Array.from({ length: 121 }, (_, index) => index).filter((index) => index !== 60))
    await createAudio(db, { slug: `aged-${age}`, categoryIds: [id], publishedAt: publishedAt(age) });
  await createAudio(db, { slug: 'too-old', categoryIds: [id], tagLabels: ['rare'], publishedAt: publishedAt(121) });
  const found = await relatedTo(audio.id, 200);
  expect(found).toHaveLength(120);
  expect(found).toContain('aged-120');
  expect(found).not.toContain('too-old');
});

test('plays are read again after half a minute, a withdrawn audio leaves with the change', async () => {
  const { id } = await createCategory(db);
  const audio = await createAudio(db, { categoryIds: [id] });
  const liked = await createAudio(db, { slug: 'liked', categoryIds: [id], plays: 5 });
  await createAudio(db, { slug: 'less-liked', categoryIds: [id], plays: 4 });
  expect(await relatedTo(audio.id)).toEqual(['liked', 'less-liked']);
  await db.update(audioCounts).set({ plays: 3 }).where(eq(audioCounts.audioId, liked.id));
  clock.now += 29_000;
  expect(await relatedTo(audio.id)).toEqual(['liked', 'less-liked']);
  clock.now += 2000;
  expect(await relatedTo(audio.id)).toEqual(['less-liked', 'liked']);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, liked.id));
  // As `start.ts` does at a notification of the change feed.
  shared.clear();
  expect(await relatedTo(audio.id)).toEqual(['less-liked']);
});

test('an audio’s unpublished categories and tags do not change what others are shown', async () => {
  const [sea, fire] = [await createCategory(db), await createCategory(db)];
  const { id } = await createAudio(db, { categoryIds: [sea.id] });
  await createAudio(db, { slug: 'only-sea', categoryIds: [sea.id] });
  await createAudio(db, { slug: 'only-fire', categoryIds: [fire.id] });
  const audio = (await catalogue.findAudio(id))!;
  const changed = {
    ...audio,
    categories: [fire].map(({ id: categoryId, slug, label }) => ({ id: categoryId, slug, label })),
  };
  expect((await catalogue.listRelatedAudios(visitor, changed, 12)).map(({ slug }) => slug)).toEqual(['only-fire']);
  expect(await relatedTo(id)).toEqual(['only-sea']);
});

test('an audio without a shown category is compared with the newest of all, so that the player can go on', async () => {
  const hidden = await createCategory(db);
  await db.update(categories).set({ hiddenAt: new Date() }).where(eq(categories.id, hidden.id));
  await createAudio(db, { slug: 'of-these-tags', tagLabels: ['unheard', 'unseen'] });
  for (const categoryIds of [[], [hidden.id]]) {
    const { id, slug } = await createAudio(db, { categoryIds, tagLabels: ['unheard', 'unseen'] });
    const found = await relatedTo(id);
    expect(found).toHaveLength(12);
    expect(found[0]).toBe('of-these-tags');
    expect(found).not.toContain(slug);
    await db.delete(audioTags).where(eq(audioTags.audioId, id));
  }
});
