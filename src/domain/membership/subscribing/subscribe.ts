import type { ErrorCode, Sentence } from '../../kernel/errors.ts';
import { type MembershipParts, findOrCreateCustomer } from '../customers.ts';
import { claimTrial, findFreeTimeRecord, hashTrialCard, undoTrialClaim } from '../free-time.ts';
import { withPaymentLock } from '../lock.ts';
import { isIP } from 'node:net';
import { formatMoney } from '#formats/numbers.ts';
import { agreeOnPlan, discountChanged, isAsShown } from './agreed-price.ts';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { taxSetting } from '../tax/settings.ts';
import type { CustomerFacts, PaymentProvider, Plan, PromoCode } from '../payment-provider.ts';
import { idempotencyKey, planFirstCharge, planSubscription } from './plan-subscription.ts';
import { discounted } from '../promo-codes.ts';
import { previewCharges } from './subscription-preview.ts';
import type { Action, Order } from '../shapes.ts';
import { syncLocked } from '../sync/sync.ts';
import { currentOf } from '../sync/current.ts';

export type SubscribeOutcome =
  | { ok: true; action: Action | undefined }
  | { ok: false; reason: ErrorCode; message?: Sentence };

/**
 * Creates the one subscription of a user. Concurrent requests and retries run in sequence, and later ones find the
 * first one's result. Amounts come from the settings.
 * @param address the network that orders, for a provider that works out tax
 */
export async function createSubscription(
  parts: MembershipParts,
  userId: string,
  order: Order,
  address?: string,
): Promise<SubscribeOutcome> {
  return withPaymentLock(parts.db, userId, async () => {
    const { customerId, facts } = await findOrCreateCustomer(parts, userId);
    const outcome = await carryOut(parts, { userId, customerId, facts, order, address });
    if (outcome.ok) await syncLocked(parts, userId, customerId);
    return outcome;
  });
}

type Request = {
  userId: string;
  customerId: string;
  facts: CustomerFacts;
  order: Order;
  address: string | undefined;
};

async function carryOut(parts: MembershipParts, request: Request): Promise<SubscribeOutcome> {
  const plan = planSubscription({ current: currentOf(request.facts), order: request.order });
  switch (plan.kind) {
    case 'already-done':
      return { ok: true, action: plan.action };
    case 'refuse':
      return { ok: false, reason: plan.reason };
    case 'replace':
      await parts.payments.cancelUnconfirmed(plan.pendingId);
      return subscribe(parts, request);
    case 'create':
      return subscribe(parts, request);
  }
}

async function subscribe(parts: MembershipParts, request: Request): Promise<SubscribeOutcome> {
  const { db, payments } = parts;
  const { userId, customerId, facts, order, address } = request;
  const agreed = await agreeOnPlan(parts, userId, order, { customerId, facts });
  if (!agreed.ok) return agreed;
  const { plan, promoCode, trialDays } = agreed;
  const card = await findUsableCard(payments, order.paymentMethodId, customerId);
  if (card === undefined) return { ok: false, reason: 'payment/unknown-method' };

  const { isTrialUsed, giftUntil } = await findFreeTimeRecord(db, userId);
  const isTrialPromised = trialDays > 0 && !isTrialUsed;
  const cardHash = hashTrialCard(card.fingerprint);
  const trial = isTrialPromised ? await claimTrial(db, userId, cardHash) : undefined;
  const { withoutTrial } = order;
  const firstCharge = planFirstCharge({ trial, trialDays, giftUntil, withoutTrial, now: new Date() });
  if (firstCharge.kind === 'ask-for-consent') {
    const message = trialUsed(plan, promoCode, giftUntil);
    return { ok: false, reason: 'subscription/trial-used', message };
  }

  const charges = previewCharges({ plan, promoCode, free: firstCharge.free, now: new Date() });
  if (!isAsShown(order, charges)) {
    if (trial === 'claimed-now') await undoTrialClaim(db, cardHash);
    return discountChanged(charges);
  }

  const wanted = {
    customerId,
    cardId: order.paymentMethodId,
    plan,
    free: firstCharge.free,
    promoCodeId: promoCode?.id,
  };
  const tax = (await isTaxedByProvider(db, payments)) ? { address: addressOf(address) } : undefined;
  const key = idempotencyKey({ ...wanted, previousId: currentOf(facts)?.id, givenUpId: facts.givenUpId });
  const outcome = await payments.subscribe({ ...wanted, tax, key });
  if (outcome.ok) return { ok: true, action: outcome.subscription.action };
  // A declined card keeps its trial.
  if (trial === 'claimed-now') await undoTrialClaim(db, cardHash);
  return outcome;
}

async function isTaxedByProvider(db: Db, { capabilities }: PaymentProvider): Promise<boolean> {
  if (capabilities.taxService === undefined) return false;
  return (await findSetting(db, taxSetting)).value.mode === 'provider';
}

/** For a household's IPv6 network its first address. @param network as in `networkOf` */
function addressOf(network = ''): string | undefined {
  const address = network.replace(/\/64$/, '');
  return isIP(address) === 0 ? undefined : address;
}

/** @returns undefined for an unknown card and for another customer's */
async function findUsableCard(payments: PaymentProvider, cardId: string, customerId: string) {
  const card = await payments.findCard(cardId);
  const isAnothers = card?.customerId !== undefined && card.customerId !== customerId;
  return isAnothers ? undefined : card;
}

function trialUsed(plan: Plan, promoCode: PromoCode | undefined, giftUntil: Date | undefined): Sentence {
  const amount = promoCode === undefined ? plan.amount : discounted(plan.amount, promoCode.discount);
  return /*i18n*/ {
    id: 'error.subscription/trial-used-then',
    message:
      'This card has had its free trial already. Without one, {price} is charged {when, select, today {today} other {when your gift time ends}}.',
    values: { price: formatMoney(amount, plan.currency), when: giftUntil === undefined ? 'today' : 'later' },
  };
}
