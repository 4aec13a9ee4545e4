import type { InvoiceDetail } from '#domain/membership/invoices.ts';
import { Button } from '../ui/button.tsx';
import { invoiceStatuses } from './invoice-list.tsx';
import { formatDay, formatMoney } from './wording.ts';

/** As it is printed. */
export function InvoiceSheet({ invoice }: { invoice: InvoiceDetail }) {
  const { number, status, currency, createdAt, paidAt, lines, subtotal, discount, credit, amountDue, amountPaid } =
    invoice;
  const money = (cents: number) => formatMoney(cents, currency);
  const facts = [
    ['From', invoice.seller],
    ['To', invoice.billedTo],
    ['Date', formatDay(createdAt)],
    ['State', paidAt === null ? invoiceStatuses[status] : `Paid on ${formatDay(paidAt)}`],
  ].filter(([, value]) => value !== null);
  const sums: [string, number][] = [
    ['Subtotal', subtotal],
    ...(discount === 0 ? [] : ([['Discount', -discount]] satisfies [string, number][])),
    ...(credit === 0 ? [] : ([['Credit', -credit]] satisfies [string, number][])),
    status === 'paid' ? ['Paid', amountPaid] : ['Due', amountDue],
  ];
  return (
    <article className="invoice">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="t-44" tabIndex={-1}>
          {number === null ? 'Invoice' : `Invoice ${number}`}
        </h1>
        <Button variant="outline" size="sm" className="no-print" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <dl className="dl">
        {facts.map(([label, value]) => (
          <div key={label} className="dl__r">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ description, amount, start, end }) => (
            <tr key={`${description}${start}${amount}`}>
              <td>
                {description}
                <span className="block text-14 text-muted">
                  {formatDay(start)} to {formatDay(end)}
                </span>
              </td>
              <td className="num">{money(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(([label, amount]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="num">{money(amount)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </article>
  );
}
