import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest';
import type { Blobs } from '#domain/gateways.ts';
import { newId } from '#domain/kernel/ids.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { dropDatabase } from '#test/support/servers/drop-database.ts';
import { slow } from '#test/support/tags.ts';
import { openJobs } from '../jobs/open-jobs.ts';
import {
  type BackedFile,
  type BackupManifest,
  listIn,
  readFiles,
  readManifest,
  verifyBackup,
} from './backup-manifest.ts';
import { createBackup } from './backup.ts';
import { fileColumns, storeFile } from '#domain/stored-files.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';
import { type Database, openDatabase } from './database.ts';
import { claimDataDir, readSiteId } from './data-dir-owner.ts';
import { migrateDatabase } from './migrate.ts';
import { findMigrations, readBackupSecret, readBackupSiteId, restoreBackup } from './restore.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = mkdtempSync(join(tmpdir(), 'sotto-backup-'));
const opened: (Database & { name: string })[] = [];

afterEach(async () => {
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  for (const { name, close } of opened.splice(0)) {
    await close();
    await dropDatabase(admin, name);
  }
  await admin.end();
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A database owned by the site's role, which is not a superuser; `migrated` or empty. */
async function createDatabase(kind: 'migrated' | 'bare') {
  const name = `backup_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  await admin.query(`create database ${name} template ${kind === 'migrated' ? 'sotto_template' : 'template0'}`);
  await admin.end();
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const database = {
    ...openDatabase({ url: url.href, poolSize: 4 }),
    url: url.href,
    name,
    blobs: openDiskBlobs({ dir: join(scratch, name) }),
  };
  opened.push(database);
  return database;
}

type TestDatabase = Awaited<ReturnType<typeof createDatabase>>;

async function keepFile(blobs: Blobs, key: string): Promise<{ fileKey: string; fileBytes: number }> {
  const { bytes } = await blobs.write(key, randomBytes(2000 + Math.floor(Math.random() * 1000)));
  return { fileKey: key, fileBytes: bytes };
}

/** Rows in every table, with values that are hard to escape: tabs, backslashes, nulls, quotes, long numbers. */
async function fill({ db, pool, blobs }: TestDatabase): Promise<void> {
  const look = await keepFile(blobs, `look/${'0'.repeat(64)}.png`);
  await pool.query('insert into look_files (file_key, bytes) values ($1, $2)', [look.fileKey, look.fileBytes]);
  const category = await createCategory(db, { label: 'A\tB\\N', description: '"quoted"\n\\.\nnext, \\x41 é 😀' });
  const voice = await createVoice(db, { name: 'Line\\nBreak', bio: 'a\nb\r\nc\u0001' });
  const cues = [{ start: 0.1, end: 123456.789, text: 'One\\two\n"three"' }];
  const audios = [];
  for (let index = 0; index < 5; index += 1) {
    audios.push(
      await createAudio(db, {
        voiceId: voice.id,
        categoryIds: [category.id],
        tagLabels: ['slow', 'rain'],
        cues,
        plays: 2 ** 40 + index,
        ...(await keepFile(blobs, `audio/${newId()}.mp3`)),
      }),
    );
  }
  const audioIds = audios.map(({ id }) => id);
  const one = await createSeries(db, { voiceId: voice.id, audioIds: audioIds.slice(0, 3) });
  // Voice and series reference each other, so no load order satisfies both.
  await pool.query('update voices set linked_series_id = $1, category_id = $2 where id = $3', [
    one.id,
    category.id,
    voice.id,
  ]);
  await createPlaylist(db, { audioIds });
  await createUserPlaylist(db, { audioIds: audioIds.toReversed() });
  await pool.query('insert into voice_counts values ($1, 7)', [voice.id]);
  await pool.query(`insert into site_settings (key, value) values ('preview', $1)`, [{ audioId: audioIds[0] }]);
  await pool.query(
    `insert into analytics_events (id, name, properties) values ($1, 'play', '{"a": [1, null, "\\\\N"]}')`,
    [newId()],
  );
  await pool.query(
    `insert into outgoing_mails (id, sender, recipient, message) values ($1, 'a@b.example', 'c@d.example', '\\x0d0a00')`,
    [newId()],
  );
  await pool.query(`insert into reconciliations (name, after_user_id) values ('nightly', $1)`, [newId()]);
  const userId = await fillAccount(pool);
  await fillMembership(pool, userId);
  await fillAdmin(pool, userId);
  await fillEditorial(pool, { userId, audioId: audioIds[0] ?? '' });
  await fillListening(pool, { userId, audioId: audioIds[0] ?? '', voiceId: voice.id });
  await fillLibrary(pool, { userId, audioId: audioIds[0] ?? '', voiceId: voice.id, categoryId: category.id });
  await fillStudio(pool, { userId, audioId: audioIds[0] ?? '', voiceId: voice.id });
  await pool.query(`update audios set updated_at = '2001-02-03T04:05:06.789Z', image_key = $1 where id = $2`, [
    (await keepFile(blobs, `images/${newId()}.webp`)).fileKey,
    audioIds[1],
  ]);
}

/** One row in each table of accounts. */
async function fillAccount(pool: pg.Pool): Promise<string> {
  const userId = newId();
  await pool.query(
    `insert into users (id, username, email, identity_provider, identity_subject)
     values ($1, 'tab', 'a@b.example', 'built-in', 'one')`,
    [userId],
  );
  const sessionId = newId();
  await pool.query(
    `insert into sessions (id, user_id, token_hash, device, expires_at) values ($1, $2, 'hash', 'A\tdevice', now())`,
    [sessionId, userId],
  );
  await pool.query(`insert into offline_devices (id, user_id, session_id) values ($1, $2, $3)`, [
    newId(),
    userId,
    sessionId,
  ]);
  await pool.query(`insert into spent_id_tokens values ('hash', now())`);
  await pool.query(`insert into attempts values ('log-in account:hash', 3, now())`);
  await pool.query(`insert into deleted_identities values ('hash', now())`);
  await pool.query(`insert into provider_users (id, name, email) values ('one', 'Tab', 'a@b.example')`);
  await pool.query(
    `insert into provider_accounts (id, account_id, provider_id, user_id, password) values ('a', 'one', 'credential', 'one', '$argon2id$')`,
  );
  await pool.query(
    `insert into provider_sessions (id, token, user_id, expires_at) values ('s', 'token', 'one', now())`,
  );
  await pool.query(
    `insert into provider_verifications (id, identifier, value, expires_at) values ('v', 'reset', 'x', now())`,
  );
  await pool.query(`insert into provider_keys (id, public_key, private_key) values ('k', '{}', '{}')`);
  return userId;
}

/** One row in each table of the blog, and a consent. */
async function fillEditorial(pool: pg.Pool, { userId, audioId }: { userId: string; audioId: string }): Promise<void> {
  const articleId = newId();
  await pool.query(
    `insert into articles (id, slug, title, sort_title, body, topic, read_time) values ($1, 'a', 'A', 'a', E'# A\n\n\\.\n<b>', 'sex', 60)`,
    [articleId],
  );
  await pool.query('insert into article_audios values ($1, $2, 0)', [articleId, audioId]);
  await pool.query(`insert into former_article_slugs values ('before', $1)`, [articleId]);
  await pool.query(`insert into former_slugs values ('before', $1)`, [audioId]);
  await pool.query(`insert into former_voice_slugs select 'before', voice_id from audios where id = $1`, [audioId]);
  await pool.query(`insert into voice_blocks select voice_id, $2, $2 from audios where id = $1`, [audioId, userId]);
  await pool.query(
    `insert into deleted_series (id, voice_id, title, content) select $2, voice_id, 'Gone', '{"audioIds": []}' from audios where id = $1`,
    [audioId, newId()],
  );
  const actId = newId();
  await pool.query(
    `insert into bulk_acts (id, actor_role, verb, filter, state, total) values ($1, 'operator', 'publish', '{"q": "a"}', 'running', 1)`,
    [actId],
  );
  await pool.query(`insert into bulk_act_items (bulk_act_id, audio_id) values ($1, $2)`, [actId, audioId]);
  await pool.query(
    `insert into translations (kind, subject, field, language, text, source) values ('menu', 'Help', 'label', 'de', 'Hilfe', 'Help')`,
  );
  await pool.query(`insert into chapters (audio_id, chapters) values ($1, '[{"start": 0, "title": "a\\tb"}]')`, [
    audioId,
  ]);
  await pool.query(`insert into transcript_translations (audio_id, language, cues) values ($1, 'de', '[]')`, [audioId]);
  await pool.query(`insert into site_starts (id, version, host, pid) values ($1, '1', 'one', 7)`, [newId()]);
  await pool.query(`insert into site_backups (id, folder, state) values ($1, 'whole', 'done')`, [newId()]);
  await pool.query(`insert into site_tests (name, is_ok, said, milliseconds) values ('storage', true, 'Worked', 3)`);
  await pool.query(`insert into catalogue_totals values ('voice', $1, 1, 60000, 9, '[]')`, [newId()]);
  await pool.query(`insert into sitemap_cuts values ('audios', 'a-slug')`);
  await pool.query('insert into audio_numbers (audio_id) values ($1)', [audioId]);
  await pool.query(
    `insert into facets (id, slug, label, chooses, has_content_notes) values ($1, 'notes', 'Content notes', 'many', true)`,
    [newId()],
  );
  await pool.query(`update tags set facet_id = (select id from facets) where slug = 'rain'`);
  await pool.query(`insert into neighbour_shards values (0, '\\x01')`);
  await pool.query(`insert into neighbour_counts (shards) values (1)`);
  await pool.query('insert into recounted_audios (audio_id) values ($1)', [audioId]);
  await pool.query(`insert into news_batches (audio_id, due_at) values ($1, now()) on conflict do nothing`, [audioId]);
  await pool.query(
    `insert into notifications (id, user_id, kind, subject_id, audio_id, mail_due_at) values ($1, $2, 'new-audio', $3, $3, now())`,
    [newId(), userId, audioId],
  );
  await pool.query(`insert into notification_preferences (user_id, muted_kinds) values ($1, '{reply,payment}')`, [
    userId,
  ]);
  await pool.query('insert into voice_mutes select $2, voice_id from audios where id = $1', [audioId, userId]);
  await pool.query('insert into series_follows (user_id, series_id) select $1, id from series limit 1', [userId]);
  await pool.query(
    `insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, device)
     select $1, $2, id, 'https://push.example', 'k', 'a', 'A\tB' from sessions where user_id = $2`,
    [newId(), userId],
  );
  await pool.query(`insert into sign_up_days values (current_date, 'home', 2)`);
  await pool.query('insert into analytics_consents values ($1)', [userId]);
  await pool.query(
    `insert into reviews (id, audio_id, cause, sound, sent_by) values ($1, $2, 'all', 'audio/reviewed.mp3', $3)`,
    [newId(), audioId, userId],
  );
  await pool.query(`insert into age_confirmations values ($1, 'statement', 'FR', 'year', now(), null)`, [userId]);
  await pool.query(
    `insert into voice_verifications (voice_id, decision, method, reference, checked_on, verified_until, asked_by)
     select voice_id, 'verified', 'Video call', '06-112', '2026-05-14', '2028-05-14', $2 from audios where id = $1`,
    [audioId, userId],
  );
  await pool.query(`insert into creator_agreements (version, text) values (1, 'You keep all rights.')`);
  await pool.query(
    `insert into agreement_acceptances (id, voice_id, version, user_id, language, text)
     select $1, voice_id, 1, $2, 'en', 'You keep all rights.' from audios where id = $3`,
    [newId(), userId, audioId],
  );
  await pool.query(
    `insert into age_proof_requests values ($1, 'a', 'nonce', '{"kty":"EC"}', 'verifier', 'waiting', null, null, now())`,
    [newId()],
  );
  const performerId = newId();
  await pool.query(
    `insert into performers (id, voice_id, name, email) select $1, voice_id, 'Hanna', 'hanna@post.example' from audios where id = $2`,
    [performerId, audioId],
  );
  await pool.query(
    `insert into consents (audio_id, performer_id, state, recorded, published, sound, answered_at, token_hash)
     values ($1, $2, 'given', true, true, 'audio/a.mp3', now(), 'a hash')`,
    [audioId, performerId],
  );
  await pool.query('insert into unheard_owners values ($1)', [audioId]);
  await pool.query(
    `insert into credits (id, audio_id, position, role, voice_id, state, asked_at)
     select $1, id, 0, 'writer', voice_id, 'asked', now() from audios where id = $2`,
    [newId(), audioId],
  );
  const splitId = newId();
  await pool.query(`insert into splits (id, audio_id, month) values ($1, $2, '2026-01-01')`, [splitId, audioId]);
  await pool.query(
    `insert into split_parts (split_id, voice_id, share, state) select $1, voice_id, 100, 'agreed' from audios where id = $2`,
    [splitId, audioId],
  );
  await pool.query('update analytics_events set user_id = $1', [userId]);
}

/** One row in each table of listening. */
async function fillListening(pool: pg.Pool, ids: { userId: string; audioId: string; voiceId: string }): Promise<void> {
  const { userId, audioId, voiceId } = ids;
  const day = '2026-01-02T00:00:00Z';
  for (const [table, ...values] of [
    ['listening_progress', userId, audioId, 1234, day],
    ['listening_history', userId, audioId, 3, 2, 2 ** 40, day, null, day],
    ['voice_listening', userId, voiceId, 2 ** 41],
    ['listening_clocks', userId, day, null],
    ['playing_sessions', userId, newId(), audioId, true, day, null],
    ['listening_reports', userId, 'listenCounter', 'r-1', day],
    ['play_marks', 'x'.repeat(43), audioId, day, true, 'audio_details:near', true],
    ['listened_seconds', day, audioId, voiceId, 2 ** 42, 5, 2 ** 41, 7],
    ['listened_parts', audioId, 19, 2 ** 43],
    ['summed_months', '2026-01-01', '2026-02-01T00:00:00Z'],
    ['summed_audio_seconds', '2026-01-01', voiceId, audioId, 2 ** 42, 5, 7],
    ['summed_voice_seconds', '2026-01-01', voiceId, 2 ** 42, 5, 7, 1, 1],
    ['late_seconds', day, voiceId, audioId, 3, 2, 1],
    ['figure_changes', day, 'play', voiceId, audioId, 1, true, 'search', 65_535, null],
    ['audio_days', audioId, day, 9, 4, 3, 2 ** 40, 2, 1, 2 ** 33, Array(20).fill(5), Buffer.from([0, 17]), null],
    ['audio_source_days', audioId, day, 'search', 9, Buffer.from([0, 17])],
    ['voice_days', voiceId, day, 9, 4, 3, 2 ** 40, 2, 1, 2, 1, Buffer.from([0, 17]), null],
    ['kept_playing_days', voiceId, day, 'near', 9, 4, Buffer.from([0, 17])],
    ['kept_playing_days', null, day, 'near', 9, 4, null],
    ['saved_queues', userId, 4, { list: [{ id: audioId, source: 'queue' }], listType: 'a\tb' }, day],
  ])
    await pool.query(
      `insert into ${String(table)} values (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
      values,
    );
}

/** At least one row in each table of library and community. */
async function fillLibrary(
  pool: pg.Pool,
  ids: { userId: string; audioId: string; voiceId: string; categoryId: string },
): Promise<void> {
  const { userId, audioId, voiceId, categoryId } = ids;
  const time = '2026-01-02T03:04:05.678Z';
  const [thread, reply, other, decision, feed] = [newId(), newId(), newId(), newId(), newId()];
  const idOf = async (query: string) => (await pool.query<{ id: string }>(query)).rows[0]?.id;
  await pool.query(`insert into users (id, username) values ($1, 'other')`, [other]);
  for (const [table, ...values] of [
    ['audio_favorites', userId, audioId, time],
    ['voice_favorites', userId, voiceId, time],
    ['category_favorites', userId, categoryId, time],
    ['playlist_favorites', userId, await idOf('select id from playlists'), time],
    ['user_playlist_favorites', userId, await idOf('select id from user_playlists'), time],
    ['user_favorites', userId, other, time],
    ['user_playlist_play_marks', 'x'.repeat(43), newId(), time],
    ['repeated_calls', 'k'.repeat(43), userId, 'c'.repeat(43), 200, 'sealed', time],
    ['voice_owners', voiceId, userId, time],
    ['user_blocks', userId, other, time],
    ['private_feeds', feed, userId, 'voice', voiceId, 'c'.repeat(64), time, null, time, null],
    ['feed_uses', feed, '2026-01-02', 'network', 'x'.repeat(32)],
    ['hub_pings', '/blog/feed.xml', time],
    ['episode_numbers', voiceId, audioId, 12],
    ['hidden_tags', userId, await idOf('select id from tags'), time],
    ['moments', newId(), userId, audioId, 95_000, 'a\tb', time],
    [
      'mixes',
      newId(),
      userId,
      'a\tb',
      categoryId,
      voiceId,
      [newId()],
      [],
      { length: ['short'] },
      'recent',
      true,
      time,
      time,
      time,
      null,
    ],
    ['hidden_audios', userId, audioId, time],
    ['hidden_voices', userId, voiceId, time],
    ['comments', thread, audioId, null, null, null, false, null, 0, time, null, false, null],
    ['comments', reply, audioId, thread, userId, 'a\tb\n\\N “é” 😀', false, null, 0, time, null, false, null],
    ['comments', newId(), audioId, thread, other, 'gone', true, time, 0, time, time, true, null],
    [
      'comment_decisions',
      decision,
      reply,
      userId,
      audioId,
      'a\tb',
      'warn',
      'n\\N',
      other,
      time,
      true,
      false,
      false,
      true,
      time,
      null,
      null,
      null,
      time,
    ],
    ['comment_reports', reply, other, 'other', 'a\nb', time, time, decision],
    // Search: triggers on the rows above record its changes.
    ['search_leases', 'algolia A sotto', newId(), time],
    ['search_rebuilds', newId(), time],
    ['search_feeds', 'algolia A sotto', '10:20:', time, time, null, time, null, 1],
    ['search_words', 7, 'rain', 0, 0, 1],
    ['search_documents', 0, audioId, [-3, 7], 1, 8, time, null, { title: 'Rain' }, time],
    ['recent_searches', userId, 'a b', 'A\tB', time],
    ['transcript_glimpses', audioId, 'hash', 20_000, [0, 2]],
  ])
    await pool.query(
      `insert into ${String(table)} values (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
      values,
    );
}

/** One row in each table of membership. */
async function fillStudio(
  pool: pg.Pool,
  { userId, audioId, voiceId }: { userId: string; audioId: string; voiceId: string },
): Promise<void> {
  await pool.query(
    `insert into audit_entries (id, actor_id, actor_role, action, subject_type, subject_id, subject_name, before, after)
     values ($1, $2, 'owner', 'audio.edit', 'audio', $3, 'One', '{"title": "a\\nb"}', '{"title": "c"}')`,
    [newId(), userId, audioId],
  );
  await pool.query(
    `insert into uploads (id, voice_id, user_id, file_name, title, bytes) values ($1, $2, $3, 'one.wav', 'One', 10)`,
    [newId(), voiceId, userId],
  );
  await pool.query('insert into held_comments (comment_id, for_creator) select id, true from comments limit 1');
  const notice = newId();
  await pool.query(
    `insert into notices (id, subject_type, subject_id, subject_name, address, voice_id, kind, facts, details, due_at)
     values ($1, 'audio', $2, 'One', '/audio/one', $3, 'copyright', '{"work": "a\\tb"}', 'a\tb', now())`,
    [notice, audioId, voiceId],
  );
  await pool.query(
    `insert into notice_decisions (id, notice_id, verb, ground, reasons) values ($1, $2, 'keep', 'none', 'a\nb')`,
    [newId(), notice],
  );
  await pool.query(
    `insert into notice_appeals (id, notice_id, side, reasons, due_at) values ($1, $2, 'owner', 'a\tb', now())`,
    [newId(), notice],
  );
  await pool.query('insert into upload_locks (upload_id, token, until) values ($1, $1, now())', [newId()]);
  await pool.query(
    `insert into recordings (audio_id, file_key, peaks) select id, file_key, $1 from audios where id = $2`,
    [randomBytes(2400), audioId],
  );
  await pool.query(
    `insert into unmeasured_recordings (audio_id, tried_file, reason) values ($1, 'audio/none.mp3', 'is damaged')`,
    [audioId],
  );
  await pool.query(`insert into script_timings (id, audio_id, lines) values ($1, $2, '["a\\tb"]')`, [newId(), audioId]);
  const feedImport = newId();
  await pool.query(
    `insert into feed_imports (id, voice_id, user_id, url) values ($1, $2, $3, 'https://old.example/')`,
    [feedImport, voiceId, userId],
  );
  await pool.query(
    `insert into moved_in_files select $1, 'before/1/figures.csv', file_key, 1 from audios where id = $2`,
    [voiceId, audioId],
  );
  await pool.query(`insert into feed_import_items (import_id, position, item) values ($1, 0, '{"guid": "a\\tb"}')`, [
    feedImport,
  ]);
  await pool.query(`insert into imported_audios (audio_id, guid, keeps_guid) values ($1, 'a\tb', true)`, [audioId]);
  await pool.query(`insert into old_paths (path, audio_id) values ('/ep/1', $1)`, [audioId]);
  await pool.query(
    `insert into clips (id, audio_id, recording, user_id, start_ms, end_ms) values ($1, $2, 'audio/one.mp3', $3, 0, 5000)`,
    [newId(), audioId, userId],
  );
  await pool.query(`insert into audio_drafts (audio_id, version, fields) values ($1, 2, '{"title": "a\\tb"}')`, [
    audioId,
  ]);
  await pool.query(`insert into voice_payees select voice_id, user_id from voice_owners where user_id = $1`, [userId]);
  await pool.query(`insert into audio_field_changes (audio_id, field, version, user_id) values ($1, 'title', 2, $2)`, [
    audioId,
    userId,
  ]);
}

async function fillAdmin(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(`insert into second_factors (user_id, secret, confirmed_at) values ($1, 'sealed', now())`, [userId]);
  await pool.query(`insert into recovery_codes (user_id, code_hash) values ($1, 'hash')`, [userId]);
  await pool.query(
    `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports)
     values ($1, $2, 'Blue key', 'credential', $3, 7, '{usb,nfc}')`,
    [newId(), userId, randomBytes(64)],
  );
  await pool.query(`insert into account_deletions (user_id, reason, due_at) values ($1, 'Asked for it', now())`, [
    userId,
  ]);
}

async function fillMembership(pool: pg.Pool, userId: string): Promise<void> {
  const giftCardId = newId();
  await pool.query('insert into memberships values ($1, now(), now())', [userId]);
  await pool.query(`insert into payment_customers (user_id, customer_id) values ($1, 'cus_1')`, [userId]);
  await pool.query(
    `insert into subscriptions (user_id, subscription_id, status, period, amount, currency, started_at, period_ends_at, discount)
     values ($1, 'sub_1', 'active', 'year', 5988, 'usd', now(), now(), '{"code": "A\\\\B"}')`,
    [userId],
  );
  await pool.query(
    `insert into invoices (id, user_id, invoice_id, status, currency, subtotal, discount, credit, total, amount_due,
       amount_paid, period_start, period_end, created_at, lines)
     values ($1, $2, 'in_1', 'paid', 'usd', 5988, 0, -100, 5988, 5988, 5988, now(), now(), now(), '[{"description": "1 ×\\tplan"}]')`,
    [newId(), userId],
  );
  await pool.query(`insert into trial_cards values (repeat('a', 64), $1)`, [userId]);
  await pool.query(
    `insert into payment_events (event_id, type, customer_id, created_at, error) values ('evt_1', 'a.b', 'cus_1', now(), 'line\n')`,
  );
  await pool.query(
    `insert into former_payment_customers (customer_id, user_id, created_at) values ('verotel:a', $1, now())`,
    [userId],
  );
  const importId = newId();
  await pool.query(`insert into member_imports (id, file_name, file_hash) values ($1, 'a\tb.csv', 'c')`, [importId]);
  await pool.query(
    `insert into imported_members (import_id, line, email, plan) values ($1, 2, 'a@b.example', 'a\tb')`,
    [importId],
  );
  const moveId = newId();
  await pool.query(`insert into provider_moves (id, from_provider, to_provider) values ($1, 'stripe', 'verotel')`, [
    moveId,
  ]);
  await pool.query(
    `insert into moved_subscriptions (id, move_id, user_id, customer_id, subscription_id, kind, error)
     values ($1, $2, $3, 'cus_1', 'sub_1', 'active', 'a\tb')`,
    [newId(), moveId, userId],
  );
  await pool.query(
    `insert into payment_orders (reference, provider, user_id, customer_id, kind, period, amount, currency, list_amount, discount)
     values (repeat('a', 32), 'verotel', $1, 'verotel:a', 'subscription', 'month', 799, 'eur', 799, '{"code": "A\\\\B"}')`,
    [userId],
  );
  await pool.query(
    `insert into hosted_events (provider, id, type, means, at, reason) values ('verotel', '1', 'initial', 'paid', now(), 'a\tb')`,
  );
  await pool.query(
    `insert into win_backs (id, user_id, subscription_id, code, provider, percent_off, months, is_once, expires_at)
     values ($1, $2, 'sub_1', 'ABCDEFGHJKMN', 'stripe', 25, 3, false, now())`,
    [newId(), userId],
  );
  await pool.query(`insert into tax_numbers (series, year, last) values ('invoice', 2026, 7)`);
  await pool.query(
    `insert into tax_documents (id, kind, number, user_id, issued_at, supplied_at, currency, country, permille, net, tax,
       gross, lines, seller, provider)
     values ($1, 'invoice', 'INV-2026-000007', $2, now(), now(), 'eur', 'FR', 200, 4990, 998, 5988,
       '[{"description": "1 ×\\tplan"}]', '{}', 'stripe')`,
    [newId(), userId],
  );
  await pool.query(`insert into buyer_tax_facts (user_id, vat_id, region) values ($1, 'FR12345678901', 'FR')`, [
    userId,
  ]);
  await pool.query(`insert into own_promo_codes (id, code, rules) values ($1, 'NIGHT20', '{"percentOff": 20}')`, [
    newId(),
  ]);
  await pool.query(`insert into payment_locks values ('user 1', $1, now())`, [newId()]);
  await pool.query(`insert into reconciliations (name, after_user_id) values ('customers', $1)`, [userId]);
  await pool.query(
    `insert into outgoing_mails (id, sender, recipient, message) values ($1, 'no-reply@sotto.test', 'ada@sotto.test', $2)`,
    [newId(), randomBytes(300)],
  );
  await pool.query(
    `insert into gift_cards (id, months, amount, currency, buyer_id, message, deliver_at) values ($1, 3, 2199, 'usd', $2, 'a\nb', now())`,
    [giftCardId, userId],
  );
  await pool.query(
    `insert into tips (id, voice_id, voice_name, giver_id, is_anonymous, note, amount, currency, share_permille, awaits_document, awaits_credit_note)
     values ($1, $2, 'a', $3, false, 'a\nb', 500, 'usd', 100, true, true)`,
    [newId(), newId(), userId],
  );
  await pool.query(
    `insert into pauses (id, user_id, subscription_id, months, from_at, until_at) values ($1, $2, 'one', 1, now(), now() + interval '1 month')`,
    [newId(), userId],
  );
  await pool.query(
    `insert into stay_offers (id, user_id, subscription_id, code, percent_off, months, currency, is_once, state)
     values ($1, $2, 'one', 'STAYA', 50, 3, 'usd', false, 'asked')`,
    [newId(), userId],
  );
  await pool.query(`insert into given_months (id, user_id, months) values ($1, $2, 3)`, [newId(), userId]);
  await pool.query(`insert into promo_code_wishes (id, kind, rules, state) values ($1, 'create', '{}', 'asked')`, [
    newId(),
  ]);
  await pool.query(
    `insert into subscription_wishes (id, user_id, subscription_id, act, actor_role, status_before)
     values ($1, $2, 'one', 'resume', 'admin', 'active')`,
    [newId(), userId],
  );
  await pool.query(
    `insert into invoice_refunds (id, invoice_id, user_id, amount, currency, state) select $1, id, user_id, 5, 'usd', 'done' from invoices limit 1`,
    [newId()],
  );
  await pool.query(`insert into reconciliation_runs (id, corrections) values ($1, '[{"before": 1}]')`, [newId()]);
  await pool.query(`insert into payout_months (month, pool, currency) values ('2026-01-01', ${2 ** 36}, 'usd')`);
  const paidId = newId();
  await pool.query(`insert into payout_shares values ('2026-01-01', $1, 'A', 'a', 1, ${2 ** 40}, ${2 ** 36})`, [
    paidId,
  ]);
  await pool.query(`insert into payout_pools values ('2026-01-01', 'jpy', ${2 ** 36})`);
  await pool.query(`insert into payout_amounts values ('2026-01-01', $1, 'jpy', ${2 ** 36})`, [paidId]);
  await pool.query(`insert into payout_lines values ('2026-01-01', $1, $2, 'A', ${2 ** 40}, 0)`, [paidId, newId()]);
  await pool.query(`insert into payout_nodes values ('2026-01-01', 0, 0, ${2 ** 40}, decode(repeat('0f', 32), 'hex'))`);
  await pool.query(`insert into payout_splits values ('2026-01-01', $1, $2, 'B', 30)`, [newId(), newId()]);
  await pool.query(
    `insert into payout_earnings values ('2026-01-01', $1, 'usd', ${2 ** 36}), ('2026-01-01', $1, 'jpy', ${2 ** 36})`,
    [paidId],
  );
  await pool.query(
    `insert into payout_corrections (id, month, voice_id, currency, amount, reason) values ($1, '2026-01-01', $2, 'usd', -5, 'r')`,
    [newId(), paidId],
  );
  await pool.query(`insert into payout_statements values ('2026-01-01', $1, 2026, 1)`, [paidId]);
  await pool.query(
    `update payout_months set due_on = '2026-03-05', locked_at = now(), counts_trials = true, checksum = repeat('a', 64), root = repeat('b', 64)`,
  );
  const paymentId = newId();
  await pool.query(
    `insert into payout_payments (id, voice_id, month, currency, amount, reference) values ($1, $2, '2026-01-01', 'usd', 7, 'r')`,
    [paymentId, paidId],
  );
  await pool.query(`insert into payment_payees (payment_id, user_id, sealed) values ($1, $2, 'sealed')`, [
    paymentId,
    userId,
  ]);
  await pool.query(`insert into payees (user_id, sealed) values ($1, 'sealed')`, [userId]);
  await pool.query(
    `insert into site_days values ('2026-01-01', now(), 'usd', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)`,
  );
  await pool.query(`insert into site_day_money values ('2026-01-01', 'eur', 1, 2, 3, 4, 5, 6, 7, 8, 9, ${2 ** 40})`);
  await pool.query(
    `insert into membership_mails (id, kind, ref, gift_card_id, due_at) values ($1, 'gift', 'one', $2, now())`,
    [newId(), giftCardId],
  );
}

const tableNames = `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;

async function rowsOf({ pool }: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(tableNames);
  const contents: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    // A restore lets the indexes be built anew.
    contents[name] = rows.map(({ row }) => (name === 'search_feeds' ? String(row.split(',')[0]) : row));
  }
  return contents;
}

async function schemaOf({ pool }: Database): Promise<unknown> {
  const { rows: constraints } = await pool.query(
    `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), condeferrable, convalidated from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  );
  const { rows: triggers } = await pool.query(
    `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
  );
  const { rows: migrations } = await pool.query('select hash, created_at from drizzle.__drizzle_migrations order by 2');
  return { constraints, triggers, migrations };
}

async function filesOf(blobs: Blobs): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for await (const { key } of blobs.list(''))
    contents[key] = Buffer.from(await new Response(blobs.read(key)).arrayBuffer()).toString('base64');
  return contents;
}

