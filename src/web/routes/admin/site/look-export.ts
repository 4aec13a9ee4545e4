import { adminViewer } from '#web/admin/admin-viewer.ts';
import type { Route } from './+types/look-export';

/** The whole look as a file. */
export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return new Response(await site.admin.site.exportLook(viewer), {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="look-${new Date().toISOString().slice(0, 10)}.json"`,
      'cache-control': 'private, no-store',
    },
  });
}
