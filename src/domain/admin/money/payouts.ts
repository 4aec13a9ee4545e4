import { createHash } from 'node:crypto';
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { i18n } from '#i18n';
import { imageUrl } from '../../catalogue/audios.ts';
import { voices } from '../../catalogue/tables.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { findMembershipSettings } from '../../membership/settings.ts';
import { findSetting } from '../../settings/change-setting.ts';
import type { Setting } from '../../settings/setting.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { addToMonth, isMonth, lockableFrom, maxTermDays, shareOut } from '../rules.ts';
import { payoutAmounts, payoutMonths, payoutShares } from '../tables.ts';
import { boundsOf, countedSql } from './ledger-sums.ts';

/**
 * Payments to creators for a month: seconds heard of each voice, its share of the pool, and the amount. An open month
 * is computed at each read from the sums of the ledger; a locked month keeps the stored values.
 */

/** The kinds of listening that are paid for. Listening without a subscription never is. */
export const payoutSetting = {
  key: 'payouts',
  schema: z.object({ countsTrials: z.boolean().default(true) }),
} satisfies Setting;

/** Days from the lock of a month until it is paid, which its statements name. */
export const payoutTermSetting = {
  key: 'payout-term',
  schema: z.object({ days: z.number().int().min(0).max(maxTermDays).default(30) }),
} satisfies Setting;

type Heard = {
  voice: { id: string; name: string; slug: string; imageUrl: string | null };
  /** Audios that were heard. */
  audios: number;
  milliseconds: number;
};

/** `amount`: of the month's own pool; null until it is entered. `amounts`: of the pools that are entered in further currencies. */
type Share = Heard & { amount: number | null; amounts: Record<string, number> };

/** `before`: milliseconds in the month before; null: not heard then. */
export type PayoutShare = Share & { before: number | null };

/** A further currency of a month. `hasIncome`: paid in that month, so that locking needs a pool, which may be 0. */
export type FurtherPool = { currency: string; pool: number | null; hasIncome: boolean };

export type Payouts = Awaited<ReturnType<typeof readPayouts>>;

/** Months with listening or a pool, newest first, and the current one; at most 120. */
export async function listPayoutMonths(
  db: Db,
  actor: Actor,
  now: Date = new Date(),
): Promise<{ month: string; isLocked: boolean }[]> {
  administratorsOnly(actor);
  const current = now.toISOString().slice(0, 7);
  const { rows } = await db.execute<{ month: string; locked: boolean }>(sql`
    with recursive heard as (
      (select to_char(day at time zone 'UTC', 'YYYY-MM') as month from listened_seconds order by day desc limit 1)
      union all
      -- One step of the index per month, not all rows.
      select (select to_char(l.day at time zone 'UTC', 'YYYY-MM') from listened_seconds l
        where l.day < (heard.month || '-01')::timestamp at time zone 'UTC' order by l.day desc limit 1)
      from heard where heard.month is not null
    )
    select month, coalesce(bool_or(locked), false) as locked from (
      select month, null::boolean as locked from heard where month is not null
      union all select to_char(month, 'YYYY-MM'), locked_at is not null from payout_months
      union all select ${current}::text, null
    ) m group by month order by month desc limit 120`);
  return rows.map(({ month, locked }) => ({ month, isLocked: locked }));
}

