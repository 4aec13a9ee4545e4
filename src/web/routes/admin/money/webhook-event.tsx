import { LocalTime } from '#web/workshop/local-time.tsx';
import { href, Link } from 'react-router';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { formatCount } from '#formats/numbers.ts';
import { eventWords } from '#web/admin/money/state-words.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/webhook-event';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { event: orNotFound(await site.admin.money.findPaymentEvent(viewer, params.id)) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Webhook event', description: 'An event of the payment provider', index: 'no' });
}

export default function AdminWebhookEvent({ loaderData: { event } }: Route.ComponentProps) {
  const money = useCall();
  const { id, type, status, attempts, error, customerId, paymentId, userId, createdAt, receivedAt, settledAt } = event;
  const replay = () =>
    money.call('act', () => answerOf(api.admin['webhook-events'][':id'].replay.$post({ param: { id } })), {
      done: (after) => (after.status === 'failed' ? `It failed again: ${after.error}` : eventWords[after.status].text),
    });
  return (
    <>
      <AdminHead
        title={type}
        facts={<span className={`state-mark ${eventWords[status].tone}`}>{eventWords[status].text}</span>}
        back={{ to: href('/admin/webhook-events'), label: 'Webhook events' }}
      >
        <Button variant="primary" busy={money.isBusy ? 'Working…' : undefined} onClick={() => void replay()}>
          Replay
        </Button>
      </AdminHead>
      <section className="pane" aria-labelledby="facts">
        <h2 className="pane-title mb-3" id="facts">
          What is known
        </h2>
        <dl className="facts">
          <dt>Id</dt>
          <dd className="break-all">{id}</dd>
          <dt>Customer</dt>
          <dd className="break-all">
            {userId === null ? (
              (customerId ?? 'Not named, or deleted')
            ) : (
              <Link to={href('/admin/subscriptions/:id', { id: userId })}>{customerId}</Link>
            )}
          </dd>
          {paymentId !== null && (
            <>
              <dt>Payment</dt>
              <dd className="break-all">{paymentId}</dd>
            </>
          )}
          <dt>Happened</dt>
          <dd className="tabular-nums">
            <LocalTime at={createdAt} style="full" />
          </dd>
          <dt>Received</dt>
          <dd className="tabular-nums">
            <LocalTime at={receivedAt} style="full" />
          </dd>
          <dt>Settled</dt>
          <dd className="tabular-nums">{settledAt === null ? 'Not yet' : <LocalTime at={settledAt} style="full" />}</dd>
          <dt>Deliveries</dt>
          <dd className="tabular-nums">{formatCount(attempts)}</dd>
          {error !== null && (
            <>
              <dt>Error</dt>
              <dd className="wrap-anywhere">{error}</dd>
            </>
          )}
        </dl>
        <p className="text-13 mt-3 text-muted">
          Replay reads the customer from the payment provider again, so it is safe to repeat. The content of events is
          not stored.
        </p>
      </section>
    </>
  );
}
