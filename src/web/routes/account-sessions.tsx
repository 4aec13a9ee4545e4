import { AccountSessions } from '#web/identity/account-sessions.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { useAccountOwner } from './account.tsx';
import type { Route } from './+types/account-sessions';

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Sessions', description: 'Where you are logged in.', index: 'no' });
}

export default function Sessions() {
  return <AccountSessions asOf={useAccountOwner().passwordChangedAt?.getTime()} />;
}