const backUp = ({ url, blobs }: TestDatabase, folder: string, now = new Date()) =>
  createBackup({ url, blobs, folder, secret: 'the secret of the site', siteVersion: '1.2.3', now });

/** Tables of the job queue, which a backup omits. */
async function withJobs({ url }: TestDatabase): Promise<void> {
  const jobs = openJobs({ connectionString: url, log: pino({ level: 'silent' }), jobs: () => [] });
  await jobs.started;
  await jobs.close();
}

async function listFiles(folder: string, manifest?: BackupManifest): Promise<BackedFile[]> {
  const files: BackedFile[] = [];
  for await (const file of readFiles(folder, manifest ?? (await readManifest(folder)))) files.push(file);
  return files;
}

async function restore({ url, blobs }: TestDatabase, folder: string): Promise<void> {
  const manifest = await readManifest(folder);
  await verifyBackup(folder, manifest);
  await restoreBackup({ url, blobs, folder, manifest });
}

test('a backup brings back every row, file, constraint, trigger and schema step', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  await withJobs(source);
  const folder = join(scratch, 'whole');
  const before = await rowsOf(source);
  for (const [name, rows] of Object.entries(before)) expect([name, rows.length > 0]).toEqual([name, true]);

  expect(await backUp(source, folder)).toMatchObject({
    tables: Object.keys(before).length,
    blobs: 7,
    copiedBlobs: 7,
    missingBlobs: [],
  });
  const target = await createDatabase('bare');
  await withJobs(target);
  await restore(target, folder);

  expect(await rowsOf(target)).toEqual(before);
  expect(await schemaOf(target)).toEqual(await schemaOf(source));
  expect(await filesOf(target.blobs)).toEqual(await filesOf(source.blobs));
  await migrateDatabase(target);
  // Checks and triggers are active again.
  await expect(target.pool.query('update audios set voice_id = $1', [newId()])).rejects.toThrow(
    'violates foreign key constraint',
  );
  const { rows } = await target.pool.query(
    `update audios set badge = 'New' returning updated_at > now() - interval '1 minute' as touched`,
  );
  expect(rows[0]).toEqual({ touched: true });
});

