import { Readable } from 'node:stream';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { readLogQuery } from '#web/admin/log-query.ts';
import type { Route } from './+types/admin-log-csv';

/** The log as CSV, streamed because it may be long. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { after: _, ...filters } = readLogQuery(url.searchParams);
  const lines = Readable.from(site.admin.exportLog(viewer, filters), { objectMode: false });
  return new Response(Readable.toWeb(lines) as ReadableStream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="log-${new Date().toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}
