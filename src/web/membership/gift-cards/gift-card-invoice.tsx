import { t } from '@lingui/core/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { href, Link } from 'react-router';
import { documentText } from '#domain/membership/invoice-rules.ts';
import type { IssuedDocument } from '#domain/membership/shapes.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { InvoiceSheet, PrintButton } from '../invoices/invoice-sheet.tsx';

/** Invoice of a gift card, and the credit note of one that was paid back. */
export function GiftCardInvoice({ id, invoices }: { id: string; invoices: IssuedDocument[] }) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-180">
        <Link className="link print:hidden mt-6 mb-2 gap-1" to={href('/gift-card/:id', { id })}>
          <Icon of={ChevronLeft} size={16} />
          {t`Your gift card`}
        </Link>
        <div className="print:hidden mb-4">
          <PrintButton />
        </div>
        {invoices.map(({ document, ...invoice }) => (
          <InvoiceSheet key={document.number} text={documentText(invoice, document)} />
        ))}
      </div>
    </div>
  );
}