test('a backup made during writes is one snapshot, with every file that it names', slow, async () => {
  const source = await createDatabase('migrated');
  const voice = await createVoice(source.db);
  const client = await source.pool.connect();
  let isOver = false;
  let written = 0;
  // The file is written before the audio, whose category, tag and playlist item share its transaction.
  const writer = (async () => {
    while (!isOver) {
      const file = await keepFile(source.blobs, `audio/${newId()}.mp3`);
      await source.db.transaction(async (tx) => {
        const category = await createCategory(tx);
        const audio = await createAudio(tx, {
          voiceId: voice.id,
          categoryIds: [category.id],
          tagLabels: [`tag ${written}`],
          ...file,
        });
        await createPlaylist(tx, { audioIds: [audio.id] });
      });
      written += 1;
    }
  })();
  const folder = join(scratch, 'while-writing');
  try {
    while (written < 10) await client.query('select pg_sleep(0.01)');
    await backUp(source, folder);
    const atEnd = written;
    while (written === atEnd) await client.query('select pg_sleep(0.01)');
  } finally {
    isOver = true;
    await writer;
    client.release();
  }

  const target = await createDatabase('bare');
  await restore(target, folder);
  const { rows } = await target.pool.query(
    `select count(*)::int as audios, (select count(*) from audio_categories)::int as categories, (select count(*) from playlist_items)::int as items,
       (select count(*) from audio_counts)::int as counts, (select count(*) from audio_tags)::int as tags from audios`,
  );
  const { audios } = rows[0] as { audios: number };
  expect(audios).toBeGreaterThanOrEqual(10);
  expect(audios).toBeLessThan(written);
  expect(rows[0]).toEqual({ audios, categories: audios, items: audios, counts: audios, tags: audios });
  const { rows: files } = await target.pool.query<{ key: string; bytes: string }>(
    'select file_key as key, file_bytes as bytes from audios',
  );
  for (const { key, bytes } of files)
    expect([key, (await target.blobs.stat(key))?.bytes]).toEqual([key, Number(bytes)]);
});

