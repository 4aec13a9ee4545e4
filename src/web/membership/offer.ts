import type { BrowserPaymentSettings, Offer, TestCard } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';

/** Prices, trial, and the provider settings that a card form needs. */
export type PageOffer = Offer & { testCards: TestCard[]; payments: BrowserPaymentSettings };

let kept: PageOffer | undefined;

/** Loaded once; the same for all listeners. Rejects when the call fails. */
export async function loadOffer(): Promise<PageOffer> {
  if (kept !== undefined) return kept;
  const answer = await answerOf(api.subscription.offer.$get());
  if (!answer.ok) throw new Error(answer.message);
  kept = answer.data;
  return kept;
}
