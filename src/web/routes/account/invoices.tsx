import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { href, Link } from 'react-router';
import type { Invoice } from '#domain/membership/shapes.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { pageSize, readListQuery } from '../../catalogue/lists/list-query.ts';
import { LoadMore } from '../../catalogue/load-more.tsx';
import { usePages } from '../../catalogue/lists/use-pages.ts';
import { requestContext, siteContext } from '../../context.ts';
import { LogInButtons } from '../../library/log-in-buttons.tsx';
import { InvoiceList } from '../../membership/invoices/invoice-list.tsx';
import { VatId } from '../../membership/invoices/vat-id.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import type { Route } from './+types/invoices';
import '../../styles/membership.css';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { cursor } = readListQuery(request);
  const { membership } = context.get(siteContext);
  const [page, vatId] = await Promise.all([
    orBadRequest(membership.listInvoices(viewer.id, { cursor, limit: pageSize })),
    membership.findVatId(viewer.id),
  ]);
  return { page, vatId };
}

const description = () => t`Your invoices, to view and print.`;

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Invoices`, description: description(), index: 'no' });

export default function AccountInvoices({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-180">
        <Link className="link mt-6 mb-2 gap-1" to={href('/account/subscription')}>
          <Icon of={ChevronLeft} size={16} />
          <Trans>Subscription</Trans>
        </Link>
        <h1 className="text-60 mb-4" tabIndex={-1}>
          <Trans>Invoices</Trans>
        </h1>
        {loaderData === null ? (
          <EmptyState title={t`Sign in to see your invoices`} text={description()}>
            <LogInButtons />
          </EmptyState>
        ) : (
          <>
            <Invoices page={loaderData.page} />
            <VatId saved={loaderData.vatId ?? ''} />
          </>
        )}
      </div>
    </div>
  );
}

function Invoices({ page }: { page: Page<Invoice> }) {
  const { items, nextCursor, state, loadMore } = usePages(page, { path: '/v1/api/user/invoices', under: 'items' });
  if (items.length === 0) return <EmptyState title={t`No invoices`} />;
  return (
    <>
      <InvoiceList invoices={items} />
      <LoadMore nextCursor={nextCursor} state={state} loadMore={() => void loadMore()} shown={items.length} />
    </>
  );
}