// TIMES=10 takes a minute.
test(
  'backups during constant writes, replacements and purges are whole, time after time',
  { ...slow, timeout: 600_000 },
  async () => {
    const source = await createDatabase('migrated');
    const { id: voiceId } = await createVoice(source.db);
    const tools = { db: source.db, blobs: source.blobs };
    const client = await source.pool.connect();
    const ids: string[] = [];
    let isOver = false;
    let written = 0;
    const newFile = async () => {
      const [fileKey, content] = [`audio/${newId()}.mp3`, randomBytes(500)];
      await storeFile(tools, { key: fileKey, bytes: 500 }, () => source.blobs.write(fileKey, content));
      return { fileKey, fileBytes: 500 };
    };
    const acts = [
      async () => void ids.push((await createAudio(source.db, { voiceId, ...(await newFile()) })).id),
      async () => {
        const { fileKey } = await newFile();
        await source.pool.query('update audios set file_key = $1 where id = $2', [fileKey, ids.at(-1)]);
      },
      async () =>
        void (await source.pool.query('update audios set image_key = $1 where id = $2', [
          (await newFile()).fileKey,
          ids[0],
        ])),
      async () =>
        void (await source.pool.query('delete from audios where id = $1', [ids.length > 5 ? ids.shift() : null])),
      async () => void (await removeAfterTwoDays(tools)),
    ];
    const writer = (async () => {
      while (!isOver) {
        await acts[written % acts.length]?.();
        written += 1;
        await client.query('select pg_sleep(0.05)');
      }
    })();
    const folder = join(scratch, 'time-after-time');
    try {
      for (let time = 0; time < Number(process.env['TIMES'] ?? 3); time += 1) {
        const from = written;
        while (written < from + 5) await client.query('select pg_sleep(0.01)');
        expect(await backUp(source, folder)).toMatchObject({ missing: 0, missingBlobs: [] });
        const target = await createDatabase('bare');
        await restore(target, folder);
        const { rows } = await target.pool.query<{ key: string }>(
          'select file_key as key from audios union select image_key from audios where image_key is not null',
        );
        expect(rows.length).toBeGreaterThan(0);
        for (const { key } of rows) expect([key, (await target.blobs.stat(key))?.bytes]).toEqual([key, 500]);
      }
    } finally {
      isOver = true;
      await writer;
      client.release();
    }
  },
);

