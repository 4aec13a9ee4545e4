import type { ErrorCode, Sentence } from '../../kernel/errors.ts';
import { type MembershipParts, findCustomerId, findOrCreateCustomer, findUserOfCustomer } from '../customers.ts';
import { providerTitles } from '../capabilities.ts';
import { findFreeTimeRecord } from '../free-time.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { withPaymentLock } from '../lock.ts';
import { type CheckoutFacts, type CustomerFacts, isUsable } from '../payment-provider.ts';
import { findProvider, providerFor } from '../payment-providers.ts';
import { checkPromoCode } from '../promo-codes.ts';
import { choosePlan, findMembershipSettings } from '../settings.ts';
import type { CheckoutOrder, CheckoutState } from '../shapes.ts';
import { currentOf } from '../sync/current.ts';
import { syncLocked, syncSubscription } from '../sync/sync.ts';
import { freeTimeFor, previewCharges } from './subscription-preview.ts';
import { discountChanged, isAsShown, priceChanged } from './subscribe.ts';

/** Orders that are paid on the provider's page: begun here, and done once the provider has said so. */

export type CheckoutOutcome =
  | { ok: true; url: string; reference: string }
  | { ok: false; reason: ErrorCode; message?: Sentence };

/**
 * Stores the order and returns the page on which it is paid. Pressed twice, there are two orders, of which one is paid: a
 * second one is refused once the first is.
 * @throws DomainError `payment/unavailable`
 */
export async function startCheckout(
  parts: MembershipParts,
  userId: string,
  order: CheckoutOrder,
): Promise<CheckoutOutcome> {
  return withPaymentLock(parts.db, userId, async () => {
    const { payments, db } = parts;
    const { customerId, facts } = await findOrCreateCustomer(parts, userId);
    const { checkouts, capabilities } = providerFor(payments, customerId);
    if (checkouts === undefined) return { ok: false, reason: 'payment/not-offered' };
    if (isRunning(facts) && !capabilities.prepaid) {
      // The page from which this was asked may not know it yet.
      await syncLocked(parts, userId, customerId);
      return { ok: false, reason: 'subscription/already-subscribed' };
    }
    const settings = await findMembershipSettings(db);
    const chosen = choosePlan(order.period, { settings, capabilities, facts, currency: order.currency });
    if (!chosen.ok) return chosen;
    const { plan } = chosen;
    if (order.amount !== undefined && order.amount !== plan.amount)
      return { ok: false, reason: 'subscription/price-changed', message: priceChanged(plan) };
    const promo =
      order.promoCode === undefined ? undefined : await checkPromoCode(payments, order.promoCode, { plan, facts });
    if (promo?.ok === false) return promo;
    const promoCode = promo?.promoCode;
    const record = await findFreeTimeRecord(db, userId);
    const now = new Date();
    const free = freeTimeFor({ capabilities, record, trialDays: settings.trialDays, promoCode, now });
    const charges = previewCharges({ plan, promoCode, free, now });
    if (!isAsShown(order, charges))
      return { ok: false, reason: 'subscription/price-changed', message: discountChanged(charges) };
    return {
      ok: true,
      ...(await checkouts.startCheckout({ customerId, userId, plan, free, promoCode, returnTo: order.returnTo })),
    };
  });
}

function isRunning(facts: CustomerFacts): boolean {
  const current = currentOf(facts);
  return current !== undefined && isUsable(current.status);
}

/**
 * How an order of this user stands.
 * @param isAsking asks the provider too, in case its word was lost
 * @returns undefined for an unknown order and for another user's
 */
export async function findCheckout(
  parts: MembershipParts,
  userId: string,
  reference: string,
  { isAsking }: { isAsking: boolean },
): Promise<CheckoutState | undefined> {
  const found = await findOrder(parts, userId, reference);
  if (found === undefined) return undefined;
  const { customerId, facts } = found;
  // The page says what the payment has opened, so what was said is settled first.
  if (facts.state === 'paid') await syncSubscription(parts, customerId);
  if (!isAsking || facts.state === 'closed' || facts.state === 'paid') return present(reference, found);
  await catchUp(parts, customerId);
  await syncSubscription(parts, customerId);
  return present(reference, (await findOrder(parts, userId, reference)) ?? found);
}

function present(
  reference: string,
  { customerId, facts }: { customerId: string; facts: CheckoutFacts },
): CheckoutState {
  const { reason = null, confirmations = null, paidAmount = null, returnTo = null, ...rest } = facts;
  return {
    reference,
    title: providerTitles[providerOf(customerId)],
    ...rest,
    reason,
    confirmations,
    paidAmount,
    returnTo,
  };
}

async function findOrder({ db, payments }: MembershipParts, userId: string, reference: string) {
  const customerId = await findCustomerId(db, userId);
  if (customerId === undefined) return undefined;
  const provider = findProvider(payments, providerOf(customerId));
  const facts = await provider?.checkouts?.findCheckout(customerId, reference);
  return facts && { customerId, facts };
}

/** Asks a provider with a page of its own what may have been missed; without effect for others. */
export async function catchUp({ db, payments }: MembershipParts, customerId: string): Promise<void> {
  if ((await findUserOfCustomer(db, customerId)) === undefined) return;
  await findProvider(payments, providerOf(customerId))?.checkouts?.catchUp(customerId);
}
