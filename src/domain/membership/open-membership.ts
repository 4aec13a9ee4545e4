import { sql } from 'drizzle-orm';
import { countAttempts } from '../identity/attempts.ts';
import { batch } from '../kernel/batch.ts';
import { bind } from '../kernel/bind.ts';
import { DomainError } from '../kernel/errors.ts';
import { purgeOldLeases } from '../kernel/leases.ts';
import { purgeRows } from '../kernel/purge.ts';
import { featureSetting } from '../settings/features.ts';
import * as changes from './changes.ts';
import type { MembershipParts } from './customers.ts';
import { doDueWork } from './due-work.ts';
import { findWaitingEvents, settleEvent, storeEvents } from './sync/events.ts';
import type { GiftCardForm } from './forms.ts';
import {
  buyGiftCard,
  findGiftCardRow,
  listGiftCards,
  presentGiftCard,
  refreshGiftCard,
  refundGiftCard,
} from './gift-cards/gift-cards.ts';
import { redeemGiftCard } from './gift-cards/gift-redemption.ts';
import { findGiftInvoices, findInvoice, findTipInvoices, listInvoices } from './invoices.ts';
import { planKeepingMails } from './keeping/plan-mails.ts';
import { winBack } from './keeping/win-back.ts';
import { endPause, pauseSubscription } from './keeping/pause.ts';
import { acceptStayOffer } from './keeping/stay-offer.ts';
import { paymentLeases } from './lock.ts';
import { sendDueMails } from './mail-queue.ts';
import { findFormerProvider } from './moving/find-former.ts';
import { findRunningMoves, runMove } from './moving/run-move.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { ProviderName } from './capabilities.ts';
import type { Postback } from './hosted/hosted-provider.ts';
import type { PaymentEvent } from './payment-provider.ts';
import { findProvider } from './payment-providers.ts';
import { reconcile } from './sync/reconcile.ts';
import { findMembershipSettings, membershipSetting, offerOf, plansOf } from './settings.ts';
import type { GiftCard } from './shapes.ts';
import { findCheckout, startCheckout } from './subscribing/checkout.ts';
import { createSubscription } from './subscribing/subscribe.ts';
import { findCurrency, previewSubscription } from './subscribing/subscription-preview.ts';
import { findSubscription, findSubscriptionState } from './subscription.ts';
import { findKeptYears, findVatId, noteRegion, setVatId } from './tax/buyer.ts';
import { presetRates, ratesWrittenOn } from './tax/presets.ts';
import { purgeDocuments } from './tax/purge.ts';
import { paymentEvents, promoCodeWishes, reconciliationRuns } from './tables.ts';
import { tipSetting } from './tips/settings.ts';
import type { Tip } from './tips/shapes.ts';
import { findTipRow, findTipThanks, presentTip, refreshTip, startTip, tipOfferOf } from './tips/tips.ts';

/**
 * @param parts.secret the site's own; attempts are counted by keyed hashes
 * @param parts.settings for the prices that pages show; default: they are read from the database each time
 */
