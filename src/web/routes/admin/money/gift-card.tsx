import { isMadeGiftCard } from '#domain/membership/rules.ts';
import { LocalTime } from '#web/workshop/local-time.tsx';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Mail from 'lucide-react/icons/mail';
import Undo2 from 'lucide-react/icons/undo-2';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminGiftCard } from '#domain/admin/money/gift-cards.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ConsequenceDialog } from '#web/admin/consequence-dialog.tsx';
import { ReasonDialog } from '#web/admin/reason-dialog.tsx';
import { giftCardWords } from '#web/admin/money/state-words.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import type { Route } from './+types/gift-card';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { card: orNotFound(await site.admin.money.findGiftCard(viewer, params.id)) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Gift card', description: 'A gift card of the site', index: 'no' });
}

/** A key per item, so that input and dialogs of one do not appear on another. */
export default function AdminGiftCardPage({ loaderData }: Route.ComponentProps) {
  return <GiftCardPage key={loaderData.card.id} {...loaderData} />;
}

function GiftCardPage({ card }: Route.ComponentProps['loaderData']) {
  const money = useCall();
  const [dialog, setDialog] = useState<'resend' | 'refund'>();
  const [evenRedeemed, setEvenRedeemed] = useState(false);
  const { id, months, amount, currency, state, codeEnding, buyer, recipientEmail, redeemer } = card;
  const isRedeemed = card.redeemedAt !== null;
  const isMade = isMadeGiftCard(card);
  const canRefund = card.paidAt !== null && card.refundedAt === null && card.paidBackAt === null;
  const canResend = canRefund && !isRedeemed && recipientEmail !== null;
  const close = () => setDialog(undefined);
  return (
    <>
      <AdminHead
        title={`Gift card of ${countOf(months, 'month')}`}
        facts={
          <>
            <span className={`state-mark ${giftCardWords[state].tone}`}>{giftCardWords[state].text}</span>
            {card.paidBackAt !== null && <span className="state-mark tone-bad">Refunded</span>}
            <span>{formatMoney(amount, currency)}</span>
            {codeEnding !== null && <span className="dot">code ending {codeEnding}</span>}
          </>
        }
        back={{ to: href('/admin/gift-cards'), label: 'Gift cards' }}
      >
        {canResend && <Button onClick={() => setDialog('resend')}>Send again</Button>}
        {canRefund && !(isMade && isRedeemed) && (
          <Button onClick={() => setDialog('refund')}>{isMade ? 'End' : 'Refund'}</Button>
        )}
      </AdminHead>
      <div className="main-and-aside">
        <section className="pane" aria-labelledby="timeline">
          <h2 className="pane-title mb-3" id="timeline">
            Timeline
          </h2>
          <ol className="timeline">
            {listMoments(card).map(({ at, icon, title, note }) => (
              <li key={title}>
                <span className="timeline__icon">
                  <Icon of={icon} size={16} />
                </span>
                <b>{title}</b>
                <LocalTime at={at} style="full" />
                {note !== undefined && <small>{note}</small>}
              </li>
            ))}
          </ol>
          <p className="text-13 mt-3 text-muted">The code itself is only in the mail.</p>
        </section>
        <section className="pane" aria-labelledby="people">
          <h2 className="pane-title mb-3" id="people">
            People
          </h2>
          <dl className="facts">
            <dt>Bought by</dt>
            <dd className="wrap-anywhere">
              {isMade ? (
                'Nobody: it was made in Admin'
              ) : buyer.id === null ? (
                (buyer.email ?? 'A deleted account')
              ) : (
                <Link className="tap" to={href('/admin/users/:id', { id: buyer.id })}>
                  {buyer.username ?? buyer.email ?? buyer.id}
                </Link>
              )}
            </dd>
            <dt>Sent to</dt>
            <dd className="wrap-anywhere">{recipientEmail ?? 'No longer known'}</dd>
            <dt>Redeemed by</dt>
            <dd>
              {redeemer === null ? (
                isRedeemed ? (
                  'A deleted account'
                ) : (
                  'Nobody yet'
                )
              ) : (
                <Link className="tap" to={href('/admin/users/:id', { id: redeemer.id })}>
                  {redeemer.username ?? redeemer.id}
                </Link>
              )}
            </dd>
          </dl>
        </section>
      </div>
      {dialog === 'resend' && (
        <ConsequenceDialog
          title="Send the gift card again"
          consequences={`${recipientEmail} gets an email with a new code. The previous code stops working.`}
          verb="Send again"
          isBusy={money.isBusy}
          onClose={close}
          onConfirm={async () => {
            const sent = await money.call(
              'act',
              () => answerOf(api.admin['gift-cards'][':id'].mail.$post({ param: { id } })),
              { done: 'It is sent within a minute' },
            );
            if (sent !== undefined) close();
          }}
        />
      )}
      {dialog === 'refund' && (
        <ReasonDialog
          title={isMade ? 'End the gift card' : 'Refund the gift card'}
          consequences={
            isMade
              ? 'Its code stops working for good. Nothing was paid for it.'
              : `${formatMoney(amount, currency)} will be refunded to the original card. ${isRedeemed ? `It was redeemed: its ${countOf(months, 'month')} stay with the account.` : 'The code stops working for good.'}`
          }
          verb={isMade ? 'End gift card' : `Refund ${formatMoney(amount, currency)}`}
          isBusy={money.isBusy}
          isReady={!isRedeemed || evenRedeemed}
          onClose={close}
          onConfirm={async (reason) => {
            const refunded = await money.call(
              'act',
              () =>
                answerOf(
                  api.admin['gift-cards'][':id'].refund.$post({ param: { id }, json: { evenRedeemed, reason } }),
                ),
              { done: isMade ? 'It has ended' : `${formatMoney(amount, currency)} refunded` },
            );
            if (refunded !== undefined) close();
          }}
        >
          {isRedeemed && (
            <CheckBox checked={evenRedeemed} onChange={(event) => setEvenRedeemed(event.target.checked)}>
              Refund it although it was redeemed
            </CheckBox>
          )}
        </ReasonDialog>
      )}
    </>
  );
}

type Moment = { at: Date; icon: LucideIcon; title: string; note?: string };

/** Newest first. */
function listMoments(card: AdminGiftCard): Moment[] {
  const { createdAt, paidAt, deliverAt, sentAt, redeemedAt, refundedAt, paidBackAt, isBeingSent } = card;
  const isMade = isMadeGiftCard(card);
  const moments: (Moment | false)[] = [
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
  return moments.filter((moment) => moment !== false).toSorted((one, other) => other.at.getTime() - one.at.getTime());
}
