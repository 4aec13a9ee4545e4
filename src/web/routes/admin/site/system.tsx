import { adminViewer } from '#web/admin/admin-viewer.ts';
import { SystemPage } from '#web/admin/site/system-page.tsx';
import { pageMeta } from '#web/page-meta.ts';
import type { Route } from './+types/system';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [system, checks] = await Promise.all([site.admin.site.findSystem(viewer), site.admin.site.findChecks(viewer)]);
  return { system, checks, now: new Date() };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'System', description: 'Jobs, mails, search, storage and backups', index: 'no' });
}

export default function AdminSystem({ loaderData }: Route.ComponentProps) {
  return <SystemPage {...loaderData} />;
}
