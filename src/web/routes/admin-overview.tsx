import { adminViewer } from '#web/admin/admin-viewer.ts';
import { OverviewPage } from '#web/admin/overview-page.tsx';
import { pageMeta } from '#web/page-meta.ts';
import type { Route } from './+types/admin-overview';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { overview: await site.admin.findOverview(viewer) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Admin', description: 'How the site is doing', index: 'no' });
}

export default function AdminOverview({ loaderData: { overview } }: Route.ComponentProps) {
  return <OverviewPage overview={overview} />;
}
