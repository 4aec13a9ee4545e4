import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSession,
  createUserPlaylist,
} from '#test/support/factories.ts';
import { openTestIdentity, registerUser } from '#test/support/identity.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readRows } from '#test/support/read-rows.ts';
import { emptySavedQueue } from '../library/saved-queue.ts';
import { personalData as communityData } from '../community/personal-data.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import { personalData as libraryData } from '../library/personal-data.ts';
import { personalData as listeningData } from '../listening/personal-data.ts';
import { clips } from '../listening/clips/tables.ts';
import { offlineDevices } from '../listening/tables.ts';
import { findCustomerId } from '../membership/customers.ts';
import type { GiftCardForm } from '../membership/forms.ts';
import { giveMonths } from '../membership/entitlement.ts';
import { findOwnAccount } from '../identity/account-changes.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import { LazyRows } from '../kernel/lazy-rows.ts';
import { eraseUser, personalTables } from './personal-data.ts';
import { postbackOf } from '#test/support/payments/payment-harness.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const { provider } = identity;
const plain = openPlainPayments();
const site = await openTestSite(db, provider, plain.provider);
const listeningTables = listeningData.tables;

/** Tables without personal data: catalogue, settings, counts, keys, and short-lived hashes. */
const impersonalTables = [
  'age_proof_requests',
  'article_audios',
  'articles',
  'attempts',
  'audio_categories',
  'audio_counts',
  'audio_days',
  'audio_source_days',
  'audio_drafts',
  'audio_filter_keys',
  'audio_list_keys',
  'audio_list_plays',
  'audio_numbers',
  'audio_tags',
  'audios',
  'bulk_act_items',
  'catalogue_totals',
  'categories',
  'deleted_identities',
  'figure_changes',
  'deleted_series',
  'episode_numbers',
  'facets',
  'feed_import_items',
  'former_article_slugs',
  'former_slugs',
  'former_voice_slugs',
  'hub_pings',
  'imported_audios',
  'kept_playing_days',
  'listened_parts',
  'listened_seconds',
  'late_seconds',
  'look_files',
  'member_imports',
  'moved_in_files',
  'neighbour_counts',
  'neighbour_shards',
  'news_batches',
  'old_paths',
  'own_promo_codes',
  'payment_locks',
  'promo_code_wishes',
  'payout_amounts',
  'payout_corrections',
  'payout_earnings',
  'payout_lines',
  'payout_months',
  'payout_nodes',
  'payout_payments',
  'payout_pools',
  'payout_splits',
  'payout_statements',
  'payout_shares',
  'play_marks',
  'playlist_counts',
  'playlist_voices',
  'playlist_items',
  'playlists',
  'provider_keys',
  'provider_moves',
  'reconciliation_runs',
  'reconciliations',
  'recordings',
  'unmeasured_recordings',
  'recounted_audios',
  'script_timings',
  'search_changes',
  'search_documents',
  'search_feeds',
  'search_leases',
  'search_rebuilds',
  'search_words',
  'series',
  'series_items',
  'site_backups',
  'sign_up_days',
  'sitemap_cuts',
  'site_day_money',
  'site_days',
  'site_settings',
  'translations',
  'site_starts',
  'site_tests',
  'spent_id_tokens',
  'summed_audio_seconds',
  'summed_months',
  'summed_voice_seconds',
  'stored_files',
  'tags',
  'tax_numbers',
  'chapters',
  'transcript_glimpses',
  'transcript_translations',
  'transcripts',
  'upload_locks',
  'unheard_owners',
  'user_playlist_play_marks',
  'voice_counts',
  'voice_days',
  'voices',
];
/** Exported and erased by the provider; waiting mails by the mail gateway, which the provider asks. */
const providerTables = [
  'outgoing_mails',
  'provider_accounts',
  'provider_sessions',
  'provider_users',
  'provider_verifications',
];

