import { z } from 'zod';
import { userFilters } from '#domain/admin/rules.ts';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { UserList } from '../../admin/people/user-list.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import type { Route } from './+types/users';

/** Invalid values are ignored. */
const Query = z.object({
  query: z.string().trim().min(1).max(200).optional().catch(undefined),
  filter: z.enum(userFilters).optional().catch(undefined),
  cursor: z.string().optional(),
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { cursor, ...of } = Query.parse(Object.fromEntries(url.searchParams));
  const page = await orBadRequest(site.admin.listUsers(viewer, of, { cursor, limit: 25 }));
  const all = await site.admin.countAll(viewer, 'users', page);
  return { ...of, isFirst: cursor === undefined, page, all };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Users', description: 'Accounts of this site', index: 'no' });
}

export default function AdminUsers({ loaderData }: Route.ComponentProps) {
  return <UserList {...loaderData} />;
}
