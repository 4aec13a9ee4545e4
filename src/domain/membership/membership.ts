import * as changes from './changes.ts';
import type { MembershipParts } from './customers.ts';
import { receiveEvent } from './events.ts';
import type { GiftCardForm } from './forms.ts';
import * as giftCards from './gift-cards.ts';
import { redeemGiftCard } from './gift-redemption.ts';
import * as invoices from './invoices.ts';
import type { PaymentEvent } from './payment-provider.ts';
import { doDueWork } from './reconcile.ts';
import type { Period } from './rules.ts';
import { findMembershipSettings, findOffer, planOf } from './settings.ts';
import { createSubscription, previewSubscription } from './subscribe.ts';
import type { Order } from './subscribe.ts';
import { findSubscription, findSubscriptionState } from './subscription.ts';

/** What a site can do about plans, subscriptions, invoices and gift cards. */
export function openMembership(parts: MembershipParts) {
  const { db, payments, site } = parts;
  return {
    findOffer: () => findOffer(db),
    /** The provider has the prices of the settings. @throws PlansMissingError, or where it cannot be reached */
    async checkPlans(): Promise<void> {
      const settings = await findMembershipSettings(db);
      await payments.checkPlans([planOf(settings, 'month'), planOf(settings, 'year')]);
    },
    findSubscription: (userId: string) => findSubscription(parts, userId),
    findSubscriptionState: (userId: string) => findSubscriptionState(db, userId),
    previewSubscription: (userId: string, order: Omit<Order, 'paymentMethodId'>) =>
      previewSubscription(parts, userId, order),
    createSubscription: (userId: string, order: Order) => createSubscription(parts, userId, order),
    refreshSubscription: (userId: string) => changes.refreshSubscription(parts, userId),
    previewPeriodChange: (userId: string, period: Period) => changes.previewPeriodChange(parts, userId, period),
    changePeriod: (userId: string, period: Period) => changes.changePeriod(parts, userId, period),
    cancelSubscription: (userId: string, reason: string | undefined) =>
      changes.cancelSubscription(parts, userId, reason),
    resumeSubscription: (userId: string) => changes.resumeSubscription(parts, userId),
    startCardChange: (userId: string) => changes.startCardChange(parts, userId),
    finishCardChange: (userId: string, setupId: string) => changes.finishCardChange(parts, userId, setupId),
    payOpenInvoice: (userId: string) => changes.payOpenInvoice(parts, userId),
    applyPromoCode: (userId: string, code: string) => changes.applyPromoCode(parts, userId, code),
    listInvoices: (userId: string, page: { cursor?: string | undefined; limit: number }) =>
      invoices.listInvoices(db, userId, page),
    findInvoice: (userId: string, id: string) => invoices.findInvoice(db, site.name, userId, id),
    buyGiftCard: (buyer: { id: string; email: string | null } | undefined, form: GiftCardForm) =>
      giftCards.buyGiftCard(parts, buyer, form),
    listGiftCards: (userId: string) => giftCards.listGiftCards(db, userId),
    /** As `viewerId` sees it: addresses and words are for the buyer alone. */
    async refreshGiftCard(id: string, viewerId: string | undefined): Promise<giftCards.GiftCard | undefined> {
      const row = await giftCards.refreshGiftCard(parts, id);
      if (row === undefined) return undefined;
      const giftCard = giftCards.presentGiftCard(row);
      const isBuyer = viewerId !== undefined && viewerId === row.buyerId;
      return isBuyer ? giftCard : { ...giftCard, recipientEmail: null, message: null, senderName: null };
    },
    refundGiftCard: (userId: string, id: string) => giftCards.refundGiftCard(parts, id, userId),
    redeemGiftCard: (userId: string, code: string) => redeemGiftCard(parts, userId, code),
    /** @returns undefined for what is not to be believed */
    readEvent: (body: string, header: (name: string) => string | undefined) => payments.readEvent(body, header),
    receiveEvent: (event: PaymentEvent) => receiveEvent(parts, event),
    doDueWork: () => doDueWork(parts),
    /** Ends all charges to a user and, while no new ones can begin, does `act`. */
    withoutCharges: (userId: string, act: () => Promise<void>) => changes.withoutCharges(parts, userId, act),
  };
}
