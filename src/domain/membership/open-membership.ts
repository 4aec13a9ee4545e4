import { countAttempts } from '../identity/attempts.ts';
import { batch } from '../kernel/batch.ts';
import { DomainError } from '../kernel/errors.ts';
import { featureSetting } from '../settings/features.ts';
import * as changes from './changes.ts';
import type { MembershipParts } from './customers.ts';
import { doDueWork } from './due-work.ts';
import { findWaitingEvents, purgeOldEvents, settleEvent, storeEvents } from './sync/events.ts';
import type { GiftCardForm } from './forms.ts';
import * as giftCards from './gift-cards/gift-cards.ts';
import { redeemGiftCard } from './gift-cards/gift-redemption.ts';
import * as invoices from './invoices.ts';
import { purgeOldLocks } from './lock.ts';
import { sendDueMails } from './mail-queue.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { PaymentEvent } from './payment-provider.ts';
import { purgeOldPromoCodeWishes } from './promo-code-wishes.ts';
import { purgeOldRuns, reconcile } from './sync/reconcile.ts';
import type { Period } from './rules.ts';
import { findMembershipSettings, membershipSetting, offerOf, planOf } from './settings.ts';
import { createSubscription } from './subscribing/subscribe.ts';
import type { Order } from './subscribing/subscribe.ts';
import { previewSubscription } from './subscribing/subscription-preview.ts';
import { findSubscription, findSubscriptionState } from './subscription.ts';

/**
 * @param parts.secret the site's own; attempts are counted by keyed hashes
 * @param parts.settings for the prices that pages show; default: they are read from the database each time
 */
export function openMembership({
  secret,
  settings,
  ...parts
}: MembershipParts & { secret: string; settings?: Settings }) {
  const { db, payments, site } = parts;
  const attempts = countAttempts(db, secret);
  return {
    findOffer: async () => offerOf(settings?.read(membershipSetting) ?? (await findMembershipSettings(db))),
    /** Checks that the provider has the configured prices. @throws PlansMissingError, or when unreachable */
    async checkPlans(): Promise<void> {
      const stored = await findMembershipSettings(db);
      await payments.checkPlans([planOf(stored, 'month'), planOf(stored, 'year')]);
    },
    findSubscription: (userId: string) => findSubscription(parts, userId),
    findSubscriptionState: (userId: string) => findSubscriptionState(db, userId),
    previewSubscription: (userId: string | undefined, order: Omit<Order, 'paymentMethodId'>) =>
      previewSubscription(parts, userId, order),
    createSubscription: (userId: string, order: Order) => createSubscription(parts, userId, order),
    refreshSubscription: (userId: string) => changes.refreshSubscription(parts, userId),
    previewPeriodChange: (userId: string, period: Period) => changes.previewPeriodChange(parts, userId, period),
    changePeriod: (userId: string, period: Period) => changes.changePeriod(parts, userId, period),
    cancelSubscription: (userId: string, reason: string | undefined) =>
      changes.cancelSubscription(parts, userId, reason),
    stopRenewal: (userId: string, reason: string) => changes.stopRenewal(parts, userId, reason),
    resumeSubscription: (userId: string) => changes.resumeSubscription(parts, userId),
    startCardChange: (userId: string) => changes.startCardChange(parts, userId),
    finishCardChange: (userId: string, setupId: string) => changes.finishCardChange(parts, userId, setupId),
    payOpenInvoice: (userId: string) => changes.payOpenInvoice(parts, userId),
    applyPromoCode: (userId: string, code: string) => changes.applyPromoCode(parts, userId, code),
    listInvoices: (userId: string, page: { cursor?: string | undefined; limit: number }) =>
      invoices.listInvoices(db, userId, page),
    findInvoice: (userId: string, id: string) => invoices.findInvoice(db, site.name, userId, id),
    /** @throws DomainError `site/feature-off` */
    async buyGiftCard(buyer: { id: string; email: string | null } | undefined, form: GiftCardForm) {
      if (settings?.read(featureSetting).giftCards === false) throw new DomainError('site/feature-off');
      return giftCards.buyGiftCard(parts, buyer, form);
    },
    listGiftCards: (userId: string) => giftCards.listGiftCards(db, userId),
    /** As `viewerId` sees it: email addresses and message are for the buyer only. */
    async refreshGiftCard(
      id: string,
      viewerId: string | undefined,
      onPaid?: () => Promise<void>,
    ): Promise<giftCards.GiftCard | undefined> {
      // Anyone with the card's URL may ask; over the limit the stored row is returned without calling the provider.
      const isOver = (await attempts.take('refresh-card', { account: id })) !== undefined;
      const row = isOver ? await giftCards.findGiftCardRow(db, id) : await giftCards.refreshGiftCard(parts, id, onPaid);
      if (row === undefined) return undefined;
      const giftCard = giftCards.presentGiftCard(row);
      const isBuyer = viewerId !== undefined && viewerId === row.buyerId;
      return isBuyer ? giftCard : { ...giftCard, recipientEmail: null, message: null, senderName: null };
    },
    refundGiftCard: (userId: string, id: string) => giftCards.refundGiftCard(parts, id, { buyerId: userId }),
    redeemGiftCard: (userId: string, code: string) => redeemGiftCard(parts, userId, code),
    /** @returns undefined for an invalid event */
    readEvent: (body: string, header: (name: string) => string | undefined) => payments.readEvent(body, header),
    /** Events that arrive together are stored in one statement. */
    storeEvent: batch({ run: (list: PaymentEvent[]) => storeEvents(db, list), max: 200 }),
    settleEvent: (eventId: string) => settleEvent(parts, eventId),
    findWaitingEvents: () => findWaitingEvents(db),
    doDueWork: (signal?: AbortSignal) => doDueWork(parts, signal),
    sendDueMails: (signal?: AbortSignal) => sendDueMails(parts, signal),
    /** Continues an interrupted run. @throws the reason of `signal` */
    reconcile: (signal?: AbortSignal) => reconcile(parts, { resume: true, signal }),
    async purgeOld(signal?: AbortSignal): Promise<void> {
      await purgeOldEvents(db, signal);
      await purgeOldLocks(db, signal);
      await purgeOldRuns(db, signal);
      await purgeOldPromoCodeWishes(db, signal);
    },
    /** Ends all charges of a user and runs `act` while new ones are blocked. */
    withoutCharges: (userId: string, act: () => Promise<void>, isWanted?: () => Promise<boolean>) =>
      changes.withoutCharges(parts, userId, act, isWanted),
  };
}
