import { href, Link } from 'react-router';
import type { Invoice } from '#domain/membership/invoices.ts';
import { classNames } from '../ui/class-names.ts';
import type { Plain } from './plain.ts';
import { formatDay, formatMoney } from './wording.ts';

export const invoiceStatuses: Record<Invoice['status'], string> = {
  paid: 'Paid',
  open: 'Open',
  void: 'Void',
  uncollectible: 'Not paid',
};

/** One line each, newest first. */
export function InvoiceList({ invoices }: { invoices: Plain<Invoice>[] }) {
  return (
    <ul className="dl">
      {invoices.map(({ id, number, status, amount, currency, createdAt }) => (
        <li key={id} className="dl__r dl__r--2">
          <div className="min-w-0">
            <p className="num flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
              {formatMoney(amount, currency)}
              <span className={classNames('tag', status === 'paid' ? 'tag--ok' : 'tag--warn')}>
                {invoiceStatuses[status]}
              </span>
            </p>
            <p className="num text-14 text-muted">
              {formatDay(createdAt)}
              {number !== null && `, ${number}`}
            </p>
          </div>
          <Link
            className="link"
            to={href('/account/invoices/:id', { id })}
            aria-label={`View invoice of ${formatDay(createdAt)}`}
          >
            View
          </Link>
        </li>
      ))}
    </ul>
  );
}
