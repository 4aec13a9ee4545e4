import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { getConstructionPlans } from 'pg-boss';
import type { Database } from '#db/database.ts';
import { listArticles } from '#domain/admin/texts/article-list.ts';
import { listAudios } from '#domain/admin/content/audio-list.ts';
import { listOpenBulkActs } from '#domain/admin/content/bulk-acts.ts';
import { listCategories, listCategoryChoices } from '#domain/admin/content/categories.ts';
import { findAnything } from '#domain/admin/find-anything.ts';
import { listGiftCards } from '#domain/admin/money/gift-cards.ts';
import { findListableAudios, listPlaylists } from '#domain/admin/content/house-playlists.ts';
import { listLogAreas, listLogEntries } from '#domain/admin/site/log.ts';
import { findRailChoices } from '#domain/admin/site/look.ts';
import { countUploads } from '#domain/admin/content/uploads.ts';
import { findOverview } from '#domain/admin/site/overview.ts';
import { listPaymentEvents } from '#domain/admin/money/payment-events.ts';
import { findPayouts, listPayoutMonths } from '#domain/admin/money/payouts.ts';
import { countOpenReports, findReport, listDecisions, listOpenReports } from '#domain/admin/people/report-queue.ts';
import { listSeries } from '#domain/admin/content/series.ts';
import { addUpSite } from '#domain/admin/site/site-days.ts';
import { sumLedger } from '#domain/admin/money/sum-ledger.ts';
import { listSubscriptions } from '#domain/admin/money/subscriptions.ts';
import { listPromoCodes } from '#domain/admin/money/promo-codes.ts';
import { findTagChoices, listTags } from '#domain/admin/content/tags.ts';
import { listUsers } from '#domain/admin/people/users.ts';
import { findVoiceChoices, hasVoices, listVoices } from '#domain/admin/content/voices.ts';
import { eventStates, giftCardStates, subscriptionFilters } from '#domain/admin/rules.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { MembershipParts } from '#domain/membership/customers.ts';
import type { PromoCode } from '#domain/membership/payment-provider.ts';
import { openOutbox } from '#gateways/mail-outbox.ts';
import { listJobs, listUnfinishedJobs } from '../src/jobs/job-records.ts';
import { jobsSchema } from '../src/jobs/open-jobs.ts';
import { type Figure, atMost, median, quantile } from './figures.ts';
import { type Sizes, idSql, kinds, millionId, sizesOf, someWords, spread, withMillion } from './million-database.ts';

const limit = 24;
const rounds = 15;
const maxMs = 50;
const promoCodes = 1000;

const maxRows = Number(process.env.ADMIN_ROWS ?? 1_000_000);

/** `ADMIN_ROWS` rows in every table of Admin; no listening data, which Admin does not read. */
function adminSizes(part: number): Sizes {
  const rows = Math.max(400, Math.round(maxRows * part));
  const none = { favorites: 0, history: 0, comments: 0, userPlaylists: 0, userPlaylistItems: 0 };
  // The site's playlists are ordered by hand: up to a thousand.
  const few = { playlists: Math.min(1000, rows) };
  return {
    ...sizesOf(part),
    audios: rows,
    users: rows,
    voices: rows / 5,
    series: rows / 5,
    tags: rows / 5,
    ...none,
    ...few,
  };
}

const time = (n: string) => `timestamptz '2026-11-01' - ${n} * interval '1 minute'`;

