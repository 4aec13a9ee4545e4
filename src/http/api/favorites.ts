import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { contentTypeIds, favoriteGroups, favoriteSorts } from '#domain/library/rules.ts';
import type { Site } from '#domain/site.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import { ownCall } from './own-call.ts';
import {
  AudioAnswer,
  CategoryAnswer,
  ErrorAnswer,
  failures,
  json,
  ownId,
  PageQuery,
  PlaylistAnswer,
  UserAnswer,
  UserPlaylistAnswer,
  VoiceAnswer,
} from './schemas.ts';

/** What a person with a quick finger and a library to tidy up may do. */
const perMinute = { favorite: 240, favorites: 600 };

const PlaylistFavoriteAnswer = z.union([
  PlaylistAnswer.extend({ contentTypeId: z.literal('playlist') }).openapi('HousePlaylistFavorite'),
  UserPlaylistAnswer.extend({ contentTypeId: z.literal('userPlaylist') }).openapi('UserPlaylistFavorite'),
]);

const FavoritesAnswer = z
  .object({
    audios: z.array(AudioAnswer),
    voices: z.array(VoiceAnswer),
    categories: z.array(CategoryAnswer),
    playlists: z.array(PlaylistFavoriteAnswer),
    users: z.array(UserAnswer),
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

/** What was typed; whatever it is, it is only compared. */
const Filter = z
  .string()
  .max(100)
  .transform((text) => text.replace(/\p{Cc}|\p{Cs}/gu, ' '));

const reasons: Record<'not-found' | 'full', ErrorCode> = { 'not-found': 'request/not-found', full: 'library/full' };

/** Spec §7: what a user keeps in the library. */
export function favoriteRoutes({ site: { library }, rateLimit }: { site: Site; rateLimit: RateLimit }) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  const own = (kind: keyof typeof perMinute, methods: string[]) =>
    ownCall({ rateLimit, kind, perMinute: perMinute[kind], methods });
  app.use('/user/favorite/:id', personal, own('favorite', ['POST']), limitBody(8 * 1024));
  app.use('/user/favorites', personal, own('favorites', ['GET']));
  app.use('/user/favorites/:group', personal, own('favorites', ['GET']));
  const refusals = { 401: json(ErrorAnswer, 'Log in first'), 429: json(ErrorAnswer, 'Too many') } as const;

  return app
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/favorite/{id}',
        tags: ['Library'],
        summary: 'Makes something a favourite, or no favourite any more; twice is the same as once',
        request: {
          params: ownId,
          body: {
            required: true,
            content: {
              'application/json': {
                schema: z.object({ contentTypeId: z.enum(contentTypeIds), isFavorite: z.boolean() }),
              },
            },
          },
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
          409: json(ErrorAnswer, 'The library is full'),
          ...failures,
        },
      }),
      async (context) => {
        const { id } = context.req.valid('param');
        const favorite = { id, ...context.req.valid('json') };
        const outcome = await library.setFavorite(requireLoggedIn(context).viewer, favorite);
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.json({ ...favorite, totalFavorite: outcome.totalFavorite }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/favorites',
        tags: ['Library'],
        summary: 'The newest favourites of each group, and how many there are',
        request: { query: z.object({ limit: PageQuery.shape.limit }) },
        responses: { 200: json(FavoritesAnswer, 'Favourites'), ...refusals, 400: failures[400] },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const favorites = await library.findFavorites(viewer, context.req.valid('query').limit);
        return context.json({ ...favorites, totals: await library.countFavorites(viewer) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/favorites/{group}',
        tags: ['Library'],
        summary: 'One group of favourites, page by page; sorted, and narrowed down by what was typed',
        request: {
          params: z.object({ group: z.enum(favoriteGroups) }),
          query: PageQuery.extend({
            sort: z
              .enum(favoriteSorts)
              .optional()
              .describe('`recent` unless told; `popular`, `shortest` and `longest` are for audios'),
            filter: Filter.optional().describe('Part of a title or a name'),
          }),
        },
        responses: {
          200: json(
            z.object({
              items: z.array(z.union([AudioAnswer, VoiceAnswer, CategoryAnswer, PlaylistFavoriteAnswer, UserAnswer])),
              nextCursor: z.string().optional(),
            }),
            'A page',
          ),
          ...refusals,
          ...failures,
        },
      }),
      async (context) => {
        const { group } = context.req.valid('param');
        return context.json(
          await library.listFavorites(requireLoggedIn(context).viewer, group, context.req.valid('query')),
          200,
        );
      },
    );
}
