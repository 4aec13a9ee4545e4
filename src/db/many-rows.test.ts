/** @module-tag slow */
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';

vi.setConfig({ testTimeout: 900_000 });

/** Rows of each statement, ROWS=100000 for the whole measure. */
const many = Number(process.env['ROWS'] ?? 5000);
/**
 * Allowed for each row that a statement and its triggers write: 5 s for 100,000 rows, and three times that, because
 * another worker uses the machine too. Comparing each with each takes far longer.
 */
const maxMsPerRow = (3 * 5000) / 100_000;

/** Accounts are erased one by one: each is looked for in some seventy tables. */
const oneByOne = 'users.users_search_removed';

/**
 * The table, a statement over `many` of its rows, and how many records of the write-ahead log each of these rows may cost
 * with all that its triggers write. Unlike time, it is the same on a busy machine.
 */
type Act = readonly [table: string, statement: string, maxRecords?: number];

/** The id of row number n of a table. */
const id = (table: string, n = 'n') => `(left(md5('${table}'), 20) || lpad(to_hex(${n}), 12, '0'))::uuid`;
const one = '1';
const two = '2';

const insert = (table: string, columns: string, values: string): Act => [
  table,
  `insert into ${table} (${columns}) select ${values} from generate_series(1, ${many}) n`,
];
const update = (table: string, changes: string, maxRecords?: number): Act => [
  table,
  `update ${table} set ${changes}`,
  maxRecords,
];
const remove = (table: string): Act => [table, `delete from ${table}`];

