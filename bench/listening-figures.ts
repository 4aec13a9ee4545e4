import { formatCount } from '#formats/numbers.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { openDatabase } from '#db/database.ts';
import { findRunningServer } from '#db/embedded/server.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newId } from '#domain/kernel/ids.ts';
import { addUpFigures } from '#domain/listening/figures.ts';
import { type Play, countPlays } from '#domain/listening/plays.ts';
import { browserFetch } from './browser-headers.ts';
import { type Figure, atMost, median } from './figures.ts';
import { createListeners } from './listeners.ts';
import { startSite } from './site-process.ts';

const audioCount = 10_000;
const voiceSlug = 'much-heard';
const pageRounds = 40;
const batchRounds = 60;
const batchSize = 200;

/** A year of figures of a voice with 10,000 audios, and what recording them costs. */
export async function benchListeningFigures(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'false' });
  try {
    const databaseUrl = await findRunningServer(dataDir);
    if (databaseUrl === undefined) throw new Error('The database of the site does not answer');
    const { token, audioIds } = await fill(databaseUrl);
    const what = `A year of figures, ${formatCount(audioCount)} audios`;
    const page = await timePage(`${site.url}/studio/${voiceSlug}/figures?days=365`, token);
    const database = openDatabase({ url: databaseUrl, poolSize: 2 });
    try {
      const writes = await timeWrites(database.db, audioIds);
      return [
        atMost(`${what}: page, p50`, page, 100, 'ms'),
        {
          name: `Counting ${batchSize} plays with figures, against without`,
          value: `${writes.ratio.toFixed(2)}× (${writes.after.toFixed(1)} ms)`,
          limit: '≤ 1.2×',
          ok: writes.ratio <= 1.2,
        },
        atMost('Adding up 5,000 plays', await timeAddingUp(database.db, audioIds), 2000, 'ms'),
      ];
    } finally {
      await database.close();
    }
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Every audio is played on each third day of two years. */
async function fill(databaseUrl: string): Promise<{ token: string; audioIds: string[] }> {
  const [creator] = await createListeners(databaseUrl, 1);
  if (creator === undefined) throw new Error('No creator was made');
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: 0 });
  await client.connect();
  const voiceId = newId();
  await client.query(
    `insert into voices (id, slug, name, sort_name, voice_type_label) values ($1, $2, 'A', 'a', 'Voice')`,
    [voiceId, voiceSlug],
  );
  await client.query(`insert into voice_owners (voice_id, user_id) select $1, user_id from sessions limit 1`, [
    voiceId,
  ]);
  const audioIds = Array.from({ length: audioCount }, () => newId());
  await client.query(
    `insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
     select id, 'audio-' || n, 'Audio ' || n, 'audio ' || n, $1, 'audio/' || n || '.mp3', 'audio/mpeg', 1000, 60000, now() - interval '3 years'
     from unnest($2::uuid[]) with ordinality as i (id, n)`,
    [voiceId, audioIds],
  );
  await client.query(
    `insert into audio_days (audio_id, day, plays, member_plays, ends, heard_ms, plays_total, listeners, members)
     select id, current_date - d, 12, 8, 6, 400000, (760 - d) / 3 * 12, $2, $3
     from unnest($1::uuid[]) with ordinality as i (id, n), generate_series(0, 760) d where (n + d) % 3 = 0`,
    [audioIds, sparseSketch(12), sparseSketch(8)],
  );
  for (let day = 0; day <= 790; day += 1)
    await client.query(
      `insert into voice_days (voice_id, day, plays, member_plays, ends, heard_ms, listeners, members)
       values ($1, current_date - $2::int, 40000, 27000, 20000, 1300000000, $3, $4)`,
      [voiceId, day, randomBytes(2048), randomBytes(2048)],
    );
  await client.query('vacuum analyze');
  await client.end();
  return { token: creator.token, audioIds };
}

function sparseSketch(marks: number): Buffer {
  const sketch = Buffer.alloc(2 * marks);
  for (let mark = 0; mark < marks; mark += 1) sketch.writeUInt16BE(((mark * 300) << 4) | 1, 2 * mark);
  return sketch;
}

async function timePage(url: string, token: string): Promise<number> {
  const times: number[] = [];
  for (let round = -10; round < pageRounds; round += 1) {
    const began = performance.now();
    const answer = await browserFetch(url, { headers: { cookie: `sotto_session=${token}` } });
    const text = await answer.text();
    if (!answer.ok || !text.includes('Plays per day')) throw new Error(`The page was answered with ${answer.status}`);
    if (round >= 0) times.push(performance.now() - began);
  }
  return median(times);
}

/** Alternating batches, so that both meet the same load. */
async function timeWrites(db: Db, audioIds: string[]): Promise<{ ratio: number; after: number }> {
  const [before, after]: [number[], number[]] = [[], []];
  for (let round = -10; round < batchRounds; round += 1)
    for (const [times, count] of [
      [before, countPlaysAsBefore],
      [after, countPlays],
    ] as const) {
      const plays = newPlays(audioIds, batchSize);
      const began = performance.now();
      await count(db, plays);
      if (round >= 0) times.push(performance.now() - began);
    }
  return { ratio: median(after) / median(before), after: median(after) };
}

function newPlays(audioIds: string[], count: number): Play[] {
  return Array.from({ length: count }, () => ({
    listener: createHmac('sha256', 'bench').update(randomBytes(8)).digest('base64url'),
    audioId: audioIds[Math.floor(Math.random() * 300)] ?? '',
    isMember: true,
    source: 'search',
  }));
}

async function timeAddingUp(db: Db, audioIds: string[]): Promise<number> {
  await addUpFigures(db);
  for (let from = 0; from < 5000; from += batchSize) await countPlays(db, newPlays(audioIds, batchSize));
  const began = performance.now();
  await addUpFigures(db);
  return performance.now() - began;
}

/** `countPlays` as it was before it recorded plays for the figures. */
async function countPlaysAsBefore(db: Db, plays: Play[]): Promise<unknown> {
  return db.execute(sql`
    with input as materialized (
      select distinct listener, audio_id from unnest(
        ${sql.param(plays.map(({ listener }) => listener))}::text[],
        ${sql.param(plays.map(({ audioId }) => audioId))}::uuid[]
      ) as i (listener, audio_id)
    ), marked as (
      insert into play_marks as m (listener, audio_id, until)
      select i.listener, i.audio_id, now() + a.duration_ms * interval '1 ms'
      from input i join audios a on a.id = i.audio_id order by i.listener, i.audio_id
      on conflict (listener, audio_id) do update set until = excluded.until where m.until <= now()
      returning listener, audio_id
    ), added as materialized (
      select audio_id, count(*) as plays from marked group by audio_id
    ), locked as materialized (
      select c.audio_id, added.plays from audio_counts c join added on added.audio_id = c.audio_id
      order by c.audio_id for no key update of c
    ), counted as (
      update audio_counts c set plays = c.plays + locked.plays from locked where c.audio_id = locked.audio_id
      returning c.audio_id, c.plays
    )
    select m.listener, c.audio_id, coalesce(counted.plays, c.plays) as plays
    from audio_counts c
    left join counted on counted.audio_id = c.audio_id
    left join marked m on m.audio_id = c.audio_id
    where c.audio_id in (select audio_id from input)`);
}
