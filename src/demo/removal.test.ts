/** @module-tag slow */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { comments } from '#domain/community/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUserPlaylist, createViewer } from '#test/support/factories.ts';
import { openTestIdentity } from '#test/support/identity.ts';
import { createDemoAccounts } from './accounts.ts';
import { deleteObjects } from 'stripe-sandbox/delete-objects';
import { removeDemo } from './removal.ts';
import { loadDemo } from './load.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';

const demoDir = fileURLToPath(new URL('../../demo', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'sotto-removal-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const database = await createTestDatabase();
const { db, pool } = database;
const blobs = openDiskBlobs({ dir: join(scratch, 'blobs') });

async function count(table: string, condition = 'true'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where ${condition}`,
  );
  return rows[0]?.count ?? 0;
}

async function namesOfBlobs(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list('')) keys.push(key);
  return keys;
}

test('removing the demo leaves what is real, and is done whole or not at all', { timeout: 180_000 }, async () => {
  expect(await removeDemo({ db, demoDir, isDryRun: false, deletePayments: deleteObjects })).toBeUndefined();
  await loadDemo({ db, blobs, demoDir, now: new Date() });
  const { provider } = await openTestIdentity(database);
  await createDemoAccounts(db, provider);

  const idOf = async (table: string, slug: string): Promise<string> =>
    (await pool.query<{ id: string }>(`select id from ${table} where slug = $1`, [slug])).rows[0]?.id ?? '';
  const demoAudio = await idOf('audios', 'rubaiyat');
  await blobs.write('audio/mine.mp3', new Uint8Array([1, 2, 3]));
  const real = await createAudio(db, { voiceId: await idOf('voices', 'maren-holt'), fileKey: 'audio/mine.mp3' });
  const listener = await createViewer(db, { username: 'realperson' });
  const playlist = await createUserPlaylist(db, { userId: listener.id, audioIds: [demoAudio, real.id] });
  await db.insert(comments).values({ id: newId(), audioId: demoAudio, userId: listener.id, text: 'Lovely.' });
  await pool.query(`update articles set body = 'My own words.' where slug = (select min(slug) from articles)`);
  await pool.query(`update audios set file_key = 'audio/mine.mp3' where slug = 'bright-star'`);

  expect(await count('comments', 'reported_at is not null')).toBe(3);
  // Nobody comments before they have an account, and the log has weeks.
  expect(await count('comments', 'created_at < (select created_at from users where id = user_id)')).toBe(0);
  expect(await count('audit_entries', `created_at < now() - interval '3 weeks'`)).toBeGreaterThan(2);
  expect(await count('audit_entries', `created_at < now() - interval '46 days'`)).toBe(0);
  expect(await count('audio_days', `plays > 0 and listeners is not null`)).toBeGreaterThan(300);
  await pool.query(`insert into audio_days (audio_id, day, plays) values ($1, '2026-01-02', 7)`, [real.id]);
  expect(await count('translations', `language = 'de' and kind = 'category'`)).toBe(24);
  const tables = [
    'audios',
    'voices',
    'users',
    'articles',
    'comments',
    'provider_users',
    'site_settings',
    'facets',
    'tags',
    'translations',
  ];
  const countAll = () => Promise.all(tables.map((table) => count(table)));
  const [before, files] = [await countAll(), await namesOfBlobs()];
  // Its provider would go on charging the card, because the customer's id is erased with the account.
  await pool.query(`
    insert into subscriptions (user_id, subscription_id, status, period, amount, currency, started_at, period_ends_at)
    select id, 'sub_late', 'past-due', 'month', 599, 'usd', now(), now() from users where email = 'listener@sotto.example'`);
  const owing = await removeDemo({ db, demoDir, isDryRun: true, deletePayments: deleteObjects });
  expect(owing?.removed.accounts).toBe(3);
  expect(owing?.kept).toContain('account listener@sotto.example has a subscription; cancel it first');
  await pool.query(`delete from subscriptions where subscription_id = 'sub_late'`);
  const listed = await removeDemo({ db, demoDir, isDryRun: true, deletePayments: deleteObjects });
  expect([await countAll(), await namesOfBlobs()]).toEqual([before, files]);

  const done = await removeDemo({ db, demoDir, isDryRun: false, deletePayments: deleteObjects });
  expect(done).toEqual(listed);
  expect(done).toMatchObject({
    removed: { audios: 89, articles: 13, accounts: 4, users: 10, playlists: 7 },
    otherComments: 1,
    kept: expect.arrayContaining(['audio bright-star has another sound', 'voice maren-holt is still used']) as string[],
  });
  expect((await pool.query('select slug from audios order by slug')).rows).toEqual(
    [{ slug: 'bright-star' }, { slug: real.slug }].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
  );
  // The voice stays, with the figures of only its own audio.
  expect((await pool.query('select day::text, plays from voice_days')).rows).toEqual([{ day: '2026-01-02', plays: 7 }]);
  expect(await count('audio_source_days')).toBe(0);
  expect(await count('users')).toBe(1);
  expect(await count('provider_users')).toBe(0);
  expect(await count('comments')).toBe(0);
  expect(await count('comment_reports')).toBe(0);
  expect(await count('user_playlists')).toBe(1);
  expect((await pool.query('select user_playlist_id as id, audio_id from user_playlist_items')).rows).toEqual([
    { id: playlist.id, audio_id: real.id },
  ]);
  await removeAfterTwoDays({ db, blobs });
  const left = await namesOfBlobs();
  expect(left).toContain('audio/mine.mp3');
  // Covers of bright-star, its voice and category, of maren-holt, and of the article with other words.
  expect(left.length).toBeLessThan(12);
  expect(await count('site_settings', `key in ('demo', 'demo_accounts')`)).toBe(2);

  expect(await loadDemo({ db, blobs, demoDir, now: new Date() })).toBe(false);
  await createDemoAccounts(db, provider);
  expect(await count('users')).toBe(1);
  const again = await removeDemo({ db, demoDir, isDryRun: false, deletePayments: deleteObjects });
  expect(Object.values(again?.removed ?? {}).every((removed) => removed === 0)).toBe(true);
});
