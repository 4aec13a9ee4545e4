import { Readable } from 'node:stream';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { readAudioQuery } from '#web/admin/audio-query.ts';
import type { Route } from './+types/admin-audios-csv';

/** All audios that match the table's filters as CSV, streamed because they may be many. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { after: _after, before: _before, ...query } = readAudioQuery(url.searchParams);
  const lines = Readable.from(site.catalogueAdmin.exportAudios(viewer, query), { objectMode: false });
  return new Response(Readable.toWeb(lines) as ReadableStream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="audios-${new Date().toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}
