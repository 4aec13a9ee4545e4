import type { Actor } from '../../kernel/actor.ts';
import type { GiftCardState } from '../../membership/gift-cards/gift-cards.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import type { MadeGiftCardForm } from '../../membership/forms.ts';
import type { RefundOrder } from '../../membership/refunds.ts';
import type { CancelForm, GiftCardRefundForm, PromoCodeForm } from '../forms.ts';
import * as giftCards from './gift-cards.ts';
import * as events from './payment-events.ts';
import * as payoutChanges from './payout-changes.ts';
import { exportPayouts } from './payout-csv.ts';
import * as payouts from './payouts.ts';
import * as promoCodes from './promo-codes.ts';
import * as reconciliations from './reconciliations.ts';
import type { EventState, SubscriptionFilter } from '../rules.ts';
import * as subscriptions from './subscriptions.ts';

type PageOf = { cursor?: string | undefined; limit: number };

/** The operators' acts on payments, in the browser and on the command line. */
export function openMoney(parts: MembershipParts) {
  const { db } = parts;
  return {
    listPromoCodes: (actor: Actor, filter?: Parameters<typeof promoCodes.listPromoCodes>[2]) =>
      promoCodes.listPromoCodes(parts, actor, filter),
    createPromoCode: (actor: Actor, form: PromoCodeForm) => promoCodes.createPromoCode(parts, actor, form),
    replacePromoCode: (actor: Actor, id: string, form: PromoCodeForm) =>
      promoCodes.replacePromoCode(parts, actor, id, form),
    endPromoCode: (actor: Actor, id: string) => promoCodes.endPromoCode(parts, actor, id),
    listGiftCards: (
      actor: Actor,
      filter: { q?: string | undefined; state?: GiftCardState | undefined },
      page: PageOf,
    ) => giftCards.listGiftCards(db, actor, filter, page),
    findGiftCard: (actor: Actor, id: string) => giftCards.findGiftCard(db, actor, id),
    createGiftCard: (actor: Actor, form: MadeGiftCardForm) => giftCards.create(parts, actor, form),
    resendGiftCard: (actor: Actor, id: string) => giftCards.resend(parts, actor, id),
    refundGiftCard: (actor: Actor, id: string, form: GiftCardRefundForm) => giftCards.refund(parts, actor, id, form),
    listSubscriptions: (
      actor: Actor,
      filter: { q?: string | undefined; state?: SubscriptionFilter | undefined },
      page: PageOf,
    ) => subscriptions.listSubscriptions(db, actor, filter, page),
    findSubscription: (actor: Actor, userId: string) => subscriptions.findSubscriptionDetail(parts, actor, userId),
    refundPayment: (actor: Actor, order: RefundOrder) => subscriptions.refundPayment(parts, actor, order),
    cancelSubscription: (actor: Actor, userId: string, form: CancelForm) =>
      subscriptions.cancel(parts, actor, userId, form),
    resumeSubscription: (actor: Actor, userId: string, filter: { subscriptionId: string }) =>
      subscriptions.resume(parts, actor, userId, filter),
    listPaymentEvents: (
      actor: Actor,
      filter: { q?: string | undefined; state?: EventState | undefined },
      page: PageOf,
    ) => events.listPaymentEvents(db, actor, filter, page),
    findPaymentEvent: (actor: Actor, id: string) => events.findPaymentEvent(db, actor, id),
    replayPaymentEvent: (actor: Actor, id: string) => events.replay(parts, actor, id),
    listReconciliations: (actor: Actor, page: PageOf) => reconciliations.listReconciliations(db, actor, page),
    isReconciling: (actor: Actor) => reconciliations.isRunning(db, actor),
    requestReconciliation: (actor: Actor, add: () => Promise<void>) =>
      reconciliations.requestReconciliation(db, actor, add),
    listPayoutMonths: (actor: Actor) => payouts.listPayoutMonths(db, actor),
    findPayouts: (actor: Actor, month: string) => payouts.findPayouts(db, actor, month),
    setPayoutPool: (actor: Actor, month: string, form: { pool: number; revision: number }) =>
      payoutChanges.setPayoutPool(db, actor, month, form),
    lockPayouts: (actor: Actor, month: string, form: { checksum: string }) =>
      payoutChanges.lockPayouts(db, actor, month, form),
    setCountsTrials: (actor: Actor, form: { countsTrials: boolean; revision: number }) =>
      payoutChanges.setCountsTrials(db, actor, form),
    exportPayouts: (actor: Actor, month: string) => exportPayouts(db, actor, month),
  };
}
