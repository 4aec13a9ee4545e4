/** @module-tag slow */
import { expect, test } from 'vitest';
import { visitor } from '#domain/kernel/viewer.ts';
import { createAudio } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { createLoadContext } from '../../context.ts';
import { loader } from './search.tsx';

const { site, db } = await startTestSite();
for (let count = 1; count <= 8; count += 1) await createAudio(db, { title: `Tide ${count}` });

async function load(query: string) {
  const context = createLoadContext(site, { viewer: visitor, address: '192.0.2.1' } as never);
  const request = new Request(`http://localhost/search?${query}`);
  const { page, only, total, results } = await loader({ context, request, params: {} } as never);
  return { page, only, total, audios: results.audios.items.map(({ title }) => title) };
}

test('a page number counts within one kind of results, and from 1', async () => {
  const all = await load('search=tide');
  expect(all).toMatchObject({ page: 0, only: undefined, total: 8 });
  expect(all.audios).toHaveLength(6);
  expect(await load('search=tide&page=2')).toEqual(all);
  expect(await load('search=tide&tab=nothing&page=2')).toEqual(all);
  const first = await load('search=tide&tab=audios');
  expect([first.page, first.audios.length]).toEqual([0, 8]);
  for (const page of ['0', '1', '-3', 'two']) expect(await load(`search=tide&tab=audios&page=${page}`)).toEqual(first);
  expect(await load('search=tide&tab=audios&page=2')).toMatchObject({ page: 1, audios: [] });
});
