import { OpenAPIHono } from '@hono/zod-openapi';
import { clientAddress } from '../limits/rate-limit.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import * as contract from './library-contract.ts';
import { toPageResponse } from '#api/schemas.ts';

/** Public playlists of listeners. */
export function libraryRoutes({ site: { identity, library }, trustProxy }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listTopPlaylists, async (context) => {
      const page = await library.listTopUserPlaylists(context.get('viewer'), context.req.valid('query'));
      return context.json(toPageResponse({ playlists: page.items, nextCursor: page.nextCursor }), 200);
    })
    .openapi(contract.listPublicPlaylists, async (context) => {
      const page = await library.listTopUserPlaylists(context.get('viewer'), context.req.valid('query'));
      return context.json(toPageResponse(page), 200);
    })
    .openapi(contract.findUserPlaylist, async (context) => {
      const playlist = found(await library.findUserPlaylist(context.get('viewer'), context.req.valid('param').id));
      return context.json(playlist, 200);
    })
    .openapi(contract.listUserPlaylistAudios, async (context) => {
      const viewer = context.get('viewer');
      const playlist = found(await library.findUserPlaylist(viewer, context.req.valid('param').id));
      const page = await library.listUserPlaylistAudios(viewer, playlist, context.req.valid('query'));
      return context.json(toPageResponse(page), 200);
    })
    .openapi(contract.playUserPlaylist, async (context) => {
      const address = clientAddress(context, trustProxy);
      const play = await library.playUserPlaylist(context.get('viewer'), context.req.valid('param').id, address);
      return context.json(found(play), 200);
    })
    .openapi(contract.listUserPlaylistsOf, async (context) => {
      const user = found(await identity.findPublicProfile(context.req.valid('param').id));
      const page = await library.listUserPlaylistsOf(context.get('viewer'), user.id, context.req.valid('query'));
      return context.json(toPageResponse(page), 200);
    });
}