/** A catalogue that is imported, a creator who is removed, counts that are added up again; each needs those before. */
const acts: Act[] = [
  insert('users', 'id, username, email', `${id('users')}, 'user' || n, 'user' || n || '@example.org'`),
  insert('voices', 'id, slug, name, sort_name, voice_type_label', `${id('voices')}, 'v' || n, 'V' || n, 'v' || n, 'F'`),
  insert(
    'audios',
    'id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at',
    `${id('audios')}, 'a' || n, 'A' || n, 'a' || n, ${id('voices')}, 'a' || n, 'audio/mpeg', 1, 60000, now()`,
  ),
  insert('recordings', 'audio_id, file_key, peaks', `${id('audios')}, 'r' || n, decode(repeat('00', 2400), 'hex')`),
  update('recordings', `file_key = file_key || '2'`),
  insert('script_timings', 'id, audio_id, lines', `${id('script_timings')}, ${id('audios')}, '["a"]'`),
  update('script_timings', `progress = 1`),
  remove('script_timings'),
  insert('feed_imports', 'id, voice_id, archive_key', `${id('feed_imports')}, ${id('voices')}, 'z' || n`),
  update('feed_imports', `archive_key = archive_key || '2'`),
  insert('moved_in_files', 'voice_id, path, file_key, bytes', `${id('voices')}, 'before/1/a', 'm' || n, 1`),
  update('moved_in_files', `file_key = file_key || '2'`),
  remove('moved_in_files'),
  insert('feed_import_items', 'import_id, position, item, image_key', `${id('feed_imports')}, 0, '{}', 'f' || n`),
  update('feed_import_items', `image_key = image_key || '2'`),
  remove('feed_import_items'),
  insert(
    'clips',
    'id, audio_id, recording, start_ms, end_ms, state, file_key, file_bytes',
    `${id('clips')}, ${id('audios')}, 'r', 0, 5000, 'ready', 'clip' || n, 1`,
  ),
  update('clips', `file_key = file_key || '2'`),
  remove('clips'),
  insert('audio_drafts', 'audio_id, has_cover, image_key', `${id('audios')}, true, 'd' || n`),
  update('audio_drafts', `image_key = image_key || '2'`),
  insert(
    'uploads',
    'id, voice_id, file_name, title, bytes, original_key',
    `${id('uploads')}, ${id('voices', one)}, 'u', 'U', 1, 'u' || n`,
  ),
  update('uploads', `original_key = null`),
  remove('uploads'),
  insert(
    'deleted_series',
    'id, voice_id, title, image_key, content',
    `${id('deleted_series')}, ${id('voices', one)}, 'D', 's' || n, '{}'`,
  ),
  update('deleted_series', `image_key = image_key || '2'`),
  remove('deleted_series'),
  insert('look_files', 'file_key, bytes', `'look/' || md5(n::text) || md5(n::text) || '.svg', 1`),
  update('look_files', `file_key = replace(file_key, 'svg', 'png')`),
  remove('look_files'),
  insert('transcripts', 'audio_id, cues', `${id('audios')}, '[]'`),
  update('transcripts', `language = 'de'`),
  insert('chapters', 'audio_id, chapters', `${id('audios')}, '[]'`),
  update('chapters', `chapters = '[{}]'`),
  insert('transcript_translations', 'audio_id, language, cues', `${id('audios')}, 'de', '[]'`),
  update('transcript_translations', `updated_at = now()`),
  insert(
    'translations',
    'kind, subject, field, language, text, source',
    `'menu', n, 'label', 'de', 'T' || n, 'S' || n`,
  ),
  update('translations', `text = text || '2'`),
  insert('categories', 'id, slug, label', `${id('categories')}, 'c' || n, 'C' || n`),
  insert('facets', 'id, slug, label, chooses', `${id('facets')}, 'f' || n, 'F' || n, 'many'`),
  insert('tags', 'id, slug, label, facet_id', `${id('tags')}, 't' || n, 'T' || n, ${id('facets')}`),
  insert('audio_categories', 'audio_id, category_id', `${id('audios')}, ${id('categories', one)}`),
  insert('audio_tags', 'audio_id, tag_id', `${id('audios')}, ${id('tags')}`),
  insert(
    'credits',
    'id, audio_id, position, role, voice_id',
    `${id('credits')}, ${id('audios')}, 0, 'writer', ${id('voices', one)}`,
  ),
  update('credits', `role = 'sound'`),
  update('audio_counts', 'plays = plays + 1'),
  update('audio_categories', `category_id = ${id('categories', two)}`),
  update('audio_tags', `tag_id = ${id('tags', one)}`),
  insert('playlists', 'id, slug, title', `${id('playlists')}, 'p' || n, 'P' || n`),
  insert('playlist_items', 'playlist_id, audio_id, position', `${id('playlists', one)}, ${id('audios')}, n`),
  update('playlist_items', 'position = position + 1'),
  update('playlists', `title = title || '!'`),
  insert('series', 'id, slug, title, sort_title', `${id('series')}, 's' || n, 'S' || n, 's' || n`),
  insert('series_items', 'series_id, audio_id, position', `${id('series', one)}, ${id('audios')}, n`),
  update('series_items', 'position = position + 1'),
  update('series', `title = title || '!'`),
  insert(
    'articles',
    'id, slug, title, sort_title, body, topic, read_time',
    `${id('articles')}, 'b' || n, 'B', 'b', '', 'health', 1`,
  ),
  insert('article_audios', 'article_id, audio_id, position', `${id('articles', one)}, ${id('audios')}, n`),
  update('articles', `slug = slug || '-2'`),
  insert('audio_favorites', 'user_id, content_id', `${id('users')}, ${id('audios')}`),
  insert('voice_favorites', 'user_id, content_id', `${id('users')}, ${id('voices')}`),
  insert(
    'user_playlists',
    'id, user_id, title, background, font, is_public',
    `${id('user_playlists')}, ${id('users')}, 'U', 'Pink to Blue', 'Lora Bold', true`,
  ),
  insert('user_playlist_items', 'user_playlist_id, audio_id, position', `${id('user_playlists')}, ${id('audios')}, 1`),
  update('user_playlist_counts', 'plays = plays + 1'),
  update('user_playlist_counts', 'audios = 0', 5),
  update('user_playlist_counts', 'audios = 1', 5),
  insert('mixes', 'id, user_id, name, sort', `${id('mixes')}, ${id('users')}, 'M', 'recent'`),
  update('mixes', 'visited_at = now()'),
  insert('moments', 'id, user_id, audio_id, position_ms', `${id('moments')}, ${id('users')}, ${id('audios')}, 1`),
  update('moments', "note = 'N'"),
  update('user_playlists', `title = 'W'`),
  update('user_playlists', `is_public = false`),
  update('user_playlists', 'withheld_at = now()'),
  update('user_playlists', 'withheld_at = null'),
  insert('comments', 'id, audio_id, user_id, text', `${id('comments')}, ${id('audios')}, ${id('users')}, 'Lovely.'`),
  insert(
    'comments',
    'id, audio_id, user_id, parent_id, text',
    `${id('replies')}, ${id('audios')}, ${id('users', '1 + n % 10')}, ${id('comments')}, 'Yes.'`,
  ),
  ['comments', `update comments set hidden_at = now(), waits_for_creator = true where parent_id is null`, 13.5],
  ['comments', `update comments set hidden_at = null where parent_id is null`, 11.5],
  ['comments', `update comments set hearted_at = now() where parent_id is null`],
  ['comments', `update comments set hearted_at = null where parent_id is null`],
  insert('comment_reports', 'comment_id, user_id, reason', `${id('comments')}, ${id('users', one)}, 'spam'`),
  update('comment_reports', 'settled_at = now()'),
  update('comment_reports', 'settled_at = null'),
  update('users', 'suspended_at = now()', 48),
  update('users', 'suspended_at = null', 48),
  update('users', `username = username || 'x', email = 'x' || email`),
  update('users', 'is_discreet = true'),
  update('audios', `title = title || '!', sort_title = sort_title || '!'`),
  update('audios', 'published_at = null, first_published_at = published_at', 32.5),
  update('audios', 'published_at = now()', 71),
  update('audios', 'duration_ms = duration_ms + 1'),
  update('audios', `slug = slug || '-2'`),
  update('audios', `voice_id = ${id('voices', one)}`, 47),
  update('voices', `name = name || '!', slug = slug || '-2'`),
  update('voices', `hidden_at = now()`, 46.5),
  update('voices', `hidden_at = null`, 80),
  update('categories', `label = label || '!'`),
  update('tags', `label = label || '!'`),
  update('facets', `label = label || '!'`),
  insert(
    'gift_cards',
    'id, months, amount, currency, deliver_at, buyer_id',
    `${id('gift_cards')}, 1, 999, 'usd', now(), ${id('users')}`,
  ),
  update('gift_cards', 'redeemed_at = now()'),
  insert(
    'tips',
    'id, voice_id, voice_name, giver_id, is_anonymous, amount, currency, share_permille, payment_id, awaits_document, awaits_credit_note',
    `${id('tips')}, ${id('voices')}, 'a', ${id('users')}, false, 500, 'usd', 100, 'p' || n, true, true`,
  ),
  update('tips', `paid_at = now(), earned = 450`),
  update('tips', `refunded_at = now(), refund_state = 'done'`),
  insert(
    'membership_mails',
    'id, user_id, kind, ref, due_at',
    `${id('mails')}, ${id('users')}, 'receipt', 'r' || n, now()`,
  ),
  update('membership_mails', 'sent_at = now()'),
  insert(
    'audit_entries',
    'id, actor_role, actor_id, action, subject_type, subject_id, subject_name',
    `${id('entries')}, 'admin', ${id('users', one)}, 'audio.edit', 'audio', n::text, 'A'`,
  ),
  update('audit_entries', 'actor_id = null'),
  [
    'payout_months',
    `insert into payout_months (month, currency)
     select date '0001-01-01' + n * interval '1 month', 'usd' from generate_series(1, ${many + 1}) n`,
  ],
  insert(
    'payout_shares',
    'month, voice_id, voice_name, voice_slug, audios, milliseconds, amount',
    `'0001-02-01', ${id('voices')}, 'V', 'v', 1, 1, 1`,
  ),
  insert('payout_pools', 'month, currency, pool', `date '0001-01-01' + n * interval '1 month', 'jpy', 1`),
  update('payout_pools', 'pool = 2'),
  insert('payout_amounts', 'month, voice_id, currency, amount', `'0001-02-01', ${id('voices')}, 'jpy', 1`),
  insert(
    'payout_lines',
    'month, voice_id, audio_id, milliseconds, trial_ms',
    `'0001-02-01', ${id('voices')}, ${id('audios')}, 1, 0`,
  ),
  insert(
    'payout_nodes',
    'month, level, position, milliseconds, hash',
    `'0001-02-01', 0, n, 1, decode(repeat('00', 32), 'hex')`,
  ),
  insert(
    'payout_splits',
    'month, audio_id, voice_id, voice_name, share',
    `'0001-02-01', ${id('audios')}, ${id('voices')}, 'V', 100`,
  ),
  insert('payout_earnings', 'month, voice_id, currency, amount', `'0001-02-01', ${id('voices')}, 'usd', 1`),
  insert(
    'payout_corrections',
    'id, month, voice_id, currency, amount, reason',
    `${id('payout_corrections')}, '0001-02-01', ${id('voices')}, 'usd', 1, 'r'`,
  ),
  insert('payout_statements', 'month, voice_id, year, number', `'0001-02-01', ${id('voices')}, 1, n`),
  update('payout_months', `currency = 'eur'`),
  [
    'payout_months',
    `update payout_months set pool = 0, counts_trials = true, checksum = repeat('a', 64), locked_at = now()
     where month <> '0001-02-01'`,
  ],
  insert(
    'payout_payments',
    'id, voice_id, month, currency, amount, reference',
    `${id('payout_payments')}, ${id('voices')}, '0001-03-01', 'usd', 1, 'r'`,
  ),
  insert('site_settings', 'key, value', `case n when 1 then 'preview' else 's' || n end, '1'`),
  insert(
    'listened_seconds',
    'day, audio_id, voice_id, milliseconds',
    `timestamptz '2026-01-01 00:00Z', ${id('audios')}, ${id('voices')}, 1`,
  ),
  update('listened_seconds', 'milliseconds = milliseconds + 1'),
  remove('listened_seconds'),
  remove('comment_reports'),
  ['comments', `update comments set reported_at = now() where parent_id is null`],
  ['comments', `update comments set reported_at = null where parent_id is null`],
  remove('comments'),
  remove('user_playlist_items'),
  update('user_playlists', 'is_public = true'),
  remove('user_playlists'),
  remove('mixes'),
  remove('moments'),
  remove('voice_favorites'),
  remove('audio_favorites'),
  remove('article_audios'),
  remove('articles'),
  remove('series_items'),
  remove('series'),
  remove('playlist_items'),
  remove('playlists'),
  remove('credits'),
  remove('audio_tags'),
  remove('audio_categories'),
  remove('facets'),
  remove('tags'),
  remove('categories'),
  remove('transcripts'),
  remove('transcript_translations'),
  remove('chapters'),
  remove('translations'),
  remove('audios'),
  remove('voices'),
];

