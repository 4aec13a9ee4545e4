import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import { href, Link } from 'react-router';
import type { EarningMonth, Earnings } from '#domain/earnings/earnings.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatMonthName } from '#formats/moments.ts';
import { formatDate, formatMonth } from '#formats/times.ts';
import type { PayeeState } from '#domain/studio/payees/payees.ts';
import { deltaOf, hoursText, underTenListeners } from '#web/workshop/charts/figure-text.ts';
import { StatTile, StatTiles } from '#web/workshop/charts/stat-tiles.tsx';
import { Table } from '#web/workshop/lists/table.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { EarningMark } from './earning-mark.tsx';
import { amountsText } from './earning-text.ts';
import { EarningsDownload } from './earnings-download.tsx';
import { MonthBars } from './month-bars.tsx';
import { PayeePane } from './payee-pane.tsx';

type AllMonthsProps = {
  voice: string;
  earnings: Earnings;
  payee: PayeeState;
  countries: { value: string; label: string }[];
};

/** Every month of a creator, the newest first, and who is paid. */
export function AllMonths({ voice, earnings, payee, countries }: AllMonthsProps) {
  const { months, waiting, paid } = earnings;
  const open = months.find(({ state }) => state === 'open');
  const [last, before] = months.filter(({ state }) => state !== 'open');
  const currency = Object.keys((last ?? open)?.amounts ?? {}).toSorted()[0];
  const nothing = currency === undefined ? {} : { [currency]: 0 };
  return (
    <>
      <WorkshopHead title={t`Earnings`} facts={t`What subscribers heard, and your share of each month’s pool`}>
        <EarningsDownload voice={voice} format="csv" icon={Download}>
          <Trans>All months (CSV)</Trans>
        </EarningsDownload>
      </WorkshopHead>
      <StatTiles isRow>
        {open !== undefined && (
          <StatTile
            label={t`${{ month: formatMonthName(open.month) }} so far`}
            value={amountsText(open.amounts)}
            detail={t`An estimate, not a promise`}
          />
        )}
        {last !== undefined && (
          <StatTile
            label={formatMonth(last.month)}
            value={amountsText(last.amounts)}
            delta={
              currency === undefined || before === undefined
                ? undefined
                : deltaOf(last.amounts[currency] ?? 0, before.amounts[currency] ?? 0)
            }
            detail={before && t`from ${{ month: amountsText(before.amounts) }}`}
          />
        )}
        <StatTile
          label={t`Waiting for payout`}
          value={amountsText({ ...nothing, ...waiting })}
          detail={waitingText(earnings, payee)}
        />
        <StatTile
          label={t`Paid in ${{ year: String(paid.year) }}`}
          value={amountsText({ ...nothing, ...paid.amounts })}
          detail={plural({ payments: paid.payments }, { one: '# payout', other: '# payouts' })}
        />
      </StatTiles>
      {currency !== undefined && <MonthBars months={months} currency={currency} />}
      <section className="mt-6" aria-label={t`Months`}>
        <MonthTable voice={voice} months={months} />
        <p className="text-13 mt-3.5 text-muted">
          <Trans>
            A locked month never changes. Hours count listening by subscribers and in trials, without a name. What is
            wrong in a locked month is corrected in a later one.
          </Trans>
        </p>
      </section>
      <PayeePane voice={voice} state={payee} countries={countries} />
    </>
  );
}

/** When the waiting amount is paid, or why it is not. */
function waitingText({ waiting, minimums, months }: Earnings, { payee }: PayeeState): string | undefined {
  const due = Object.entries(waiting).filter(([, amount]) => amount > 0);
  if (due.length === 0) return undefined;
  if (payee === null) return t`The payee is missing`;
  const [code] = due[0] ?? [];
  const minimum = code === undefined ? 0 : (minimums[code] ?? 0);
  if (due.every(([currency, amount]) => amount < (minimums[currency] ?? 0)))
    return t`Carried over: below ${{ minimum: amountsText({ [code ?? '']: minimum }) }}`;
  const dueOn = months.find(({ state }) => state === 'locked')?.dueOn ?? null;
  return dueOn === null ? undefined : t`On ${{ day: formatDate(dueOn) }}`;
}

function MonthTable({ voice, months }: { voice: string; months: EarningMonth[] }) {
  return (
    <Table
      caption={t`Months`}
      rows={months}
      keyOf={({ month }) => month}
      columns={[
        {
          head: t`Month`,
          kind: 'name',
          cell: ({ month }) => (
            <Link className="tap font-semibold" to={href('/studio/:voice/earnings/:month', { voice, month })}>
              {formatMonth(month)}
            </Link>
          ),
        },
        {
          head: t`Hours heard`,
          kind: 'number',
          cell: ({ milliseconds }) => (milliseconds === null ? underTenListeners() : hoursText(milliseconds)),
        },
        {
          head: t`Share of the pool`,
          kind: 'number',
          cell: ({ share }) => formatPercent(100 * share, 2),
        },
        {
          head: t`Yours`,
          kind: 'number',
          className: 'font-semibold',
          cell: ({ amounts }) => amountsText(amounts),
        },
        { head: t`State`, cell: ({ state }) => <EarningMark state={state} /> },
        {
          head: t`Statement`,
          kind: 'actions',
          cell: ({ month, state }) =>
            state === 'open' ? (
              <span className="text-13 text-muted whitespace-nowrap">{t`After the lock`}</span>
            ) : (
              <EarningsDownload
                voice={voice}
                month={month}
                format="pdf"
                icon={Download}
                label={t`Statement of ${{ month: formatMonth(month) }} (PDF)`}
                isQuiet
              >
                {t`Statement`}
              </EarningsDownload>
            ),
        },
      ]}
    />
  );
}
