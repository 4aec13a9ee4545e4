import { adminViewer } from '#web/admin/admin-viewer.ts';
import { orNotFound } from '#web/route-errors.ts';
import type { Route } from './+types/chain-json';

/** The archive of one audio's chain, as a file. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const chain = orNotFound(await site.admin.content.findChain(viewer, params.id));
  return new Response(`${JSON.stringify(chain, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="chain-${chain.audio.slug}.json"`,
      'cache-control': 'private, no-store',
    },
  });
}