/** @returns undefined for an invalid or future month */
export async function findPayouts(
  db: Db,
  actor: Actor,
  month: string,
  now: Date = new Date(),
): Promise<Payouts | undefined> {
  administratorsOnly(actor);
  if (!isMonth(month) || month > now.toISOString().slice(0, 7)) return undefined;
  // One snapshot, because a month may be locked meanwhile.
  return db.transaction((tx) => readPayouts(tx, month), { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

/** The caller has checked the right and the month. */
export async function readPayouts(db: Db, month: string) {
  const [row] = await db
    .select()
    .from(payoutMonths)
    .where(eq(payoutMonths.month, `${month}-01`));
  const { value: setting, revision: settingRevision } = await findSetting(db, payoutSetting);
  const currency = row?.currency ?? (await findMembershipSettings(db)).currency;
  const countsTrials = row?.countsTrials ?? setting.countsTrials;
  const lockedAt = row?.lockedAt ?? null;
  const further = await readFurtherPools(db, month, { currency, isLocked: lockedAt !== null });
  const locked = lockedAt === null ? null : { at: lockedAt, by: await findLocker(db, month) };
  const ledger = locked === null ? await readLedger(db, month, countsTrials) : undefined;
  const pool = row?.pool ?? null;
  const shares = ledger === undefined ? await readLocked(db, month) : divide(ledger.heard, pool, further);
  const earlier = await readEarlier(db, addToMonth(month, -1), setting.countsTrials);
  return {
    /** `2026-10` */
    month,
    /** Most heard first. */
    shares: shares.map((share): PayoutShare => ({ ...share, before: earlier.get(share.voice.id) ?? null })),
    milliseconds: shares.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    /** All creators together, in the month before. */
    before: [...earlier.values()].reduce((sum, milliseconds) => sum + milliseconds, 0),
    /** Milliseconds that are not paid for; null once the month is locked. */
    notCounted: ledger?.notCounted ?? null,
    pool,
    currency,
    /** By code: what was paid in that month, what has a pool, and while the month is open what is offered. */
    further,
    countsTrials,
    /** The pool’s: when two operators enter it at once, one gets a conflict. 0: not entered yet. */
    revision: row?.revision ?? 0,
    /** The revision of the setting `countsTrials`. */
    settingRevision,
    /** Published hash of a locked month (`month-tree.ts`); null: open, or locked by a former version. */
    root: row?.root ?? null,
    /** Covers everything that locking the month stores. */
    checksum: row?.checksum ?? checksumOf({ month, pool, currency, further, countsTrials, shares }),
    lockableFrom: lockableFrom(month),
    locked,
  };
}

/** The month's sums, and the changes of its ledger since the job has added to them. */
async function readLedger(
  db: Db,
  month: string,
  countsTrials: boolean,
): Promise<{ heard: Heard[]; notCounted: { free: number; trial: number } }> {
  const first = `${month}-01`;
  const { start, end } = boundsOf(month);
  const counted = (column: string) => countedSql(column, countsTrials);
  const { rows } = await db.execute<{
    id: string;
    name: string | null;
    slug: string | null;
    image: string | null;
    audios: number;
    counted: number;
    free: number;
    trial: number;
  }>(sql`
    with unsummed as (
      select voice_id, audio_id, sum(milliseconds) as milliseconds, sum(free_ms) as free_ms, sum(trial_ms) as trial_ms
      from late_seconds where day >= ${start} and day < ${end} group by voice_id, audio_id
    ),
    heard as (
      select voice_id, milliseconds, free_ms, trial_ms,
        ${sql.raw(countsTrials ? 'audios' : 'audios_without_trials')} as audios
      from summed_voice_seconds where month = ${first}
      union all
      select u.voice_id, u.milliseconds, u.free_ms, u.trial_ms,
        (${counted('u')} + coalesce(${counted('s')}, 0) > 0)::int - (coalesce(${counted('s')}, 0) > 0)::int
      -- Found by index for each change, also where statistics say that there are many changes.
      from unsummed u left join lateral (
        select milliseconds, free_ms, trial_ms from summed_audio_seconds
        where month = ${first} and voice_id = u.voice_id and audio_id = u.audio_id offset 0) s on true
    )
    select h.*, v.name, v.slug, v.image_key as image from (
      select voice_id as id, sum(audios)::int as audios, sum(${counted('heard')})::float8 as counted,
        sum(free_ms)::float8 as free, sum(trial_ms)::float8 as trial
      from heard group by voice_id) h
    left join voices v on v.id = h.id order by h.counted desc, h.id`);
  return {
    heard: rows
      .filter((row) => row.counted > 0)
      .map(({ id, name, slug, image, audios, counted: milliseconds }) => ({
        voice: {
          id,
          name: name ?? i18n._(/*i18n*/ { id: 'payouts.deleted-creator', message: 'A deleted creator' }),
          slug: slug ?? '',
          imageUrl: imageUrl(image),
        },
        audios,
        milliseconds,
      })),
    notCounted: {
      free: rows.reduce((sum, { free }) => sum + free, 0),
      trial: countsTrials ? 0 : rows.reduce((sum, { trial }) => sum + trial, 0),
    },
  };
}

/** No pool of two currencies is ever added or converted. */
export async function readFurtherPools(
  db: Db,
  month: string,
  { currency, isLocked }: { currency: string; isLocked: boolean },
): Promise<FurtherPool[]> {
  const settings = isLocked ? undefined : await findMembershipSettings(db);
  const offered = settings && [settings.currency, ...Object.keys(settings.currencies)];
  const [first, next] = [`${month}-01`, `${addToMonth(month, 1)}-01`];
  const day = (one: string) => sql`${one}::timestamp at time zone 'UTC'`;
  const isOfMonth = sql`not ${isLocked} and paid_at >= ${day(first)} and paid_at < ${day(next)}`;
  // Sums of days know what was erased since, and the payments themselves what the sums do not know yet.
  const { rows } = await db.execute<{ currency: string; pool: number | null; paid: boolean }>(sql`
    with paid as (
      select currency from (
        select day, currency, monthly_income + yearly_income + gift_income as income from site_days
        union all select day, currency, monthly_income + yearly_income + gift_income from site_day_money
      ) d where day >= ${first} and day < ${next} and income > 0
      union select currency from invoices where ${isOfMonth} and status = 'paid' and amount_paid > 0
      union select currency from gift_cards where ${isOfMonth} and amount > 0
    ),
    pools as (select currency, pool::float8 as pool from payout_pools where month = ${first})
    select c.currency, p.pool, c.currency in (select currency from paid) as paid
    from (select currency from pools union select currency from paid where not ${isLocked}
      union select unnest(${sql.param(offered ?? [])}::text[])) c (currency)
    left join pools p on p.currency = c.currency
    where c.currency <> ${currency} order by c.currency`);
  return rows.map(({ paid, ...one }) => ({ ...one, hasIncome: paid }));
}

async function readLocked(db: Db, month: string): Promise<(Share & { amount: number })[]> {
  const amounts = await db
    .select()
    .from(payoutAmounts)
    .where(eq(payoutAmounts.month, `${month}-01`));
  const byVoice = Map.groupBy(amounts, ({ voiceId }) => voiceId);
  const rows = await db
    .select({ share: payoutShares, image: voices.imageKey })
    .from(payoutShares)
    .leftJoin(voices, eq(voices.id, payoutShares.voiceId))
    .where(eq(payoutShares.month, `${month}-01`))
    .orderBy(desc(payoutShares.milliseconds), asc(payoutShares.voiceId));
  return rows.map(({ share: { voiceId, voiceName, voiceSlug, audios, milliseconds, amount }, image }) => ({
    voice: { id: voiceId, name: voiceName, slug: voiceSlug, imageUrl: imageUrl(image) },
    audios,
    milliseconds,
    amount,
    amounts: Object.fromEntries((byVoice.get(voiceId) ?? []).map((one) => [one.currency, one.amount])),
  }));
}

async function readEarlier(db: Db, month: string, countsTrials: boolean): Promise<Map<string, number>> {
  const [locked] = await db
    .select({ at: payoutMonths.lockedAt })
    .from(payoutMonths)
    .where(eq(payoutMonths.month, `${month}-01`));
  const heard = locked?.at ? await readLocked(db, month) : (await readLedger(db, month, countsTrials)).heard;
  return new Map(heard.map(({ voice, milliseconds }) => [voice.id, milliseconds]));
}

/** The parts of each pool are the pool, to its smallest unit. */
function divide(heard: Heard[], pool: number | null, further: FurtherPool[]): Share[] {
  const weights = heard.map(({ milliseconds }) => milliseconds);
  const parts = pool === null ? undefined : shareOut(pool, weights);
  const others = further.flatMap((one) =>
    one.pool === null ? [] : [{ currency: one.currency, parts: shareOut(one.pool, weights) }],
  );
  return heard.map((one, index) => ({
    ...one,
    amount: parts?.[index] ?? null,
    amounts: Object.fromEntries(others.map((other) => [other.currency, other.parts[index] ?? 0])),
  }));
}

type Checked = {
  month: string;
  pool: number | null;
  currency: string;
  further: FurtherPool[];
  countsTrials: boolean;
  shares: Share[];
};

function checksumOf({ month, pool, currency, further, countsTrials, shares }: Checked): string {
  const lines = shares.map(({ voice, milliseconds, amount }) => [voice.id, milliseconds, amount]);
  const pools = further.filter((one) => one.pool !== null).map((one) => [one.currency, one.pool]);
  // A month with one currency has the checksum that it always had.
  const others = pools.length === 0 ? [] : [pools, shares.map(({ amounts }) => amounts)];
  return createHash('sha256')
    .update(JSON.stringify([month, pool, currency, countsTrials, lines, ...others]))
    .digest('hex');
}

/** From the log, which names the operator only while the account exists. */
async function findLocker(db: Db, month: string): Promise<{ id: string; username: string | null } | null> {
  const [row] = await db
    .select({ id: users.id, username: users.username })
    .from(auditEntries)
    .innerJoin(users, eq(users.id, auditEntries.actorId))
    .where(and(eq(auditEntries.subjectId, month), eq(auditEntries.action, 'payout.lock')))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  return row ?? null;
}
