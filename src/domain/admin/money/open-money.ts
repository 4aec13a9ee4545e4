import type { AddJobs } from '../../gateways.ts';
import { bind } from '../../kernel/bind.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import { createGiftCard, findGiftCard, listGiftCards, refundGiftCard, resendGiftCard } from './gift-cards.ts';
import { findPaymentEvent, listPaymentEvents, replayPaymentEvent } from './payment-events.ts';
import { lockPayouts, setCountsTrials, setPayoutPool } from './payout-changes.ts';
import { exportPayouts } from './payout-csv.ts';
import { findPayouts, listPayoutMonths } from './payouts.ts';
import * as moves from './provider-moves.ts';
import { listProviders, makeMainProvider } from './providers.ts';
import * as promoCodes from './promo-codes.ts';
import { isReconciliationRunning, listReconciliations, requestReconciliation } from './reconciliations.ts';
import * as subscriptions from './subscriptions.ts';
import { sumLedger } from './sum-ledger.ts';
import { exportTax, findTax } from './tax.ts';
import { listTips, refundTip } from './tips.ts';

/** Subscriptions, gift cards, promo codes, payouts, the ledger, events of the payment provider and reconciliation. */
export function openMoney(parts: MembershipParts, addJobs: AddJobs) {
  const { listSubscriptions, ...ofSubscriptions } = subscriptions;
  return {
    ...bind(parts, {
      ...promoCodes,
      ...ofSubscriptions,
      createGiftCard,
      refundGiftCard,
      resendGiftCard,
      refundTip,
      replayPaymentEvent,
      listProviders,
      makeMainProvider,
      planProviderMove: moves.planProviderMove,
      listProviderMoves: moves.listProviderMoves,
    }),
    ...bind(
      { membership: parts, addJobs },
      { startProviderMove: moves.startProviderMove, actOnProviderMove: moves.actOnProviderMove },
    ),
    ...bind({ db: parts.db, addJobs }, { requestReconciliation }),
    ...bind(parts.db, {
      isReconciliationRunning,
      listReconciliations,
      listSubscriptions,
      findGiftCard,
      listGiftCards,
      listTips,
      findPaymentEvent,
      listPaymentEvents,
      lockPayouts,
      setCountsTrials,
      setPayoutPool,
      exportPayouts,
      findPayouts,
      listPayoutMonths,
      sumLedger,
      findTax,
      exportTax,
    }),
  };
}
