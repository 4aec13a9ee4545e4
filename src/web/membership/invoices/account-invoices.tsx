import { href, Link } from 'react-router';
import type { Page } from '#domain/kernel/pages.ts';
import type { Invoice } from '#domain/membership/shapes.ts';
import { InvoiceList } from './invoice-list.tsx';

/** The latest invoices; the full list has its own page. */
export function AccountInvoices({ page }: { page: Page<Invoice> }) {
  if (page.items.length === 0) return null;
  return (
    <section id="invoices" tabIndex={-1} aria-label="Invoices">
      <h2 className="text-26">Invoices</h2>
      <InvoiceList invoices={page.items} />
      {page.nextCursor !== undefined && (
        <Link className="link mt-3" to={href('/account/invoices')}>
          All invoices
        </Link>
      )}
    </section>
  );
}
