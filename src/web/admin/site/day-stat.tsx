import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { ReactNode } from 'react';
import type { Days } from '#domain/admin/site/overview.ts';
import { Icon } from '../../ui/images/icon.tsx';

type DayStatProps = { name: string; of: Days; text: (value: number) => string };

/** Total of the period, the change from the period before, and the days as a line. */
export function DayStat({ name, of: { days, before }, text }: DayStatProps) {
  const sum = days.reduce((total, value) => total + value, 0);
  const change = before === 0 ? undefined : (100 * (sum - before)) / before;
  return (
    <Stat name={name} value={text(sum)} days={days} label={`${name} by day; the highest is ${text(Math.max(...days))}`}>
      {change !== undefined && Math.abs(change) >= 0.1 && (
        <span className={change > 0 ? 'delta text-success' : 'delta text-soft'}>
          <Icon of={change > 0 ? ArrowUp : ArrowDown} size={16} />
          <span className="sr-only">{change > 0 ? 'Up ' : 'Down '}</span>
          {Math.abs(change).toFixed(1)}%
        </span>
      )}
      <span>{before === 0 ? 'None in the days before' : `from ${text(before)}`}</span>
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
};

/** A current figure, and its value on each day of the period. */
export function StockStat({ name, value, detail, days, text }: StockStatProps) {
  const label = `${name} by day, from ${text(days[0] ?? 0)} to ${text(days.at(-1) ?? 0)}`;
  return (
    <Stat name={name} value={value} days={days} label={label}>
      <span>{detail}</span>
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
