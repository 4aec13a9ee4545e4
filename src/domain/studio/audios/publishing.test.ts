import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { listDraftSlugs } from '../../catalogue/editing/publishing.ts';
import { operator } from '../../kernel/actor.ts';
import { publishAudios } from './publishing.ts';

const { db } = await createTestDatabase();

test('several audios are published together or not at all', async () => {
  const [one, two] = [await createAudio(db, { publishedAt: null }), await createAudio(db, { publishedAt: null })];
  expect(await publishAudios(db, operator, [one.slug, 'no-such', two.slug])).toEqual({
    ok: false,
    reason: 'not-found',
    idOrSlug: 'no-such',
  });
  expect(await listDraftSlugs(db)).toEqual(expect.arrayContaining([one.slug, two.slug]));
  expect(await publishAudios(db, operator, [one.slug, two.slug])).toMatchObject({
    ok: true,
    results: [
      { changed: true, audio: { slug: one.slug, state: 'published' } },
      { changed: true, audio: { slug: two.slug, state: 'published' } },
    ],
  });
  expect(await listDraftSlugs(db)).not.toContain(one.slug);
});
