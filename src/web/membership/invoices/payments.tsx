import type { Page } from '#domain/kernel/pages.ts';
import type { FormerProvider as Former } from '#domain/membership/moving/find-former.ts';
import type { Invoice } from '#domain/membership/shapes.ts';
import type { Plain } from '../plain.ts';
import { FormerProvider } from './former-provider.tsx';
import { AccountInvoices } from './invoice-list.tsx';

type PaymentsProps = { page: Page<Invoice> & { former: Plain<Former> | null; canSubscribe: boolean } };

/** Below the subscription: the provider before, if the site's payments have moved, and the latest invoices. */
export function Payments({ page: { former, canSubscribe, ...page } }: PaymentsProps) {
  return (
    <>
      {former !== null && <FormerProvider former={former} canSubscribe={canSubscribe} />}
      <AccountInvoices page={page} />
    </>
  );
}
