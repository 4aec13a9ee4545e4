import { LocalTime, useTimeZone } from '#web/workshop/local-time.tsx';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useEffect, useState } from 'react';
import { href, useNavigate, useRevalidator } from 'react-router';
import type { ReconciliationRun } from '#domain/admin/money/reconciliations.ts';
import { differencesOf } from '#domain/membership/rules.ts';
import { totalText } from '#domain/admin/rules.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
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

export const meta = titled(() => 'Reconciliation');

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
      done: 'The comparison begins within seconds.',
    });
    if (requested === undefined) return;
    setRequestedAt(newest);
    if (!isFirst) await navigate(href('/admin/webhook-events/reconciliation'));
  }

  return (
    <ListPage
      title="Reconciliation"
      facts="Each night at 02:40 UTC every subscription is compared with the payment provider, and corrected here; then who pays, and what was paid and refunded in each month of a year."
      actions={
        <>
          <EventTabs current="reconciliation" />
          <Button
            variant="primary"
            busy={money.isBusy || isUnderWay ? 'Comparing…' : undefined}
            onClick={() => void request()}
          >
            Run now
          </Button>
        </>
      }
      list={{ page }}
      one="run"
      empty={{ title: 'No runs yet', text: 'The first one runs tonight.' }}
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
          {endedAt === null ? (isRunning ? 'Running' : 'Interrupted') : agrees ? 'Matches exactly' : 'Needs attention'}
        </span>
      </div>
      <Facts>
        <Fact name="Compared">{countOf(customers, 'customer')}</Fact>
        <Fact name="Corrected">
          {countOf(mended, 'customer')}
          {abandoned > 0 && `, ${countOf(abandoned, 'unconfirmed subscription')} given up`}
        </Fact>
        <Fact name="Net payments">
          {amount(atProvider)} at the provider, {amount(hereAfter)} here
          {hereBefore !== hereAfter && `, ${amount(hereBefore)} before`}
        </Fact>
        {run.totals.length > 0 && (
          <Fact name="Totals of a year">
            {differences.length === 0
              ? 'The same at the provider and here'
              : differences.map((total) => <div key={totalText(total)}>{totalText(total)}</div>)}
          </Fact>
        )}
        <Fact name="Failed">{failed === 0 ? 'None' : countOf(failed, 'customer')}</Fact>
      </Facts>
      {(run.corrections.length > 0 || run.failures.length > 0) && (
        <details className="mt-3">
          <summary>Show which</summary>
          <ul className="mt-2 grid gap-1.5 text-13">
            {run.failures.map(({ customerId, reason }) => (
              <li key={`${customerId} ${reason}`} className="wrap-anywhere">
                <b>{customerId}</b> failed: {reason}
              </li>
            ))}
            {run.corrections.map(({ customerId, before, after }) => (
              <li key={customerId} className="wrap-anywhere tabular-nums">
                <b>{customerId}</b> {amount(before)} corrected to {amount(after)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}
