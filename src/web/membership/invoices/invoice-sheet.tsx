import { t } from '@lingui/core/macro';
import { invoiceText } from '#domain/membership/invoice-rules.ts';
import type { InvoiceDetail } from '#domain/membership/shapes.ts';
import { Button } from '../../ui/button.tsx';
import { InvoiceDownload } from './invoice-download.tsx';

/** Printable invoice. */
export function InvoiceSheet({ invoice }: { invoice: InvoiceDetail }) {
  const { title, facts, description, amount, lines, sums } = invoiceText(invoice);
  return (
    <article className="invoice">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-44" tabIndex={-1}>
          {title}
        </h1>
        <div className="print:hidden flex gap-2">
          <InvoiceDownload invoice={invoice} />
          <Button variant="outline" size="sm" onClick={() => window.print()}>
            {t({ message: 'Print', context: 'verb' })}
          </Button>
        </div>
      </div>
      <dl className="details">
        {facts.map(({ label, value }) => (
          <div key={label} className="details__row">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">{description}</th>
            <th scope="col">{amount}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index}>
              <td>
                {line.description}
                <span className="block text-14 text-muted">{line.period}</span>
              </td>
              <td className="tabular-nums">{line.amount}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map((sum) => (
            <tr key={sum.label}>
              <th scope="row">{sum.label}</th>
              <td className="tabular-nums">{sum.amount}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </article>
  );
}
