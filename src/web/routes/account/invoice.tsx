import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { href, Link } from 'react-router';
import { requestContext, siteContext } from '../../context.ts';
import { LogInButtons } from '../../library/log-in-buttons.tsx';
import { AccountInvoiceSheet } from '../../membership/invoices/invoice-sheet.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import type { Route } from './+types/invoice';
import '../../styles/membership.css';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  return orNotFound(await context.get(siteContext).membership.findInvoice(viewer.id, params.id));
}

const description = () => t`An invoice to view and print.`;

export function meta(args: Route.MetaArgs) {
  return pageMeta(
    args,
    args.loaderData === undefined ? undefined : { title: t`Invoice`, description: description(), index: 'no' },
  );
}

export default function AccountInvoice({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-180">
        <Link className="link print:hidden mt-6 mb-2 gap-1" to={href('/account/invoices')}>
          <Icon of={ChevronLeft} size={16} />
          <Trans>Invoices</Trans>
        </Link>
        {loaderData === null ? (
          <EmptyState of="page" title={t`Sign in to see your invoice`} text={description()}>
            <LogInButtons />
          </EmptyState>
        ) : (
          <AccountInvoiceSheet invoice={loaderData} />
        )}
      </div>
    </div>
  );
}
