import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { changeMonth, nameOf, type PayoutOutcome, subjectOf } from '../admin/money/payout-changes.ts';
import { payoutTermSetting, readFurtherPools } from '../admin/money/payouts.ts';
import { administratorsOnly } from '../admin/administrators-only.ts';
import { recordByOperator } from '../admin/record.ts';
import { changeSiteSetting } from '../admin/settings.ts';
import { isMonth } from '../admin/rules.ts';
import { payoutCorrections, payoutMonths, payoutPayments } from '../admin/tables.ts';
import { imageUrl } from '../catalogue/audios.ts';
import { voices } from '../catalogue/tables.ts';
import { isVoice } from '../catalogue/voices.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { findMembershipSettings } from '../membership/settings.ts';
import { findSetting } from '../settings/change-setting.ts';
import type { Setting } from '../settings/setting.ts';
import { keepPaidPayee, openPayee, readNamedPayees } from '../studio/payees/sealed-payees.ts';
import type { CorrectionForm, MinimumForm, PaymentForm, TermForm } from './forms.ts';

/** Sums that operators owe creators, payments, and corrections. Entries are only ever added. */

/** Smaller amounts wait for the next month. By currency, in its smallest unit. */
export const payoutMinimumSetting = {
  key: 'payout-minimums',
  schema: z.object({ minimums: z.record(z.string(), z.number().int().min(0)).default({}) }),
} satisfies Setting;

export type Balance = {
  voice: { id: string; name: string; slug: string; imageUrl: string | null };
  currency: string;
  /** Everything up to the month that is not paid; negative when more was taken back. */
  due: number;
  /** `carried`: below the minimum. `none`: nothing is due. */
  state: 'due' | 'carried' | 'none' | 'paid';
  payment: { amount: number; reference: string; paidAt: Date } | null;
  /** Since when somebody is entered as who is paid; null: nobody. */
  payeeSince: Date | null;
};

type Row = {
  voiceId: string;
  name: string | null;
  slug: string | null;
  image: string | null;
  currency: string;
  due: number;
  amount: number | null;
  reference: string | null;
  paidAt: string | null;
};

export type Balances = NonNullable<Awaited<ReturnType<typeof listBalances>>>;

/** Sums of a locked month and those before it. @returns undefined for a month that is not locked */
export async function listBalances(db: Db, actor: Actor, month: string) {
  administratorsOnly(actor);
  const locked = isMonth(month) ? await findLocked(db, month) : undefined;
  if (locked === undefined) return undefined;
  const { value, revision } = await findSetting(db, payoutMinimumSetting);
  const term = await findSetting(db, payoutTermSetting);
  const { rows } = await db.execute<Row>(sql`
    with sums as (${dueSums(month)}),
    paid as (
      select distinct on (voice_id, currency) voice_id, currency, amount, reference, paid_at
      from payout_payments where month >= ${`${month}-01`} order by voice_id, currency, month
    )
    select s.voice_id as "voiceId", v.name, v.slug, v.image_key as image, s.currency, s.due::float8 as due,
      p.amount::float8 as amount, p.reference, p.paid_at::text as "paidAt"
    from sums s left join paid p on p.voice_id = s.voice_id and p.currency = s.currency
    left join voices v on v.id = s.voice_id
    order by v.sort_name nulls last, s.voice_id, s.currency`);
  const stateOf = ({ amount, due, currency }: Row): Balance['state'] =>
    amount !== null ? 'paid' : due <= 0 ? 'none' : due < (value.minimums[currency] ?? 0) ? 'carried' : 'due';
  const payees = await readNamedPayees(db, [...new Set(rows.map(({ voiceId }) => voiceId))]);
  return {
    items: rows.map((row): Balance => ({
      voice: { id: row.voiceId, name: row.name ?? row.voiceId, slug: row.slug ?? '', imageUrl: imageUrl(row.image) },
      currency: row.currency,
      due: row.due,
      state: stateOf(row),
      payment:
        row.amount === null
          ? null
          : { amount: row.amount, reference: row.reference ?? '', paidAt: new Date(row.paidAt ?? 0) },
      payeeSince: payees.get(row.voiceId)?.changedAt ?? null,
    })),
    /** Null: locked by a former version. */
    dueOn: locked.dueOn,
    termDays: term.value.days,
    termRevision: term.revision,
    minimums: value.minimums,
    minimumRevision: revision,
  };
}

/** Sums due up to a locked month, less payments before it, by creator and currency. */
const dueSums = (month: string) => sql`
  select voice_id, currency, sum(amount) as due from (
    select month, voice_id, currency, amount from payout_earnings
    union all
    select c.month, c.voice_id, c.currency, c.amount from payout_corrections c
    join payout_months m on m.month = c.month where m.locked_at is not null
    union all
    select month, voice_id, currency, -amount from payout_payments where month < ${`${month}-01`}
  ) entries where month <= ${`${month}-01`} group by voice_id, currency`;

async function findLocked(db: Db, month: string): Promise<{ dueOn: string | null } | undefined> {
  const [row] = await db
    .select({ dueOn: payoutMonths.dueOn })
    .from(payoutMonths)
    .where(and(eq(payoutMonths.month, `${month}-01`), isNotNull(payoutMonths.lockedAt)));
  return row;
}

type Sealing = { db: Db; secret: string };

/**
 * Notes that a creator was paid what was due up to a locked month, and keeps who was paid.
 * @param form.amount another one is a conflict
 */
