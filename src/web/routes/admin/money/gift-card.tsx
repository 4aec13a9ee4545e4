import { isMadeGiftCard } from '#domain/membership/rules.ts';
import { LocalTime } from '#web/workshop/local-time.tsx';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Mail from 'lucide-react/icons/mail';
import Undo2 from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminGiftCard } from '#domain/admin/money/gift-cards.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ConsequenceDialog, useConfirm } from '#web/admin/consequence-dialog.tsx';
import { giftCardWords } from '#web/admin/money/state-words.ts';
import { titled } from '#web/workshop/titled.ts';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { type Moment, Fact, Facts, Timeline } from '#web/workshop/facts.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/gift-card';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { card: orNotFound(await site.admin.money.findGiftCard(viewer, params.id)) };
}

export const meta = titled(() => 'Gift card');

export default function AdminGiftCardPage({ loaderData: { card } }: Route.ComponentProps) {
  const { call } = useCall();
  const { confirm, dialog } = useConfirm();
  const [isRefunding, setIsRefunding] = useState(false);
  const { id, months, amount, currency, state, codeEnding, buyer, recipientEmail, redeemer } = card;
  const isRedeemed = card.redeemedAt !== null;
  const isMade = isMadeGiftCard(card);
  const canRefund = card.paidAt !== null && card.refundedAt === null && card.paidBackAt === null;
  const nobody = isRedeemed ? 'A deleted account' : 'Nobody yet';
  const canResend = canRefund && !isRedeemed && recipientEmail !== null;

  const askToResend = () =>
    confirm({
      title: 'Send the gift card again',
      consequences: `${recipientEmail} gets an email with a new code. The previous code stops working.`,
      verb: 'Send again',
      onConfirm: () =>
        call('act', () => api.admin['gift-cards'][':id'].mail.$post({ param: { id } }), {
          done: 'It is sent within a minute',
        }),
    });

  return (
    <>
      <WorkshopHead
        title={`Gift card of ${countOf(months, 'month')}`}
        facts={
          <>
            <StateMark {...giftCardWords[state]} />
            {card.paidBackAt !== null && <StateMark tone="bad" text="Refunded" />}
            <span>{formatMoney(amount, currency)}</span>
            {codeEnding !== null && <span className="dot">code ending {codeEnding}</span>}
          </>
        }
        back={{ to: href('/admin/gift-cards'), label: 'Gift cards' }}
      >
        {canResend && <Button onClick={askToResend}>Send again</Button>}
        {canRefund && !(isMade && isRedeemed) && (
          <Button onClick={() => setIsRefunding(true)}>{isMade ? 'End' : 'Refund'}</Button>
        )}
      </WorkshopHead>
      <div className="main-and-aside">
        <Pane title="Timeline">
          <Timeline moments={listMoments(card)} />
          <p className="text-13 mt-3 text-muted">The code itself is only in the mail.</p>
        </Pane>
        <Pane title="People">
          <Facts>
            <Fact name="Bought by" className="wrap-anywhere">
              {isMade ? (
                'Nobody: it was made in Admin'
              ) : buyer.id === null ? (
                (buyer.email ?? 'A deleted account')
              ) : (
                <AccountLink id={buyer.id} name={buyer.username ?? buyer.email} />
              )}
            </Fact>
            <Fact name="Sent to" className="wrap-anywhere">
              {recipientEmail ?? 'No longer known'}
            </Fact>
            <Fact name="Redeemed by">
              {redeemer === null ? nobody : <AccountLink id={redeemer.id} name={redeemer.username} />}
            </Fact>
          </Facts>
        </Pane>
      </div>
      {dialog}
      {isRefunding && <RefundCardDialog card={card} onClose={() => setIsRefunding(false)} />}
    </>
  );
}

function RefundCardDialog({ card, onClose }: { card: AdminGiftCard; onClose: () => void }) {
  const { call } = useCall();
  const [evenRedeemed, setEvenRedeemed] = useState(false);
  const { id, months } = card;
  const isRedeemed = card.redeemedAt !== null;
  const isMade = isMadeGiftCard(card);
  const amount = formatMoney(card.amount, card.currency);
  return (
    <ConsequenceDialog
      title={isMade ? 'End the gift card' : 'Refund the gift card'}
      consequences={
        isMade
          ? 'Its code stops working for good. Nothing was paid for it.'
          : `${amount} will be refunded to the original card. ${isRedeemed ? `It was redeemed: its ${countOf(months, 'month')} stay with the account.` : 'The code stops working for good.'}`
      }
      verb={isMade ? 'End gift card' : `Refund ${amount}`}
      asksReason
      isReady={!isRedeemed || evenRedeemed}
      onClose={onClose}
      onConfirm={(reason) =>
        call(
          'act',
          () => api.admin['gift-cards'][':id'].refund.$post({ param: { id }, json: { evenRedeemed, reason } }),
          {
            done: isMade ? 'It has ended' : `${amount} refunded`,
          },
        )
      }
    >
      {isRedeemed && (
        <CheckBox checked={evenRedeemed} onChange={(event) => setEvenRedeemed(event.target.checked)}>
          Refund it although it was redeemed
        </CheckBox>
      )}
    </ConsequenceDialog>
  );
}

function AccountLink({ id, name }: { id: string; name: string | null }) {
  return (
    <Link className="tap" to={href('/admin/users/:id', { id })}>
      {name ?? id}
    </Link>
  );
}

/** Newest first. */
function listMoments(card: AdminGiftCard): Moment[] {
  const { createdAt, paidAt, deliverAt, sentAt, redeemedAt, refundedAt, paidBackAt, isBeingSent } = card;
  const isMade = isMadeGiftCard(card);
  const moments: ((Moment & { at: Date }) | false)[] = [
    { at: createdAt, icon: Gift, title: isMade ? 'Made' : 'Ordered' },
    !isMade &&
      paidAt !== null && { at: paidAt, icon: Check, title: 'Paid', note: formatMoney(card.amount, card.currency) },
    isBeingSent && { at: deliverAt, icon: Mail, title: sentAt === null ? 'To be emailed' : 'To be emailed again' },
    sentAt !== null && { at: sentAt, icon: Mail, title: 'Mailed', note: 'With the newest code' },
    redeemedAt !== null && { at: redeemedAt, icon: Gift, title: 'Redeemed', note: countOf(card.months, 'month') },
    refundedAt !== null && {
      at: refundedAt,
      icon: Undo2,
      title: isMade ? 'Ended' : 'Refunded',
      note: 'The code does not work any more',
    },
    paidBackAt !== null && { at: paidBackAt, icon: Undo2, title: 'Refunded', note: 'The months were kept' },
  ];
  return moments
    .filter((moment) => moment !== false)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .map((moment) => ({ ...moment, time: <LocalTime at={moment.at} style="full" /> }));
}