export function openMembership({
  secret,
  settings,
  ...parts
}: MembershipParts & { secret: string; settings?: Settings }) {
  const { db, payments } = parts;
  const attempts = countAttempts(db, secret);
  return {
    findOffer: async () =>
      offerOf(settings?.read(membershipSetting) ?? (await findMembershipSettings(db)), payments.capabilities),
    /** Checks that the provider has the configured prices. @throws PlansMissingError, or when unreachable */
    async checkPlans(): Promise<void> {
      const stored = await findMembershipSettings(db);
      await payments.checkPlans(plansOf(stored, payments.capabilities));
    },
    ...bind(parts, {
      ...changes,
      findSubscription,
      previewSubscription,
      findCurrency,
      createSubscription,
      startCheckout,
      findCheckout,
      redeemGiftCard,
      pauseSubscription,
      endPause: (one: MembershipParts, userId: string, shown?: { chargesNow: boolean }) => endPause(one, userId, shown),
      acceptStayOffer,
    }),
    ...bind(parts, { settleEvent, doDueWork, sendDueMails, planKeepingMails, winBack, runMove }),
    taxPresets: { rates: presetRates, writtenOn: ratesWrittenOn },
    /** The main provider’s own name for what works out tax; null: only the site’s table does. */
    findTaxService: () => payments.capabilities.taxService ?? null,
    ...bind(db, {
      findKeptYears,
      findVatId,
      setVatId,
      noteRegion,
      findSubscriptionState,
      listInvoices,
      listGiftCards,
      findWaitingEvents,
      findFormerProvider,
      findRunningMoves,
      findTipThanks,
    }),
    findInvoice: (userId: string, id: string) => findInvoice(parts, userId, id),
    findGiftInvoices: (giftCardId: string, viewerId: string | undefined) =>
      findGiftInvoices(parts, giftCardId, viewerId),
    /** @throws DomainError `site/feature-off` */
    async buyGiftCard(buyer: { id: string; email: string | null } | undefined, form: GiftCardForm) {
      if (settings?.read(featureSetting).giftCards === false) throw new DomainError('site/feature-off');
      return buyGiftCard(parts, buyer, form);
    },
    /** As `viewerId` sees it: email addresses and message are for the buyer only. */
    async refreshGiftCard(
      id: string,
      viewerId: string | undefined,
      onPaid?: () => Promise<void>,
    ): Promise<GiftCard | undefined> {
      // Anyone with the card's URL may ask; over the limit the stored row is returned without calling the provider.
      const isOver = (await attempts.take('refresh-card', { account: id })) !== undefined;
      const row = isOver ? await findGiftCardRow(db, id) : await refreshGiftCard(parts, id, onPaid);
      if (row === undefined) return undefined;
      const giftCard = presentGiftCard(row);
      const isBuyer = viewerId !== undefined && viewerId === row.buyerId;
      return isBuyer ? giftCard : { ...giftCard, recipientEmail: null, message: null, senderName: null };
    },
    /** Amounts that creators who take tips can be given; undefined: none. */
    findTipOffer() {
      if (settings === undefined) return undefined;
      return tipOfferOf(settings.read(tipSetting), settings.read(membershipSetting), payments.capabilities);
    },
    startTip: (giverId: string, order: Parameters<typeof startTip>[2]) => startTip(parts, giverId, order),
    /** @returns undefined for a tip of others */
    async refreshTip(giverId: string, id: string): Promise<Tip | undefined> {
      const known = await findTipRow(db, id);
      if (known?.giverId !== giverId) return undefined;
      const isOver = (await attempts.take('refresh-card', { account: id })) !== undefined;
      const row = isOver ? known : await refreshTip(parts, id);
      return row && presentTip(row);
    },
    findTipInvoices: (giverId: string, id: string) => findTipInvoices(parts, id, giverId),
    refundGiftCard: (userId: string, id: string) => refundGiftCard(parts, id, { buyerId: userId }),
    /** @returns undefined for an invalid event, and for a provider that this site does not have */
    readEvents: async (name: ProviderName, postback: Postback) => findProvider(payments, name)?.readEvents(postback),
    /** The answer that the provider takes as received. */
    receivedBy: (name: ProviderName) => findProvider(payments, name)?.received ?? '',
    /** Events that arrive together are stored in one statement. */
    storeEvent: batch({ run: (list: PaymentEvent[]) => storeEvents(db, list), max: 200 }),
    /** Continues an interrupted run. @throws the reason of `signal` */
    reconcile: (signal?: AbortSignal) => reconcile(parts, { resume: true, signal }),
    async purgeOld(signal?: AbortSignal): Promise<void> {
      // Providers retry for days; operators may look into events for weeks.
      const isOldEvent = sql`${paymentEvents.receivedAt} < now() - interval '180 days' and ${paymentEvents.status} in ('done', 'ignored')`;
      await purgeRows(db, paymentEvents, isOldEvent, signal, paymentEvents.receivedAt);
      await purgeOldLeases(db, paymentLeases, signal);
      await purgeRows(db, reconciliationRuns, sql`${reconciliationRuns.startedAt} < now() - interval '1 year'`, signal);
      // The log keeps what was changed.
      const isOldWish = sql`${promoCodeWishes.createdAt} < now() - interval '30 days' and ${promoCodeWishes.state} <> 'asked'`;
      await purgeRows(db, promoCodeWishes, isOldWish, signal);
      await purgeDocuments(db, signal);
    },
  };
}
