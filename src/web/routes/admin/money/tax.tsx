import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import { href, Link } from 'react-router';
import { nameOf } from '#domain/age/places.ts';
import { quarterAt } from '#domain/membership/tax/rules.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Table } from '#web/workshop/lists/table.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/tax';

const shown = 8;

/** The requested quarter; otherwise the current one. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const now = new Date();
  const quarters = Array.from({ length: shown }, (_, back) =>
    quarterAt(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3 * back))),
  );
  const quarter = url.searchParams.get('quarter') ?? quarters[0] ?? '';
  const totals = orNotFound(await site.admin.money.findTax(viewer, quarter));
  const named = totals.map((one) => ({ ...one, name: one.country === '' ? null : nameOf(one.country) }));
  return { quarters, quarter, totals: named };
}

export default function AdminTax({ loaderData: { quarters, quarter, totals } }: Route.ComponentProps) {
  return (
    <>
      <WorkshopHead
        title={t`Tax`}
        facts={t`Invoices of this site less its credit notes, by country and rate. Refunds count in their own quarter; days are UTC.`}
      >
        <Button
          variant="primary"
          render={<Link to={`${href('/admin/tax.csv')}?quarter=${quarter}`} reloadDocument download />}
        >
          <Icon of={Download} size={18} />
          <Trans>Download CSV</Trans>
        </Button>
      </WorkshopHead>
      <nav className="chips chips--scroll mb-5" aria-label={t`Quarter`}>
        {quarters.map((one) => (
          <Chip
            key={one}
            render={
              <Link to={`?quarter=${one}`} preventScrollReset aria-current={one === quarter ? 'true' : undefined} />
            }
          >
            {one}
          </Chip>
        ))}
      </nav>
      {totals.length === 0 ? (
        <EmptyState title={t`No invoices in this quarter`} />
      ) : (
        <Table
          caption={quarter}
          rows={totals}
          keyOf={({ country, permille, currency }) => `${country} ${permille} ${currency}`}
          columns={[
            { head: t`Country`, kind: 'name', cell: ({ name }) => name ?? t`Unknown` },
            {
              head: t({ message: 'Rate', context: 'tax' }),
              kind: 'number',
              cell: ({ permille }) =>
                permille === null ? t`No tax` : formatPercent(permille / 10, permille % 10 === 0 ? 0 : 1),
            },
            { head: t`Invoices`, kind: 'number', cell: ({ invoices }) => formatCount(invoices) },
            { head: t`Credit notes`, kind: 'number', cell: ({ creditNotes }) => formatCount(creditNotes) },
            { head: t`Net`, kind: 'number', cell: ({ net, currency }) => formatMoney(net, currency) },
            { head: t`Tax`, kind: 'number', cell: ({ tax, currency }) => formatMoney(tax, currency) },
            { head: t`Gross`, kind: 'number', cell: ({ gross, currency }) => formatMoney(gross, currency) },
          ]}
        />
      )}
    </>
  );
}
