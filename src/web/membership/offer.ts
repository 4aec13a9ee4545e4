import type { BrowserPaymentSettings, TestCard } from '#domain/membership/rules.ts';
import type { Offer } from '#domain/membership/settings.ts';
import { answerOf, api } from '../api.ts';

/** Prices, the trial, and what a form for a card needs to know of the provider. */
export type PageOffer = Offer & { testCards: TestCard[]; payments: BrowserPaymentSettings };

let kept: PageOffer | undefined;

/** Asked for once; the same for everybody. Rejects where it cannot be had. */
export async function loadOffer(): Promise<PageOffer> {
  if (kept !== undefined) return kept;
  const answer = await answerOf(api.subscription.offer.$get());
  if (!answer.ok) throw new Error(answer.message);
  kept = answer.data;
  return kept;
}