test('a recording that is replaced during a backup is in it, and stays until the next one', slow, async () => {
  const source = await createDatabase('migrated');
  const tools = { db: source.db, blobs: source.blobs };
  const { fileKey } = await keepFile(source.blobs, 'audio/a-former.mp3');
  const audio = await createAudio(source.db, { fileKey });
  await createAudio(source.db, await keepFile(source.blobs, 'audio/b-other.mp3'));
  const folder = join(scratch, 'replaced');
  await backUp(source, folder);
  await createAudio(source.db, await keepFile(source.blobs, 'audio/0-first.mp3'));
  let removed: number | undefined;
  const replacing: Blobs = {
    ...source.blobs,
    // The first file that the backup copies, after its copy of the tables.
    read(...args) {
      const replace = async function* () {
        await source.pool.query(`update audios set file_key = 'audio/c-new.mp3' where id = $1`, [audio.id]);
        removed = await removeAfterTwoDays(tools);
        yield* source.blobs.read(...args);
      };
      return Readable.toWeb(Readable.from(replace())) as ReadableStream<Uint8Array>;
    },
  };
  await createBackup({ url: source.url, blobs: replacing, folder, siteVersion: '1', now: new Date() });
  expect(removed).toBe(0);
  expect((await listFiles(folder)).map(({ key }) => key)).toEqual(['audio/0-first.mp3', fileKey, 'audio/b-other.mp3']);
  await restore(await createDatabase('bare'), folder);
  expect(await removeAfterTwoDays(tools)).toBe(1);
  expect(await backUp(source, folder)).toMatchObject({ missing: 1, missingBlobs: ['audio/c-new.mp3'] });
  expect(existsSync(join(folder, 'blobs', fileKey))).toBe(false);
});

