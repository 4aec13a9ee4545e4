import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { addEventDays, listEventDays } from './event-days.ts';
import { purgeOldEvents, recordEvents, takeEvents } from './events.ts';
import { analyticsEvents } from './tables.ts';

const { db, pool } = await createTestDatabase();

test('events are deleted after the retention period and not before', async () => {
  await recordEvents(db, takeEvents([{ name: 'play_click' }, { name: 'pause_click' }], undefined, new Date()));
  await db
    .update(analyticsEvents)
    .set({ createdAt: sql`now() - interval '31 days'` })
    .where(sql`name = 'play_click'`);
  expect(await purgeOldEvents(db, 32)).toEqual({ days: 0, events: 0 });
  expect(await purgeOldEvents(db, 30)).toEqual({ days: 0, events: 1 });
  expect((await db.select().from(analyticsEvents)).map((event) => event.name)).toEqual(['pause_click']);
});

const dayMs = 24 * 60 * 60 * 1000;
const daysFromNow = (days: number) => new Date(Math.floor(Date.now() / dayMs) * dayMs + days * dayMs);
const record = (name: 'play_click' | 'pause_click', at: Date) =>
  recordEvents(db, takeEvents([{ name }], undefined, at));
const rowsOf = async (table: string) =>
  (await pool.query<{ name: string }>(`select name from event_days.${table} order by 1`)).rows.map(({ name }) => name);

/** A table of a past day, as it is months later. */
async function addPastDay(days: number): Promise<string> {
  const [from, until] = [daysFromNow(days), daysFromNow(days + 1)];
  const name = `day_past_${-days}`;
  await pool.query(`alter table analytics_events detach partition event_days.before`);
  await pool.query(`create table event_days.${name} partition of analytics_events
    for values from ('${from.toISOString()}') to ('${until.toISOString()}')`);
  return name;
}

test('each of the next days has a table, none overlaps another, and to add them again adds nothing', async () => {
  await addEventDays(db);
  const days = await listEventDays(db);
  expect([days[0]?.name, days.at(-1)?.name]).toEqual(['before', 'other']);
  const ahead = days.slice(1, -1);
  expect(ahead.at(-1)?.from).toEqual(daysFromNow(7));
  for (const [index, { from, until }] of ahead.entries()) {
    expect(from).toEqual(days[index]?.until);
    expect(until).toEqual(new Date(Number(from) + dayMs));
  }
  await record('play_click', daysFromNow(7));
  expect(await rowsOf(ahead.at(-1)?.name ?? '')).toEqual(['play_click']);
  await addEventDays(db);
  expect(await listEventDays(db)).toEqual(days);
});

test('an event of a day without a table is not lost, and that day gets none later', async () => {
  await record('pause_click', daysFromNow(9));
  expect(await rowsOf('other')).toEqual(['pause_click']);
  await addEventDays(db);
  const between = await listEventDays(db);
  expect(between.filter(({ from }) => from !== null && Number(from) > Number(daysFromNow(7)))).toEqual([]);
  await pool.query('delete from event_days.other');
});

test('a day that is over goes with its table; where that is in use, its events are deleted', async () => {
  const name = await addPastDay(-40);
  await record('play_click', daysFromNow(-40));
  const reader = await pool.connect();
  await reader.query(`begin; select from event_days.${name}`);
  expect(await purgeOldEvents(db, 30)).toEqual({ days: 0, events: 1 });
  await reader.query('commit');
  reader.release();
  await record('play_click', daysFromNow(-40));
  expect(await purgeOldEvents(db, 30)).toEqual({ days: 1, events: 0 });
  expect((await listEventDays(db)).map((day) => day.name)).not.toContain(name);
});
