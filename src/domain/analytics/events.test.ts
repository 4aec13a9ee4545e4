import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { purgeOldEvents, recordEvents, takeEvents } from './events.ts';
import { analyticsEvents } from './tables.ts';

const { db } = await createTestDatabase();

test('events are deleted after the retention period and not before', async () => {
  await recordEvents(db, takeEvents([{ name: 'play_click' }, { name: 'pause_click' }], undefined, new Date()));
  await db
    .update(analyticsEvents)
    .set({ createdAt: sql`now() - interval '31 days'` })
    .where(sql`name = 'play_click'`);
  expect(await purgeOldEvents(db, 32)).toBe(0);
  expect(await purgeOldEvents(db, 30)).toBe(1);
  expect((await db.select().from(analyticsEvents)).map((event) => event.name)).toEqual(['pause_click']);
});
