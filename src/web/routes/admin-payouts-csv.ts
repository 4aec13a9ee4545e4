import { adminViewer } from '#web/admin/admin-viewer.ts';
import { orNotFound } from '#web/route-errors.ts';
import type { Route } from './+types/admin-payouts-csv';

/** A month's payouts as CSV. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const month = url.searchParams.get('month') ?? '';
  const text = orNotFound(await site.money.exportPayouts(viewer, month));
  return new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="payouts-${month}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}
