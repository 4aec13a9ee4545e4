import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { concernedBy } from './cache-topics.ts';

const { pool } = await createTestDatabase();

test.each([
  ['audios', 'page /creators/maren-holt dark false', true],
  ['site_settings', 'api /v1/api/tags', true],
  [undefined, 'page /blog dark false', true],
  ['a_new_table', 'page /blog dark false', true],
  ['users', 'page /creators/maren-holt dark false', false],
  ['users', 'page /creators/maren-holt.data?tab=series dark false', false],
  ['users', 'page /creators.data dark false', false],
  ['users', 'page / dark false', true],
  ['users', 'page /audio/rain dark false', true],
  ['users', 'page /users-playlists dark false', true],
  ['users', 'page /account/1 dark false', true],
  ['users', 'api /v1/api/audios?limit=3', false],
  ['users', 'api /v2/api/audios/1/similar', false],
  ['users', 'api /v1/api/audios/1/comments', true],
  ['users', 'api /v1/api/content/entity/1', true],
  ['user_playlists', 'api /v1/api/users/1/playlists', true],
  ['user_playlists', 'api /v1/api/playlists', false],
  ['user_playlists', 'feed voice maren-holt', true],
  ['articles', 'page /blog/rain dark false', true],
  ['articles', 'page /series/rain dark false', false],
  ['articles', 'api /v1/api/blog', true],
  ['articles', 'api /v1/api/voices', false],
  ['articles', 'sitemap', true],
])('a change of %s concerns %s: %s', (table, key, isConcerned) => {
  expect(concernedBy(table)(key)).toBe(isConcerned);
});

test('tables are named as in the database, which names them in its notifications', async () => {
  const source = await readFile(new URL('./cache-topics.ts', import.meta.url), 'utf8');
  const tables = [...source.matchAll(/^ {2}\w+: \[(.+)\],$/gm)].flatMap(([, list = '']) =>
    [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  );
  const { rows } = await pool.query<{ name: string }>(
    `select distinct event_object_table as name from information_schema.triggers
     where action_statement like '%announce_catalogue_change%' and event_object_table = any($1)`,
    [tables],
  );
  expect(tables).toHaveLength(4);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['article_audios', 'articles', 'user_playlists', 'users']);
});
