import { AccountSessions } from '../../identity/account/account-sessions.tsx';
import { pageMeta } from '../../page-meta.ts';
import { useAccountOwner } from '../account.tsx';
import type { Route } from './+types/sessions';

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Sessions', description: 'Where you are logged in.', index: 'no' });
}

export default function Sessions() {
  return <AccountSessions asOf={useAccountOwner().passwordChangedAt?.getTime()} />;
}
