import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Overview, Days } from '#domain/admin/site/overview.ts';
import type { Income, MoneyFigures } from '#domain/admin/site/overview-money.ts';
import { formatDecimal } from '#formats/decimals.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { Pane } from '#web/workshop/pane.tsx';
import { BarList } from '#web/workshop/charts/bar-list.tsx';
import { formatShortDate } from '#formats/moments.ts';
import { DataTable } from '#web/workshop/lists/data-table.tsx';
import { LineChart } from '#web/workshop/charts/line-chart.tsx';
import { Table } from '#web/workshop/lists/table.tsx';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { ReactNode } from 'react';
import { Icon } from '#web/ui/images/icon.tsx';

const names = (): Record<Overview['newUserSources'][number]['source'], string> => ({
  prompt: t`Sign-up prompt`,
  home: t`Home`,
  'paid-link': t`Paid links`,
  'gift-card': t`Gift cards`,
  'shared-link': t`Shared links`,
  page: t`Other pages`,
  unknown: t`Unknown`,
});

/** Pages where new users signed up. */
export function NewUsers({ sources }: { sources: Overview['newUserSources'] }) {
  const total = sources.reduce((sum, { users }) => sum + users, 0);
  return (
    <Pane
      title={t`New users`}
      className="mt-5"
      end={
        total > 0 && (
          <span className="text-13 text-muted">{plural(total, { one: '# sign-up', other: '# sign-ups' })}</span>
        )
      }
    >
      {total === 0 ? (
        <p className="text-muted">
          <Trans>No new users in this period.</Trans>
        </p>
      ) : (
        <BarList
          bars={sources.map(({ source, users }) => ({
            label: names()[source],
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
  const start = formatCount(weeks[0]?.subscribers ?? 0);
  const end = formatCount(weeks.at(-1)?.subscribers ?? 0);
  return (
    <LineChart
      title={t`Subscribers`}
      keys={{ now: t`12 weeks` }}
      values={values}
      marks={weeks.filter((_, index) => index % 3 === 0).map(({ day }) => formatShortDate(day))}
      summary={t`Subscribers over twelve weeks, from ${start} to ${end}`}
      describe={(index) => {
        const { day, subscribers } = weeks[index] ?? { day: '', subscribers: 0 };
        const figure = plural(subscribers, { one: '# subscriber', other: '# subscribers' });
        return { figure, when: day === '' ? '' : formatShortDate(day) };
      }}
    >
      <DataTable
        caption={t`Subscribers at the end of each week`}
        heads={[t`Day`, t`Subscribers`]}
        rows={weeks.map(({ day, subscribers }) => [formatShortDate(day), formatCount(subscribers)])}
      />
    </LineChart>
  );
}

type RevenueTableProps = { of: MoneyFigures; month: string; asOf: Date; isOneOfMany: boolean };
type Row = [kind: string, income: Income, sign: 1 | -1];

/** This month's payments and refunds. */
export function RevenueTable({ of: { currency, revenue }, month, asOf, isOneOfMany }: RevenueTableProps) {
  const { monthly, yearly, giftCards, refunds, total } = revenue;
  const code = currency.toUpperCase();
  const title = isOneOfMany ? t`Revenue this month in ${code}` : t`Revenue this month`;
  const rows: Row[] = [
    [t`Monthly`, monthly, 1],
    [t`Yearly`, yearly, 1],
    [t`Gift cards`, giftCards, 1],
    [t`Refunds`, refunds, -1],
  ];
  const [start, end] = [formatShortDate(`${month}-01`), formatShortDate(asOf.toISOString().slice(0, 10))];
  const money = (cents: number) => (cents < 0 ? `−${formatMoney(-cents, currency)}` : formatMoney(cents, currency));
  return (
    <Pane
      title={title}
      className="pane--flush mt-5"
      end={<span className="text-13 text-muted tabular-nums">{t`${start} to ${end}`}</span>}
    >
      <Table
        caption={title}
        look="data-table--compact max-[400px]:[&_:is(td,th)]:px-1"
        rows={rows}
        keyOf={([kind]) => kind}
        columns={[
          { head: t`Kind`, cell: ([kind]) => kind, foot: t`Total` },
          { head: t`Count`, kind: 'number', cell: ([, { count }]) => formatCount(count) },
          {
            head: t`Average`,
            kind: 'number',
            cell: ([, { count, amount }]) => (count === 0 ? '–' : money(Math.round(amount / count))),
          },
          {
            head: t`Amount`,
            kind: 'number',
            cell: ([, { amount }, sign]) => money(amount === 0 ? 0 : sign * amount),
            foot: money(total),
          },
        ]}
      />
    </Pane>
  );
}

type DayStatProps = { name: string; of: Days; text: (value: number) => string; also?: string | undefined };

/** Total of the period, the change from the period before, and the days as a line. */
export function DayStat({ name, of: { days, before }, text, also }: DayStatProps) {
  const sum = days.reduce((total, value) => total + value, 0);
  const highest = text(Math.max(...days));
  const change = before === 0 ? undefined : (100 * (sum - before)) / before;
  return (
    <Stat name={name} value={text(sum)} days={days} label={t`${name} by day; the highest is ${highest}`}>
      {change !== undefined && Math.abs(change) >= 0.1 && (
        <span className={change > 0 ? 'delta text-success' : 'delta text-soft'}>
          <Icon of={change > 0 ? ArrowUp : ArrowDown} size={16} />
          <span className="sr-only">
            {change > 0 ? t({ message: 'up', context: 'change' }) : t({ message: 'down', context: 'change' })}{' '}
          </span>
          {formatDecimal(Math.abs(change))}%
        </span>
      )}
      <span>{before === 0 ? t`None in the days before` : t`from ${{ figure: text(before) }}`}</span>
      {also !== undefined && <span className="w-full">{also}</span>}
    </Stat>
  );
}

type StockStatProps = {
  name: string;
  value: string;
  detail: string;
  /** At the end of each day. */
  days: number[];
  text: (value: number) => string;
  also?: string | undefined;
};

/** A current figure, and its value on each day of the period. */
export function StockStat({ name, value, detail, days, text, also }: StockStatProps) {
  const [start, end] = [text(days[0] ?? 0), text(days.at(-1) ?? 0)];
  const label = t`${name} by day, from ${start} to ${end}`;
  return (
    <Stat name={name} value={value} days={days} label={label}>
      <span>{detail}</span>
      {also !== undefined && <span className="w-full">{also}</span>}
    </Stat>
  );
}

type StatProps = { name: string; value: string; days: number[]; label: string; children: ReactNode };

function Stat({ name, value, days, label, children }: StatProps) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd className="stat__value">{value}</dd>
      <dd className="text-13 text-muted tabular-nums flex flex-wrap gap-x-1.5 items-center">{children}</dd>
      <dd>
        <Spark days={days} label={label} />
      </dd>
    </div>
  );
}

const [width, height] = [280, 52];

function Spark({ days, label }: { days: number[]; label: string }) {
  const max = Math.max(...days, Number.EPSILON);
  const points = days.map(
    (value, index) =>
      `${((index / Math.max(1, days.length - 1)) * width).toFixed(1)} ${(height - 2 - (value / max) * (height - 8)).toFixed(1)}`,
  );
  const line = `M${points.join('L')}`;
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path className="fill-accent opacity-12" d={`${line}L${width} ${height}L0 ${height}Z`} />
      <path className="chart-now" d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
