import { adminViewer } from '#web/admin/admin-viewer.ts';
import { LogPage } from '#web/admin/site/log-page.tsx';
import { readLogQuery } from '#web/admin/site/log-query.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orBadRequest } from '#web/route-errors.ts';
import type { Route } from './+types/log';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { after, ...filters } = readLogQuery(url.searchParams);
  const [page, areas] = await Promise.all([
    orBadRequest(site.admin.site.listLogEntries(viewer, filters, { cursor: after, limit: 30 })),
    site.admin.site.listLogAreas(viewer),
  ]);
  const all = await site.admin.countAll(viewer, 'log', page);
  return { filters, areas, page, all, isFirst: after === undefined, now: new Date() };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Log', description: 'What creators and operators changed', index: 'no' });
}

export default function AdminLog({ loaderData }: Route.ComponentProps) {
  return <LogPage {...loaderData} />;
}
