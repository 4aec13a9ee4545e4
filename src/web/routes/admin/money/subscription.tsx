import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminPayment } from '#domain/admin/money/subscriptions.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ConsequenceDialog } from '#web/admin/consequence-dialog.tsx';
import { titled } from '#web/workshop/titled.ts';
import { useCall } from '#web/admin/use-call.ts';
import { UserSubscription } from '#web/admin/people/user-subscription.tsx';
import { api } from '#web/api.ts';
import { randomUuid } from '#web/ui/random-uuid.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { invoiceStatusNames } from '#domain/membership/rules.ts';
import { RowActions, RowName, Table } from '#web/workshop/lists/table.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { amountOf, toTyped } from '#web/admin/money/typed-amount.ts';
import type { Route } from './+types/subscription';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { detail: orNotFound(await site.admin.money.findSubscriptionDetail(viewer, params.id)) };
}

export const meta = titled(() => t`Subscription`);

export default function AdminSubscription({ loaderData: { detail } }: Route.ComponentProps) {
  const { user, subscriptionId, customerId, subscription, payments, moments } = detail;
  const money = useCall();
  const whenName = useId();
  const [refunding, setRefunding] = useState<AdminPayment>();
  const [isCanceling, setIsCanceling] = useState(false);
  const [isEndingPause, setIsEndingPause] = useState(false);
  const [when, setWhen] = useState<'end' | 'now'>('end');
  const name = user.username ?? user.email ?? user.id;
  const isRunning = ['trialing', 'active', 'past-due', 'paused', 'ending'].includes(subscription.state);
  const paidUntil = subscription.endsAt ?? subscription.pause?.from ?? subscription.renewsAt;
  const chargesNow = subscription.state === 'paused' && subscription.giftUntil === null;
  const param = { id: user.id };
  return (
    <>
      <WorkshopHead
        title={name}
        facts={user.email === null ? t`Subscription` : t`Subscription of ${{ name: user.email }}`}
        back={{ to: href('/admin/subscriptions'), label: t`Subscriptions` }}
      >
        <Button render={<Link to={href('/admin/users/:id', { id: user.id })} />}>{t`Account`}</Button>
        {subscription.state === 'ending' && subscriptionId !== null && (
          <Button
            disabled={money.isBusy}
            onClick={() =>
              void money.call(
                'act',
                () => api.admin.subscriptions[':id'].resume.$post({ param, json: { subscriptionId } }),
                { done: t`The subscription renews again` },
              )
            }
          >
            {t`Resume`}
          </Button>
        )}
        {subscription.pause !== null && subscriptionId !== null && (
          <Button onClick={() => setIsEndingPause(true)}>{t`End the pause`}</Button>
        )}
        {isRunning && subscriptionId !== null && (
          <Button onClick={() => setIsCanceling(true)}>{t`Cancel subscription`}</Button>
        )}
      </WorkshopHead>
      <div className="main-and-aside">
        <Pane title={t`Payments`}>
          <PaymentTable payments={payments} onRefund={setRefunding} />
        </Pane>
        <UserSubscription user={{ subscription, payments: moments, customerId }} />
      </div>
      {refunding && <RefundDialog payment={refunding} onClose={() => setRefunding(undefined)} />}
      {isEndingPause && subscription.pause !== null && subscriptionId !== null && (
        <ConsequenceDialog
          title={t`End the pause of ${name}`}
          consequences={
            chargesNow
              ? t`The next payment is charged now, and access comes back with it.`
              : subscription.state === 'paused' && subscription.giftUntil !== null
                ? t`The next payment is made on ${{ day: formatDate(subscription.giftUntil) }}, when the gift time ends.`
                : t`The next payment is made on ${{ day: formatDate(subscription.pause.from) }}, as before the pause was agreed.`
          }
          verb={t`End the pause`}
          onClose={() => setIsEndingPause(false)}
          onConfirm={() =>
            money.call(
              'act',
              () => api.admin.subscriptions[':id'].pause.end.$post({ param, json: { subscriptionId, chargesNow } }),
              { done: t`The pause has ended` },
            )
          }
        />
      )}
      {isCanceling && subscriptionId !== null && (
        <ConsequenceDialog
          title={t`Cancel the subscription of ${name}`}
          consequences={t`Nothing is refunded. You can refund single payments below.`}
          verb={t`Cancel subscription`}
          asksReason
          onClose={() => setIsCanceling(false)}
          onConfirm={(reason) =>
            money.call(
              'act',
              () => api.admin.subscriptions[':id'].cancel.$post({ param, json: { when, subscriptionId, reason } }),
              {
                done: ({ endsAt }) =>
                  when === 'now' || endsAt === null
                    ? t`The subscription has ended`
                    : t`The subscription ends on ${{ day: formatDate(new Date(endsAt)) }}`,
              },
            )
          }
        >
          <fieldset className="field">
            <legend className="sr-only">
              <Trans>When</Trans>
            </legend>
            {(['end', 'now'] as const).map((one) => (
              <label key={one} className="flex min-h-11 items-center gap-2">
                <input type="radio" name={whenName} value={one} checked={when === one} onChange={() => setWhen(one)} />
                {one === 'now'
                  ? t`Now`
                  : paidUntil === null
                    ? t`At the end of the paid time`
                    : t`At the end of the paid time, on ${{ day: formatDate(paidUntil) }}`}
              </label>
            ))}
          </fieldset>
          {subscription.nextCharge !== null && (
            <p className="text-13 text-muted">
              {t`The charge of ${{ amount: formatMoney(subscription.nextCharge.amount, subscription.nextCharge.currency) }} on ${{ day: formatDate(subscription.nextCharge.at) }} will not be made.`}
            </p>
          )}
        </ConsequenceDialog>
      )}
    </>
  );
}

