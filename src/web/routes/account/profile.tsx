import { t } from '@lingui/core/macro';
import { href, useMatch } from 'react-router';
import { AccountProfile } from '../../identity/account/account-profile.tsx';
import { pageMeta } from '../../page-meta.ts';
import { useAccountOwner } from '../account.tsx';
import type { Route } from './+types/profile';

export function meta(args: Route.MetaArgs) {
  const title = args.location.pathname.includes('profile') ? t`Profile` : t`Account`;
  return pageMeta(args, { title, description: t`Your name, email, password and avatar.`, index: 'no' });
}

/** The account's own address shows the first part too, under the owner's name. */
export default function Profile() {
  const isStart = useMatch(href('/account')) !== null;
  return <AccountProfile owner={useAccountOwner()} heading={isStart ? 'h2' : 'h1'} />;
}
