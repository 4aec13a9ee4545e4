import { expect, test } from 'vitest';
import { readPosition } from '#domain/search/changes.ts';
import { searchFeeds } from '#domain/search/tables.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';

const { db, url } = await createTestDatabase();

const sotto = (...args: string[]) => runSotto(args, { environment: { DATABASE_URL: url } });

test('an index at Algolia is rebuilt on demand; the built-in one needs no rebuild', async () => {
  expect(await sotto('reindex')).toMatchObject({
    code: 0,
    stdout: 'No index at Algolia is known: the built-in one is in use.\n',
  });
  const { snapshot, at } = await readPosition(db);
  await db.insert(searchFeeds).values({ name: 'one', snapshot, readAt: new Date(at), rebuiltAt: new Date() });
  expect((await sotto('reindex')).stdout).toBe('The index will be rebuilt.\n');
  const [feed] = await db.select().from(searchFeeds);
  expect(feed?.rebuiltAt).toEqual(new Date(0));
  expect(await sotto('reindex')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The search index is already being rebuilt.'),
  });
  expect((await sotto('reindex', 'now')).code).toBe(2);
});