test.each([
  ['without statistics', false],
  ['with statistics', true],
])('a statement over many rows of a table with a trigger takes seconds: %s', async (_name, hasStatistics) => {
  const { url } = await createTestDatabase();
  // Without the site's limits, so that each figure is known.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set statement_timeout = 60000');
  // But for those of TRUNCATE, which act on no rows.
  const { rows } = await client.query<{ name: string }>(
    `select tgrelid::regclass || '.' || tgname as name from pg_trigger where not tgisinternal and tgtype & 32 = 0`,
  );
  const triggers = new Set(rows.map(({ name }) => name).filter((name) => name !== oneByOne));
  const { rows: all } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of all) await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
  const slow: string[] = [];
  for (const [, statement, maxRecords] of acts) {
    if (hasStatistics) await analyzeChanged(client);
    const before = await countRecords(client);
    const { faults, fired } = await timed(client, statement);
    const records = Math.round((10 * ((await countRecords(client)) - before)) / many) / 10;
    if (records > (maxRecords ?? Infinity)) slow.push(`${records} records of the log for each row: ${statement}`);
    slow.push(...faults);
    for (const trigger of fired) triggers.delete(trigger);
  }
  await client.end();
  expect([...triggers], 'triggers that no statement fires').toEqual([]);
  expect(slow).toEqual([]);
});

