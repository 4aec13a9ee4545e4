import type { InvoiceDetail } from '#domain/membership/shapes.ts';
import { invoiceStatusNames } from '#domain/membership/rules.ts';
import { Button } from '../../ui/button.tsx';
import { InvoiceDownload } from './invoice-download.tsx';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';

/** Printable invoice. */
export function InvoiceSheet({ invoice }: { invoice: InvoiceDetail }) {
  const { number, status, currency, createdAt, paidAt, lines, subtotal, discount, credit, amountDue, amountPaid } =
    invoice;
  const money = (cents: number) => formatMoney(cents, currency);
  const facts = [
    ['From', invoice.seller],
    ['To', invoice.billedTo],
    ['Date', formatDay(createdAt)],
    ['Status', paidAt === null ? invoiceStatusNames[status] : `Paid on ${formatDay(paidAt)}`],
  ].filter(([, value]) => value !== null);
  const sums: [string, number][] = [
    ['Subtotal', subtotal],
    ...(discount === 0 ? [] : ([['Discount', -discount]] satisfies [string, number][])),
    ...(credit === 0 ? [] : ([['Credit', -credit]] satisfies [string, number][])),
    status === 'paid' ? ['Paid', amountPaid] : ['Due', status === 'void' ? 0 : amountDue],
    ...(invoice.refunded === 0 ? [] : ([['Refunded', -invoice.refunded]] satisfies [string, number][])),
  ];
  return (
    <article className="invoice">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-44" tabIndex={-1}>
          {number === null ? 'Invoice' : `Invoice ${number}`}
        </h1>
        <div className="print:hidden flex gap-2">
          <InvoiceDownload invoice={invoice} />
          <Button variant="outline" size="sm" onClick={() => window.print()}>
            Print
          </Button>
        </div>
      </div>
      <dl className="details">
        {facts.map(([label, value]) => (
          <div key={label} className="details__row">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">Description</th>
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
              <td className="tabular-nums">{money(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(([label, amount]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="tabular-nums">{money(amount)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </article>
  );
}
