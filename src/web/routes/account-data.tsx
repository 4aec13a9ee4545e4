import { AccountData } from '#web/identity/account-data.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { useAccountOwner } from './account.tsx';
import type { Route } from './+types/account-data';

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Your data', description: 'Download it, or delete your account.', index: 'no' });
}

export default function Data() {
  return <AccountData hasPassword={useAccountOwner().hasPassword} heading="h1" />;
}
