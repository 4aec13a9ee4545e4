import { adminViewer } from '#web/admin/admin-viewer.ts';
import { UserPage } from '#web/admin/people/user-page.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import type { Route } from './+types/user';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const user = orNotFound(await site.admin.people.findUser(viewer, params.id));
  const { items } = await site.admin.site.listLogEntries(viewer, { subjectId: user.id }, { limit: 10 });
  return { user, entries: items, isOneself: user.id === viewer.id, now: new Date() };
}

export function meta(args: Route.MetaArgs) {
  const { loaderData } = args;
  const name = loaderData?.user.username ?? loaderData?.user.email ?? 'A user';
  return pageMeta(args, loaderData && { title: name, description: 'An account', index: 'no' });
}

export default function AdminUser({ loaderData }: Route.ComponentProps) {
  // Remounts the forms for another user.
  return <UserPage key={loaderData.user.id} {...loaderData} />;
}
