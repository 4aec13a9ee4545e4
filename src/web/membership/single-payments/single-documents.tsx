import ChevronLeft from 'lucide-react/icons/chevron-left';
import { Link } from 'react-router';
import { documentText } from '#domain/membership/invoice-rules.ts';
import type { IssuedDocument } from '#domain/membership/shapes.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { InvoiceSheet, PrintButton } from '../invoices/invoice-sheet.tsx';

/** Invoice of a payment outside of subscriptions, and its credit note, if it was paid back. */
export function SingleDocuments({
  back,
  documents,
}: {
  /** The page of what was paid. */
  back: { to: string; label: string };
  documents: IssuedDocument[];
}) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-180">
        <Link className="link print:hidden mt-6 mb-2 gap-1" to={back.to}>
          <Icon of={ChevronLeft} size={16} />
          {back.label}
        </Link>
        <div className="print:hidden mb-4">
          <PrintButton />
        </div>
        {documents.map(({ document, ...invoice }) => (
          <InvoiceSheet key={document.number} text={documentText(invoice, document)} />
        ))}
      </div>
    </div>
  );
}
