import { adminViewer } from '#web/admin/admin-viewer.ts';
import { csvResponse } from '#web/admin/csv-response.ts';
import { orNotFound } from '#web/route-errors.ts';
import type { Route } from './+types/payouts-csv';

/** A month's payouts as CSV. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const month = url.searchParams.get('month') ?? '';
  return csvResponse(`payouts-${month}`, [orNotFound(await site.admin.money.exportPayouts(viewer, month))]);
}
