import { adminViewer } from '#web/admin/admin-viewer.ts';
import { csvResponse } from '#web/admin/csv-response.ts';
import { readListQuery } from '#web/workshop/lists/read-list.ts';
import { LogQuery } from '#web/admin/site/log-query.ts';
import type { Route } from './+types/log-csv';

/** The log as CSV. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'log');
  const { q } = readListQuery(url.searchParams, []);
  const filters = { ...LogQuery.parse(Object.fromEntries(url.searchParams)), q: q === '' ? undefined : q };
  return csvResponse(`log-${new Date().toISOString().slice(0, 10)}`, site.admin.site.exportLog(viewer, filters));
}
