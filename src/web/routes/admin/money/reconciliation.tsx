import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LocalTime, useTimeZone } from '#web/workshop/local-time.tsx';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useEffect, useState } from 'react';
import { href, useNavigate, useRevalidator } from 'react-router';
import type { ReconciliationRun } from '#domain/admin/money/reconciliations.ts';
import { differencesOf } from '#domain/membership/rules.ts';
import type { Total } from '#domain/membership/shapes.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { formatMonth } from '#formats/times.ts';
import { formatDateTime } from '#formats/moments.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { titled } from '#web/workshop/titled.ts';
import { EventTabs } from '#web/admin/money/event-tabs.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { orBadRequest } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import type { Route } from './+types/reconciliation';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const cursor = url.searchParams.get('cursor') ?? undefined;
  // Before the list: a run that ends in between is then listed as ended.
  const isRunning = await site.admin.money.isReconciliationRunning(viewer);
  const [page, { currency }] = await Promise.all([
    orBadRequest(site.admin.money.listReconciliations(viewer, { cursor, limit: 14 })),
    site.membership.findOffer(),
  ]);
  return { page, isRunning, isFirst: cursor === undefined, currency };
}

export const meta = titled(() => t`Reconciliation`);

/** Milliseconds between two looks at a run. */
const pollMs = 2000;

export default function AdminReconciliation({ loaderData }: Route.ComponentProps) {
  const { page, isRunning, isFirst, currency } = loaderData;
  const money = useCall();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const newest = stateOf(page.items[0]);
  /** State of the newest report when a run was requested: the request waits for another one that has ended. */
  const [requestedAt, setRequestedAt] = useState<string>();
  const isWaiting = requestedAt !== undefined && (requestedAt === newest || page.items[0]?.endedAt === null);
  const isUnderWay = isFirst && (isRunning || isWaiting);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => void revalidate(), pollMs);
    return () => clearInterval(timer);
  }, [isUnderWay, revalidate]);

  async function request(): Promise<void> {
    const requested = await money.call('act', () => api.admin.reconciliations.$post(), {
      done: t`The comparison begins within seconds.`,
    });
    if (requested === undefined) return;
    setRequestedAt(newest);
    if (!isFirst) await navigate(href('/admin/webhook-events/reconciliation'));
  }

  return (
    <ListPage
      title={t`Reconciliation`}
      facts={t`Each night at 02:40 UTC every subscription is compared with the payment provider, and corrected here; then who pays, and what was paid and refunded in each month of a year.`}
      actions={
        <>
          <EventTabs current="reconciliation" />
          <Button
            variant="primary"
            busy={money.isBusy || isUnderWay ? t`Comparing…` : undefined}
            onClick={() => void request()}
          >
            {t`Run now`}
          </Button>
        </>
      }
      list={{ page }}
      empty={{ title: t`No runs yet`, text: t`The first one runs tonight.` }}
      rows={
        <div className="grid gap-4">
          {page.items.map((run, index) => (
            <Run key={run.id} run={run} isRunning={isRunning && isFirst && index === 0} currency={currency} />
          ))}
        </div>
      }
    />
  );
}

function stateOf(run: ReconciliationRun | undefined): string {
  return run === undefined ? 'none' : `${run.id} ${run.endedAt === null ? 'open' : 'ended'}`;
}

const customersText = (count: number) => plural(count, { one: '# customer', other: '# customers' });

/** A total that differs. */
function totalText(total: Total): string {
  if (total.of === 'paying')
    return t`Paying subscriptions: ${{ provider: formatCount(total.atProvider) }} at the provider, ${{ here: formatCount(total.here) }} here`;
  const monthName = formatMonth(total.month);
  const provider = formatMoney(total.atProvider, total.currency);
  const here = formatMoney(total.here, total.currency);
  return total.of === 'paid'
    ? t`Paid in ${monthName}: ${provider} at the provider, ${here} here`
    : t`Refunded of what was paid in ${monthName}: ${provider} at the provider, ${here} here`;
}

type RunProps = { run: ReconciliationRun; isRunning: boolean; currency: string };

function Run({ run, isRunning, currency }: RunProps) {
  const { startedAt, endedAt, customers, mended, abandoned, atProvider, hereBefore, hereAfter, failed } = run;
  const amount = (cents: number) => formatMoney(cents, currency);
  const differences = differencesOf(run.totals);
  const agrees = atProvider === hereAfter && failed === 0 && differences.length === 0;
  return (
    <article className="pane" aria-label={formatDateTime(startedAt, useTimeZone())}>
      <div className="pane__head">
        <h2 className="pane-title tabular-nums">
          <LocalTime at={startedAt} style="full" />
        </h2>
        <span className={`state-mark ${endedAt === null ? 'tone-accent' : agrees ? 'tone-ok' : 'tone-bad'}`}>
          <Icon of={agrees ? CircleCheck : CircleAlert} size={16} />
          {endedAt === null
            ? isRunning
              ? t`Running`
              : t`Interrupted`
            : agrees
              ? t`Matches exactly`
              : t`Needs attention`}
        </span>
      </div>
      <Facts>
        <Fact name={t`Compared`}>{customersText(customers)}</Fact>
        <Fact name={t`Corrected`}>
          {abandoned === 0
            ? customersText(mended)
            : t`${plural(mended, { one: '# customer', other: '# customers' })}, ${plural(abandoned, { one: '# unconfirmed subscription abandoned', other: '# unconfirmed subscriptions abandoned' })}`}
        </Fact>
        <Fact name={t`Net payments`}>
          {hereBefore === hereAfter
            ? t`${{ provider: amount(atProvider) }} at the provider, ${{ here: amount(hereAfter) }} here`
            : t`${{ provider: amount(atProvider) }} at the provider, ${{ here: amount(hereAfter) }} here, ${{ before: amount(hereBefore) }} before`}
        </Fact>
        {run.totals.length > 0 && (
          <Fact name={t`Totals of a year`}>
            {differences.length === 0
              ? t`The same at the provider and here`
              : differences.map((total) => <div key={totalText(total)}>{totalText(total)}</div>)}
          </Fact>
        )}
        <Fact name={t`Failed`}>{failed === 0 ? t`None` : customersText(failed)}</Fact>
      </Facts>
      {(run.corrections.length > 0 || run.failures.length > 0) && (
        <details className="mt-3">
          <summary>
            <Trans>Show which</Trans>
          </summary>
          <ul className="mt-2 grid gap-1.5 text-13">
            {run.failures.map(({ customerId, reason }) => (
              <li key={`${customerId} ${reason}`} className="wrap-anywhere">
                <Trans>
                  <b>{customerId}</b> failed: {reason}
                </Trans>
              </li>
            ))}
            {run.corrections.map(({ customerId, before, after }) => (
              <li key={customerId} className="wrap-anywhere tabular-nums">
                <b>{customerId}</b> {t`${{ before: amount(before) }} corrected to ${{ after: amount(after) }}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}
