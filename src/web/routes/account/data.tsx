import { t } from '@lingui/core/macro';
import { requestContext, siteContext } from '../../context.ts';
import { AccountData } from '../../identity/account/account-data.tsx';
import { deletionLine } from '../../membership/invoices/deletion-line.ts';
import { pageMeta } from '../../page-meta.ts';
import { useAccountOwner } from '../account.tsx';
import type { Route } from './+types/data';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  return { loss: await deletionLine(context.get(siteContext), viewer.id) };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Your data`, description: t`Download it, or delete your account.`, index: 'no' });

export default function Data({ loaderData }: Route.ComponentProps) {
  const { hasPassword } = useAccountOwner();
  return loaderData && <AccountData hasPassword={hasPassword} loss={loaderData.loss} heading="h1" />;
}
