import type { Income, Overview } from '#domain/admin/site/overview.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { formatShortDate } from '#formats/times.ts';

type RevenueTableProps = { revenue: Overview['revenue']; currency: string; asOf: Date };

/** This month's payments and refunds. */
export function RevenueTable({ revenue, currency, asOf }: RevenueTableProps) {
  const { month, monthly, yearly, giftCards, refunds, total } = revenue;
  const rows: [string, Income, 1 | -1][] = [
    ['Monthly', monthly, 1],
    ['Yearly', yearly, 1],
    ['Gift cards', giftCards, 1],
    ['Refunds', refunds, -1],
  ];
  const money = (cents: number) => (cents < 0 ? `−${formatMoney(-cents, currency)}` : formatMoney(cents, currency));
  return (
    <section className="pane pane--flush mt-5" aria-labelledby="revenue">
      <div className="pane__head">
        <h2 className="pane-title" id="revenue">
          Revenue this month
        </h2>
        <span className="text-13 text-muted tabular-nums">
          {formatShortDate(`${month}-01`)} to {formatShortDate(asOf.toISOString().slice(0, 10))}
        </span>
      </div>
      <table className="data-table data-table--compact max-[360px]:[&_:is(td,th)]:px-1">
        <caption className="sr-only">Revenue this month</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" className="number">
              Count
            </th>
            <th scope="col" className="number">
              Average
            </th>
            <th scope="col" className="number">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([kind, { count, amount }, sign]) => (
            <tr key={kind}>
              <td>{kind}</td>
              <td className="number tabular-nums">{formatCount(count)}</td>
              <td className="number tabular-nums">{count === 0 ? '–' : money(Math.round(amount / count))}</td>
              <td className="number tabular-nums">{money(amount === 0 ? 0 : sign * amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={3}>Total</td>
            <td className="number tabular-nums">{money(total)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
