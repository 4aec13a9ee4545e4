import { sql } from 'drizzle-orm';
import { writeShard } from '#formats/suggestions/shards.ts';
import { neighbourCounts, neighbourShards } from '../catalogue/tables.ts';
import { type Db, allowLongStatements } from '../kernel/db.ts';
import { type Heard, countNeighbours } from './count-neighbours.ts';

/** The newest of a listener: nobody weighs more, however much they hear. */
const maxPerListener = 200;
const rowsAtOnce = 50_000;
const audiosPerShard = 600;
const publishedForDays = 7;

/**
 * Counts the neighbours of all audios anew if that is a week ago: what changes from day to day would tell what somebody
 * heard that day.
 * @returns undefined when it is not time yet
 */
export async function publishNeighbours(
  db: Db,
  { signal, isForced = false }: { signal?: AbortSignal | undefined; isForced?: boolean } = {},
): Promise<{ audios: number; rows: number } | undefined> {
  const isFresh = sql`${neighbourCounts.countedAt} > now() - make_interval(days => ${publishedForDays})`;
  if (!isForced && (await db.$count(neighbourCounts, isFresh)) > 0) return undefined;
  await db.execute(sql`
    insert into audio_numbers (audio_id)
    select id from audios a where published_at is not null and not exists (select from audio_numbers where audio_id = a.id)
    order by id`);
  const heard = await readHeard(db, signal);
  const [top] = (
    await db.execute<{ count: number }>(sql`select coalesce(max(number) + 1, 0) as count from audio_numbers`)
  ).rows;
  const count = top?.count ?? 0;
  const neighbours = countNeighbours(heard, count);
  const shards = 2 ** Math.ceil(Math.log2(Math.max(1, count / audiosPerShard)));
  const rows = Array.from({ length: shards }, (_, shard) => {
    const own = new Map([...neighbours].filter(([number]) => number % shards === shard));
    return { shard, bytes: Buffer.from(writeShard(own, shards)) };
  });
  await db.transaction(async (tx) => {
    await tx.delete(neighbourShards);
    for (let at = 0; at < rows.length; at += 100) await tx.insert(neighbourShards).values(rows.slice(at, at + 100));
    await tx.delete(neighbourCounts);
    await tx.insert(neighbourCounts).values({ shards });
  });
  return { audios: neighbours.size, rows: heard.audios.length };
}

/** The audios that each listener heard for half a minute, by number. Packed by the database: a row for each would take minutes. */
async function readHeard(db: Db, signal: AbortSignal | undefined): Promise<Heard> {
  const parts: Buffer[] = [];
  const ends: number[] = [0];
  let total = 0;
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null) {
    signal?.throwIfAborted();
    const page: { rows: { last: string | null }[] } = await db.execute(sql`
      select max(user_id::text)::uuid as last from (
        select user_id from listening_history where user_id > ${after} order by user_id limit ${rowsAtOnce}) page`);
    const last: string | null = page.rows[0]?.last ?? null;
    if (last === null) break;
    const { rows } = await db.transaction(async (tx) => {
      await allowLongStatements(tx);
      return tx.execute<{ audios: Buffer }>(sql`
        select string_agg(int4send(number), '') as audios from (
          select h.user_id, n.number, row_number() over (partition by h.user_id order by h.last_listened_at desc, n.number) as place
          from listening_history h join audio_numbers n on n.audio_id = h.audio_id
          where h.user_id > ${after} and h.user_id <= ${last} and h.played30s > 0) heard
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
