import { t } from '@lingui/core/macro';
import { AccountSessions } from '../../identity/account/account-sessions.tsx';
import { pageMeta } from '../../page-meta.ts';
import { useAccountOwner } from '../account.tsx';
import type { Route } from './+types/sessions';

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Sessions`, description: t`Where you are logged in.`, index: 'no' });

export default function Sessions() {
  return <AccountSessions asOf={useAccountOwner().passwordChangedAt?.getTime()} />;
}
