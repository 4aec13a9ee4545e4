import { adminViewer } from '#web/admin/admin-viewer.ts';
import { pageMeta } from '#web/page-meta.ts';
import type { Route } from './+types/admin-overview';

export async function loader({ context }: Route.LoaderArgs) {
  adminViewer(context);
  return {};
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Admin', description: 'How the site is doing', index: 'no' });
}

export default function AdminOverview() {
  return (
    <div className="ph">
      <div className="ph__t">
        <h1>Overview</h1>
      </div>
    </div>
  );
}
