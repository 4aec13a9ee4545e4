import { t } from '@lingui/core/macro';
import type { EarningMonth } from '#domain/earnings/earnings.ts';
import { formatMonthName } from '#formats/moments.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatMonth } from '#formats/times.ts';
import { Pane } from '#web/workshop/pane.tsx';
import './month-bars.css';

const maxBars = 12;

/** The last twelve months in one currency. */
export function MonthBars({ months, currency }: { months: EarningMonth[]; currency: string }) {
  const bars = months.slice(0, maxBars).toReversed();
  const amountOf = ({ amounts }: EarningMonth) => Math.max(0, amounts[currency] ?? 0);
  const largest = Math.max(1, ...bars.map(amountOf));
  const last = bars.findLast(({ state }) => state !== 'open');
  const words = bars.map((one) => `${formatMonth(one.month)}: ${formatMoney(amountOf(one), currency)}`).join(', ');
  return (
    <Pane
      title={t`Twelve months`}
      className="mt-6"
      end={<span className="text-13 text-muted">{t`Your amount, after splits`}</span>}
    >
      <p className="sr-only">{words}</p>
      <ol className="month-bars" aria-hidden="true">
        {bars.map((one) => (
          <li key={one.month} data-state={one === last ? 'last' : one.state === 'open' ? 'open' : undefined}>
            <span>
              <i style={{ height: `${(100 * amountOf(one)) / largest}%` }}>
                {one === last && <b>{formatMoney(amountOf(one), currency)}</b>}
              </i>
            </span>
            {formatMonthName(one.month).slice(0, 3)}
          </li>
        ))}
      </ol>
    </Pane>
  );
}
