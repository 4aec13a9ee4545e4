import { createRoute, z } from '@hono/zod-openapi';
import { PlaylistChange, PlaylistForm } from '#domain/library/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import {
  ErrorResponse,
  failures,
  json,
  jsonBody,
  ownId,
  refusals as ownRefusals,
  UserPlaylistResponse,
} from '#api/schemas.ts';

const Id = z.uuid().toLowerCase();

/** More than a person does by dragging one audio after the other. */
const own = inOrder(personal, loggedInOnly, limitAccount('user playlists', 240));
/** Enough to save a queue of a thousand audios as a playlist. */
const ownWrite = inOrder(...own, limitBody(64 * 1024));

const refusals = { ...ownRefusals, 413: json(ErrorResponse, 'Too large'), ...failures } as const;
const full = json(ErrorResponse, 'There is no room for more');

export const listOwnPlaylists = createRoute({
  method: 'get',
  path: '/user/playlists',
  middleware: own,
  tags: ['User playlists'],
  summary: 'All playlists of one’s own, the last changed first',
  request: { query: z.object({ audioId: Id.optional().describe('For `hasAudio`') }) },
  responses: {
    200: json(
      z.object({
        items: z.array(
          UserPlaylistResponse.extend({
            hasAudio: z.boolean().describe('The audio asked about is in it'),
          }).openapi('OwnUserPlaylist'),
        ),
      }),
      'Playlists',
    ),
    401: refusals[401],
    429: refusals[429],
    400: failures[400],
  },
});

export const createPlaylist = createRoute({
  method: 'post',
  path: '/users-playlists',
  middleware: ownWrite,
  tags: ['User playlists'],
  summary: 'Creates a playlist; private by default',
  request: { body: jsonBody(PlaylistForm) },
  responses: { 201: json(UserPlaylistResponse, 'The playlist'), ...refusals, 409: full },
});

export const changePlaylist = createRoute({
  method: 'patch',
  path: '/users-playlists/{id}',
  middleware: ownWrite,
  tags: ['User playlists'],
  summary: 'Changes title, background, font or visibility',
  request: {
    params: ownId,
    body: jsonBody(PlaylistChange),
  },
  responses: { 200: json(UserPlaylistResponse, 'The playlist'), ...refusals },
});

export const deletePlaylist = createRoute({
  method: 'delete',
  path: '/users-playlists/{id}',
  middleware: ownWrite,
  tags: ['User playlists'],
  summary: 'Deletes a playlist; it can be restored for a while',
  request: { params: ownId },
  responses: {
    200: json(z.object({ restorableUntil: z.iso.datetime() }), 'Deleted'),
    ...refusals,
  },
});

export const restorePlaylist = createRoute({
  method: 'post',
  path: '/users-playlists/{id}/restore',
  middleware: ownWrite,
  tags: ['User playlists'],
  summary: 'Brings back a playlist that was deleted a moment ago',
  request: { params: ownId },
  responses: { 200: json(UserPlaylistResponse, 'The restored playlist'), ...refusals, 409: full },
});

export const addAudios = createRoute({
  method: 'post',
  path: '/users-playlists/{id}/audios',
  middleware: ownWrite,
  tags: ['User playlists'],
  summary: 'Adds audios at the end; those already in the list keep their position',
  request: {
    params: ownId,
    body: jsonBody(z.object({ audioIds: z.array(Id).min(1).max(100) })),
  },
  responses: {
    200: json(z.object({ added: z.number(), totalAudios: z.number() }), 'Added'),
    ...refusals,
    409: full,
  },
});

export const removeAudio = createRoute({
  method: 'delete',
  path: '/users-playlists/{id}/audios/{audioId}',
  middleware: own,
  tags: ['User playlists'],
  summary: 'Removes an audio; succeeds if it is no longer in the list',
  request: { params: ownId.extend({ audioId: Id }) },
  responses: { 204: { description: 'Removed' }, ...refusals },
});

export const moveAudio = createRoute({
  method: 'post',
  path: '/users-playlists/{id}/move',
  middleware: ownWrite,
  tags: ['User playlists'],
  summary: 'Moves one audio between new neighbours in the current list',
  request: {
    params: ownId,
    body: jsonBody(
      z
        .object({
          audioId: Id,
          after: Id.nullable().optional().describe('Moves behind this one; null: to the beginning'),
          before: Id.nullable()
            .optional()
            .describe('If `after` is no longer in the list, moves before this one; null: to the end'),
        })
        .refine(({ after, before }) => after !== undefined || before !== undefined, 'needs a neighbour')
        .refine(({ audioId, after, before }) => audioId !== after && audioId !== before, 'cannot be its own neighbour'),
    ),
  },
  responses: {
    204: { description: 'Moved' },
    ...refusals,
    409: json(ErrorResponse, 'Neither neighbour is in the list any longer'),
  },
});
