import { Worker } from 'node:worker_threads';
import { sql } from 'drizzle-orm';
import { neighbourCounts, neighbourShards } from '../catalogue/tables.ts';
import { type Db, allowLongStatements } from '../kernel/db.ts';
import type { Heard } from './count-neighbours.ts';
import type { CountedShards } from './neighbours-worker.ts';

/** The newest of a listener: nobody weighs more, however much they hear. */
const maxPerListener = 200;
const rowsAtOnce = 50_000;
const numberedAtOnce = 5000;
const publishedForDays = 7;
/** By the ledger, in which time cannot pass faster than by the clock. */
const heardMs = 30_000;
/** Nine accounts made for it and one listener are ten: it shall at least take long, and real time of listening. */
const knownDays = 30;

/**
 * Counts the neighbours of all audios anew if that is a week ago: what changes from day to day would tell what somebody
 * heard that day.
 * @returns undefined when it is not time yet
 */
export async function publishNeighbours(
  db: Db,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<{ audios: number; rows: number } | undefined> {
  // Each hour: new audios can be suggested before the next count.
  await numberAudios(db, signal);
  const isFresh = sql`${neighbourCounts.countedAt} > now() - make_interval(days => ${publishedForDays})`;
  if ((await db.$count(neighbourCounts, isFresh)) > 0) return undefined;
  const heard = await readHeard(db, signal);
  const { rows } = await db.execute<{ count: number }>(
    sql`select coalesce(max(number) + 1, 0) as count from audio_numbers`,
  );
  const { audios, shards } = await count(heard, rows[0]?.count ?? 0, signal);
  const values = shards.map((bytes, shard) => ({ shard, bytes: Buffer.from(bytes) }));
  await db.transaction(async (tx) => {
    await tx.delete(neighbourShards);
    for (let at = 0; at < values.length; at += 100) await tx.insert(neighbourShards).values(values.slice(at, at + 100));
    await tx.delete(neighbourCounts);
    await tx.insert(neighbourCounts).values({ shards: shards.length });
  });
  return { audios, rows: heard.audios.length };
}

/** In batches, so that no statement is long and nothing is begun anew. */
export async function numberAudios(db: Db, signal?: AbortSignal): Promise<void> {
  let added: number;
  do {
    signal?.throwIfAborted();
    const { rowCount } = await db.execute(sql`
      insert into audio_numbers (audio_id)
      select id from audios a where published_at is not null and not exists (select from audio_numbers where audio_id = a.id)
      order by id limit ${numberedAtOnce} on conflict do nothing`);
    added = rowCount ?? 0;
  } while (added > 0);
}

/** In a thread of its own, since this process answers requests. @throws the reason of `signal` */
async function count(heard: Heard, audioCount: number, signal: AbortSignal | undefined): Promise<CountedShards> {
  const worker = new Worker(new URL('neighbours-worker.ts', import.meta.url), { workerData: { heard, audioCount } });
  const stop = () => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => reject(signal?.aborted === true ? signal.reason : new Error('the count ended early')));
    });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The audios that each listener heard for half a minute, by number. Packed by the database: a row for each would take minutes. */
async function readHeard(db: Db, signal: AbortSignal | undefined): Promise<Heard> {
  const parts: Buffer[] = [];
  const ends: number[] = [0];
  let total = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    signal?.throwIfAborted();
    const page = await db.execute<{ last: string | null }>(sql`
      select max(user_id::text)::uuid as last from (
        select user_id from listening_history where user_id > ${after} order by user_id limit ${rowsAtOnce}) page`);
    const last = page.rows[0]?.last ?? null;
    if (last === null) break;
    const { rows } = await db.transaction(async (tx) => {
      await allowLongStatements(tx);
      return tx.execute<{ audios: Buffer }>(sql`
        select string_agg(int4send(number), '') as audios from (
          select h.user_id, n.number, row_number() over (partition by h.user_id order by h.last_listened_at desc, n.number) as place
          from listening_history h join audio_numbers n on n.audio_id = h.audio_id
            join users u on u.id = h.user_id join audios a on a.id = h.audio_id
          where h.user_id > ${after} and h.user_id <= ${last} and h.listened_ms >= ${heardMs}
            and u.created_at < now() - make_interval(days => ${knownDays}) and u.suspended_at is null
            and not exists (select from voice_owners o where o.voice_id = a.voice_id and o.user_id = h.user_id)) heard
        where place <= ${maxPerListener} group by user_id`);
    });
    for (const { audios } of rows) {
      parts.push(audios);
      total += audios.length / 4;
      ends.push(total);
    }
    after = last;
  }
  const audios = new Uint32Array(total);
  let at = 0;
  for (const part of parts)
    for (let byte = 0; byte < part.length; byte += 4) {
      audios[at] = part.readInt32BE(byte);
      at += 1;
    }
  return { starts: Uint32Array.from(ends), audios };
}
