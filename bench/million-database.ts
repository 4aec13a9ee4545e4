import { formatCount } from '#formats/numbers.ts';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, openDatabase } from '#db/database.ts';
import { startEmbeddedServer } from '#db/embedded/server.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { builtInFeed, rebuildIfAsked } from '#domain/search/index-feed.ts';
import { askForRebuild } from '#domain/search/feeds.ts';

/** Fraction of the full size; `MILLION_PART=0.05` is filled in two minutes. */
export const part = Number(process.env.MILLION_PART ?? 1);
/** Kept between runs, because filling takes long. */
export const millionFolder = process.env.MILLION_DIR ?? join(tmpdir(), `sotto-million-${part}`);
/** As many rows as the demo has. */
export const smallPart = 0.0004;
const quiet = { info: () => {}, warn: () => {} };

/** Steps that are skipped when the size is 0. */
const left: Record<string, keyof Sizes> = {
  audio_favorites: 'favorites',
  voice_favorites: 'favorites',
  listening_history: 'history',
  comments: 'comments',
  user_playlists: 'userPlaylists',
  user_playlist_items: 'userPlaylistItems',
};

/** Number of rows at the full size. */
export const millionSizes = {
  audios: 1_000_000,
  voices: 20_000,
  categories: 40,
  tags: 3000,
  series: 20_000,
  playlists: 1000,
  users: 1_000_000,
  favorites: 20_000_000,
  history: 15_000_000,
  comments: 5_000_000,
  userPlaylists: 500_000,
  userPlaylistItems: 6_000_000,
};
export type Sizes = Record<keyof typeof millionSizes, number>;

/** @param part fraction of the full size; small tables are not scaled */
export function sizesOf(part: number): Sizes {
  const entries = Object.entries(millionSizes).map(([name, count]) => [name, Math.max(20, Math.round(count * part))]);
  return { ...(Object.fromEntries(entries) as Sizes), categories: part < 0.01 ? 12 : 40 };
}

/** The id of row `n` of a kind: ordered like UUIDv7, and known without a query. */
export const idSql = (kind: number, n: string) =>
  `(substr(lpad(to_hex(${n}), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(${n}), 12, '0'), 9, 4) || '-7000-8000-' || lpad('${kind.toString(16)}', 12, '0'))::uuid`;

