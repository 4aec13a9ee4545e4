import type { MembershipParts } from '../customers.ts';
import { findGiftCardOfPayment, refreshGiftCard } from '../gift-cards/gift-cards.ts';
import { findTipOfPayment, refreshTip } from '../tips/tips.ts';

/** Asks for a payment outside of subscriptions, and stores its state. @returns whether it belongs to this site */
export async function refreshSinglePayment(parts: MembershipParts, paymentId: string): Promise<boolean> {
  const giftCardId = await findGiftCardOfPayment(parts.db, paymentId);
  if (giftCardId !== undefined) await refreshGiftCard(parts, giftCardId);
  const tipId = giftCardId === undefined ? await findTipOfPayment(parts.db, paymentId) : undefined;
  if (tipId !== undefined) await refreshTip(parts, tipId);
  return giftCardId !== undefined || tipId !== undefined;
}
