import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
  const paidOn = paidAt && formatDay(paidAt);
  const facts = [
    [t({ message: 'From', context: 'sender' }), invoice.seller],
    [t({ message: 'To', context: 'recipient' }), invoice.billedTo],
    [t`Date`, formatDay(createdAt)],
    [t`Status`, paidOn === null ? invoiceStatusNames()[status] : t`Paid on ${paidOn}`],
  ].filter(([, value]) => value !== null);
  const sums: [string, number][] = [
    [t`Subtotal`, subtotal],
    ...(discount === 0 ? [] : ([[t`Discount`, -discount]] satisfies [string, number][])),
    ...(credit === 0 ? [] : ([[t({ message: 'Credit', context: 'invoice' }), -credit]] satisfies [string, number][])),
    status === 'paid'
      ? [t({ message: 'Paid', context: 'invoice' }), amountPaid]
      : [t({ message: 'Due', context: 'invoice' }), status === 'void' ? 0 : amountDue],
    ...(invoice.refunded === 0
      ? []
      : ([[t({ message: 'Refunded', context: 'invoice' }), -invoice.refunded]] satisfies [string, number][])),
  ];
  return (
    <article className="invoice">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-44" tabIndex={-1}>
          {number === null ? t`Invoice` : t`Invoice ${number}`}
        </h1>
        <div className="print:hidden flex gap-2">
          <InvoiceDownload invoice={invoice} />
          <Button variant="outline" size="sm" onClick={() => window.print()}>
            {t({ message: 'Print', context: 'verb' })}
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
            <th scope="col">
              <Trans>Description</Trans>
            </th>
            <th scope="col">
              <Trans>Amount</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ description, amount, start, end }) => {
            const [from, until] = [formatDay(start), formatDay(end)];
            return (
              <tr key={`${description}${start}${amount}`}>
                <td>
                  {description}
                  <span className="block text-14 text-muted">{t`${from} to ${until}`}</span>
                </td>
                <td className="tabular-nums">{money(amount)}</td>
              </tr>
            );
          })}
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
