import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createUserPlaylist } from '#test/support/factories.ts';
import type { Db } from '../kernel/db.ts';
import { applyChanges, compareIndex, rebuildIfAsked } from './index-feed.ts';

const { db, pool, url } = await createTestDatabase();

/** The titles of the documents of audios. */
async function readTitles(): Promise<string[]> {
  const { rows } = await pool.query(`select hit->>'title' as title from search_documents where kind = 0 order by 1`);
  return rows.map(({ title }) => title);
}

/** Calls `meddle` once, after the first transaction that has written documents. */
function meddledWith(meddle: () => Promise<unknown>): Db {
  let isOver = false;
  const transaction: Db['transaction'] = async (work, config) => {
    const result = await db.transaction(work, config);
    const { rows } = await pool.query('select built from search_feeds');
    if (!isOver && rows[0]?.built > 0) {
      isOver = true;
      await meddle();
    }
    return result;
  };
  return new Proxy(db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  });
}

test('what changes while an index with a foreign position is rebuilt is not lost', async () => {
  const { id } = await createAudio(db, { title: 'Foxglove' });
  await pool.query(`update search_feeds set read_at = 'epoch', rebuilt_at = 'epoch'`);
  await rebuildIfAsked(meddledWith(() => pool.query(`update audios set title = 'Hemlock' where id = $1`, [id])));
  await applyChanges(db);
  expect(await readTitles()).toEqual(['Hemlock']);
});

test('an index whose changes are not all there is rebuilt without a query', async () => {
  await pool.query(`update search_feeds set read_at = 'epoch', rebuilt_at = now()`);
  expect((await rebuildIfAsked(db)).documents).toBeGreaterThan(0);
});

test('an index is rebuilt in the present format, though the version before has rebuilt it', async () => {
  await pool.query(`update search_feeds set rebuilt_at = now(), format = 0`);
  expect((await compareIndex(db)).isWaiting).toBe(true);
  expect((await rebuildIfAsked(db)).documents).toBeGreaterThan(0);
  expect((await rebuildIfAsked(db)).documents).toBe(0);
});

test('tags that move between facets are no news, and renamed ones are', async () => {
  const { id: tagId } = (
    await pool.query(`insert into tags (id, slug, label)
    values (gen_random_uuid(), 'calm', 'Calm') returning id`)
  ).rows[0];
  await pool.query(`delete from search_changes`);
  await pool.query(`update tags set position = 3`);
  expect((await pool.query('select from search_changes')).rowCount).toBe(0);
  await pool.query(`update tags set label = 'Calmer' where id = $1`, [tagId]);
  expect((await pool.query('select kind, subject_id from search_changes')).rows).toEqual([
    { kind: 'tags', subject_id: tagId },
  ]);
});

test('a rebuild keeps what was written meanwhile by a transaction that had begun before', async () => {
  const titles = await readTitles();
  await pool.query(`update search_feeds set rebuilt_at = 'epoch', built = null`);
  await rebuildIfAsked(meddledWith(() => pool.query(`update search_documents set written_at = 'epoch'`)));
  expect(await readTitles()).toEqual(titles);
});

/** Counts of words that differ from what the documents have. */
async function findMiscounted(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select word, kind, field, documents, counted from search_words w
     full join (select code, count(*)::int as counted from search_documents, unnest(entries) code where code > 0 group by code) d
     using (code) where documents is distinct from counted`,
  );
  return rows;
}

test('counts of words stay right while processes write, rebuild and break off', async () => {
  const owner = await createUser(db);
  const { voiceId } = await createAudio(db);
  const processes = Array.from({ length: 4 }, () => openDatabase({ url, poolSize: 2 }));
  const until = Date.now() + 2500;
  let count = 0;
  const titleOf = () => `${['amber', 'birch', 'cedar'][count % 3]} ${['dune', 'ember', 'fern', 'grove'][count % 4]}`;
  const made: string[] = [];
  const acts = [
    async () => {
      const slug = `made-${(count += 1)}`;
      const { id } = await createAudio(db, { title: titleOf(), slug, voiceId });
      made.push(id);
      if (count % 3 === 0) await createUserPlaylist(db, { title: titleOf(), userId: owner.id, audioIds: [id] });
    },
    () => pool.query('update audios set title = $2 where id = $1', [made.at(-2), `${titleOf()} ${count}`]),
    () =>
      pool.query('update audios set published_at = case when published_at is null then now() end where id = $1', [
        made.at(-3),
      ]),
    () => pool.query('delete from audios where id = $1', [count % 2 ? made.shift() : undefined]),
    () => pool.query('update voices set name = $2 where id = $1', [voiceId, titleOf()]),
    () => pool.query('update users set suspended_at = case when suspended_at is null then now() end'),
    () =>
      db
        .transaction(async (tx) => {
          await createAudio(tx, { title: 'never', slug: 'never', voiceId });
          throw new Error('rolled back');
        })
        .catch(() => undefined),
  ];
  const repeat = async (act: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; Date.now() < until; turn += 1) await act(turn);
  };
  await Promise.all([
    repeat((turn) => acts[turn % acts.length]?.() ?? wait(0)),
    repeat((turn) => acts[(turn * 3) % acts.length]?.() ?? wait(0)),
    ...processes.map((one) => repeat(() => applyChanges(one.db))),
    ...processes.slice(0, 2).map((one) =>
      repeat(async (turn) => {
        await pool.query(`update search_feeds set rebuilt_at = 'epoch'`);
        const signal = turn % 2 === 0 ? AbortSignal.timeout(20) : undefined;
        await rebuildIfAsked(one.db, signal).catch((error: unknown) => {
          if (signal === undefined) throw error;
        });
      }),
    ),
  ]);
  await Promise.all(processes.map((one) => one.close()));
  await applyChanges(db);
  expect(await findMiscounted()).toEqual([]);
  expect(await compareIndex(db)).toMatchObject({ missing: 0, extra: 0 });
  const { rows } = await pool.query('select title from audios where published_at is not null order by 1');
  expect(await readTitles()).toEqual(rows.map(({ title }) => title));
});
