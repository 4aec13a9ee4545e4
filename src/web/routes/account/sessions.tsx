import { AccountSessions } from '../../identity/account/account-sessions.tsx';
import { metaOf } from '../../page-meta.ts';
import { useAccountOwner } from '../account.tsx';

export const meta = metaOf({ title: 'Sessions', description: 'Where you are logged in.', index: 'no' });

export default function Sessions() {
  return <AccountSessions asOf={useAccountOwner().passwordChangedAt?.getTime()} />;
}
