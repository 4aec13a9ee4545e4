import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createViewer, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { publishAudio } from '../catalogue/editing/publishing.ts';
import { facets, tags } from '../catalogue/tables.ts';
import { newId } from '../kernel/ids.ts';
import { MixForm } from '../library/mixes/forms.ts';
import { notifyFollowers } from './fan-out.ts';
import { fitsMix } from './mix-news.ts';
import { readNews } from './notification-lists.ts';
import { notifications, voiceMutes } from './tables.ts';

const { db } = await createTestDatabase();
const { library, notifications: news } = await openTestSite(db);

async function save(userId: string, form: object) {
  const outcome = await library.createMix(
    userId,
    MixForm.parse({ name: 'Mix', sort: 'recent', hasNews: true, ...form }),
  );
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.mix;
}

test('a published audio is news for those with a mix that it fits, once, and for no one else', async () => {
  const voice = await createVoice(db, { name: 'Iris' });
  const [reader, quiet, other, muted, hider] = await Promise.all(Array.from({ length: 5 }, () => createViewer(db)));
  if (!reader || !quiet || !other || !muted || !hider) throw new Error('no viewers');
  const { id } = await createAudio(db, {
    title: 'Rain',
    voiceId: voice.id,
    publishedAt: null,
    tagLabels: ['rain', 'roof'],
  });
  await createAudio(db, { tagLabels: ['sea'] });
  await library.setFavorite(reader, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  for (const user of [reader, muted, hider]) await save(user.id, { filter: { tag: 'rain' } });
  await save(reader.id, { filter: { not: 'sea' } });
  await save(quiet.id, { filter: { tag: 'rain' }, hasNews: false });
  await save(other.id, { filter: { tag: 'rain', not: 'roof' } });
  await save(other.id, { filter: { tag: 'sea' } });
  await db.insert(voiceMutes).values({ userId: muted.id, voiceId: voice.id });
  await library.setTagHidden(hider.id, 'roof', true);
  await publishAudio(db, id);
  expect(await notifyFollowers(db, id)).toBe(2);
  expect((await news.listNotifications(reader, { limit: 9 })).items.map(({ text }) => text)).toEqual([
    'Iris published “Rain”',
  ]);
  // The mail of somebody who turned off the creator's news, but not those of the mix.
  const [own] = await db.select({ id: notifications.id }).from(notifications).where(eq(notifications.userId, muted.id));
  expect(await readNews(db, [own?.id ?? ''])).toHaveLength(1);
  await library.deleteMix(muted.id, (await library.listMixes(muted))[0]?.id ?? '');
  expect((await readNews(db, [own?.id ?? ''])).flatMap((user) => user.news)).toEqual([]);
});

test('an audio fits a mix exactly when the list of the mix has it', async () => {
  const random = seededRandom(48);
  const some = <Value>(values: readonly Value[], most = 2) => values.filter(() => random() < 0.35).slice(0, most);
  const viewer = await createViewer(db);
  const facetIds = await Promise.all(
    ['tone', 'kind'].map(async (slug) => {
      const id = newId();
      await db.insert(facets).values({ id, slug, label: slug, chooses: 'many' });
      return id;
    }),
  );
  const slugs = ['t1', 't2', 't3', 'k1', 'k2', 'loose'];
  for (const slug of slugs)
    await db.insert(tags).values({
      id: newId(),
      slug,
      label: slug,
      facetId: slug === 'loose' ? null : (facetIds[slug.startsWith('t') ? 0 : 1] ?? null),
    });
  const [woman, man] = [await createVoice(db), await createVoice(db, { voiceTypeLabel: 'Male voice' })];
  const category = await createCategory(db, { slug: 'fits' });
  for (let index = 0; index < 40; index += 1)
    await createAudio(db, {
      voiceId: random() < 0.5 ? woman.id : man.id,
      categoryIds: random() < 0.5 ? [category.id] : [],
      tagLabels: some(slugs, 3),
      durationMs: Math.floor(random() * 50) * 60_000 + 1000,
      language: random() < 0.7 ? 'en-GB' : 'de',
      isFree: random() < 0.5,
      syntheticVoice: random() < 0.8 ? 'none' : 'wholly',
    });
  let found = 0;
  for (let round = 0; round < 30; round += 1) {
    const filter = Object.fromEntries(
      Object.entries({
        tag: some(slugs),
        not: some(slugs, 1),
        length: some(['short', 'medium', 'long', 'longer']),
        language: some(['en', 'de'], 1),
        voiceType: some(['female', 'male'], 1),
        free: some(['true'], 1),
        syntheticVoice: some(['none', 'wholly'], 1),
        shorterThan: some(['1500'], 1),
      }).flatMap(([name, values]) => (values.length === 0 || random() < 0.5 ? [] : [[name, values.join()]])),
    );
    const place = random() < 0.3 ? { category: 'fits' } : random() < 0.3 ? { voice: woman.id } : {};
    const mix = await save(viewer.id, { filter, ...place });
    const listed = (await library.listMixAudios(viewer, mix.id, { limit: 100 }))?.items.map(({ id }) => id) ?? [];
    const { rows } = await db.execute<{ id: string }>(sql`select audios.id from audios join mixes mix on ${fitsMix}
      where mix.id = ${mix.id} and audios.published_at <= now()`);
    expect([filter, rows.map(({ id }) => id).toSorted()]).toEqual([filter, listed.toSorted()]);
    found += listed.length;
    await library.deleteMix(viewer.id, mix.id);
  }
  expect(found).toBeGreaterThan(50);
});