export function millionId(kind: number, n: number): string {
  const hex = n.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${kind.toString(16).padStart(12, '0')}`;
}

export const kinds = {
  voice: 1,
  category: 2,
  audio: 3,
  tag: 4,
  series: 5,
  playlist: 6,
  user: 7,
  userPlaylist: 8,
  comment: 9,
  facet: 10,
};

/** Counts: facets, and tags in each. */
export const facetsOf = { count: 6, tags: 10 };

/** A deterministic, evenly distributed number from 0 to below `max`. */
export const spread = (n: string, seed: number, max: number | string) =>
  `((hashint8((${n})::bigint * 7919 + ${seed}) & 2147483647) % ${max})`;
/** Like it, with far more small numbers than large ones: a few voices have many audios, a few audios many listeners. */
const skewed = (n: string, seed: number, max: number) =>
  `floor(power((hashint8((${n})::bigint * 7919 + ${seed}) & 2147483647) / 2147483648.0, 3) * ${max})::int`;

/** A word of 20 common ones and one of 3,000, so that titles share words. */
export const someWords = (n: string) =>
  `'common' || ${spread(n, 21, 20)} || ' some' || ${skewed(n, 22, 3000)} || ' word' || ${spread(n, 23, 3000)}`;

/**
 * Fills a migrated, empty database. Triggers are off meanwhile; the counts that they maintain are computed at the end.
 * @param print gets a line per table
 */
export async function fillMillion(
  url: string,
  sizes: Sizes,
  print: (line: string) => void,
  more: Record<string, string> = {},
): Promise<void> {
  const database = openDatabase({ url, poolSize: 2 });
  await migrateDatabase(database);
  await database.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB'`);
  // Checking millions of references would take longer than everything else.
  const references = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of references.rows) await client.query(`alter table ${table} drop constraint ${name}`);
  const tables = (
    await client.query<{ table: string }>(
      `select oid::regclass::text as table from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
  ).rows;
  for (const { table } of tables) await client.query(`alter table ${table} disable trigger user`);
  const { audio, voice, category, tag, series, playlist, user, userPlaylist, comment, facet } = kinds;
  async function step(name: string, statement: string): Promise<void> {
    if (Object.hasOwn(sizes, left[name] ?? '') && sizes[left[name] as keyof Sizes] === 0) return;
    const begin = performance.now();
    const { rowCount } = await client.query(statement);
    print(`${name}: ${formatCount(rowCount ?? 0)} rows in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
  try {
    await step(
      'categories',
      `insert into categories (id, slug, label, position) select ${idSql(category, 'n')}, 'category-' || n, 'Category ' || n, n from generate_series(0, ${sizes.categories - 1}) n`,
    );
    await step(
      'voices',
      `insert into voices (id, slug, name, sort_name, voice_type_label, category_id)
      select ${idSql(voice, 'n')}, 'voice-' || n, 'Voice ' || n, 'voice ' || lpad(${spread('n', 1, sizes.voices)}::text, 8, '0'), case n % 4 when 0 then 'Male voice' else 'Female voice' end, ${idSql(category, `n % ${sizes.categories}`)}
      from generate_series(0, ${sizes.voices - 1}) n`,
    );
    await step(
      'tags',
      `insert into tags (id, slug, label) select ${idSql(tag, 'n')}, 'tag-' || n, 'tag ' || n from generate_series(0, ${sizes.tags - 1}) n`,
    );
    await step(
      'audios',
      `insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms, is_free, published_at)
      select ${idSql(audio, 'n')}, 'audio-' || n, 'Audio ' || n || ' ' || ${someWords('n')}, 'audio ' || lpad((${spread('n', 2, 100_000_000)})::text, 9, '0') || ' ' || ${someWords('n')}, repeat('A description. ', 8),
        ${idSql(voice, skewed('n', 3, sizes.voices))}, 'audio/' || n || '.mp3', 'audio/mpeg', 1000, 60000 + ${spread('n', 4, 3_600_000)}, ${spread('n', 5, 30)} = 0,
        date_trunc('milliseconds', timestamptz '2026-11-01' - n * interval '2 minutes')
      from generate_series(0, ${sizes.audios - 1}) n`,
    );
    await step(
      'audio_counts',
      `insert into audio_counts (audio_id, voice_id, plays, favorites) select ${idSql(audio, 'n')}, ${idSql(voice, skewed('n', 3, sizes.voices))}, ${skewed('n', 6, 1_000_000)}, 0 from generate_series(0, ${sizes.audios - 1}) n`,
    );
    await step(
      'audio_categories',
      `insert into audio_categories (audio_id, category_id) select ${idSql(audio, 'n')}, ${idSql(category, `c`)}
      from generate_series(0, ${sizes.audios - 1}) n cross join lateral (select distinct ${skewed('n * 2 + k', 7, sizes.categories)} as c from generate_series(0, 1) k) one`,
    );
    await step(
      'audio_tags',
      `insert into audio_tags (audio_id, tag_id) select ${idSql(audio, 'n')}, ${idSql(tag, 't')}
      from generate_series(0, ${sizes.audios - 1}) n cross join lateral (select distinct ${skewed('n * 3 + k', 8, sizes.tags)} as t from generate_series(0, 2) k) one`,
    );
    await step(
      'series',
      `insert into series (id, slug, title, sort_title, voice_id) select ${idSql(series, 'n')}, 'series-' || n, 'Series ' || n, 'series ' || lpad(${spread('n', 9, sizes.series * 10)}::text, 9, '0'), ${idSql(voice, `n % ${sizes.voices}`)} from generate_series(0, ${sizes.series - 1}) n`,
    );
    await step(
      'series_items',
      `insert into series_items (series_id, audio_id, position) select ${idSql(series, 'n / 8')}, ${idSql(audio, 'n')}, n % 8 from generate_series(0, ${Math.min(sizes.series * 8, sizes.audios) - 1}) n`,
    );
    await step(
      'playlists',
      `insert into playlists (id, slug, title, position, published_at) select ${idSql(playlist, 'n')}, 'playlist-' || n, 'Playlist ' || n, n, timestamptz '2026-01-01' from generate_series(0, ${sizes.playlists - 1}) n`,
    );
    await step(
      'playlist_items',
      `insert into playlist_items (playlist_id, audio_id, position) select ${idSql(playlist, 'p')}, ${idSql(audio, `(p * 977 + k * 31) % ${sizes.audios}`)}, k from generate_series(0, ${sizes.playlists - 1}) p, generate_series(0, 39) k on conflict (playlist_id, audio_id) do nothing`,
    );
    await step(
      'playlist_counts',
      `insert into playlist_counts (playlist_id, audios, duration_ms)
      select i.playlist_id, count(*), sum(a.duration_ms) from playlist_items i join audios a on a.id = i.audio_id group by 1`,
    );
    await step(
      'users',
      `insert into users (id, username, email, terms_accepted_at) select ${idSql(user, 'n')}, 'user' || n, 'user' || n || '@example.org', now() from generate_series(0, ${sizes.users - 1}) n`,
    );
    const perUser = (count: number) => Math.max(1, Math.round(count / sizes.users));
    // A hundredth of the users have a hundred times as much as the others.
    const heavy = (n: string, each: number) =>
      `case when ${n} % 100 = 0 then ${Math.min(each * 50, 2000)} else ${Math.max(1, Math.round(each / 2))} end - 1`;
    await step(
      'audio_favorites',
      `insert into audio_favorites (user_id, content_id, created_at) select ${idSql(user, 'u')}, ${idSql(audio, skewed(`u::bigint * 4096 + k`, 10, sizes.audios))}, timestamptz '2026-11-01' - k * interval '1 hour' - u * interval '1 second'
      from generate_series(0, ${sizes.users - 1}) u, generate_series(0, ${heavy('u', perUser(sizes.favorites))}) k on conflict do nothing`,
    );
    await step(
      'voice_favorites',
      `insert into voice_favorites (user_id, content_id, created_at) select ${idSql(user, 'u')}, ${idSql(voice, skewed(`u::bigint * 64 + k`, 11, sizes.voices))}, timestamptz '2026-11-01' - k * interval '1 hour'
      from generate_series(0, ${sizes.users - 1}) u, generate_series(0, 1) k on conflict do nothing`,
    );
    await step(
      'listening_history',
      `insert into listening_history (user_id, audio_id, listens, last_listened_at) select ${idSql(user, 'u')}, ${idSql(audio, skewed(`u::bigint * 4096 + k`, 12, sizes.audios))}, 1, timestamptz '2026-11-01' - k * interval '3 hours' - u * interval '1 second'
      from generate_series(0, ${sizes.users - 1}) u, generate_series(0, ${heavy('u', perUser(sizes.history))}) k on conflict do nothing`,
    );
    await step(
      'comments',
      `insert into comments (id, audio_id, user_id, text, created_at) select ${idSql(comment, 'n')}, ${idSql(audio, skewed('n', 13, sizes.audios))}, ${idSql(user, spread('n', 14, sizes.users))}, 'A comment of some length, as listeners write.', timestamptz '2024-01-01' + n * interval '10 seconds'
      from generate_series(0, ${sizes.comments - 1}) n`,
    );
    await step(
      'user_playlists',
      `insert into user_playlists (id, user_id, title, background, font, is_public) select ${idSql(userPlaylist, 'n')}, ${idSql(user, `n % ${sizes.users}`)}, 'List ' || n, 'Pink to Blue', 'Lora Bold', n % 5 = 0 from generate_series(0, ${sizes.userPlaylists - 1}) n`,
    );
    // One audio is in every tenth of the first lists: a hundred thousand at the full size.
    await step(
      'user_playlist_items',
      `insert into user_playlist_items (user_playlist_id, audio_id, position) select ${idSql(userPlaylist, 'n')}, case when k = 0 and n % 5 = 0 then ${idSql(audio, '0')} else ${idSql(audio, skewed('n * 16 + k', 15, sizes.audios))} end, k
      from generate_series(0, ${sizes.userPlaylists - 1}) n, generate_series(0, ${Math.max(1, Math.round(sizes.userPlaylistItems / sizes.userPlaylists)) - 1}) k on conflict (user_playlist_id, audio_id) do nothing`,
    );
    await step(
      'user_playlist_counts',
      `insert into user_playlist_counts (user_playlist_id, plays, audios, duration_ms)
      select i.user_playlist_id, hashtext(i.user_playlist_id::text) & 65535, count(*), sum(a.duration_ms) from user_playlist_items i join audios a on a.id = i.audio_id group by 1`,
    );
    await step(
      'favorites counted',
      `update audio_counts c set favorites = n.total from (select content_id, count(*)::int as total from audio_favorites group by 1) n where n.content_id = c.audio_id`,
    );
    await step(
      'comments counted',
      `update audio_counts c set comments = n.total from (select audio_id, count(*)::int as total from comments group by 1) n where n.audio_id = c.audio_id`,
    );
    await step(
      'voices counted',
      `insert into voice_counts (voice_id, favorites) select content_id, count(*) from voice_favorites group by 1`,
    );
    await step(
      'facets',
      `insert into facets (id, slug, label, position, chooses) select ${idSql(facet, 'n')}, 'facet-' || n, 'Facet ' || n, n, case n when 0 then 'one' else 'many' end
      from generate_series(0, ${facetsOf.count - 1}) n`,
    );
    // Tags that many audios have, and some that few have.
    await step(
      'tags in facets',
      `update tags t set facet_id = ${idSql(facet, `n.number % ${facetsOf.count}`)}, position = n.number
      from (select id, substr(slug, 5)::int as number from tags) n where n.id = t.id and n.number < ${facetsOf.count * facetsOf.tags}`,
    );
    await step(
      'audio_filter_keys',
      `insert into audio_filter_keys select id, published_at, sort_title, duration_ms, filter_keys(id) from audios`,
    );
    const lists = `(select audio_id, category_id as list_id from audio_categories union all select audio_id, tag_id from audio_tags union all select id, language_list(language) from audios)`;
    await step(
      'audio_list_keys',
      `insert into audio_list_keys select l.audio_id, l.list_id, a.published_at, a.sort_title, a.duration_ms
      from ${lists} l join audios a on a.id = l.audio_id where a.published_at is not null`,
    );
    await step(
      'audio_list_plays',
      `insert into audio_list_plays select k.audio_id, k.list_id, c.plays from audio_list_keys k join audio_counts c on c.audio_id = k.audio_id`,
    );
    for (const [name, statement] of Object.entries(more)) await step(name, statement);
    for (const { table } of tables) await client.query(`alter table ${table} enable trigger user`);
    for (const { table, name, definition } of references.rows)
      await client.query(`alter table ${table} add constraint ${name} ${definition} not valid`);
    await step('vacuum', 'vacuum analyze');
  } finally {
    await client.end();
  }
}

type MillionOptions = {
  /** Names the databases. */
  name: string;
  sizes(part: number): Sizes;
  /** Statements that fill further tables, with a name each. */
  more?: (sizes: Sizes) => Record<string, string>;
};

/** Runs with a database of the demo's size and one of the measured size. */
export async function withMillion<Result>(
  work: (small: Database, large: Database, urls: { small: string; large: string }) => Promise<Result>,
  options: MillionOptions = { name: 'million', sizes: sizesOf },
): Promise<Result> {
  await mkdir(millionFolder, { recursive: true });
  const server = await startEmbeddedServer({ dataDir: millionFolder, log: quiet });
  const opened: Database[] = [];
  try {
    const small = await openFilled(server.url, 'small', options.sizes(smallPart), options);
    opened.push(small);
    const large = await openFilled(server.url, 'large', options.sizes(part), options);
    opened.push(large);
    const url = (which: string) => urlOf(server.url, nameOf(which, options));
    return await work(small, large, { small: url('small'), large: url('large') });
  } finally {
    for (const database of opened) await database.close();
    await server.stop();
  }
}

const nameOf = (which: string, { name }: Pick<MillionOptions, 'name'>) => `${name}_${which}`;

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Fills the database, or reuses that of an earlier run. */
async function openFilled(
  serverUrl: string,
  which: string,
  sizes: Sizes,
  { name, more }: MillionOptions,
): Promise<Database> {
  const database = nameOf(which, { name });
  const url = urlOf(serverUrl, database);
  const mark = join(millionFolder, `${name === 'million' ? which : database}.filled`);
  const isFilled = (await readFile(mark, 'utf8').catch(() => '')) === JSON.stringify(sizes);
  if (!isFilled) {
    await rm(mark, { force: true });
    const admin = new pg.Client({ connectionString: serverUrl });
    await admin.connect();
    await admin.query(`drop database if exists ${database}`);
    await admin.query(`create database ${database}`);
    await admin.end();
    await fillMillion(url, sizes, (line) => console.log(`  ${which}: ${line}`), more?.(sizes));
    await writeFile(mark, JSON.stringify(sizes));
  }
  const filled = openDatabase({ url, poolSize: 8 });
  await migrateDatabase(filled);
  // The rows were loaded without triggers.
  if (!isFilled) {
    await askForRebuild(filled.db, builtInFeed);
    await rebuildIfAsked(filled.db);
  }
  return filled;
}