async function listTables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The whole database as text. */
async function readEverything(): Promise<string> {
  const parts: string[] = [];
  for (const table of await listTables()) {
    const { rows } = await db.execute<{ row: string }>(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(table)} t`,
    );
    parts.push(...rows.map(({ row }) => `${table} ${row}`));
  }
  return parts.join('\n');
}

/** A row in each listening table, and a saved queue. */
async function listen(userId: string, audio: { id: string; voiceId: string }, reportId: string): Promise<void> {
  const viewer = { kind: 'user', id: userId, isSubscribed: true, isComplete: true } as const;
  await site.listening.saveProgress(userId, audio.id, 5);
  await site.listening.playAudio(viewer, audio.id, '192.0.2.1');
  await site.listening.increaseCounter(viewer, { type: 'listenCounter', key: audio.id });
  const report = { value: 3, reportId };
  await site.listening.increaseCounter(viewer, { type: 'audioListenedSeconds', key: audio.id, ...report });
  await site.listening.increaseCounter(viewer, { type: 'voiceListenedSeconds', key: audio.voiceId, ...report });
  const list = [{ id: audio.id, source: 'queue' }];
  await site.library.saveQueue(userId, [0], { ...emptySavedQueue, list });
  await db
    .insert(clips)
    .values({ id: newId(), audioId: audio.id, recording: newId(), userId, startMs: 0, endMs: 5000 });
  await site.listening.notePlaying({ userId, sessionId: newId(), audioId: audio.id, isPlaying: true });
  const session = await createSession(db, userId);
  await db.insert(offlineDevices).values({ id: newId(), userId, sessionId: session.id });
  for (const table of [...listeningTables, 'saved_queues']) {
    const { rows } = await database.pool.query(`select from ${table} where user_id = $1`, [userId]);
    expect([table, rows.length > 0]).toEqual([table, true]);
  }
}

/** An event with the user's id, after consent. */
async function beCounted(userId: string, subjectId: string): Promise<void> {
  await site.analytics.setConsent(userId, true);
  const viewer = { kind: 'user', id: userId, isSubscribed: true, isComplete: true } as const;
  await site.analytics.recordEvents([{ name: 'share_audio', subjectId }], viewer);
}

/** A row in each table of library and community, by this user and about them. */
async function takePart(userId: string, otherId: string, audio: { id: string; voiceId: string }): Promise<void> {
  const [viewer, other] = [userId, otherId].map(
    (id) => ({ kind: 'user', id, isSubscribed: true, isComplete: true }) as const,
  );
  if (viewer === undefined || other === undefined) throw new Error('two are needed');
  const { library, community } = site;
  const theirs = await createUserPlaylist(db, { userId: otherId });
  const favorites = [
    ['audio', audio.id],
    ['voice', audio.voiceId],
    ['category', (await createCategory(db)).id],
    ['playlist', (await createPlaylist(db)).id],
    ['userPlaylist', theirs.id],
    ['user', otherId],
  ] as const;
  for (const [contentTypeId, id] of favorites)
    expect(await library.setFavorite(viewer, { contentTypeId, id, isFavorite: true })).toMatchObject({ ok: true });
  await library.setTagHidden(userId, 'slow', true);
  const mix = { name: 'Slow', category: null, voice: null, sort: 'recent', hasNews: true } as const;
  expect(await library.createMix(userId, { ...mix, filter: { tag: ['slow'] } })).toMatchObject({ ok: true });
  await library.keepMoment(userId, newId(), { audioId: audio.id, position: 95_000, note: 'Here' });
  await library.setHidden(userId, { kind: 'audio', id: audio.id, isHidden: true });
  await library.setHidden(userId, { kind: 'voice', id: audio.voiceId, isHidden: true });
  const made = await site.feeds.makeFeed(viewer, { kind: 'voice', subject: audio.voiceId });
  if (!made.ok) throw new Error(made.reason);
  await site.feeds.countUse({ feedId: made.id, audioId: audio.id, address: '192.0.2.1' });
  await setVoiceOwner(db, audio.voiceId, userId, true);
  const own = await community.writeComment(viewer, audio.id, { text: `words of ${userId}` });
  const answered = await community.writeComment(other, audio.id, { text: 'asked' });
  if (!own.ok || !answered.ok) throw new Error('nothing was written');
  await community.writeComment(other, audio.id, { text: `an answer to ${own.comment.id}`, parentId: own.comment.id });
  await community.writeComment(viewer, audio.id, { text: `reply of ${userId}`, parentId: answered.comment.id });
  await community.reportComment(viewer, answered.comment.id, { reason: 'other', details: `report of ${userId}` });
  await community.reportComment(other, own.comment.id, { reason: 'spam' });
  const form = { verb: 'keep', note: 'a note', notifiesOwners: false, paysBack: false } as const;
  expect(await site.admin.people.decideReport({ ...viewer, isAdmin: true }, own.comment.id, form)).toMatchObject({
    ok: true,
  });
  expect(await site.admin.people.decideReport({ ...viewer, isAdmin: true }, answered.comment.id, form)).toMatchObject({
    ok: true,
  });
  await community.setBlocked(viewer, otherId, true);
  const owner = { ...viewer, voiceRoles: { [audio.voiceId]: 'owner' } } as const;
  expect(await community.setVoiceBlock(owner, audio.voiceId, otherId, true)).toMatchObject({ ok: true });
  const elsewhere = await createAudio(db);
  expect(await community.setVoiceBlock(operator, elsewhere.voiceId, userId, true)).toMatchObject({ ok: true });
  for (const table of [...communityData.tables, ...libraryData.tables]) {
    if (['held_comments', 'user_playlist_items', 'user_playlist_counts', 'saved_queues'].includes(table)) continue;
    const { rows } = await database.pool.query(`select from ${table} where user_id = $1`, [userId]);
    expect([table, rows.length > 0]).toEqual([table, true]);
  }
}

/** A row in each table of membership. @returns the customer at the provider */
async function subscribe(user: { id: string; email: string }): Promise<string> {
  const order = { period: 'year', promoCode: undefined, withoutTrial: true } as const;
  await site.membership.createSubscription(user.id, { paymentMethodId: plain.newCard('good'), ...order });
  const form = { months: 1, recipientEmail: 'nora@example.org', senderName: `from ${user.email}`, message: undefined };
  const bought = await site.membership.buyGiftCard(user, form as GiftCardForm);
  plain.finish(bought.clientSecret, { cardId: plain.newCard('good') });
  await site.membership.refreshGiftCard(bought.giftCard.id, user.id);
  const customerId = (await findCustomerId(db, user.id)) ?? '';
  const { body, headers } = plain.eventFor({ customerId });
  const [event] = (await site.membership.readEvents('stripe', postbackOf(body, headers))) ?? [];
  if (event === undefined) throw new Error('the event is not believed');
  await site.membership.storeEvent(event);
  await site.membership.settleEvent(event.id);
  return customerId;
}

test('every table either belongs to an area that handles personal data or has none', async () => {
  expect(await listTables()).toEqual([...personalTables, ...providerTables, ...impersonalTables].toSorted());
});

test('after a deletion no trace of the user is left in the database, and others are untouched', async () => {
  const gone = await registerUser(site, identity, {
    email: 'gone@example.org',
    username: 'gone-girl',
    password: 'secret-1',
  });
  const stays = await registerUser(site, identity, {
    email: 'stays@example.org',
    username: 'stays',
    password: 'secret-2',
  });
  const audio = await createAudio(db, { tagLabels: ['slow'] });
  const lists = await Promise.all(
    [gone, stays].map(({ id }) => createUserPlaylist(db, { userId: id, title: `of ${id}`, audioIds: [audio.id] })),
  );
  for (const [index, { id }] of [gone, stays].entries()) {
    await giveMonths(db, id, 3);
    await listen(id, audio, `report-${index}`);
    await beCounted(id, audio.id);
  }
  await takePart(gone.id, stays.id, audio);
  await site.community.setBlocked({ kind: 'user', id: stays.id, isSubscribed: false, isComplete: true }, gone.id, true);
  const [customerId, otherCustomerId] = [await subscribe(gone), await subscribe(stays)];
  const account = await findOwnAccount(db, provider, gone.id);
  const before = await readEverything();
  for (const trace of [gone.id, 'gone@example.org', 'gone-girl', account.subject, customerId])
    expect(before).toContain(trace);

  const exported = JSON.stringify(await readRows(await site.identity.exportUser(gone.id)));
  for (const trace of [gone.id, 'gone@example.org', 'gone-girl', lists[0]?.title ?? '', audio.title, customerId])
    expect(exported).toContain(trace);
  expect(exported).toMatch(/"consentGivenAt":"20/);
  expect(exported).toContain('"name":"share_audio"');
  expect(exported).toContain('"podcast-feeds":[{');
  for (const trace of ['report-0', `words of ${gone.id}`, `reply of ${gone.id}`, `report of ${gone.id}`, 'slow'])
    expect(exported).toContain(trace);
  // These users' favorites and blocks are part of their own data.
  expect(exported.replaceAll(/"name":"stays"|"username":"stays"/g, '')).not.toContain('stays');
  expect(exported).not.toContain('an answer to');
  expect(exported).not.toMatch(/argon2|token/i);

  expect(await site.identity.deleteAccount(gone.id, { password: 'wrong' })).toMatchObject({
    ok: false,
    reason: 'auth/wrong-password',
  });
  expect(await site.identity.findMe(gone.id)).toBeDefined();
  expect(await site.identity.deleteAccount(gone.id, { password: 'secret-1' })).toEqual({ ok: true });

  // The log keeps the name of who did an operator's act.
  const after = (await readEverything()).replaceAll('"actor_name": "gone-girl"', '');
  for (const trace of [gone.id, 'gone@example.org', 'gone-girl', account.subject, lists[0]?.id ?? '', customerId])
    expect(after).not.toContain(trace);
  for (const trace of [stays.id, 'stays@example.org', lists[1]?.id ?? '', otherCustomerId, 'an answer to'])
    expect(after).toContain(trace);
  expect(await site.catalogue.findAudio(audio.id)).toMatchObject({ totalComments: 2, totalFavorite: 0 });
  expect(await site.identity.findSession(gone.token)).toBeUndefined();
  expect(await site.identity.findSession(stays.token)).toBeDefined();
});

test('writing a comment and deleting its author do not deadlock', async () => {
  const user = await registerUser(site, identity);
  const audio = await createAudio(db);
  const viewer = { kind: 'user', id: user.id, isSubscribed: false, isComplete: true } as const;
  const written = await site.community.writeComment(viewer, audio.id, { text: 'First.' });
  const id = written.ok ? written.comment.id : '';
  let erasing: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${user.id} for no key update`);
    erasing = eraseUser(db, user.id);
    await vi.waitFor(async () => {
      const { rows } = await db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows.length).toBe(1);
    });
    // The deletion waits for the user's row and holds nothing that the comment needs next.
    await tx.execute(sql`select from comments where id = ${id} for update nowait`);
  });
  await erasing;
  expect(await site.identity.findMe(user.id)).toBeUndefined();
});

test('each list of an export is read page by page, but for those that the site keeps short', async () => {
  const user = await registerUser(site, identity, {});
  const lists: string[] = [];
  const find = (value: unknown, name: string) => {
    if (Array.isArray(value)) lists.push(name);
    else if (typeof value === 'object' && value !== null && !(value instanceof LazyRows))
      for (const [key, own] of Object.entries(value)) find(own, `${name}/${key}`);
  };
  find(await site.identity.exportUser(user.id), '');
  expect(lists.toSorted()).toEqual([
    '/hidden-tags',
    '/membership/formerCustomers',
    '/mixes',
    '/news/browsers',
    '/news/mutedCreators',
    '/news/preferences/mutedKinds',
    '/news/series',
    '/podcast-feeds',
    '/sign-in/signInMethods',
  ]);
});