function moreRows({ users, tags, voices, series }: Sizes): Record<string, string> {
  const { user, comment } = kinds;
  const rows = `generate_series(0, ${users - 1}) n`;
  const words = (kind: number, count: number) =>
    `(select ${idSql(kind, 'n')} as id, ${someWords('n')} as words from generate_series(0, ${count - 1}) n) w`;
  return {
    'words of voices': `update voices set sort_name = sort_name || ' ' || w.words from ${words(kinds.voice, voices)} where w.id = voices.id`,
    'words of series': `update series set sort_title = sort_title || ' ' || w.words from ${words(kinds.series, series)} where w.id = series.id`,
    'words of tags': `update tags set slug = slug || '-' || replace(w.words, ' ', '-') from ${words(kinds.tag, tags)} where w.id = tags.id`,
    // Computed by a job; may take longer than a page's query.
    'totals of voices': `insert into catalogue_totals (kind, subject_id, audios, duration_ms, plays) select 'voice', voice_id, count(*), sum(duration_ms), 0 from audios group by voice_id`,
    'totals of categories': `insert into catalogue_totals (kind, subject_id, audios, duration_ms, plays) select 'category', category_id, count(*), 0, 0 from audio_categories group by category_id`,
    'totals of tags': `insert into catalogue_totals (kind, subject_id, audios, duration_ms, plays) select 'tag', tag_id, count(*), 0, 0 from audio_tags group by tag_id`,
    articles: `insert into articles (id, slug, title, sort_title, body, topic, read_time, published_at, updated_at)
      select ${idSql(20, 'n')}, 'article-' || n, 'Article ' || n, 'article ' || n || ' ' || ${someWords('n')}, 'A text.', 'wellness', 60, ${time('n')}, ${time('n')} from ${rows}`,
    subscriptions: `insert into subscriptions (user_id, subscription_id, status, period, amount, currency, started_at, period_ends_at)
      select ${idSql(user, 'n')}, 'sub_' || n, case n % 50 when 0 then 'past-due' when 1 then 'trialing' else 'active' end, 'month', 799, 'usd', ${time('n')}, timestamptz '2027-01-01' from ${rows}`,
    gift_cards: `insert into gift_cards (id, months, amount, currency, buyer_id, buyer_email, recipient_email, deliver_at, paid_at, code_ending)
      select ${idSql(21, 'n')}, 3, 2199, 'usd', ${idSql(user, 'n')}, 'user' || n || '@example.org', 'to' || n || '@example.org', ${time('n')}, ${time('n')}, lpad(to_hex(n), 6, '0') from ${rows}`,
    payment_events: `insert into payment_events (event_id, type, customer_id, created_at, received_at, status)
      select 'evt_' || lpad(n::text, 10, '0'), case n % 3 when 0 then 'invoice.paid' else 'customer.subscription.updated' end, 'cus_' || lpad(n::text, 10, '0'), ${time('n')}, ${time('n')}, case n % 1000 when 0 then 'failed' else 'done' end from ${rows}`,
    audit_entries: `insert into audit_entries (id, created_at, actor_id, actor_role, action, subject_type, subject_id, subject_name)
      select ${idSql(22, 'n')}, ${time('n')}, ${idSql(user, 'n % 5')}, 'admin', case n % 100 when 0 then 'voice.edit' else 'audio.edit' end, 'audio', ${idSql(kinds.audio, 'n')}::text, 'Audio ' || n || ' ' || ${someWords('n')} from ${rows}`,
    reports: `insert into comments (id, audio_id, user_id, text, created_at, reported_at) select ${idSql(comment, 'n')}, ${idSql(kinds.audio, 'n')}, ${idSql(user, 'n')}, 'A comment.', ${time('n')}, ${time('n')} from ${rows}`,
    comment_reports: `insert into comment_reports (comment_id, user_id, reason) select ${idSql(comment, 'n')}, ${idSql(user, spread('n', 30, users))}, 'spam' from ${rows}`,
    comment_decisions: `insert into comment_decisions (id, comment_id, user_id, audio_id, text, verb, held_before, created_at) select ${idSql(23, 'n')}, ${idSql(comment, 'n')}, ${idSql(user, 'n')}, ${idSql(kinds.audio, 'n')}, 'A comment.', 'keep', false, ${time('n')} from ${rows}`,
    discounts: `update subscriptions set discount = jsonb_build_object('code', 'CODE' || regexp_replace(subscription_id, '\\D', '', 'g')::int / 10 % ${promoCodes}) where subscription_id like '%0'`,
    'tables of jobs': getConstructionPlans(jobsSchema),
    queues: `insert into ${jobsSchema}.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds, deletion_seconds, partition, table_name)
      select 'job-' || n, 'standard', 2, 0, false, 900, 1209600, 604800, false, 'job_common' from generate_series(0, 19) n`,
    // Nearly all are done and wait for their deletion; few need attention.
    jobs: `insert into ${jobsSchema}.job (name, state, created_on, started_on, completed_on)
      select 'job-' || n % 20, (case when n % 2000 = 0 then 'failed' when n % 1000 = 1 then 'created' else 'completed' end)::${jobsSchema}.job_state,
        ${time('n')}, ${time('n')}, case n % 1000 when 1 then null else ${time('n')} end from ${rows}`,
    listened_seconds: `insert into listened_seconds (day, audio_id, voice_id, milliseconds)
      select timestamptz '2026-10-01 00:00Z' + n % 31 * interval '1 day', ${idSql(kinds.audio, 'n / 31')}, ${idSql(kinds.voice, spread('n / 31', 31, Math.min(2000, voices)))}, 60000 from ${rows}`,
    // Noted by a trigger, which is off meanwhile.
    late_seconds: `insert into late_seconds select day, voice_id, audio_id, milliseconds, free_ms, trial_ms from listened_seconds`,
    outgoing_mails: `insert into outgoing_mails (id, sender, recipient, message, kept_at) select ${idSql(24, 'n')}, 'site', 'user' || n, '', ${time('n')} from ${rows}`,
  };
}

