import type { BrowserPaymentSettings, CardPaymentSettings, Offer, TestCard } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';

/** Prices, trial, and the provider settings that a card form needs. */
export type PageOffer = Offer & {
  testCards: TestCard[];
  payments: BrowserPaymentSettings;
  cardPayments: CardPaymentSettings | null;
};

/** An offer of a site that takes cards itself. */
export type CardOffer = { cardPayments: CardPaymentSettings };

let kept: PageOffer | undefined;

export function takesCards(offer: PageOffer): offer is PageOffer & CardOffer {
  return offer.cardPayments !== null;
}

/** Loaded once; the same for all listeners. Rejects when the call fails. */
export async function loadOffer(): Promise<PageOffer> {
  if (kept !== undefined) return kept;
  const answer = await answerOf(api.subscription.offer.$get());
  if (!answer.ok) throw new Error(answer.message);
  kept = answer.data;
  return kept;
}
