import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { type Database, openDatabase } from '#db/database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { startEmbeddedServer } from '#db/embedded/server.ts';
import { listAudios } from '#domain/catalogue/audio-lists.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import { type Figure, median } from './figures.ts';

const quiet = { info: () => {}, warn: () => {} };

/** The same list with 100 and with 100,000 audios, requested alternately without any cache. */
export async function benchCatalogueSize(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  const server = await startEmbeddedServer({ dataDir, log: quiet });
  const opened: Database[] = [];
  try {
    const small = await filled(server.url, 'bench_small', 100);
    opened.push(small);
    const large = await filled(server.url, 'bench_large', 100_000);
    opened.push(large);
    const figures: Figure[] = [];
    for (const sort of ['recent', 'popular', 'title'] as const) {
      const times = { small: [] as number[], large: [] as number[] };
      for (let round = 0; round < 220; round += 1) {
        for (const [name, database] of [
          ['small', small],
          ['large', large],
        ] as const) {
          const begin = performance.now();
          const page = await listAudios(database.db, visitor, { limit: 24, sort });
          if (page.items.length !== 24) throw new Error('A page of the bench is not full');
          if (round >= 20) times[name].push(performance.now() - begin);
        }
      }
      const value = median(times.large) / median(times.small);
      figures.push({
        name: `List by ${sort}: p50 with 100,000 audios of that with 100`,
        value: `${value.toFixed(2)}× (${median(times.large).toFixed(1)} ms)`,
        limit: '≤ 1.3×',
        ok: value <= 1.3,
      });
    }
    return figures;
  } finally {
    for (const database of opened) await database.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function filled(serverUrl: string, name: string, size: number): Promise<Database> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, poolSize: 2 });
  await migrateDatabase(database);
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(
      sql`insert into categories (id, slug, label, position) select gen_random_uuid(), 'category-' || n, 'Category ' || n, n from generate_series(1, 12) n`,
    );
    await tx.execute(
      sql`insert into voices (id, slug, name, sort_name, voice_type_label) select gen_random_uuid(), 'voice-' || n, 'Voice ' || n, 'voice ' || n, 'Female voice' from generate_series(1, ${Math.max(10, size / 100)}::int) n`,
    );
    await tx.execute(
      sql`insert into tags (id, slug, label) select gen_random_uuid(), 'tag-' || n, 'tag ' || n from generate_series(1, 50) n`,
    );
    await tx.execute(sql`
      insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
      select gen_random_uuid(), 'audio-' || n, 'Audio ' || n, 'audio ' || lpad(n::text, 8, '0'), repeat('A description. ', 8), v.id,
        'audio/' || n || '.mp3', 'audio/mpeg', 1000, 60000 + n, now() - make_interval(mins => n + 1)
      from generate_series(1, ${size}::int) n
      join (select id, row_number() over (order by sort_name) as number, count(*) over () as total from voices) v on v.number = n % v.total + 1`);
    await tx.execute(sql`update audio_counts set plays = abs(hashtext(audio_id::text)) % 100000`);
    await tx.execute(sql`
      insert into audio_categories (audio_id, category_id) select a.id, c.id from audios a
      join (select id, row_number() over () as number from categories) c on c.number in (a.duration_ms % 12 + 1, (a.duration_ms + 5) % 12 + 1)`);
    await tx.execute(sql`
      insert into audio_tags (audio_id, tag_id) select a.id, t.id from audios a
      join (select id, row_number() over () as number from tags) t on t.number in (a.duration_ms % 50 + 1, (a.duration_ms + 7) % 50 + 1)`);
  });
  await database.pool.query('vacuum analyze');
  return database;
}