/** The provider lists all codes at once; the site counts the subscriptions of one page of them. */
const codes: PromoCode[] = Array.from({ length: promoCodes }, (_, n) => ({
  id: `promo_${n}`,
  code: `CODE${n}`,
  discount: { percentOff: 20, amountOff: null, duration: 'once' },
  months: undefined,
  currency: undefined,
  amounts: {},
  minimumAmount: undefined,
  isFirstTimeOnly: false,
  isActive: true,
  expiresAt: undefined,
  maxRedemptions: undefined,
  redemptions: n,
}));
const membershipOf = (db: Db) =>
  ({ db, payments: { listPromoCodes: async () => codes } }) as unknown as MembershipParts;

type Read = { name: string; ask: (db: Db, pool: Database['pool']) => Promise<unknown> };
const page = { limit };
/** A word in a twentieth of all rows, two of them, a rare one, and one without matches. */
const searches = {
  'a common word': 'common7',
  'two common words': 'common7 some1',
  'a rare word': 'word77',
  nothing: 'zzz',
};

function searched(table: string, ask: (db: Db, q: string) => Promise<unknown>): Read[] {
  return Object.entries(searches).map(([name, q]) => ({ name: `${table}, ${name}`, ask: (db) => ask(db, q) }));
}

/** `ADMIN_ONLY=log` measures only the reads with that in their name. */
const only = process.env.ADMIN_ONLY ?? '';

