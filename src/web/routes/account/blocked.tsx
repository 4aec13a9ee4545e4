import { BlockedUsers } from '../../community/blocked-users.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { metaOf } from '../../page-meta.ts';
import type { Route } from './+types/blocked';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { items, nextCursor } = await context.get(siteContext).community.listBlockedUsers(viewer.id, { limit: 24 });
  return { items: items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() })), nextCursor };
}

export const meta = metaOf({ title: 'Blocked users', description: 'Users you have blocked.', index: 'no' });

export default function Blocked({ loaderData }: Route.ComponentProps) {
  return loaderData && <BlockedUsers page={loaderData} />;
}
