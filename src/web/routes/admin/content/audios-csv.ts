import { adminViewer } from '#web/admin/admin-viewer.ts';
import { readAudioQuery } from '#web/admin/content/audio-query.ts';
import { csvResponse } from '#web/admin/csv-response.ts';
import type { Route } from './+types/audios-csv';

/** All audios that match the table's filters as CSV. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { after: _after, before: _before, ...query } = readAudioQuery(url.searchParams);
  const name = `audios-${new Date().toISOString().slice(0, 10)}`;
  return csvResponse(name, site.admin.content.exportAudios(viewer, query));
}
