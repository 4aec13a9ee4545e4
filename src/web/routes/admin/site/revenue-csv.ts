import { overviewPeriods } from '#domain/admin/rules.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { csvResponse } from '#web/admin/csv-response.ts';
import type { Route } from './+types/revenue-csv';

/** The money of each day of the overview as CSV. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const period = overviewPeriods.find((one) => one === url.searchParams.get('period'));
  const today = new Date().toISOString().slice(0, 10);
  return csvResponse(`revenue-${today}`, [await site.admin.site.exportRevenue(viewer, period)]);
}
