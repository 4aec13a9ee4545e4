import { overviewPeriods } from '#domain/admin/rules.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { OverviewPage } from '#web/admin/site/overview-page.tsx';
import type { Route } from './+types/overview';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const asked = new URL(request.url).searchParams.get('period');
  const period = overviewPeriods.find((one) => one === asked);
  const [overview, checks] = await Promise.all([
    site.admin.site.findOverview(viewer, period),
    // Figures are shown even when a check fails.
    site.admin.site.findChecks(viewer).catch(() => undefined),
  ]);
  return { overview, checks };
}

export default function AdminOverview({ loaderData }: Route.ComponentProps) {
  return <OverviewPage {...loaderData} />;
}
