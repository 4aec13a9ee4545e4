import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { forgetOldEvents, recordEvents, takeEvents } from './events.ts';
import { insightEvents } from './tables.ts';

const { db } = await createTestDatabase();

test('events are forgotten after their days, and not before', async () => {
  await recordEvents(db, takeEvents([{ name: 'play_click' }, { name: 'pause_click' }], undefined, new Date()));
  await db
    .update(insightEvents)
    .set({ createdAt: sql`now() - interval '31 days'` })
    .where(sql`name = 'play_click'`);
  expect(await forgetOldEvents(db, 32)).toBe(0);
  expect(await forgetOldEvents(db, 30)).toBe(1);
  expect((await db.select().from(insightEvents)).map((event) => event.name)).toEqual(['pause_click']);
});