const reads: Read[] = [
  ...(['changed', 'plays', 'title', 'longest'] as const).map((sort) => ({
    name: `audios by ${sort}`,
    ask: (db: Db) => listAudios(db, operator, { sort, limit }),
  })),
  ...(['published', 'scheduled', 'draft', 'unpublished', 'deleted'] as const).map((state) => ({
    name: `audios, ${state}`,
    ask: (db: Db) => listAudios(db, operator, { state, limit }),
  })),
  {
    name: 'audios, the next page',
    ask: (db) => secondPage((after) => listAudios(db, operator, { after, limit })),
  },
  { name: 'audios of a category', ask: (db) => listAudios(db, operator, { category: 'category-9', limit }) },
  { name: 'audios of a tag', ask: (db) => listAudios(db, operator, { tag: 'tag-0', limit }) },
  {
    name: 'audios of a category, longest',
    ask: (db) => listAudios(db, operator, { category: 'category-9', sort: 'longest', limit }),
  },
  { name: 'audios, for subscribers', ask: (db) => listAudios(db, operator, { access: 'subscribers', limit }) },
  { name: 'audios, not measured', ask: (db) => listAudios(db, operator, { problem: 'not-measured', limit }) },
  { name: 'audios, with changes', ask: (db) => listAudios(db, operator, { problem: 'changes', limit }) },
  { name: 'audios, changed in a week', ask: (db) => listAudios(db, operator, { changed: 7, limit }) },
  {
    name: 'audios of a voice, free, with a word',
    ask: (db) => listAudios(db, operator, { voice: 'voice-0', access: 'free', q: 'common7', limit }),
  },
  {
    name: 'audios of a category with a tag',
    ask: (db) => listAudios(db, operator, { category: 'category-9', tag: 'tag-0', limit }),
  },
  {
    name: 'audios of a voice with a tag, A–Z',
    ask: (db) => listAudios(db, operator, { voice: 'voice-0', tag: 'tag-0', sort: 'title', limit }),
  },
  {
    name: 'audios of a voice, drafts',
    ask: (db) => listAudios(db, operator, { voice: 'voice-0', state: 'draft', limit }),
  },
  { name: 'audios, free', ask: (db) => listAudios(db, operator, { access: 'free', limit }) },
  { name: 'audios, without a cover', ask: (db) => listAudios(db, operator, { problem: 'no-cover', limit }) },
  { name: 'audios of a voice', ask: (db) => listAudios(db, operator, { voice: 'voice-0', limit }) },
  { name: 'audios, all words', ask: (db) => listAudios(db, operator, { q: 'audio', limit }) },
  ...searched('audios', (db, q) => listAudios(db, operator, { q, limit })),
  { name: 'voices', ask: (db) => listVoices(db, operator, page) },
  { name: 'voices, hidden', ask: (db) => listVoices(db, operator, { state: 'hidden', limit }) },
  ...searched('voices', (db, q) => listVoices(db, operator, { q, limit })),
  { name: 'users', ask: (db) => listUsers(db, operator, {}, page) },
  ...(['admins', 'creators', 'suspended', 'deleting'] as const).map((filter) => ({
    name: `users, ${filter}`,
    ask: (db: Db) => listUsers(db, operator, { filter }, page),
  })),
  { name: 'users, a search', ask: (db) => listUsers(db, operator, { query: 'user77' }, page) },
  { name: 'users, a search that finds all', ask: (db) => listUsers(db, operator, { query: 'user' }, page) },
  {
    name: 'users, a search among creators',
    ask: (db) => listUsers(db, operator, { query: 'user', filter: 'creators' }, page),
  },
  { name: 'users, an email', ask: (db) => listUsers(db, operator, { query: 'user77@example.org' }, page) },
  { name: 'users, nobody', ask: (db) => listUsers(db, operator, { query: 'zzz' }, page) },
  ...(['changed', 'published', 'title'] as const).map((sort) => ({
    name: `articles by ${sort}`,
    ask: (db: Db) => listArticles(db, operator, { sort, limit }),
  })),
  { name: 'articles, drafts', ask: (db) => listArticles(db, operator, { state: 'draft', limit }) },
  { name: 'articles of a topic', ask: (db) => listArticles(db, operator, { topic: 'culture', limit }) },
  ...searched('articles', (db, q) => listArticles(db, operator, { q, limit })),
  { name: 'series', ask: (db) => listSeries(db, operator, page) },
  { name: 'series, hidden', ask: (db) => listSeries(db, operator, { hidden: true, limit }) },
  ...searched('series', (db, q) => listSeries(db, operator, { q, limit })),
  { name: 'playlists', ask: (db) => listPlaylists(db, operator) },
  { name: 'tags', ask: (db) => listTags(db, operator, page) },
  ...searched('tags', (db, q) => listTags(db, operator, { q, limit })),
  { name: 'gift cards', ask: (db) => listGiftCards(db, operator, {}, page) },
  ...giftCardStates.map((state) => ({
    name: `gift cards, ${state}`,
    ask: (db: Db) => listGiftCards(db, operator, { state }, page),
  })),
  { name: 'gift cards, a search that finds all', ask: (db) => listGiftCards(db, operator, { q: 'to' }, page) },
  { name: 'gift cards, none', ask: (db) => listGiftCards(db, operator, { q: 'zzz' }, page) },
  { name: 'gift cards, a search', ask: (db) => listGiftCards(db, operator, { q: 'to77' }, page) },
  { name: 'subscriptions', ask: (db) => listSubscriptions(db, operator, {}, page) },
  ...subscriptionFilters.map((state) => ({
    name: `subscriptions, ${state}`,
    ask: (db: Db) => listSubscriptions(db, operator, { state }, page),
  })),
  { name: 'subscriptions, a search that finds all', ask: (db) => listSubscriptions(db, operator, { q: 'user' }, page) },
  { name: 'subscriptions, none', ask: (db) => listSubscriptions(db, operator, { q: 'zzz' }, page) },
  { name: 'subscriptions, a search', ask: (db) => listSubscriptions(db, operator, { q: 'user77' }, page) },
  { name: 'webhook events', ask: (db) => listPaymentEvents(db, operator, {}, page) },
  ...eventStates.map((state) => ({
    name: `webhook events, ${state}`,
    ask: (db: Db) => listPaymentEvents(db, operator, { state }, page),
  })),
  { name: 'webhook events of a customer', ask: (db) => listPaymentEvents(db, operator, { q: 'cus_0000000077' }, page) },
  { name: 'webhook events, none', ask: (db) => listPaymentEvents(db, operator, { q: 'zzz' }, page) },
  { name: 'webhook events, a search', ask: (db) => listPaymentEvents(db, operator, { q: 'invoice' }, page) },
  { name: 'log', ask: (db) => listLogEntries(db, operator, {}, page) },
  { name: 'log of an area', ask: (db) => listLogEntries(db, operator, { area: 'tag' }, page) },
  { name: 'log of a user', ask: (db) => listLogEntries(db, operator, { who: 'user3' }, page) },
  { name: 'log of nobody', ask: (db) => listLogEntries(db, operator, { who: 'user77' }, page) },
  { name: 'log of the command line', ask: (db) => listLogEntries(db, operator, { by: 'operator' }, page) },
  { name: 'log of people in a week', ask: (db) => listLogEntries(db, operator, { by: 'people', days: 7 }, page) },
  { name: 'log of a voice', ask: (db) => listLogEntries(db, operator, { voice: 'voice-0' }, page) },
  {
    name: 'log of an area and a user',
    ask: (db) => listLogEntries(db, operator, { area: 'voice', who: 'user3' }, page),
  },
  { name: 'areas of the log', ask: (db) => listLogAreas(db, operator) },
  ...searched('log', (db, q) => listLogEntries(db, operator, { q }, page)),
  { name: 'log, users', ask: (db) => listLogEntries(db, operator, { q: 'user3' }, page) },
  { name: 'log, an act', ask: (db) => listLogEntries(db, operator, { q: 'edited' }, page) },
  { name: 'reports', ask: (db) => listOpenReports(db, operator, page) },
  {
    name: 'a report',
    ask: (db) => findReport({ db, isSubscribed: async () => false }, operator, millionId(kinds.comment, 7)),
  },
  { name: 'count of reports', ask: (db) => countOpenReports(db) },
  { name: 'decisions', ask: (db) => listDecisions(db, operator, page) },
  { name: 'promo codes', ask: (db) => listPromoCodes(membershipOf(db), operator) },
  { name: 'promo codes, a search', ask: (db) => listPromoCodes(membershipOf(db), operator, { q: 'code77' }) },
  { name: 'months of payouts', ask: (db) => listPayoutMonths(db, operator) },
  { name: 'payouts of a month', ask: (db) => findPayouts(db, operator, '2026-10') },
  { name: 'jobs', ask: (_db, pool) => listJobs(pool) },
  { name: 'jobs that are not done', ask: (_db, pool) => listUnfinishedJobs(pool) },
  { name: 'mails', ask: (db) => openOutbox(db, undefined).list(100) },
  { name: 'count of mails', ask: (db) => openOutbox(db, undefined).count() },
  { name: 'categories', ask: (db) => listCategories(db, operator) },
  { name: 'categories to choose from', ask: (db) => listCategoryChoices(db, operator) },
  { name: 'tags to merge into', ask: (db) => findTagChoices(db, operator, 'common7 some1', 10) },
  { name: 'creators to merge into', ask: (db) => findVoiceChoices(db, operator, 'common7 some1', 10) },
  { name: 'whether there are creators', ask: (db) => hasVoices(db, operator) },
  { name: 'rails to choose from', ask: (db) => findRailChoices(db, operator) },
  { name: 'audios to add to a playlist', ask: (db) => findListableAudios(db, operator, 'common7 some1', 10) },
  { name: 'bulk acts', ask: (db) => listOpenBulkActs(db, operator) },
  { name: 'count of uploads', ask: (db) => countUploads(db, operator) },
  { name: 'overview', ask: (db) => findOverview({ db }, operator) },
  { name: 'search of everything', ask: (db) => findAnything(db, operator, 'user77') },
];

