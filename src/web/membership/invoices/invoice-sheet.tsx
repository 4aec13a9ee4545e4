import { t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import { type InvoiceText, invoiceText } from '#domain/membership/invoice-rules.ts';
import type { InvoiceDetail } from '#domain/membership/shapes.ts';
import { Button } from '../../ui/button.tsx';
import { InvoiceDownload } from './invoice-download.tsx';

/** An invoice or credit note of the account, with its PDF and its credit notes. */
export function AccountInvoiceSheet({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <>
      <div className="print:hidden mb-4 flex flex-wrap items-center gap-2">
        <InvoiceDownload invoice={invoice} />
        <PrintButton />
        {invoice.creditNotes.map(({ id, number }) => (
          <Link key={id} className="link" to={href('/account/invoices/:id', { id })}>
            {t`Credit note ${number}`}
          </Link>
        ))}
      </div>
      <InvoiceSheet text={invoiceText(invoice)} />
    </>
  );
}

export function PrintButton() {
  return (
    <Button variant="outline" size="sm" onClick={() => window.print()}>
      {t({ message: 'Print', context: 'verb' })}
    </Button>
  );
}

/** Printable, as light on the screen as on paper. */
export function InvoiceSheet({ text }: { text: InvoiceText }) {
  const { title, from, facts, heads, lines, sums, notes } = text;
  const [sellerName, ...sellerLines] = from.lines;
  return (
    <article className="invoice">
      <div className="invoice__head">
        <div>
          <p className="invoice__seller">{sellerName}</p>
          <Lines lines={sellerLines} />
        </div>
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      <dl className="invoice__facts">
        {facts.map(({ label, lines: values }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Lines lines={values} />
            </dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index}>
              <td>
                {line.description}
                {line.period !== undefined && <small>{line.period}</small>}
              </td>
              {line.amounts.map((amount, column) => (
                <td key={column}>{amount}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map((sum) => (
            <tr key={sum.label}>
              <th scope="row" colSpan={heads.length - 1}>
                {sum.label}
              </th>
              <td>{sum.amount}</td>
            </tr>
          ))}
        </tfoot>
      </table>
      {notes.map((note) => (
        <p key={note} className="invoice__note">
          {note}
        </p>
      ))}
    </article>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}
