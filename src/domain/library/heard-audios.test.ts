import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { listeningHistory } from '../listening/tables.ts';

const { db } = await createTestDatabase();
const { library, listening } = await openTestSite(db);

test('what was heard and favorites come together, the newest first, with their numbers', async () => {
  const [user, other] = [await createUser(db), await createUser(db)];
  const sea = await createAudio(db, { title: 'Sea', tagLabels: ['Storm', 'Night'], isFree: true });
  const wind = await createAudio(db, { title: 'Wind', language: 'de', isFree: true });
  const bells = await createAudio(db, { title: 'Bells' });
  const draft = await createAudio(db, { publishedAt: null });
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1, 12, minutes));
  await db.insert(listeningHistory).values([
    { userId: user.id, audioId: sea.id, listens: 3, lastListenedAt: at(1) },
    { userId: user.id, audioId: wind.id, listens: 1, lastListenedAt: at(2) },
    { userId: user.id, audioId: draft.id, listens: 1, lastListenedAt: at(3) },
    { userId: other.id, audioId: bells.id, listens: 9, lastListenedAt: at(4) },
  ]);
  await listening.removeProgress(user.id, wind.id);
  const viewer = { kind: 'user', id: user.id, isSubscribed: false, isComplete: true } as const;
  for (const { id } of [bells, sea])
    await library.setFavorite(viewer, { contentTypeId: 'audio', id, isFavorite: true });

  const before = await library.listHeardAudios(user.id);
  expect(before.map(({ title, number }) => [title, number])).toEqual([
    ['Bells', null],
    ['Wind', null],
    ['Sea', null],
  ]);
  await listening.publishNeighbours();
  const [first, second, third] = await library.listHeardAudios(user.id);
  expect(first).toMatchObject({ id: bells.id, listens: 0, isFinished: false, isFavorite: true, tags: [] });
  expect(second).toMatchObject({ id: wind.id, listens: 1, isFinished: true, isFavorite: false, language: 'de' });
  expect(third).toMatchObject({ id: sea.id, listens: 3, isFinished: false, isFavorite: true, at: at(1) });
  expect(third?.tags.toSorted()).toEqual(['night', 'storm']);
  expect(new Set([first?.number, second?.number, third?.number]).size).toBe(3);
  expect((await library.listHeardAudios(other.id)).map(({ id }) => id)).toEqual([bells.id]);
});
