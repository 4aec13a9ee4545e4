import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import type { Page } from '#domain/kernel/pages.ts';
import type { Invoice } from '#domain/membership/shapes.ts';
import { invoiceStatusNames } from '#domain/membership/rules.ts';
import { classNames } from '../../ui/class-names.ts';
import { InvoiceDownload } from './invoice-download.tsx';
import type { Plain } from '../plain.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';

const tags = { paid: 'tone-ok', open: 'tag--warn', uncollectible: 'tag--warn', void: 'tag--quiet' };

/** One line each, newest first. */
export function InvoiceList({ invoices }: { invoices: Plain<Invoice>[] }) {
  return (
    <ul className="details">
      {invoices.map((invoice) => (
        <InvoiceRow key={invoice.id} {...invoice} />
      ))}
    </ul>
  );
}

function InvoiceRow({ id, number, status, amount, refunded, currency, createdAt }: Plain<Invoice>) {
  const day = formatDay(createdAt);
  const refund = formatMoney(refunded, currency);
  return (
    <li className="details__row details__row--wide">
      <div className="min-w-0">
        <p className="tabular-nums flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          {formatMoney(amount, currency)}
          <span className={classNames('tag', tags[status])}>{invoiceStatusNames()[status]}</span>
          {refunded > 0 && <span className="tag tag--quiet">{t`${refund} refunded`}</span>}
        </p>
        <p className="tabular-nums text-14 text-muted">
          {day}
          {number !== null && `, ${number}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-x-4">
        <Link className="link" to={href('/account/invoices/:id', { id })} aria-label={t`View invoice of ${day}`}>
          <Trans context="verb">View</Trans>
        </Link>
        <InvoiceDownload className="link" invoice={{ id, number }} label={t`Download invoice of ${day} as PDF`} />
      </div>
    </li>
  );
}

/** The latest invoices; the full list has its own page. */
export function AccountInvoices({ page }: { page: Page<Invoice> }) {
  if (page.items.length === 0) return null;
  return (
    <section id="invoices" tabIndex={-1} aria-label={t`Invoices`}>
      <h2 className="text-26">
        <Trans>Invoices</Trans>
      </h2>
      <InvoiceList invoices={page.items} />
      {page.nextCursor !== undefined && (
        <Link className="link mt-3" to={href('/account/invoices')}>
          {t`All invoices`}
        </Link>
      )}
    </section>
  );
}