/** Like the jobs; on a busy machine they take longer than a page's query may. */
async function addUp(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const db = drizzle({ client, casing: 'snake_case' });
    await addUpSite(db);
    await sumLedger(db);
    // As many as may come in the minute until the job runs again.
    await client.query(`
      update listened_seconds set milliseconds = milliseconds + 1
      where (day, audio_id, voice_id) in (select day, audio_id, voice_id from listened_seconds limit 250)`);
  } finally {
    await client.end();
  }
}

async function secondPage(load: (after?: string) => Promise<{ olderCursor: string | undefined }>): Promise<void> {
  await load((await load()).olderCursor);
}

async function timed({ db, pool }: Database, ask: Read['ask']): Promise<number> {
  const begin = performance.now();
  await ask(db, pool);
  return performance.now() - begin;
}

/** First page, filters and searches of Admin's tables with a million rows each, beside tables of the demo's size. */
export async function benchAdmin(): Promise<Figure[]> {
  return withMillion(
    async (small, large, { large: largeUrl }) => {
      await addUp(largeUrl);
      const figures: Figure[] = [];
      const all: number[] = [];
      for (const { name, ask } of reads.filter((read) => read.name.includes(only))) {
        const times = { small: [] as number[], large: [] as number[] };
        for (let round = 0; round < rounds; round += 1) {
          times.small.push(await timed(small, ask));
          times.large.push(await timed(large, ask));
        }
        const [before, now] = [median(times.small), median(times.large)];
        all.push(...times.large.slice(2));
        figures.push({
          name: `Admin: ${name}`,
          value: `${now.toFixed(1)} ms (${(now / before).toFixed(1)}×)`,
          limit: `≤ ${maxMs} ms`,
          ok: now <= maxMs,
        });
      }
      return [...figures, atMost('Admin: all tables, p99', quantile(all, 0.99), 150, 'ms')];
    },
    { name: 'admin', sizes: adminSizes, more: moreRows },
  );
}
