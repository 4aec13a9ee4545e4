import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#domain/site.ts';
import type { RateLimit } from '../rate-limit.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal } from '../viewer.ts';
import { errorResponse } from '../errors.ts';
import { refuseInvalid } from './invalid.ts';
import {
  AudioAnswer,
  ErrorAnswer,
  failures,
  idOrSlug,
  json,
  pageOf,
  PageQuery,
  pageUnder,
  UserPlaylistAnswer,
} from './schemas.ts';

const playsPerMinute = 600;

type LibraryRoutesOptions = { site: Site; rateLimit: RateLimit; trustProxy: number };

/** Playlists of listeners, as everybody may read them. */
export function libraryRoutes({ site: { identity, library }, rateLimit, trustProxy }: LibraryRoutesOptions) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  app.use('/users-playlists/:id/play', personal, async (context, next) => {
    const of = `play ${clientAddress(context, trustProxy)}`;
    return rateLimit(context, { perMinute: playsPerMinute, of }) ? next() : errorResponse('request/too-many');
  });
  return app
    .openapi(
      createRoute({
        method: 'get',
        path: '/users-playlists/top-plays',
        tags: ['User playlists'],
        summary: 'Public playlists of listeners, most played first',
        request: { query: PageQuery },
        responses: { 200: json(pageUnder('playlists', UserPlaylistAnswer), 'A page'), ...failures },
      }),
      async (context) => {
        const page = await library.listTopUserPlaylists(context.get('viewer'), context.req.valid('query'));
        return context.json({ playlists: page.items, nextCursor: page.nextCursor }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/users-playlists/{id}',
        tags: ['User playlists'],
        summary: 'One public user playlist, or one of one’s own',
        request: { params: idOrSlug },
        responses: { 200: json(UserPlaylistAnswer, 'User playlist'), ...failures },
      }),
      async (context) => {
        const playlist = await library.findUserPlaylist(context.get('viewer'), context.req.valid('param').id);
        if (playlist === undefined) throw new DomainError('request/not-found');
        return context.json(playlist, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/users-playlists/{id}/audios',
        tags: ['User playlists'],
        summary: 'The audios of a user playlist',
        request: { params: idOrSlug, query: PageQuery },
        responses: { 200: json(pageOf(AudioAnswer), 'A page, in the order of the list'), ...failures },
      }),
      async (context) => {
        const viewer = context.get('viewer');
        const playlist = await library.findUserPlaylist(viewer, context.req.valid('param').id);
        if (playlist === undefined) throw new DomainError('request/not-found');
        return context.json(await library.listUserPlaylistAudios(viewer, playlist, context.req.valid('query')), 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users-playlists/{id}/play',
        tags: ['User playlists'],
        summary: 'Counts a play of a shared list, at most one per listener and hour, none of one’s own',
        request: { params: idOrSlug },
        responses: {
          200: json(z.object({ counted: z.boolean(), plays: z.number() }), 'What was counted, and the plays now'),
          429: json(ErrorAnswer, 'Too many'),
          ...failures,
        },
      }),
      async (context) => {
        const address = clientAddress(context, trustProxy);
        const play = await library.playUserPlaylist(context.get('viewer'), context.req.valid('param').id, address);
        if (play === undefined) throw new DomainError('request/not-found');
        return context.json(play, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/users/{id}/playlists',
        tags: ['User playlists'],
        summary: 'Public playlists of a user, newest first',
        request: { params: idOrSlug, query: PageQuery },
        responses: { 200: json(pageOf(UserPlaylistAnswer), 'A page'), ...failures },
      }),
      async (context) => {
        const user = await identity.findPublicProfile(context.req.valid('param').id);
        if (user === undefined) throw new DomainError('request/not-found');
        const page = await library.listUserPlaylistsOf(context.get('viewer'), user.id, context.req.valid('query'));
        return context.json(page, 200);
      },
    );
}
