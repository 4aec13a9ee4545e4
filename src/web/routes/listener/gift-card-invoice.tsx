import { t } from '@lingui/core/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { href, Link } from 'react-router';
import { documentText } from '#domain/membership/invoice-rules.ts';
import { siteContext } from '../../context.ts';
import { InvoiceSheet, PrintButton } from '../../membership/invoices/invoice-sheet.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { Icon } from '../../ui/images/icon.tsx';
import type { Route } from './+types/gift-card-invoice';
import '../../styles/membership.css';

/** Buyers need no account: the card's address is known to them alone. */
export async function loader({ context, params }: Route.LoaderArgs) {
  return { invoices: orNotFound(await context.get(siteContext).membership.findGiftInvoices(params.id)) };
}

export function meta(args: Route.MetaArgs) {
  const page = { title: t`Invoice`, description: t`An invoice to view and print.`, index: 'no' } as const;
  return pageMeta(args, args.loaderData === undefined ? undefined : page);
}

export default function GiftCardInvoice({ loaderData, params }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-180">
        <Link className="link print:hidden mt-6 mb-2 gap-1" to={href('/gift-card/:id', params)}>
          <Icon of={ChevronLeft} size={16} />
          {t`Your gift card`}
        </Link>
        <div className="print:hidden mb-4">
          <PrintButton />
        </div>
        {loaderData.invoices.map(({ document, ...invoice }) => (
          <InvoiceSheet key={document.number} text={documentText(invoice, document)} />
        ))}
      </div>
    </div>
  );
}
