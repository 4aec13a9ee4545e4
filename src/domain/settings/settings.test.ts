import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '#test/support/database.ts';
import { operator } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { changeSetting, findSetting } from './change-setting.ts';
import { openSettings } from './open-settings.ts';
import { siteSettings } from './tables.ts';

const { db } = await createTestDatabase();
const greeting = {
  key: 'test-greeting',
  schema: z.object({ text: z.string().default('Hello'), times: z.number().default(1) }),
};

const change = (revision: number, text: string) =>
  db.transaction((tx) => changeSetting(tx, greeting, { actor: operator, value: { text, times: 2 }, revision }));

test('a setting has its defaults until it is changed, and a process reads the change when told', async () => {
  const settings = await openSettings({ db });
  expect(settings.read(greeting)).toEqual({ text: 'Hello', times: 1 });
  expect(await findSetting(db, greeting)).toMatchObject({ revision: 0, changedAt: null });

  expect(await change(0, 'Good evening')).toEqual({ before: { text: 'Hello', times: 1 } });
  expect(settings.read(greeting).text).toBe('Hello');
  await settings.refresh();
  expect(settings.read(greeting)).toEqual({ text: 'Good evening', times: 2 });
  expect(await findSetting(db, greeting)).toMatchObject({ revision: 1, value: { text: 'Good evening' } });
});

test('callers who wait for a refresh see its result, even when another one started meanwhile', async () => {
  let reads = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  /** The database, which answers the third read late. */
  const slow = {
    execute: async () => ({ rows: [] }),
    select: () => ({
      async from(table: typeof siteSettings) {
        const read = ++reads;
        const rows = await db.select().from(table);
        if (read === 3) await held;
        return rows;
      },
    }),
  } as unknown as Db;
  const settings = await openSettings({ db: slow });
  const { revision } = await findSetting(db, greeting);
  const text = `Good night ${revision}`;
  await change(revision, text);
  const first = settings.refresh();
  const second = settings.refresh();
  await first;
  expect(settings.read(greeting).text).toBe(text);
  release();
  await second;
});

test('two operators change the same value: one gets a conflict', async () => {
  const { revision } = await findSetting(db, greeting);
  const results = await Promise.all([change(revision, 'One'), change(revision, 'Two')]);
  expect(results.filter((result) => result === undefined)).toHaveLength(1);
});

test('a field that a later version adds has its default, and a stored value that does not fit is an error', async () => {
  await db.insert(siteSettings).values([
    { key: 'test-older', value: { text: 'Kept' } },
    { key: 'test-broken', value: { text: 5 } },
  ]);
  const settings = await openSettings({ db });
  expect(settings.read({ ...greeting, key: 'test-older' })).toEqual({ text: 'Kept', times: 1 });
  expect(() => settings.read({ ...greeting, key: 'test-broken' })).toThrow();
});
