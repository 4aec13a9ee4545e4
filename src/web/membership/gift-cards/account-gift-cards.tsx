import { useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import type { GiftCard } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../../api.ts';
import { useIsOn } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { giftCardTags } from './gift-card-words.ts';
import { asJson } from '../use-change.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { monthsOf } from '../wording.ts';

/** Gift cards that the user bought, and links to buy and redeem one. */
export function AccountGiftCards({ giftCards }: { giftCards: GiftCard[] }) {
  const sellsGiftCards = useIsOn('giftCards');
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [refunding, setRefunding] = useState<GiftCard>();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  function ask(card: GiftCard): void {
    setFailure(undefined);
    setRefunding(card);
    setIsAsking(true);
  }

  async function refund(id: string): Promise<void> {
    setFailure(undefined);
    setIsBusy(true);
    const answer = await answerOf(api.user['gift-cards'][':id'].refund.$post({ param: { id } }, asJson));
    await revalidate();
    setIsBusy(false);
    if (!answer.ok) return setFailure(answer.message);
    setIsAsking(false);
    showToast({ text: 'Your refund is on its way' });
  }

  return (
    <section id="gift-cards" tabIndex={-1} aria-label="Gift cards">
      <h1 className="text-26" tabIndex={-1}>
        Gift cards
      </h1>
      <p className="mt-2 flex flex-wrap gap-x-6 gap-y-1">
        <Link className="link" to={href('/gift-card/redeem')}>
          Redeem a gift card
        </Link>
        {sellsGiftCards && (
          <Link className="link" to={href('/gift-card')}>
            Give a gift card
          </Link>
        )}
      </p>
      {giftCards.length > 0 && (
        <ul className="details">
          {giftCards.map((card) => (
            <li key={card.id} className="details__row details__row--wide">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
                  {monthsOf(card.months)}
                  {card.recipientEmail !== null && ` for ${card.recipientEmail}`}
                  <span className="tag tag--quiet">{giftCardTags[card.state]}</span>
                </p>
                <p className="tabular-nums text-14 text-muted">
                  {formatMoney(card.amount, card.currency)}, {datePhrase(card)}
                </p>
              </div>
              {(card.state === 'paid' || card.state === 'sent') && (
                <button
                  type="button"
                  className="link"
                  aria-label={`Refund the gift card of ${formatDay(card.createdAt)}`}
                  onClick={() => ask(card)}
                >
                  Refund
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Refund this gift card?"
        description={
          refunding &&
          `${formatMoney(refunding.amount, refunding.currency)} is refunded to your card, and the code stops working.`
        }
      >
        <div className="form">
          {failure !== undefined && <Note tone="error">{failure}</Note>}
          <Button
            className="btn--danger"
            variant="outline"
            size="lg"
            width="full"
            busy={isBusy ? 'Refunding…' : undefined}
            onClick={() => refunding && void refund(refunding.id)}
          >
            Refund
          </Button>
          <Button className="bg-overlay" size="lg" width="full" onClick={() => setIsAsking(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </section>
  );
}

/** A refunded card may never have been mailed. */
function datePhrase({ state, createdAt, deliverAt }: Pick<GiftCard, 'state' | 'createdAt' | 'deliverAt'>): string {
  if (state === 'refunded') return `bought on ${formatDay(createdAt)}`;
  return `${state === 'paid' ? 'to be emailed' : 'emailed'} on ${formatDay(deliverAt)}`;
}