test('a backup of the former format is restored, and the next one continues it', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const folder = join(scratch, 'former');
  await backUp(source, folder);
  const { files: _files, ...manifest } = await readManifest(folder);
  const { tablesFolder, migrations, tables, sequences, missingBlobs, secret } = manifest;
  const former = {
    format: 2,
    createdAt: manifest.createdAt,
    siteVersion: '1',
    tablesFolder,
    migrations,
    tables,
    sequences,
    blobs: (await listFiles(folder)).toReversed(),
    missingBlobs,
    secret,
  };
  const checksum = createHash('sha256').update(JSON.stringify(former)).digest('hex');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ checksum, ...former }));
  rmSync(join(folder, tablesFolder, 'files'));
  const target = await createDatabase('bare');
  await restore(target, folder);
  expect(await rowsOf(target)).toEqual(await rowsOf(source));
  expect(await backUp(source, folder)).toMatchObject({ blobs: 7, copiedBlobs: 0 });
});

/** `FILES=5000000` tries five million. */
const files = Number(process.env['FILES'] ?? 1_000_000);

test(`the list of ${files} files is written and read within 300 MB`, { ...slow, timeout: 300_000 }, async () => {
  const program = `
    import { createWriteStream } from 'node:fs';
    import { Readable } from 'node:stream';
    import { pipeline } from 'node:stream/promises';
    import { listIn, listLines, readFiles } from ${JSON.stringify(new URL('backup-manifest.ts', import.meta.url).href)};
    import { KeySet } from ${JSON.stringify(new URL('key-set.ts', import.meta.url).href)};
    const tablesFolder = 'tables-1';
    const most = ${files};
    async function* files() {
      for (let n = 0; n < most; n += 1) yield { key: 'audio/' + n.toString(16).padStart(20, '0') + '.m4a', bytes: n, sha256: 'a'.repeat(64) };
    }
    await pipeline(Readable.from(listLines(files())), createWriteStream(listIn({ tablesFolder })));
    const keys = new KeySet(most);
    let bytes = 0;
    for await (const file of readFiles('.', { tablesFolder })) { keys.add(file.key); bytes += file.bytes; }
    if (bytes !== most * (most - 1) / 2 || !keys.has('audio/' + (17).toString(16).padStart(20, '0') + '.m4a') || keys.has('audio/x.m4a')) throw new Error('wrong');
    console.log(process.resourceUsage().maxRSS);`;
  const cwd = mkdtempSync(join(scratch, 'list-'));
  mkdirSync(join(cwd, 'tables-1'));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd });
  expect(Number(stdout) / 1024).toBeLessThan(300);
  expect(statSync(join(cwd, listIn({ tablesFolder: 'tables-1' }))).size).toBeGreaterThan(80 * files);
});

