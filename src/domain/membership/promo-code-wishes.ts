import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { type Actor, operator } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import type { MembershipParts } from './customers.ts';
import { withPaymentLock } from './lock.ts';
import type { NewPromoCode, PaymentProvider, PromoCode } from './payment-provider.ts';
import { type PromoCodeRules, promoCodeWishes } from './tables.ts';

/**
 * Changes of promo codes, stored before the provider is asked: after a lost answer, the same change or a job completes
 * them (decision 033).
 */

type Wish = typeof promoCodeWishes.$inferSelect;
export type WantedPromoCode =
  | { kind: 'create'; rules: NewPromoCode }
  | { kind: 'replace'; promoCodeId: string; rules: NewPromoCode }
  | { kind: 'end'; promoCodeId: string };

/** One change at a time, because the provider has no conditional update. */
export function withPromoCodeLock<Result>(db: Db, act: () => Promise<Result>): Promise<Result> {
  return withPaymentLock(db, 'promo codes', act);
}

/**
 * Requires the lock. @param record runs in the transaction that stores it
 * @returns undefined: refused by the provider
 */
export async function changePromoCode(
  parts: MembershipParts,
  actor: Actor,
  wanted: WantedPromoCode,
  record: (tx: Db) => Promise<void>,
): Promise<PromoCode | undefined> {
  const wish = await parts.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(promoCodeWishes)
      .values({ id: newId(), ...toRow(wanted), state: 'asked' })
      .returning();
    await record(tx);
    if (row === undefined) throw new Error('the change was not written');
    return row;
  });
  return settle(parts, actor, wish);
}

/**
 * Completes the changes whose answer was lost. Requires the lock.
 * @returns the outcome of the one that is wanted, if it was among them
 */
export async function settlePromoCodes(
  parts: MembershipParts,
  actor: Actor,
  { wanted, signal }: { wanted?: WantedPromoCode; signal?: AbortSignal | undefined } = {},
): Promise<{ made: PromoCode | undefined } | undefined> {
  const waiting = await parts.db
    .select()
    .from(promoCodeWishes)
    .where(eq(promoCodeWishes.state, 'asked'))
    .orderBy(asc(promoCodeWishes.createdAt), asc(promoCodeWishes.id));
  let found: { made: PromoCode | undefined } | undefined;
  for (const wish of waiting) {
    signal?.throwIfAborted();
    const made = await settle(parts, actor, wish);
    if (wanted !== undefined && isSame(wish, wanted)) found = { made };
  }
  return found;
}

/** Completes changes that nobody repeated. */
export async function settleWaitingPromoCodes(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  // The request that stored it may still be waiting for its answer.
  const isOld = lt(promoCodeWishes.createdAt, sql`now() - interval '1 minute'`);
  if ((await parts.db.$count(promoCodeWishes, and(eq(promoCodeWishes.state, 'asked'), isOld))) === 0) return;
  await withPromoCodeLock(parts.db, () => settlePromoCodes(parts, operator, { signal }));
}

async function settle(parts: MembershipParts, actor: Actor, wish: Wish): Promise<PromoCode | undefined> {
  const made = await carryOut(parts.payments, wish);
  await parts.db.transaction(async (tx) => {
    const state = made === undefined ? 'refused' : 'done';
    await tx.update(promoCodeWishes).set({ state }).where(eq(promoCodeWishes.id, wish.id));
    if (made === undefined) await recordRefusal(tx, actor, wish);
  });
  return made;
}

async function carryOut(payments: PaymentProvider, { id, kind, promoCodeId, rules }: Wish) {
  if (kind === 'create' && rules !== null) return payments.createPromoCode(fromRow(rules), id);
  if (promoCodeId === null) return undefined;
  await payments.disablePromoCode(promoCodeId);
  if (kind === 'end' || rules === null) return (await payments.listPromoCodes()).find((one) => one.id === promoCodeId);
  const made = await payments.createPromoCode(fromRow(rules), id);
  if (made === undefined) await payments.enablePromoCode(promoCodeId);
  return made;
}

async function recordRefusal(tx: Db, actor: Actor, { kind, promoCodeId, rules }: Wish): Promise<void> {
  const code = rules?.code ?? promoCodeId ?? '';
  await recordChange(tx, {
    actor,
    role: actor.kind === 'operator' ? 'operator' : 'admin',
    action: `promo-code.${kind}-failed`,
    subject: { type: 'promo-code', id: code.toUpperCase(), name: code },
  });
}

function toRow(wanted: WantedPromoCode) {
  return {
    kind: wanted.kind,
    promoCodeId: wanted.kind === 'create' ? null : wanted.promoCodeId,
    rules: wanted.kind === 'end' ? null : { ...wanted.rules, expiresAt: wanted.rules.expiresAt?.toISOString() },
  };
}

function fromRow({ expiresAt, ...rules }: PromoCodeRules): NewPromoCode {
  return { ...rules, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) };
}

/** JSON leaves out what is undefined, as the row does. */
function isSame({ kind, promoCodeId, rules }: Wish, wanted: WantedPromoCode): boolean {
  return isDeepStrictEqual({ kind, promoCodeId, rules }, JSON.parse(JSON.stringify(toRow(wanted))));
}
