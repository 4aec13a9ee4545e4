import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
    showToast({ text: t`Your refund is on its way` });
  }

  const price = refunding === undefined ? '' : formatMoney(refunding.amount, refunding.currency);
  return (
    <section id="gift-cards" tabIndex={-1} aria-label={t`Gift cards`}>
      <h1 className="text-26" tabIndex={-1}>
        <Trans>Gift cards</Trans>
      </h1>
      <p className="mt-2 flex flex-wrap gap-x-6 gap-y-1">
        <Link className="link" to={href('/gift-card/redeem')}>
          {t`Redeem a gift card`}
        </Link>
        {sellsGiftCards && (
          <Link className="link" to={href('/gift-card')}>
            {t`Give a gift card`}
          </Link>
        )}
      </p>
      {giftCards.length > 0 && (
        <ul className="details">
          {giftCards.map((card) => (
            <GiftCardRow key={card.id} card={card} onRefund={() => ask(card)} />
          ))}
        </ul>
      )}
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Refund this gift card?`}
        description={refunding && t`${price} is refunded to your card, and the code stops working.`}
      >
        <div className="form">
          {failure !== undefined && <Note tone="error">{failure}</Note>}
          <Button
            className="btn--danger"
            variant="outline"
            size="lg"
            width="full"
            busy={isBusy ? t`Refunding…` : undefined}
            onClick={() => refunding && void refund(refunding.id)}
          >
            {t({ message: 'Refund', context: 'verb' })}
          </Button>
          <Button className="bg-overlay" size="lg" width="full" onClick={() => setIsAsking(false)}>
            {t`Keep it`}
          </Button>
        </div>
      </Dialog>
    </section>
  );
}

function GiftCardRow({ card, onRefund }: { card: GiftCard; onRefund: () => void }) {
  const { id, months, recipientEmail, state, createdAt } = card;
  const [duration, bought] = [monthsOf(months), formatDay(createdAt)];
  return (
    <li className="details__row details__row--wide">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          {recipientEmail === null ? duration : t`${duration} for ${recipientEmail}`}
          <span className="tag tag--quiet">{giftCardTags()[state]}</span>
        </p>
        <p className="tabular-nums text-14 text-muted">{paymentLine(card)}</p>
      </div>
      <div className="flex flex-wrap gap-x-4">
        <Link className="link" to={href('/gift-card/:id', { id })} aria-label={t`View the gift card of ${bought}`}>
          <Trans context="verb">View</Trans>
        </Link>
        {(state === 'paid' || state === 'sent') && (
          <button type="button" className="link" aria-label={t`Refund the gift card of ${bought}`} onClick={onRefund}>
            <Trans context="verb">Refund</Trans>
          </button>
        )}
      </div>
    </li>
  );
}

/** A refunded card may never have been mailed. */
function paymentLine({ amount, currency, state, createdAt, deliverAt }: GiftCard): string {
  const price = formatMoney(amount, currency);
  const day = formatDay(state === 'refunded' ? createdAt : deliverAt);
  if (state === 'refunded') return t`${price}, bought on ${day}`;
  return state === 'paid' ? t`${price}, to be emailed on ${day}` : t`${price}, emailed on ${day}`;
}