export async function payEarnings(
  { db, secret }: Sealing,
  actor: Actor,
  month: string,
  form: PaymentForm,
): Promise<PayoutOutcome> {
  administratorsOnly(actor);
  if (!isMonth(month)) return { ok: false, reason: 'request/not-found' };
  return db.transaction(async (tx): Promise<PayoutOutcome> => {
    const { voiceId, currency, amount, reference, withoutPayee } = form;
    // One payment of a creator at a time: each depends on the sum of those before.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`payments ${voiceId}`}))`);
    if ((await findLocked(tx, month)) === undefined) return { ok: false, reason: 'payout/not-locked' };
    const isOfVoice = and(eq(payoutPayments.voiceId, voiceId), eq(payoutPayments.currency, currency));
    const later = await tx.$count(payoutPayments, and(isOfVoice, gte(payoutPayments.month, `${month}-01`)));
    const { rows } = await tx.execute<{ due: number }>(sql`
      select due::float8 as due from (${dueSums(month)}) sums where voice_id = ${voiceId} and currency = ${currency}`);
    if (later > 0 || rows[0]?.due !== amount) return { ok: false, reason: 'payout/changed' };
    const { value } = await findSetting(tx, payoutMinimumSetting);
    if (amount < (value.minimums[currency] ?? 0)) return { ok: false, reason: 'payout/below-minimum' };
    const named = (await readNamedPayees(tx, [voiceId])).get(voiceId);
    const payee = named && openPayee(secret, named);
    if (payee === undefined && withoutPayee !== true) return { ok: false, reason: 'payout/no-payee' };
    const id = newId();
    await tx.insert(payoutPayments).values({ id, voiceId, month: `${month}-01`, currency, amount, reference });
    if (named !== undefined && payee !== undefined)
      await keepPaidPayee(tx, secret, { paymentId: id, userId: named.userId, payee });
    const [voice] = await tx.select({ name: voices.name }).from(voices).where(eq(voices.id, voiceId));
    await recordByOperator(tx, actor, {
      action: 'payout.pay',
      subject: { ...subjectOf(month), name: nameOf(month) },
      after: {
        voice: voice?.name ?? voiceId,
        amount,
        currency,
        reference,
        ...(payee === undefined && { withoutPayee: true }),
      },
    });
    return { ok: true };
  });
}

/** Adds to what a creator gets, in a month that is not locked yet. */
export async function correctEarnings(
  db: Db,
  actor: Actor,
  month: string,
  { voice: idOrSlug, currency, amount, reason }: CorrectionForm,
  now: Date = new Date(),
): Promise<PayoutOutcome> {
  return changeMonth(db, actor, { month, now }, async (tx, row) => {
    const match = isVoice(idOrSlug);
    const [voice] =
      match === undefined ? [] : await tx.select({ id: voices.id, name: voices.name }).from(voices).where(match);
    if (voice === undefined) return { ok: false, reason: 'request/not-found' };
    const own = row?.currency ?? (await findMembershipSettings(tx)).currency;
    const further = await readFurtherPools(tx, month, { currency: own, isLocked: false });
    if (![own, ...further.map((one) => one.currency)].includes(currency))
      return { ok: false, reason: 'payout/other-currency' };
    await tx
      .insert(payoutCorrections)
      .values({ id: newId(), month: `${month}-01`, voiceId: voice.id, currency, amount, reason });
    await recordByOperator(tx, actor, {
      action: 'payout.correct',
      subject: { ...subjectOf(month), name: nameOf(month) },
      after: { voice: voice.name, amount, currency, reason },
    });
    return { ok: true };
  });
}

/** Corrections of a month by operators, in the order of their entry; at most 1,000. */
export async function listCorrections(db: Db, actor: Actor, month: string) {
  administratorsOnly(actor);
  if (!isMonth(month)) return [];
  return db
    .select({
      id: payoutCorrections.id,
      voice: sql<string>`coalesce(${voices.name}, ${payoutCorrections.voiceId}::text)`,
      currency: payoutCorrections.currency,
      amount: payoutCorrections.amount,
      reason: payoutCorrections.reason,
    })
    .from(payoutCorrections)
    .leftJoin(voices, eq(voices.id, payoutCorrections.voiceId))
    .where(and(eq(payoutCorrections.month, `${month}-01`), isNull(payoutCorrections.tipId)))
    .orderBy(payoutCorrections.createdAt, payoutCorrections.id)
    .limit(1000);
}

export async function findMinimumRevision(db: Db, actor: Actor): Promise<number> {
  administratorsOnly(actor);
  return (await findSetting(db, payoutMinimumSetting)).revision;
}

/** @throws DomainError `payout/changed` after a concurrent change */
export async function setPayoutMinimum(
  db: Db,
  actor: Actor,
  { currency, minimum, revision }: MinimumForm,
): Promise<void> {
  administratorsOnly(actor);
  const { value } = await findSetting(db, payoutMinimumSetting);
  const subject = { setting: payoutMinimumSetting, name: 'Smallest payment', conflict: 'payout/changed' } as const;
  await changeSiteSetting(db, actor, subject, {
    value: { minimums: { ...value.minimums, [currency]: minimum } },
    revision,
  });
}

export async function findTermRevision(db: Db, actor: Actor): Promise<number> {
  administratorsOnly(actor);
  return (await findSetting(db, payoutTermSetting)).revision;
}

/** For months that are locked from now on. @throws DomainError `payout/changed` after a concurrent change */
export async function setPayoutTerm(db: Db, actor: Actor, { days, revision }: TermForm): Promise<void> {
  const subject = { setting: payoutTermSetting, name: 'Time until payment', conflict: 'payout/changed' } as const;
  await changeSiteSetting(db, actor, subject, { value: { days }, revision });
}