type PaymentTableProps = { payments: AdminPayment[]; onRefund: (payment: AdminPayment) => void };

/** Invoices of a subscription with their refunds, newest first. */
function PaymentTable({ payments, onRefund }: PaymentTableProps) {
  if (payments.length === 0)
    return (
      <p className="text-muted">
        <Trans>No payments yet.</Trans>
      </p>
    );
  return (
    <Table
      caption={t`Payments, newest first`}
      rows={payments}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`Invoice`,
          kind: 'name',
          isWide: true,
          cell: (payment) => (
            <RowName name={nameOf(payment)}>
              <PaymentNotes payment={payment} />
            </RowName>
          ),
        },
        {
          head: t`Paid`,
          kind: 'number',
          cell: ({ status, amountPaid, total, currency }) =>
            status === 'paid'
              ? formatMoney(amountPaid, currency)
              : `${invoiceStatusNames()[status]}, ${formatMoney(total, currency)}`,
        },
        {
          head: t`Refunded`,
          kind: 'number',
          cell: ({ refunded, waiting, currency }) =>
            refunded + waiting === 0 ? t`Nothing` : formatMoney(refunded + waiting, currency),
        },
        {
          head: t`Actions`,
          kind: 'actions',
          isWide: true,
          cell: (payment) =>
            isRefundable(payment) && (
              <RowActions of={nameOf(payment)} actions={[[t`Refund`, () => onRefund(payment)]]} />
            ),
        },
      ]}
    />
  );
}

const nameOf = ({ number, invoiceId }: AdminPayment) => number ?? invoiceId;

function isRefundable({ status, isDisputed, refunded, waiting, amountPaid }: AdminPayment): boolean {
  return status === 'paid' && !isDisputed && refunded + waiting < amountPaid;
}

function PaymentNotes({ payment: { period, isDisputed, refunds, currency } }: { payment: AdminPayment }) {
  return (
    <>
      <small className="tabular-nums">
        {formatDate(period.start)} – {formatDate(period.end)}
      </small>
      {isDisputed && (
        <small>
          <Trans>Disputed by the cardholder</Trans>
        </small>
      )}
      {refunds.map((refund) => (
        <small key={refund.id} className="tabular-nums">
          {refundText(refund, currency)}
        </small>
      ))}
    </>
  );
}

function refundText(refund: AdminPayment['refunds'][number], currency: string): string {
  const amount = formatMoney(refund.amount, currency);
  const day = formatDate(refund.at);
  const reason = refund.reason ?? t`made at the provider`;
  if (refund.state === 'done') return t`${amount} refunded on ${day}: ${reason}`;
  return refund.state === 'asked'
    ? t`${amount} waits for the payment provider since ${day}: ${reason}`
    : t`Refund of ${amount} refused on ${day}: ${reason}`;
}

/** Refunds all or a part; suggests what is left. Open while rendered. */
function RefundDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const { call } = useCall();
  const { id, number, amountPaid, currency } = payment;
  // Value when the dialog opened: a refund by another operator since is a conflict.
  const [seen] = useState(payment.refunded + payment.waiting);
  const [key] = useState(randomUuid);
  const left = amountPaid - seen;
  const [typed, setTyped] = useState(toTyped(left, currency));
  const amount = amountOf(typed, currency);
  const isRight = amount !== undefined && amount > 0 && amount <= left;
  return (
    <ConsequenceDialog
      title={number === null ? t`Refund a payment` : t`Refund invoice ${number}`}
      consequences={t`Refunded to the card that was charged. ${{ left: formatMoney(left, currency) }} of ${{ paid: formatMoney(amountPaid, currency) }} can be refunded. The subscription continues.`}
      verb={isRight ? t`Refund ${{ amount: formatMoney(amount, currency) }}` : t`Refund`}
      asksReason
      isReady={isRight}
      onClose={onClose}
      onConfirm={async (reason) =>
        isRight &&
        call(
          'act',
          () => api.admin.payments[':id'].refund.$post({ param: { id }, json: { key, amount, seen, reason } }),
          {
            done: t`${{ amount: formatMoney(amount, currency) }} refunded`,
          },
        )
      }
    >
      <Field
        label={t`Amount in ${{ currency: currency.toUpperCase() }}`}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={typed === '' || isRight ? undefined : t`Enter an amount up to ${{ amount: toTyped(left, currency) }}`}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConsequenceDialog>
  );
}
