import { expect, test } from 'vitest';
import { searchFeeds } from '#domain/search/tables.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';

const { db, url } = await createTestDatabase();

const sotto = (...args: string[]) => runSotto(args, { environment: { DATABASE_URL: url } });

test('the index is rebuilt on demand', async () => {
  expect(await sotto('reindex')).toMatchObject({ code: 0, stdout: 'The index will be rebuilt.\n' });
  const [feed] = await db.select().from(searchFeeds);
  expect(feed).toMatchObject({ name: 'built-in', rebuiltAt: new Date(0) });
  expect(await sotto('reindex')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The search index is already being rebuilt.'),
  });
  expect((await sotto('reindex', 'now')).code).toBe(2);
});
