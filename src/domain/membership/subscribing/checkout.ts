import type { ErrorCode, Sentence } from '../../kernel/errors.ts';
import { type MembershipParts, findCustomerId, findOrCreateCustomer } from '../customers.ts';
import { providerTitles } from '../capabilities.ts';
import { findFreeTimeRecord } from '../free-time.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { withPaymentLock } from '../lock.ts';
import { type CheckoutFacts, type CustomerFacts, isUsable } from '../payment-provider.ts';
import { catchUp, findProviderOf, providerFor } from '../payment-providers.ts';
import type { CheckoutOrder, CheckoutState } from '../shapes.ts';
import { currentOf } from '../sync/current.ts';
import { syncLocked, syncSubscription } from '../sync/sync.ts';
import { freeTimeFor, previewCharges } from './subscription-preview.ts';
import { agreeOnPlan, discountChanged, isAsShown } from './agreed-price.ts';

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
    const agreed = await agreeOnPlan(parts, userId, order, { customerId, facts });
    if (!agreed.ok) return agreed;
    const { plan, promoCode, trialDays } = agreed;
    const record = await findFreeTimeRecord(db, userId);
    const now = new Date();
    const free = freeTimeFor({ capabilities, record, trialDays, promoCode, now });
    const charges = previewCharges({ plan, promoCode, free, now });
    if (!isAsShown(order, charges)) return discountChanged(charges);
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
  await catchUp(parts.payments, customerId);
  await syncSubscription(parts, customerId);
  return present(reference, (await findOrder(parts, userId, reference)) ?? found);
}

function present(
  reference: string,
  { customerId, facts }: { customerId: string; facts: CheckoutFacts },
): CheckoutState {
  const { reason = null, confirmations = null, paidAmount = null, returnTo = null, ...rest } = facts;
  const title = providerTitles[providerOf(customerId)];
  return { ...rest, reference, title, reason, confirmations, paidAmount, returnTo };
}

async function findOrder({ db, payments }: MembershipParts, userId: string, reference: string) {
  const customerId = await findCustomerId(db, userId);
  if (customerId === undefined) return undefined;
  const facts = await findProviderOf(payments, customerId)?.checkouts?.findCheckout(customerId, reference);
  return facts && { customerId, facts };
}