test('the next backup into the folder copies only new files and removes deleted ones', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const folder = join(scratch, 'again');
  await backUp(source, folder, new Date('2026-01-01T00:00:00Z'));
  const [kept = '', gone = '', lost = ''] = (await listFiles(folder)).map(({ key }) => key);
  const inode = statSync(join(folder, 'blobs', kept)).ino;
  const { fileKey } = await keepFile(source.blobs, 'audio/new-one.mp3');
  await source.pool.query('update audios set file_key = $1 where file_key = $2', [fileKey, gone]);
  await source.pool.query('update recordings set file_key = $1 where file_key = $2', [fileKey, gone]);
  // Still named, and so kept in the folder when the site has lost it.
  await source.blobs.remove(lost);

  expect(await backUp(source, folder, new Date('2026-01-02T00:00:00Z'))).toMatchObject({
    blobs: 7,
    copiedBlobs: 1,
    missing: 0,
  });
  const second = await readManifest(folder);
  await verifyBackup(folder, second);
  expect(statSync(join(folder, 'blobs', kept)).ino).toBe(inode);
  expect([gone, lost].map((key) => existsSync(join(folder, 'blobs', key)))).toEqual([false, true]);
  expect(readdirSync(folder).toSorted()).toEqual(['blobs', 'manifest.json', second.tablesFolder]);
});

test('remains of interrupted backups are removed after a day', async () => {
  const source = await createDatabase('migrated');
  const folder = join(scratch, 'remains');
  await backUp(source, folder);
  const remains = ['tables-broken', 'manifest.json.new', join('blobs', 'audio', 'half.mp3.part')];
  const write = (name: string, hours: number) => {
    const path = join(folder, `${name}.${hours}`);
    mkdirSync(dirname(path), { recursive: true });
    if (name.startsWith('tables')) mkdirSync(path);
    else writeFileSync(path, 'half');
    const at = new Date(Date.now() - hours * 3_600_000);
    utimesSync(path, at, at);
    return path;
  };
  const [old, young] = [remains.map((name) => write(name, 25)), remains.map((name) => write(name, 23))];
  await backUp(source, folder);
  expect(old.filter((path) => existsSync(path))).toEqual([]);
  expect(young.filter((path) => existsSync(path))).toEqual(young);
});

test('only the owner may read a backup', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const folder = join(scratch, 'private');
  await backUp(source, folder);
  const { tablesFolder } = await readManifest(folder);
  const [first] = await listFiles(folder);
  const modes = [
    '',
    'blobs',
    'blobs/audio',
    tablesFolder,
    `${tablesFolder}/users.copy`,
    `${tablesFolder}/secret`,
    'manifest.json',
    `blobs/${first?.key}`,
  ].map((path) => statSync(join(folder, path)).mode & 0o077);
  expect(modes).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test('a backup holds the generated secret and the id of its site', slow, async () => {
  const source = await createDatabase('migrated');
  await claimDataDir(source.pool, { dataDir: mkdtempSync(join(scratch, 'data-')), databaseUrl: undefined });
  const folder = join(scratch, 'with-secret');
  await backUp(source, folder);
  const manifest = await readManifest(folder);
  expect(await readBackupSecret(folder, manifest)).toBe('the secret of the site');
  expect(await readBackupSiteId(folder, manifest)).toBe(await readSiteId(source.pool));
  writeFileSync(join(folder, manifest.tablesFolder, 'secret'), 'another secret of 22 b');
  await expect(verifyBackup(folder, manifest)).rejects.toThrow('secret was modified');
  // A site that was only started counts as empty.
  const target = await createDatabase('migrated');
  await claimDataDir(target.pool, { dataDir: mkdtempSync(join(scratch, 'data-')), databaseUrl: undefined });
  await backUp(source, folder);
  await restore(target, folder);
  expect(await readSiteId(target.pool)).toBe(await readSiteId(source.pool));
});

test(
  'in its own copy a backup of Admin is complete, and no other keeps the restored site from a new one',
  slow,
  async () => {
    const source = await createDatabase('migrated');
    for (const [name, state] of [
      ['backup-now', 'running'],
      ['backup-other', 'waiting'],
      ['backup-before', 'removed'],
    ])
      await source.pool.query('insert into site_backups (id, folder, state) values ($1, $2, $3)', [
        newId(),
        name,
        state,
      ]);
    await createAudio(source.db, await keepFile(source.blobs, 'audio/one.mp3'));
    const folder = join(scratch, 'backup-now');
    const { rows, blobBytes } = await backUp(source, folder);
    const target = await createDatabase('bare');
    await restore(target, folder);
    const restored = await target.pool.query(
      'select folder, state, row_count::int, file_count, file_bytes::int, finished_at is null as open from site_backups order by folder',
    );
    const none = { row_count: null, file_count: null, file_bytes: null };
    expect(restored.rows).toEqual([
      { folder: 'backup-before', state: 'removed', open: true, ...none },
      { folder: 'backup-now', state: 'done', open: false, row_count: rows, file_count: 1, file_bytes: blobBytes },
      { folder: 'backup-other', state: 'failed', open: false, ...none },
    ]);
  },
);

test('an interrupted backup leaves the previous one intact', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const folder = join(scratch, 'broken-off');
  await backUp(source, folder);
  const before = readFileSync(join(folder, 'manifest.json'), 'utf8');
  await createAudio(source.db, await keepFile(source.blobs, 'audio/unreadable.mp3'));
  const failing: Blobs = {
    ...source.blobs,
    read: () => {
      throw new Error('the disk is gone');
    },
  };
  await expect(
    createBackup({ url: source.url, blobs: failing, folder, siteVersion: '1', now: new Date() }),
  ).rejects.toThrow('the disk is gone');
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe(before);
  const target = await createDatabase('bare');
  await restore(target, folder);
  expect((await target.pool.query('select from audios')).rowCount).toBe(5);
});

