import { t } from '@lingui/core/macro';
import { BlockedUsers } from '../../community/blocked-users.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/blocked';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { items, nextCursor } = await context.get(siteContext).community.listBlockedUsers(viewer.id, { limit: 24 });
  return { items: items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() })), nextCursor };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Blocked users`, description: t`Users you have blocked.`, index: 'no' });

export default function Blocked({ loaderData }: Route.ComponentProps) {
  return loaderData && <BlockedUsers page={loaderData} />;
}
