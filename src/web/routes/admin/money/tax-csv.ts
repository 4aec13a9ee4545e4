import { adminViewer } from '#web/admin/admin-viewer.ts';
import { csvResponse } from '#web/admin/csv-response.ts';
import { orNotFound } from '#web/route-errors.ts';
import type { Route } from './+types/tax-csv';

/** A quarter's tax as CSV. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const quarter = url.searchParams.get('quarter') ?? '';
  return csvResponse(`tax-${quarter}`, [orNotFound(await site.admin.money.exportTax(viewer, quarter))]);
}
