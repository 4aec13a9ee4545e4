import { createRoute, z } from '@hono/zod-openapi';
import { contentTypeIds, favoriteGroups, favoriteSorts } from '#domain/library/rules.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import {
  AudioResponse,
  CategoryResponse,
  ErrorResponse,
  failures,
  json,
  jsonBody,
  ownId,
  PageQuery,
  PlaylistResponse,
  refusals,
  UserResponse,
  UserPlaylistResponse,
  VoiceResponse,
} from '#api/schemas.ts';

const PlaylistFavoriteResponse = z.union([
  PlaylistResponse.extend({ contentTypeId: z.literal('playlist') }).openapi('HousePlaylistFavorite'),
  UserPlaylistResponse.extend({ contentTypeId: z.literal('userPlaylist') }).openapi('UserPlaylistFavorite'),
]);

const FavoritesResponse = z
  .object({
    audios: z.array(AudioResponse),
    voices: z.array(VoiceResponse),
    categories: z.array(CategoryResponse),
    playlists: z.array(PlaylistFavoriteResponse),
    users: z.array(UserResponse),
    totals: z
      .object({
        audios: z.number(),
        voices: z.number(),
        categories: z.number(),
        playlists: z.number(),
        users: z.number(),
        ownPlaylists: z.number().describe('Playlists of the user'),
      })
      .describe('How many there are of each'),
  })
  .openapi('Favorites');

/** Search text, only used for comparison. */
const Filter = z
  .string()
  .max(100)
  .transform((text) => text.replace(/\p{Cc}|\p{Cs}/gu, ' '));

/** More than a person needs while tidying up a large library. */
const write = inOrder(personal, loggedInOnly, limitAccount('favorite', 240), limitBody(8 * 1024));
const read = inOrder(personal, loggedInOnly, limitAccount('favorites', 600));

export const setFavorite = createRoute({
  method: 'post',
  path: '/user/favorite/{id}',
  middleware: write,
  tags: ['Library'],
  summary: 'Adds or removes a favourite; idempotent',
  request: {
    params: ownId,
    body: jsonBody(z.object({ contentTypeId: z.enum(contentTypeIds), isFavorite: z.boolean() })),
  },
  responses: {
    200: json(
      z.object({
        contentTypeId: z.enum(contentTypeIds),
        id: z.uuid(),
        isFavorite: z.boolean(),
        totalFavorite: z.number().nullable().describe('Of an audio or a voice'),
      }),
      'Done',
    ),
    ...refusals,
    409: json(ErrorResponse, 'The library is full'),
    ...failures,
  },
});

export const findFavorites = createRoute({
  method: 'get',
  path: '/user/favorites',
  middleware: read,
  tags: ['Library'],
  summary: 'The newest favourites of each group, and how many there are',
  request: { query: z.object({ limit: PageQuery.shape.limit }) },
  responses: { 200: json(FavoritesResponse, 'Favourites'), ...refusals, 400: failures[400] },
});

export const listFavorites = createRoute({
  method: 'get',
  path: '/user/favorites/{group}',
  middleware: read,
  tags: ['Library'],
  summary: 'One group of favourites, in pages; sorted, and filtered by a search text',
  request: {
    params: z.object({ group: z.enum(favoriteGroups) }),
    query: PageQuery.extend({
      sort: z
        .enum(favoriteSorts)
        .optional()
        .describe('Default: `recent`; `popular`, `shortest` and `longest` are for audios'),
      filter: Filter.optional().describe('Part of a title or a name'),
    }),
  },
  responses: {
    200: json(
      z.object({
        items: z.array(
          z.union([AudioResponse, VoiceResponse, CategoryResponse, PlaylistFavoriteResponse, UserResponse]),
        ),
        nextCursor: z.string().nullable(),
      }),
      'A page',
    ),
    ...refusals,
    ...failures,
  },
});
