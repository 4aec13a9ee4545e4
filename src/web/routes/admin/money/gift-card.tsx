import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { isMadeGiftCard } from '#domain/membership/rules.ts';
import { LocalTime } from '#web/workshop/local-time.tsx';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Mail from 'lucide-react/icons/mail';
import Undo2 from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminGiftCard } from '#domain/admin/money/gift-cards.ts';
import { formatMoney } from '#formats/numbers.ts';
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

export const meta = titled(() => t`Gift card`);

export default function AdminGiftCardPage({ loaderData: { card } }: Route.ComponentProps) {
  const { call } = useCall();
  const { confirm, dialog } = useConfirm();
  const [isRefunding, setIsRefunding] = useState(false);
  const { id, months, amount, currency, state, codeEnding, buyer, recipientEmail, redeemer } = card;
  const isRedeemed = card.redeemedAt !== null;
  const isMade = isMadeGiftCard(card);
  const canRefund = card.paidAt !== null && card.refundedAt === null && card.paidBackAt === null;
  const nobody = isRedeemed ? t`A deleted account` : t`Nobody yet`;
  const canResend = canRefund && !isRedeemed && recipientEmail !== null;

  const askToResend = () =>
    confirm({
      title: t`Send the gift card again`,
      consequences: t`${{ recipientEmail: recipientEmail ?? '' }} gets an email with a new code. The previous code stops working.`,
      verb: t`Send again`,
      onConfirm: () =>
        call('act', () => api.admin['gift-cards'][':id'].mail.$post({ param: { id } }), {
          done: t`It is sent within a minute`,
        }),
    });

  return (
    <>
      <WorkshopHead
        title={plural(months, { one: 'Gift card of # month', other: 'Gift card of # months' })}
        facts={
          <>
            <StateMark {...giftCardWords()[state]} />
            {card.paidBackAt !== null && <StateMark tone="bad" text={t`Refunded`} />}
            <span>{formatMoney(amount, currency)}</span>
            {codeEnding !== null && <span className="dot">{t`code ending ${codeEnding}`}</span>}
          </>
        }
        back={{ to: href('/admin/gift-cards'), label: t`Gift cards` }}
      >
        {canResend && <Button onClick={askToResend}>{t`Send again`}</Button>}
        {canRefund && !(isMade && isRedeemed) && (
          <Button onClick={() => setIsRefunding(true)}>
            {isMade ? t({ message: 'End', context: 'verb' }) : t`Refund`}
          </Button>
        )}
      </WorkshopHead>
      <div className="main-and-aside">
        <Pane title={t`Timeline`}>
          <Timeline moments={listMoments(card)} />
          <p className="text-13 mt-3 text-muted">
            <Trans>The code itself is only in the mail.</Trans>
          </p>
        </Pane>
        <Pane title={t`People`}>
          <Facts>
            <Fact name={t`Bought by`} className="wrap-anywhere">
              {isMade ? (
                t`Nobody: it was made in Admin`
              ) : buyer.id === null ? (
                (buyer.email ?? t`A deleted account`)
              ) : (
                <AccountLink id={buyer.id} name={buyer.username ?? buyer.email} />
              )}
            </Fact>
            <Fact name={t`Sent to`} className="wrap-anywhere">
              {recipientEmail ?? t`No longer known`}
            </Fact>
            <Fact name={t`Redeemed by`}>
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
      title={isMade ? t`End the gift card` : t`Refund the gift card`}
      consequences={
        isMade
          ? t`Its code stops working for good. Nothing was paid for it.`
          : isRedeemed
            ? t`${amount} will be refunded to the original card. It was redeemed: ${plural(months, { one: 'its # month stays', other: 'its # months stay' })} with the account.`
            : t`${amount} will be refunded to the original card. The code stops working for good.`
      }
      verb={isMade ? t`End gift card` : t`Refund ${amount}`}
      asksReason
      isReady={!isRedeemed || evenRedeemed}
      onClose={onClose}
      onConfirm={(reason) =>
        call(
          'act',
          () => api.admin['gift-cards'][':id'].refund.$post({ param: { id }, json: { evenRedeemed, reason } }),
          {
            done: isMade ? t`It has ended` : t`${amount} refunded`,
          },
        )
      }
    >
      {isRedeemed && (
        <CheckBox checked={evenRedeemed} onChange={(event) => setEvenRedeemed(event.target.checked)}>
          {t`Refund it although it was redeemed`}
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
    {
      at: createdAt,
      icon: Gift,
      title: isMade ? t({ message: 'Made', context: 'event' }) : t({ message: 'Ordered', context: 'event' }),
    },
    !isMade &&
      paidAt !== null && {
        at: paidAt,
        icon: Check,
        title: t({ message: 'Paid', context: 'event' }),
        note: formatMoney(card.amount, card.currency),
      },
    isBeingSent && { at: deliverAt, icon: Mail, title: sentAt === null ? t`To be emailed` : t`To be emailed again` },
    sentAt !== null && {
      at: sentAt,
      icon: Mail,
      title: t({ message: 'Mailed', context: 'event' }),
      note: t`With the newest code`,
    },
    redeemedAt !== null && {
      at: redeemedAt,
      icon: Gift,
      title: t({ message: 'Redeemed', context: 'event' }),
      note: plural({ months: card.months }, { one: '# month', other: '# months' }),
    },
    refundedAt !== null && {
      at: refundedAt,
      icon: Undo2,
      title: isMade ? t({ message: 'Ended', context: 'event' }) : t({ message: 'Refunded', context: 'event' }),
      note: t`The code does not work any more`,
    },
    paidBackAt !== null && {
      at: paidBackAt,
      icon: Undo2,
      title: t({ message: 'Refunded', context: 'event' }),
      note: t`The months were kept`,
    },
  ];
  return moments
    .filter((moment) => moment !== false)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .map((moment) => ({ ...moment, time: <LocalTime at={moment.at} style="full" /> }));
}
