import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { href, Link } from 'react-router';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { formatCount } from '#formats/numbers.ts';
import { titled } from '#web/workshop/titled.ts';
import { eventWords } from '#web/admin/money/state-words.ts';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/webhook-event';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { event: orNotFound(await site.admin.money.findPaymentEvent(viewer, params.id)) };
}

export const meta = titled(() => t`Webhook event`);

export default function AdminWebhookEvent({ loaderData: { event } }: Route.ComponentProps) {
  const money = useCall();
  const { id, type, status, attempts, error, customerId, paymentId, userId, createdAt, receivedAt, settledAt } = event;
  const replay = () =>
    money.call('act', () => api.admin['webhook-events'][':id'].replay.$post({ param: { id } }), {
      done: (after) =>
        after.status === 'failed'
          ? t`It failed again: ${{ error: after.error ?? '' }}`
          : eventWords()[after.status].text,
    });
  return (
    <>
      <WorkshopHead
        title={type}
        facts={<StateMark {...eventWords()[status]} />}
        back={{ to: href('/admin/webhook-events'), label: t`Webhook events` }}
      >
        <Button variant="primary" busy={money.isBusy ? t`Working…` : undefined} onClick={() => void replay()}>
          {t`Replay`}
        </Button>
      </WorkshopHead>
      <Pane title={t`What is known`}>
        <Facts>
          <Fact name={t`Id`} className="break-all">
            {id}
          </Fact>
          <Fact name={t`Customer`} className="break-all">
            {userId === null ? (
              (customerId ?? t`Not named, or deleted`)
            ) : (
              <Link to={href('/admin/subscriptions/:id', { id: userId })}>{customerId}</Link>
            )}
          </Fact>
          {paymentId !== null && (
            <Fact name={t`Payment`} className="break-all">
              {paymentId}
            </Fact>
          )}
          <Fact name={t`Happened`}>
            <LocalTime at={createdAt} style="full" />
          </Fact>
          <Fact name={t`Received`}>
            <LocalTime at={receivedAt} style="full" />
          </Fact>
          <Fact name={t`Settled`}>{settledAt === null ? t`Not yet` : <LocalTime at={settledAt} style="full" />}</Fact>
          <Fact name={t`Deliveries`}>{formatCount(attempts)}</Fact>
          {error !== null && (
            <Fact name={t`Error`} className="wrap-anywhere">
              {error}
            </Fact>
          )}
        </Facts>
        <p className="text-13 mt-3 text-muted">
          <Trans>
            Replay reads the customer from the payment provider again, so it is safe to repeat. The content of events is
            not stored.
          </Trans>
        </p>
      </Pane>
    </>
  );
}
