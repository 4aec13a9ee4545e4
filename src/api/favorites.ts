import { z } from '@hono/zod-openapi';
import { AudioFilter } from '#domain/catalogue/forms.ts';
import { contentTypeIds, favoriteGroups, favoriteSorts } from '#domain/library/rules.ts';
import { callBy } from './call.ts';
import {
  AudioResponse,
  CategoryResponse,
  FilterChoicesResponse,
  pageOf,
  PageQuery,
  PlaylistResponse,
  UserPlaylistResponse,
  UserResponse,
  VoiceResponse,
} from './schemas.ts';

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
        mixes: z.number().describe('Saved filters of the user'),
      })
      .describe('How many there are of each'),
  })
  .openapi('Favorites');

/** Search text, only used for comparison. */
const Filter = z
  .string()
  .max(100)
  .transform((text) => text.replace(/\p{Cc}|\p{Cs}/gu, ' '));

const userCall = callBy('user', { limit: { kind: 'favorites', perMinute: 600 } });

export const setFavorite = userCall({
  post: '/user/favorite/{id}',
  about: 'Adds or removes a favourite; idempotent',
  input: z.object({ contentTypeId: z.enum(contentTypeIds), isFavorite: z.boolean() }),
  output: z.object({
    contentTypeId: z.enum(contentTypeIds),
    id: z.uuid(),
    isFavorite: z.boolean(),
    totalFavorite: z.number().nullable().describe('Of an audio or a voice'),
  }),
  refuses: { full: 'library/full' },
  // More than a person needs while tidying up a large library.
  limit: { kind: 'favorite', perMinute: 240 },
  maxBytes: 8 * 1024,
  async act({ site, viewer, id, input }) {
    const favorite = { id, ...input };
    const outcome = await site.library.setFavorite(viewer, favorite);
    return outcome.ok ? { ...favorite, totalFavorite: outcome.totalFavorite } : outcome;
  },
});

export const findFavorites = userCall({
  get: '/user/favorites',
  about: 'The newest favourites of each group, and how many there are',
  query: PageQuery.pick({ limit: true }),
  output: FavoritesResponse,
  async act({ site: { library }, viewer, query }) {
    const favorites = await library.findFavorites(viewer, query.limit);
    return { ...favorites, totals: await library.countFavorites(viewer) };
  },
});

export const listFavorites = userCall({
  get: '/user/favorites/{group}',
  about: 'One group of favourites, in pages; sorted, and filtered by a search text; audios also as in other lists',
  params: z.object({ group: z.enum(favoriteGroups) }),
  query: PageQuery.extend({
    sort: z
      .enum(favoriteSorts)
      .optional()
      .describe('Default: `recent`; `popular`, `shortest` and `longest` are for audios'),
    filter: Filter.optional().describe('Part of a title or a name'),
    ...AudioFilter.shape,
  }),
  output: pageOf(z.union([AudioResponse, VoiceResponse, CategoryResponse, PlaylistFavoriteResponse, UserResponse])),
  act: ({ site, viewer, group, query: { limit, cursor, sort, filter, ...audioFilter } }) =>
    site.library.listFavorites(viewer, group, { limit, cursor, sort, filter, audioFilter }),
});

export const countFavoriteFilters = userCall({
  get: '/user/favorites/audios/filters',
  about: 'The filters that favourite audios offer, with what each would find',
  query: z.object({ filter: Filter.optional().describe('Part of a title or a name'), ...AudioFilter.shape }),
  output: FilterChoicesResponse,
  act: ({ site, viewer, query: { filter, ...audioFilter } }) =>
    site.library.countFavoriteFilters(viewer, filter, audioFilter),
});
