import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readShard } from '#formats/suggestions/shards.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createUser } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audioCategories, audioNumbers, audios, neighbourCounts, neighbourShards } from '../catalogue/tables.ts';
import { visitor } from '../kernel/viewer.ts';
import { listeningHistory } from './tables.ts';

const { db } = await createTestDatabase();
const { catalogue, listening } = await openTestSite(db);

const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
const people = await Promise.all(Array.from({ length: 24 }, () => createUser(db, { createdAt: longAgo })));
const category = await createCategory(db);

/** Heard by people `from` to `to`. */
async function heard(title: string, [from, to]: [number, number], given: Parameters<typeof createAudio>[1] = {}) {
  const audio = await createAudio(db, { slug: title, title, ...given });
  const rows = people
    .slice(from, to)
    .map(({ id: userId }) => ({ userId, audioId: audio.id, listens: 1, listenedMs: 30_000 }));
  if (rows.length > 0) await db.insert(listeningHistory).values(rows);
  return audio;
}

const sea = await heard('sea', [0, 14]);
const wind = await heard('wind', [4, 24], { tagLabels: ['storm'] });
const bells = await heard('bells', [5, 14], { categoryIds: [(await createCategory(db)).id] });
const alike = await heard('alike', [0, 0], { categoryIds: [category.id] });
await db
  .insert(listeningHistory)
  .values(people.map(({ id: userId }) => ({ userId, audioId: alike.id, listens: 1, listenedMs: 29_999 })));

const relatedTo = async (id: string, viewer = visitor) =>
  (await catalogue.listRelatedAudios(viewer, (await catalogue.findAudio(id))!, 12)).map(({ slug }) => slug);

const aWeekAgo = sql`now() - interval '7 days 1 minute'`;

async function countAnew(signal?: AbortSignal) {
  await db.update(neighbourCounts).set({ countedAt: aWeekAgo });
  return listening.publishNeighbours({ signal });
}

test('what ten have heard for half a minute comes first; nine, and what was only begun, say nothing', async () => {
  await db.insert(audioCategories).values({ audioId: sea.id, categoryId: category.id });
  expect(await relatedTo(sea.id)).toEqual(['alike']);
  expect(await listening.publishNeighbours()).toEqual({ audios: 2, rows: 14 + 20 + 9 });
  expect(await relatedTo(sea.id)).toEqual(['wind', 'alike']);
  expect((await relatedTo(wind.id))[0]).toBe('sea');
  const numbers = new Map((await db.select().from(audioNumbers)).map(({ audioId, number }) => [audioId, number]));
  const [{ shards = 0 } = {}] = await db.select().from(neighbourCounts);
  const shown = (await db.select().from(neighbourShards)).flatMap(({ shard, bytes }) => [
    ...readShard(bytes, shard, shards),
  ]);
  const number = (id: string) => numbers.get(id) ?? -1;
  expect(new Map(shown)).toEqual(
    new Map([
      [number(sea.id), [{ number: number(wind.id), nearness: 3 }]],
      [number(wind.id), [{ number: number(sea.id), nearness: 3 }]],
    ]),
  );
});

test('they are counted once a week', async () => {
  const [tenth] = people.slice(4);
  await db
    .insert(listeningHistory)
    .values({ userId: tenth?.id ?? '', audioId: bells.id, listens: 1, listenedMs: 30_000 });
  expect(await listening.publishNeighbours()).toBeUndefined();
  expect(await relatedTo(bells.id)).toEqual([]);
  await db.update(neighbourCounts).set({ countedAt: sql`now() - interval '6 days 23 hours'` });
  expect(await listening.publishNeighbours()).toBeUndefined();
  expect(await countAnew()).toMatchObject({ audios: 3 });
  expect((await relatedTo(bells.id)).toSorted()).toEqual(['sea', 'wind']);
});

test('nobody is shown what they hide, or what is not out any more', async () => {
  const viewer = await createUser(db);
  const [tag] = (await db.execute<{ id: string }>(sql`select id from tags where label = 'storm'`)).rows;
  await db.execute(sql`insert into hidden_tags (user_id, tag_id) values (${viewer.id}, ${tag?.id})`);
  const asUser = { kind: 'user', id: viewer.id } as typeof visitor;
  expect(await relatedTo(sea.id, asUser)).not.toContain('wind');
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, bells.id));
  expect(await relatedTo(sea.id)).toEqual(['wind', 'alike']);
  await db.delete(audios).where(eq(audios.id, wind.id));
  expect(await relatedTo(sea.id)).toEqual(['alike']);
});

test('new and suspended accounts count for nothing, nor do creators for their own', async () => {
  const chime = await heard('chime', [0, 0], { categoryIds: [(await createCategory(db)).id] });
  const hear = (users: { id: string }[]) =>
    db
      .insert(listeningHistory)
      .values(
        users.flatMap(({ id: userId }) =>
          [chime.id, sea.id].map((audioId) => ({ userId, audioId, listens: 1, listenedMs: 60_000 })),
        ),
      )
      .onConflictDoNothing();
  const make = async (overrides: Parameters<typeof createUser>[1]) =>
    createUser(db, { createdAt: longAgo, ...overrides });
  const owner = await make({});
  await db.execute(sql`insert into voice_owners (voice_id, user_id)
    select voice_id, ${owner.id} from audios where id = ${chime.id}`);
  const others = await Promise.all(Array.from({ length: 8 }, () => make({})));
  await hear([...others, owner, await make({ suspendedAt: new Date() })]);
  await hear([await make({ createdAt: new Date(Date.now() - 29 * 24 * 60 * 60 * 1000) }), await make({})]);
  await countAnew();
  expect(await relatedTo(chime.id)).toEqual([]);
  await hear([await make({})]);
  await countAnew();
  expect(await relatedTo(chime.id)).toEqual(['sea']);
});

test('a count that is stopped leaves the last one as it is', async () => {
  const stopped = new AbortController();
  const count = countAnew(stopped.signal);
  stopped.abort(new Error('the process ends'));
  await expect(count).rejects.toThrow('the process ends');
  expect(await db.$count(neighbourShards)).toBeGreaterThan(0);
});
