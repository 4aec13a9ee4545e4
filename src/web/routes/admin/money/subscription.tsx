import { useId, useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminPayment } from '#domain/admin/money/subscriptions.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { PaymentTable } from '#web/admin/money/payment-table.tsx';
import { ReasonDialog } from '#web/admin/reason-dialog.tsx';
import { RefundDialog } from '#web/admin/money/refund-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { UserSubscription } from '#web/admin/people/user-subscription.tsx';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/subscription';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { detail: orNotFound(await site.admin.money.findSubscriptionDetail(viewer, params.id)) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Subscription', description: 'A subscription of the site', index: 'no' });
}

/** A key per item, so that input and dialogs of one do not appear on another. */
export default function AdminSubscription({ loaderData }: Route.ComponentProps) {
  return <SubscriptionPage key={loaderData.detail.user.id} {...loaderData} />;
}

function SubscriptionPage({ detail }: Route.ComponentProps['loaderData']) {
  const { user, subscriptionId, customerId, subscription, payments, moments } = detail;
  const money = useCall();
  const whenName = useId();
  const [refunding, setRefunding] = useState<AdminPayment>();
  const [isCancelling, setIsCancelling] = useState(false);
  const [when, setWhen] = useState<'end' | 'now'>('end');
  const name = user.username ?? user.email ?? user.id;
  const isRunning = ['trialing', 'active', 'past-due', 'ending'].includes(subscription.state);
  const paidUntil = subscription.endsAt ?? subscription.renewsAt;
  const param = { id: user.id };
  return (
    <>
      <AdminHead
        title={name}
        facts={user.email === null ? 'Subscription' : `Subscription of ${user.email}`}
        back={{ to: href('/admin/subscriptions'), label: 'Subscriptions' }}
      >
        <Button render={<Link to={href('/admin/users/:id', { id: user.id })} />}>Account</Button>
        {subscription.state === 'ending' && subscriptionId !== null && (
          <Button
            disabled={money.isBusy}
            onClick={() =>
              void money.call(
                'act',
                () => answerOf(api.admin.subscriptions[':id'].resume.$post({ param, json: { subscriptionId } })),
                { done: 'The subscription renews again' },
              )
            }
          >
            Resume
          </Button>
        )}
        {isRunning && subscriptionId !== null && (
          <Button onClick={() => setIsCancelling(true)}>Cancel subscription</Button>
        )}
      </AdminHead>
      <div className="main-and-aside">
        <section className="pane" aria-labelledby="payments">
          <h2 className="pane-title mb-3" id="payments">
            Payments
          </h2>
          <PaymentTable payments={payments} onRefund={setRefunding} />
        </section>
        <UserSubscription user={{ subscription, payments: moments, customerId }} />
      </div>
      {refunding !== undefined && (
        <RefundDialog payment={refunding} money={money} onClose={() => setRefunding(undefined)} />
      )}
      {isCancelling && subscriptionId !== null && (
        <ReasonDialog
          title={`Cancel the subscription of ${name}`}
          consequences="Nothing is refunded. You can refund single payments below."
          verb="Cancel subscription"
          isBusy={money.isBusy}
          onClose={() => setIsCancelling(false)}
          onConfirm={async (reason) => {
            const cancelled = await money.call(
              'act',
              () =>
                answerOf(
                  api.admin.subscriptions[':id'].cancel.$post({ param, json: { when, subscriptionId, reason } }),
                ),
              {
                done: ({ endsAt }) =>
                  when === 'now' || endsAt === null
                    ? 'The subscription has ended'
                    : `The subscription ends on ${formatDate(new Date(endsAt))}`,
              },
            );
            if (cancelled !== undefined) setIsCancelling(false);
          }}
        >
          <fieldset className="field">
            <legend className="sr-only">When</legend>
            {(['end', 'now'] as const).map((one) => (
              <label key={one} className="flex min-h-11 items-center gap-2">
                <input type="radio" name={whenName} value={one} checked={when === one} onChange={() => setWhen(one)} />
                {one === 'now'
                  ? 'Now'
                  : `At the end of the paid time${paidUntil === null ? '' : `, on ${formatDate(paidUntil)}`}`}
              </label>
            ))}
          </fieldset>
          {subscription.nextCharge !== null && (
            <p className="text-13 text-muted">
              The charge of {formatMoney(subscription.nextCharge.amount, subscription.nextCharge.currency)} on{' '}
              {formatDate(subscription.nextCharge.at)} will not be made.
            </p>
          )}
        </ReasonDialog>
      )}
    </>
  );
}
