import type { Overview, Income } from '#domain/admin/site/overview.ts';
import { countOf, formatCount, formatMoney } from '#formats/numbers.ts';
import { Pane } from '#web/workshop/pane.tsx';
import { BarList } from '#web/workshop/charts/bar-list.tsx';
import { formatShortDate } from '#formats/times.ts';
import { DataTable } from '#web/workshop/lists/data-table.tsx';
import { LineChart } from '#web/workshop/charts/line-chart.tsx';
import { Table } from '#web/workshop/lists/table.tsx';

const names: Record<Overview['newUserSources'][number]['source'], string> = {
  prompt: 'Sign-up prompt',
  home: 'Home',
  'paid-link': 'Paid links',
  'gift-card': 'Gift cards',
  'shared-link': 'Shared links',
  page: 'Other pages',
  unknown: 'Unknown',
};

/** Pages where new users signed up. */
export function NewUsers({ sources }: { sources: Overview['newUserSources'] }) {
  const total = sources.reduce((sum, { users }) => sum + users, 0);
  return (
    <Pane
      title="New users"
      className="mt-5"
      end={total > 0 && <span className="text-13 text-muted">{countOf(total, 'sign-up')}</span>}
    >
      {total === 0 ? (
        <p className="text-muted">No new users in this period.</p>
      ) : (
        <BarList
          bars={sources.map(({ source, users }) => ({
            label: names[source],
            share: users / total,
            text: formatCount(users),
            isRest: source === 'unknown',
          }))}
        />
      )}
    </Pane>
  );
}

/** Subscribers at the end of each of twelve weeks. */
export function SubscribersChart({ weeks }: Pick<Overview, 'weeks'>) {
  const values = weeks.map(({ subscribers }) => subscribers);
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <LineChart
      title="Subscribers"
      keys={{ now: '12 weeks' }}
      values={values}
      marks={weeks.filter((_, index) => index % 3 === 0).map(({ day }) => formatShortDate(day))}
      summary={`Subscribers over twelve weeks, from ${formatCount(first?.subscribers ?? 0)} to ${formatCount(last?.subscribers ?? 0)}`}
      describe={(index) => {
        const { day, subscribers } = weeks[index] ?? { day: '', subscribers: 0 };
        return { figure: countOf(subscribers, 'subscriber'), when: day === '' ? '' : formatShortDate(day) };
      }}
    >
      <DataTable
        caption="Subscribers at the end of each week"
        heads={['Day', 'Subscribers']}
        rows={weeks.map(({ day, subscribers }) => [formatShortDate(day), formatCount(subscribers)])}
      />
    </LineChart>
  );
}

type RevenueTableProps = { revenue: Overview['revenue']; currency: string; asOf: Date };
type Row = [kind: string, income: Income, sign: 1 | -1];

/** This month's payments and refunds. */
export function RevenueTable({ revenue, currency, asOf }: RevenueTableProps) {
  const { month, monthly, yearly, giftCards, refunds, total } = revenue;
  const rows: Row[] = [
    ['Monthly', monthly, 1],
    ['Yearly', yearly, 1],
    ['Gift cards', giftCards, 1],
    ['Refunds', refunds, -1],
  ];
  const money = (cents: number) => (cents < 0 ? `−${formatMoney(-cents, currency)}` : formatMoney(cents, currency));
  return (
    <Pane
      title="Revenue this month"
      className="pane--flush mt-5"
      end={
        <span className="text-13 text-muted tabular-nums">
          {formatShortDate(`${month}-01`)} to {formatShortDate(asOf.toISOString().slice(0, 10))}
        </span>
      }
    >
      <Table
        caption="Revenue this month"
        look="data-table--compact max-[360px]:[&_:is(td,th)]:px-1"
        rows={rows}
        keyOf={([kind]) => kind}
        columns={[
          { head: 'Kind', cell: ([kind]) => kind, foot: 'Total' },
          { head: 'Count', kind: 'number', cell: ([, { count }]) => formatCount(count) },
          {
            head: 'Average',
            kind: 'number',
            cell: ([, { count, amount }]) => (count === 0 ? '–' : money(Math.round(amount / count))),
          },
          {
            head: 'Amount',
            kind: 'number',
            cell: ([, { amount }, sign]) => money(amount === 0 ? 0 : sign * amount),
            foot: money(total),
          },
        ]}
      />
    </Pane>
  );
}
