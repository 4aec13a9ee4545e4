import { createRoute, z } from '@hono/zod-openapi';
import { inOrder, limitClient, personal } from './guards.ts';
import {
  AudioResponse,
  ErrorResponse,
  failures,
  idOrSlug,
  json,
  pageOf,
  PageQuery,
  pageUnder,
  UserPlaylistResponse,
} from '#api/schemas.ts';

export const listTopPlaylists = createRoute({
  method: 'get',
  path: '/users-playlists/top-plays',
  tags: ['User playlists'],
  summary: 'Public playlists of listeners, most played first',
  request: { query: PageQuery },
  responses: { 200: json(pageUnder('playlists', UserPlaylistResponse), 'A page'), ...failures },
});

export const listPublicPlaylists = createRoute({
  method: 'get',
  path: '/users-playlists',
  tags: ['User playlists'],
  summary: 'Public playlists of listeners, most played first, in the common shape of lists',
  request: { query: PageQuery },
  responses: { 200: json(pageOf(UserPlaylistResponse), 'A page'), ...failures },
});

export const findUserPlaylist = createRoute({
  method: 'get',
  path: '/users-playlists/{id}',
  tags: ['User playlists'],
  summary: 'One public user playlist, or one of one’s own',
  request: { params: idOrSlug },
  responses: { 200: json(UserPlaylistResponse, 'User playlist'), ...failures },
});

export const listUserPlaylistAudios = createRoute({
  method: 'get',
  path: '/users-playlists/{id}/audios',
  tags: ['User playlists'],
  summary: 'The audios of a user playlist',
  request: { params: idOrSlug, query: PageQuery },
  responses: { 200: json(pageOf(AudioResponse), 'A page, in the order of the list'), ...failures },
});

export const playUserPlaylist = createRoute({
  method: 'post',
  path: '/users-playlists/{id}/play',
  middleware: inOrder(personal, limitClient('play', 600)),
  tags: ['User playlists'],
  summary: 'Counts a play of a shared list, at most one per listener and hour; own lists do not count',
  request: { params: idOrSlug },
  responses: {
    200: json(z.object({ counted: z.boolean(), plays: z.number() }), 'What was counted, and the plays now'),
    429: json(ErrorResponse, 'Too many'),
    ...failures,
  },
});

export const listUserPlaylistsOf = createRoute({
  method: 'get',
  path: '/users/{id}/playlists',
  tags: ['User playlists'],
  summary: 'Public playlists of a user, newest first',
  request: { params: idOrSlug, query: PageQuery },
  responses: { 200: json(pageOf(UserPlaylistResponse), 'A page'), ...failures },
});
