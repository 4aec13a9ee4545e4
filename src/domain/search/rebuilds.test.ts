import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openSettings } from '../settings/open-settings.ts';
import { openBuiltInIndex } from './built-in-index.ts';
import { openSearch } from './open-search.ts';
import { holdRebuild } from './rebuilds.ts';
import { searchRebuilds } from './tables.ts';

const { db, pool } = await createTestDatabase();

async function openProcess() {
  const settings = await openSettings({ db });
  const search = openSearch({ db, secret: 'a secret of this test', index: openBuiltInIndex(db), settings });
  return { search, settings };
}

test('of two simultaneous requests for a rebuild one is refused, and a third while it runs in any process', async () => {
  const [here, there] = [await openProcess(), await openProcess()];
  const outcomes = await Promise.allSettled([here.search.rebuild(), there.search.rebuild()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'search/rebuild-running' },
  });
  const running = Promise.withResolvers<void>();
  const held = holdRebuild(db, () => running.promise);
  await here.settings.refresh();
  await here.search.rebuildIfAsked();
  await expect(there.search.rebuild()).rejects.toMatchObject({ code: 'search/rebuild-running' });
  expect((await there.search.state()).isBuilding).toBe(true);
  running.resolve();
  await held;
  await there.search.rebuild();
});

test('the lease of a crashed process ends', async () => {
  await db.delete(searchRebuilds);
  const { search } = await openProcess();
  await search.rebuild();
  await pool.query(`update search_rebuilds set held_until = now() - interval '1 millisecond'`);
  await search.rebuild();
});