test('an interrupted first backup does not count as a backup', async () => {
  const source = await createDatabase('migrated');
  const folder = join(scratch, 'no-backup');
  await expect(
    createBackup({
      url: 'postgres://nobody@127.0.0.1:1/none',
      blobs: source.blobs,
      folder,
      siteVersion: '1',
      now: new Date(),
    }),
  ).rejects.toThrow();
  await expect(readManifest(folder)).rejects.toThrow('holds no finished backup');
});

test('a folder with other content is left alone', async () => {
  const source = await createDatabase('migrated');
  const folder = join(scratch, 'documents');
  mkdirSync(folder);
  writeFileSync(join(folder, 'letter.txt'), 'mine');
  await expect(backUp(source, folder)).rejects.toThrow('holds other things (letter.txt)');
  expect(readdirSync(folder)).toEqual(['letter.txt']);
});

test('a changed, missing or truncated file is found before anything is loaded', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const whole = join(scratch, 'to-damage');
  await backUp(source, whole);
  const { tablesFolder } = await readManifest(whole);
  const [first] = await listFiles(whole);
  const target = await createDatabase('bare');
  const flip = (path: string) => {
    const content = readFileSync(path);
    const at = Math.floor(content.length / 2);
    content.writeUInt8(content.readUInt8(at) ^ 1, at);
    writeFileSync(path, content);
  };
  const blob = `blobs/${first?.key}`;
  const damages: [string, (path: string) => void][] = [
    [`${tablesFolder}/audios.copy`, flip],
    [`${tablesFolder}/files`, flip],
    [blob, flip],
    ['manifest.json', flip],
    [blob, (path) => truncateSync(path, 100)],
    [`${tablesFolder}/users.copy`, (path) => rmSync(path)],
    [blob, (path) => rmSync(path)],
  ];
  for (const [path, damage] of damages) {
    const folder = join(scratch, `damaged-${randomBytes(4).toString('hex')}`);
    cpSync(whole, folder, { recursive: true });
    damage(join(folder, path));
    await expect(restore(target, folder), path).rejects.toThrow(`the backup is damaged: ${path}`);
  }
  expect((await target.pool.query(tableNames)).rowCount).toBe(0);
  expect(await filesOf(target.blobs)).toEqual({});
});

test('a failed restore leaves the database empty and can be repeated', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const folder = join(scratch, 'fails');
  await backUp(source, folder);
  const manifest = await readManifest(folder);
  const table = join(folder, manifest.tablesFolder, 'audio_tags.copy');
  copyFileSync(table, `${scratch}/audio_tags.copy`);
  writeFileSync(table, `${newId()}\t${newId()}\n`.repeat(1));
  const target = await createDatabase('bare');
  // Skips the hash check: invalid rows must be refused too.
  await expect(restoreBackup({ ...target, folder, manifest })).rejects.toThrow(
    'audio_tags has 1 row where the backup has 10',
  );
  manifest.tables.forEach((one) => (one.name === 'audio_tags' ? (one.rows = 1) : undefined));
  await expect(restoreBackup({ ...target, folder, manifest })).rejects.toThrow('foreign key');
  expect((await target.pool.query(tableNames)).rowCount).toBe(0);
  copyFileSync(`${scratch}/audio_tags.copy`, table);
  await restore(target, folder);
  expect(await rowsOf(target)).toEqual(await rowsOf(source));
});

test('an existing site is never overwritten', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const folder = join(scratch, 'not-over');
  await backUp(source, folder);
  const target = await createDatabase('migrated');
  const voice = await createVoice(target.db);
  await expect(restore(target, folder)).rejects.toThrow('there is a site already (voices is not empty)');
  expect((await target.pool.query('select id from voices')).rows).toEqual([{ id: voice.id }]);
  expect(await filesOf(target.blobs)).toEqual({});
});

test('a database with empty tables counts as empty', slow, async () => {
  const source = await createDatabase('migrated');
  await fill(source);
  const folder = join(scratch, 'prepared');
  await backUp(source, folder);
  const target = await createDatabase('migrated');
  await restore(target, folder);
  expect(await rowsOf(target)).toEqual(await rowsOf(source));
  expect(await schemaOf(target)).toEqual(await schemaOf(source));
});

test('a backup of a newer or another schema is refused', async () => {
  const source = await createDatabase('migrated');
  await source.pool.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, 9999999999999)', [
    'a'.repeat(64),
  ]);
  const folder = join(scratch, 'newer');
  await backUp(source, folder);
  const newer = await readManifest(folder);
  expect(() => findMigrations(newer)).toThrow('made by a newer Sotto (1.2.3)');

  await source.pool.query('delete from drizzle.__drizzle_migrations where created_at = 9999999999999');
  await source.pool.query('update drizzle.__drizzle_migrations set hash = $1', ['b'.repeat(64)]);
  await backUp(source, folder);
  const other = await readManifest(folder);
  expect(() => findMigrations(other)).toThrow('another form of the schema step 0001_catalogue');
});

test('a backup of an older schema is loaded and then migrated', slow, async () => {
  // Before the first migration there is only the empty list of migrations.
  const source = await createDatabase('bare');
  const folder = join(scratch, 'older');
  await backUp(source, folder);
  const target = await createDatabase('bare');
  await restore(target, folder);
  await migrateDatabase(target);
  expect((await schemaOf(target)) as object).toEqual(await schemaOf(await createDatabase('migrated')));
  await expect(restore(await createDatabase('migrated'), folder)).rejects.toThrow('a newer schema than the backup');
});

test('every column that names a file is known', async () => {
  const { pool } = await createDatabase('migrated');
  const { rows } = await pool.query<{ column: string }>(
    `select c.table_name || '.' || c.column_name as column from information_schema.columns c
     where c.table_schema = 'public' and c.column_name like '%\\_key' and c.table_name not in ('provider_keys', 'passkeys') order by 1`,
  );
  expect(fileColumns.map(({ table, key }) => `${table}.${key}`).toSorted()).toEqual(rows.map(({ column }) => column));
});
