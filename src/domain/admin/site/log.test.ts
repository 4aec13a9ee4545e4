import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createViewer } from '#test/support/factories.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import { auditEntries, recordChange } from '../../kernel/audit.ts';
import { newId, sortKey } from '../../kernel/ids.ts';
import type { User } from '../../kernel/viewer.ts';
import { personalData } from '../../studio/personal-data.ts';
import { countAll } from '../list-totals.ts';
import { type LogFilters, exportLog, listLogEntries } from './log.ts';

const { db } = await createTestDatabase();
const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const petra: User = { ...(await createViewer(db, { username: 'petra', isAdmin: true })), isAdmin: true };

async function record(actor: Actor, action: `${string}.${string}`, name: string): Promise<void> {
  const role = actor.kind === 'operator' ? 'operator' : 'admin';
  await recordChange(db, { actor, role, action, subject: { type: 'audio', id: newId(), name } });
}

await record(ada, 'audio.edit', 'Bright Star');
await record(petra, 'user.suspend', 'dev.k');
await record(operator, 'setting.change', 'Café Müller: “Sea & Night”');
await record(ada, 'audio.publish', 'My Petrarch');

async function namesOf(filters: LogFilters): Promise<string[]> {
  const { items } = await listLogEntries(db, ada, filters, { limit: 10 });
  return items.map(({ subject }) => subject.name);
}

test('the log is searched by words of a name, without accents and signs, by users and by acts, newest first', async () => {
  expect(await namesOf({ q: 'bri' })).toEqual(['Bright Star']);
  expect(await namesOf({ q: 'cafe muller sea' })).toEqual(['Café Müller: “Sea & Night”']);
  // The name of an audio, and all that petra did.
  expect(await namesOf({ q: 'petra' })).toEqual(['My Petrarch', 'dev.k']);
  expect(await namesOf({ q: 'suspended' })).toEqual(['dev.k']);
  expect(await namesOf({ q: 'nothing of it' })).toEqual([]);
  expect(await namesOf({ q: '%' })).toEqual([]);
});

test('a search keeps the filters, and the CSV follows both', async () => {
  expect(await namesOf({ by: 'people' })).toEqual(['My Petrarch', 'dev.k', 'Bright Star']);
  expect(await namesOf({ by: 'operator' })).toEqual(['Café Müller: “Sea & Night”']);
  expect(await namesOf({ q: 'petra', area: 'audio' })).toEqual(['My Petrarch']);
  expect(await namesOf({ q: 'petra', who: 'petra' })).toEqual(['dev.k']);
  const lines: string[] = [];
  for await (const line of exportLog(db, ada, { q: 'petra', by: 'people' })) lines.push(line);
  expect(lines.slice(1).map((line) => line.split(',')[5])).toEqual(['My Petrarch', 'dev.k']);
});

test('pages of a search continue where the previous one ended', async () => {
  const first = await listLogEntries(db, ada, { q: 'ada' }, { limit: 1 });
  expect(first.items.map(({ subject }) => subject.name)).toEqual(['My Petrarch']);
  const second = await listLogEntries(db, ada, { q: 'ada' }, { cursor: first.nextCursor, limit: 1 });
  expect(second.items.map(({ subject }) => subject.name)).toEqual(['Bright Star']);
  expect(second.nextCursor).toBeUndefined();
});

test('the database makes the sort keys that the code makes', async () => {
  for (const name of ['Café Müller: “Sea & Night”', "Don't [stop] `now` {please}", 'Straße — Ёлка', '  ① 日本 ']) {
    const { rows } = await db.execute<{ key: string }>(sql`select sort_key(${name}) as key`);
    expect(rows[0]?.key).toBe(sortKey(name));
  }
});

test('the log keeps who did an act as admin, and from where, when the account is gone', async () => {
  const gone: User = { ...(await createViewer(db, { username: 'gone.g', isAdmin: true })), isAdmin: true };
  const subject = { type: 'audio', id: newId(), name: 'The last act' };
  await recordChange(db, { actor: { ...gone, address: '203.0.113.7' }, role: 'admin', action: 'audio.edit', subject });
  await recordChange(db, { actor: { ...gone, address: '203.0.113.7' }, role: 'owner', action: 'audio.edit', subject });
  await personalData.erase(db, gone.id);
  const { items } = await listLogEntries(db, ada, { subjectId: subject.id }, { limit: 10 });
  expect(items).toMatchObject([
    { by: null, role: 'owner', name: null, address: null },
    { by: null, role: 'admin', name: 'gone.g', address: '203.0.113.7' },
  ]);
});

test.each(['truncate audit_entries', 'delete from audit_entries', `update audit_entries set actor_name = 'else'`])(
  'the site’s own database user cannot change the log: %s',
  async (statement) => {
    const before = await db.$count(auditEntries);
    await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: 'audit entries are not changed' },
    });
    expect(await db.$count(auditEntries)).toBe(before);
  },
);

test('a list that filters leave empty says how many it has without them, up to 10,000', async () => {
  const none = { items: [] };
  const few = await countAll(db, ada, 'log', none);
  expect(few).toEqual({ count: await db.$count(auditEntries), isMore: false });
  const fill = (count: number) =>
    db.execute(sql`
      insert into audit_entries (id, actor_role, action, subject_type, subject_id, subject_name)
      select gen_random_uuid(), 'admin', 'tag.edit', 'tag', 'x', 'x' from generate_series(1, ${count}::int)`);
  await fill(10_000 - (few?.count ?? 0));
  expect(await countAll(db, ada, 'log', none)).toEqual({ count: 10_000, isMore: false });
  await fill(1);
  expect(await countAll(db, ada, 'log', none)).toEqual({ count: 10_000, isMore: true });
  await expect(countAll(db, await createViewer(db), 'log', none)).rejects.toMatchObject({ code: 'request/not-found' });
});