/** The changed tables alone: all of them would take as long as the statements. */
async function analyzeChanged(client: pg.Client): Promise<void> {
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string }>(
    'select relid::regclass::text as name from pg_stat_user_tables where n_mod_since_analyze > 0 or last_analyze is null',
  );
  if (rows.length > 0) await client.query(`vacuum analyze ${rows.map(({ name }) => name).join(', ')}`);
}

/** Records of the write-ahead log that this connection has written. */
async function countRecords(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ records: number }>(
    'select wal_records::float8 as records from pg_stat_get_backend_wal(pg_backend_pid())',
  );
  return rows[0]?.records ?? Number.NaN;
}

type Plan = { Triggers: { 'Trigger Name': string; Relation: string }[] };

/** @returns what is wrong with it, and the triggers of its table that it fires */
async function timed(client: pg.Client, statement: string): Promise<{ faults: string[]; fired: string[] }> {
  await client.query('begin');
  try {
    const start = performance.now();
    const plan = await client.query<{ 'QUERY PLAN': Plan[] }>(
      `explain (analyze, timing off, format json) ${statement}`,
    );
    const fired = (plan.rows[0]?.['QUERY PLAN'][0]?.Triggers ?? []).map(
      (one) => `${one.Relation}.${one['Trigger Name']}`,
    );
    const ms = Math.round(performance.now() - start);
    const { rows } = await client.query<{ written: number }>(
      'select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as written from pg_stat_xact_user_tables',
    );
    await client.query('commit');
    const written = rows[0]?.written ?? 0;
    if (written < many) return { faults: [`only ${written} rows: ${statement}`], fired };
    return { faults: ms > written * maxMsPerRow ? [`${ms} ms for ${written} rows: ${statement}`] : [], fired };
  } catch (error) {
    await client.query('rollback');
    return { faults: [`${String(error)}: ${statement}`], fired: [] };
  }
}
