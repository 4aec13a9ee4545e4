import { settleSubscriptionWishes } from './changes.ts';
import { settleWaitingWishes } from './charge-wishes.ts';
import { type MembershipParts, changeEmails } from './customers.ts';
import { finishGiftCardRefunds } from './gift-cards/gift-cards.ts';
import { settleWaitingPromoCodes } from './promo-code-wishes.ts';
import { settleStayOffers } from './keeping/stay-offer.ts';
import { finishMoves } from './moving/finish-moves.ts';
import { finishRefunds } from './refunds.ts';
import { issueDocuments } from './tax/documents.ts';
import { finishTipRefunds } from './tips/tips.ts';
import { settleEach } from '../kernel/settle-each.ts';

/**
 * Acts that wait for the provider, due at any minute. Mails have a job of their own, so that a silent mail server holds
 * no money up.
 * @param signal stops it between two users
 * @throws its reason, or the first failure after all other tasks were tried
 */
export async function doDueWork(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  const tasks = [
    settleWaitingWishes,
    settleWaitingPromoCodes,
    finishRefunds,
    finishGiftCardRefunds,
    finishTipRefunds,
    settleSubscriptionWishes,
    settleStayOffers,
    finishMoves,
    changeEmails,
    ({ db }: MembershipParts) => issueDocuments(db, { signal }),
  ];
  await settleEach(tasks, (task) => task(parts, signal), { signal }).finally(() => signal?.throwIfAborted());
}
