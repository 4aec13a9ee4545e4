import { expect, test } from 'vitest';
import { createCategory } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, database, logged } = await startTestSite();

test('a statement that runs into its limit has its own answer and log line', async () => {
  const { id } = await createCategory(db);
  await database.pool.query('alter table categories rename to stored_categories');
  await database.pool.query(
    'create view categories as select stored_categories.* from stored_categories, pg_sleep(5) as slept',
  );
  database.pool.on('acquire', (client) => void client.query(`set statement_timeout = '50ms'`));
  const answer = await fetch(`${url}/v1/api/categories/${id}`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([504, null]);
  expect(await answer.json()).toEqual({
    error: { code: 'server/too-slow', message: 'This took too long and was stopped. Nothing was changed.' },
  });
  const lines = logged.filter(({ msg }) => String(msg).includes('ran into its time limit'));
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'A call failed: a statement ran into its time limit',
      method: 'GET',
      route: '/v1/api/categories/:id',
    }),
  ]);
  expect(JSON.stringify({ ...lines[0], err: null })).not.toContain(id);
});
