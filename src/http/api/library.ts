import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#domain/site.ts';
import { refuseInvalid } from './invalid.ts';
import { AudioAnswer, failures, idOrSlug, json, pageOf, PageQuery, pageUnder, UserPlaylistAnswer } from './schemas.ts';

export function libraryRoutes({ identity, library }: Site) {
  return new OpenAPIHono({ defaultHook: refuseInvalid })
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
        const { items, nextCursor } = await library.listTopUserPlaylists(context.req.valid('query'));
        return context.json({ playlists: items, nextCursor }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/users-playlists/{id}',
        tags: ['User playlists'],
        summary: 'One public user playlist',
        request: { params: idOrSlug },
        responses: { 200: json(UserPlaylistAnswer, 'User playlist'), ...failures },
      }),
      async (context) => {
        const playlist = await library.findUserPlaylist(context.req.valid('param').id);
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
        const playlist = await library.findUserPlaylist(context.req.valid('param').id);
        if (playlist === undefined) throw new DomainError('request/not-found');
        return context.json(await library.listUserPlaylistAudios(playlist.id, context.req.valid('query')), 200);
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
        return context.json(await library.listUserPlaylistsOf(user.id, context.req.valid('query')), 200);
      },
    );
}
