import { inArray, sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import type { NewPromoCode, PromoCode } from '../../membership/payment-provider.ts';
import {
  changePromoCode,
  settlePromoCodes,
  withPromoCodeLock,
  type WantedPromoCode,
} from '../../membership/promo-code-wishes.ts';
import { withoutStayCodes } from '../../membership/keeping/stay-offer.ts';
import { countWinBacks } from '../../membership/keeping/win-back-facts.ts';
import { periods } from '../../membership/rules.ts';
import { findMembershipSettings, planOf } from '../../membership/settings.ts';
import { subscriptions } from '../../membership/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';
import type { PromoCodeForm } from '../forms.ts';
import { type PromoState, promoCodeRules } from '../rules.ts';

/**
 * Promo codes, stored by the payment provider. It never changes the rules of a code, so an edited code is a new one.
 */

export type AdminPromoCode = PromoCode & {
  state: PromoState;
  /** Running subscriptions with the discount; undefined in answers to a change. */
  subscriptions?: number;
};

export type PromoCodeChange =
  | { ok: true; promoCode: AdminPromoCode }
  | { ok: false; reason: 'request/not-found' | 'promo-code/exists' };

const pageSize = 50;

/** Newest first. `counts` and `total` are with the search, `all` without. @param of.after id of the page before's last */
export async function listPromoCodes(
  { db, payments }: MembershipParts,
  actor: Actor,
  filter: { q?: string | undefined; state?: PromoState | undefined; after?: string | undefined } = {},
) {
  administratorsOnly(actor);
  const q = filter.q?.trim().toLowerCase() ?? '';
  const all = await withoutStayCodes(db, await payments.listPromoCodes());
  const matching = all
    .filter(({ code }) => code.toLowerCase().includes(q))
    .map((promo) => ({ ...promo, state: stateOf(promo) }));
  const counts = { active: 0, expired: 0, 'used-up': 0, ended: 0 };
  for (const { state } of matching) counts[state] += 1;
  const listed = matching.filter(({ state }) => filter.state === undefined || state === filter.state);
  const start = filter.after === undefined ? 0 : listed.findIndex(({ id }) => id === filter.after) + 1;
  const shown = listed.slice(start, start + pageSize);
  const codes = shown.map(({ code }) => code);
  const [uses, winBacks] = await Promise.all([countSubscriptions(db, codes), countWinBacks(db)]);
  return {
    items: shown.map((promo): AdminPromoCode => ({ ...promo, subscriptions: uses.get(promo.code) ?? 0 })),
    winBacks,
    counts,
    total: matching.length,
    all: all.length,
    after: start + pageSize < listed.length ? shown.at(-1)?.id : undefined,
  };
}

function stateOf({ isActive, expiresAt, maxRedemptions, redemptions }: PromoCode): PromoState {
  if (expiresAt !== undefined && expiresAt <= new Date()) return 'expired';
  if (maxRedemptions !== undefined && redemptions >= maxRedemptions) return 'used-up';
  return isActive ? 'active' : 'ended';
}

async function countSubscriptions(db: Db, codes: string[]): Promise<Map<string, number>> {
  if (codes.length === 0) return new Map();
  const code = sql<string>`${subscriptions.discount} ->> 'code'`;
  const rows = await db
    .select({ code, count: sql<number>`count(*) filter (where ${subscriptions.status} <> 'ended')::int` })
    .from(subscriptions)
    .where(sql`${subscriptions.discount} is not null and ${inArray(code, codes)}`)
    .groupBy(code);
  return new Map(rows.map((row) => [row.code, row.count]));
}

export async function createPromoCode(
  parts: MembershipParts,
  actor: Actor,
  form: PromoCodeForm,
): Promise<PromoCodeChange> {
  administratorsOnly(actor);
  const wanted = { kind: 'create', rules: await toNew(parts.db, form) } as const;
  return change(parts, actor, wanted, async () =>
    (await parts.payments.findPromoCode(form.code))?.isActive ? exists : { action: 'promo-code.create', after: form },
  );
}

/**
 * Ends the code and creates a new one with these rules. Discounts already given stay; uses start at 0.
 * @param id of the code that the operator saw; if it ended or was replaced meanwhile, that is a conflict
 */
export async function replacePromoCode(
  parts: MembershipParts,
  actor: Actor,
  id: string,
  form: PromoCodeForm,
): Promise<PromoCodeChange> {
  administratorsOnly(actor);
  const wanted = { kind: 'replace', promoCodeId: id, rules: await toNew(parts.db, form) } as const;
  return change(parts, actor, wanted, async () => {
    const before = await findActive(parts, id);
    if (before === undefined) return { ok: false, reason: 'request/not-found' };
    const other = await parts.payments.findPromoCode(form.code);
    if (other?.isActive && other.id !== id) return exists;
    return { action: 'promo-code.edit', before: promoCodeRules(before), after: form };
  });
}

/** Disables the code; discounts already given stay. */
export async function endPromoCode(parts: MembershipParts, actor: Actor, id: string): Promise<PromoCodeChange> {
  administratorsOnly(actor);
  return change(parts, actor, { kind: 'end', promoCodeId: id }, async () => {
    const before = await findActive(parts, id);
    if (before === undefined) return { ok: false, reason: 'request/not-found' };
    return { action: 'promo-code.end', before: promoCodeRules(before) };
  });
}

const exists = { ok: false, reason: 'promo-code/exists' } as const;

/** @throws DomainError `promo-code/changed` for a code that has ended */
async function findActive({ db, payments }: MembershipParts, id: string): Promise<PromoCode | undefined> {
  const promoCode = (await payments.listPromoCodes()).find((one) => one.id === id);
  if (promoCode?.isActive === false) throw await changedMeanwhile(db, subjectOf(promoCode.code), 'promo-code/changed');
  return promoCode;
}

/** @param prepare the entry of the log, or a refusal; not asked when this change was stored before, without an answer */
async function change(
  parts: MembershipParts,
  actor: Actor,
  wanted: WantedPromoCode,
  prepare: () => Promise<
    | Extract<PromoCodeChange, { ok: false }>
    | { action: `promo-code.${string}`; before?: PromoCodeForm; after?: PromoCodeForm }
  >,
): Promise<PromoCodeChange> {
  return withPromoCodeLock(parts.db, async () => {
    const repeated = await settlePromoCodes(parts, actor, { wanted });
    if (repeated !== undefined) return toChange(repeated.made);
    const entry = await prepare();
    if ('ok' in entry) return entry;
    const { code } = entry.after ?? entry.before ?? { code: '' };
    const record = (tx: Db) => recordByOperator(tx, actor, { ...entry, subject: { ...subjectOf(code), name: code } });
    return toChange(await changePromoCode(parts, actor, wanted, record));
  });
}

function toChange(made: PromoCode | undefined): PromoCodeChange {
  return made === undefined ? exists : { ok: true, promoCode: { ...made, state: stateOf(made) } };
}

/** @throws DomainError `promo-code/above-price`: a mistyped amount would give every period away */
async function toNew(db: Db, { lastDay, ...form }: PromoCodeForm): Promise<NewPromoCode> {
  const settings = await findMembershipSettings(db);
  const { currency = settings.currency } = form;
  const amounts = { ...form.amounts, [currency]: form.amountOff ?? 0 };
  for (const [one, amount] of Object.entries(amounts)) {
    const dearest = Math.max(...periods.map((period) => planOf(settings, period, one).amount));
    if (amount > dearest) throw new DomainError('promo-code/above-price');
  }
  const { [currency]: _own, ...further } = amounts;
  return {
    ...form,
    currency,
    amounts: Object.keys(further).length === 0 ? undefined : further,
    expiresAt: lastDay === undefined ? undefined : new Date(`${lastDay}T23:59:59Z`),
  };
}

const subjectOf = (code: string) => ({ type: 'promo-code', id: code.toUpperCase() });
