import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { Limit } from '#domain/pages.ts';
import { deepestHit, searchGroups, SearchPage, SearchTerm } from '#domain/search/forms.ts';
import type { Site } from '#domain/site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import {
  AudioAnswer,
  CategoryAnswer,
  ErrorAnswer,
  failures,
  json,
  PlaylistAnswer,
  SeriesAnswer,
  UserAnswer,
  UserPlaylistAnswer,
  VoiceAnswer,
} from './schemas.ts';

const Marks = z
  .array(z.tuple([z.number(), z.number()]))
  .describe('From (included) to (excluded), in UTF-16 units of the text');
const highlights = { highlights: z.record(z.string(), Marks).describe('Where fields match, by field') };
const voice = AudioAnswer.shape.voice.omit({ imageUrl: true });

const hits = {
  audios: AudioAnswer.pick({ id: true, slug: true, title: true, imageUrl: true, color: true, numberDuration: true })
    .extend({
      voice,
      ...highlights,
      line: z
        .object({ seconds: z.number(), text: z.string(), marks: Marks })
        .nullable()
        .describe('Where it was found by what is said in it: the line, and the second it begins at'),
    })
    .openapi('AudioHit'),
  categories: CategoryAnswer.pick({ id: true, slug: true, label: true, imageUrl: true, color: true })
    .extend(highlights)
    .openapi('CategoryHit'),
  playlists: PlaylistAnswer.pick({
    id: true,
    slug: true,
    title: true,
    voices: true,
    voiceImages: true,
    totalAudios: true,
  })
    .extend(highlights)
    .openapi('PlaylistHit'),
  voices: VoiceAnswer.pick({
    id: true,
    slug: true,
    name: true,
    imageURL: true,
    color: true,
    voiceTypeLabel: true,
    category: true,
  })
    .extend(highlights)
    .openapi('VoiceHit'),
  series: SeriesAnswer.pick({ id: true, slug: true, title: true, imageUrl: true, color: true, totalAudios: true })
    .extend({ voice: voice.nullable(), ...highlights })
    .openapi('SeriesHit'),
  users: UserAnswer.extend(highlights).openapi('UserHit'),
  usersPlaylists: UserPlaylistAnswer.pick({ id: true, title: true })
    .extend({
      background: z.enum(playlistBackgrounds),
      font: z.enum(playlistFonts),
      user: UserAnswer.pick({ id: true, username: true }),
      ...highlights,
    })
    .openapi('UserPlaylistHit'),
};

function groupOf<Group extends (typeof searchGroups)[number]>(group: Group) {
  return z.object({
    index: z.literal(group),
    hits: z.array(hits[group]),
    total: z
      .number()
      .describe('Of everything that was found; audios in which it is only said count where names fill no page'),
    page: z.number(),
  });
}

/** Spec §3, "Search results". */
const SearchAnswer = z
  .object({
    audios: groupOf('audios'),
    categories: groupOf('categories'),
    playlists: groupOf('playlists'),
    voices: groupOf('voices'),
    series: groupOf('series'),
    users: groupOf('users'),
    usersPlaylists: groupOf('usersPlaylists'),
  })
  .openapi('SearchResults');

const SearchQuery = z.object({
  query: SearchTerm.optional()
    .default('')
    .openapi({ description: 'What was typed; of more than 100 characters the beginning counts', example: 'love' }),
  index: z.enum(searchGroups).optional().describe('Hits of this group only; of the others only totals'),
  page: SearchPage.describe(`The first page is 0; beyond the ${deepestHit}th hit pages are empty`),
  limit: Limit.describe('Hits of each group, 1 to 100; 24 unless told'),
});

function asQuery({ query, index, page, limit }: z.infer<typeof SearchQuery>) {
  return { term: query, groups: index === undefined ? undefined : [index], page, limit, few: Math.min(limit, few) };
}

const RecentTerm = z.object({ term: SearchTerm.refine((term) => term !== '', 'must not be empty') });
const ForgottenTerm = z.object({ term: SearchTerm.optional().describe('All of them unless told') });

/** With fewer audios than asked for, or than this, what is said in them is looked through. */
const few = 24;

/** Of one client; whoever types all the time asks five times a second. */
const perMinute = { search: 600, recent: 120 };

export type SearchRoutesOptions = { site: Site; rateLimit: RateLimit; trustProxy: number };

/** Spec §7: the search, and what a listener searched for last. */
export function searchRoutes({ site: { search }, rateLimit, trustProxy }: SearchRoutesOptions) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  const limited: MiddlewareHandler<ViewerEnv> = async (context, next) => {
    const of = `search ${clientAddress(context, trustProxy)}`;
    if (rateLimit(context, { perMinute: perMinute.search, of })) return next();
    return errorResponse('request/too-many', undefined, { 'retry-after': '60' });
  };
  app.use('/search', limited, personal);
  app.use('/algolia/search', limited, personal);
  app.use('/user/recent-searches', limitBody(4 * 1024), personal, async (context, next) => {
    if (!['GET', 'POST', 'DELETE'].includes(context.req.method)) return next();
    const of = `recent-searches ${requireLoggedIn(context).viewer.id}`;
    return rateLimit(context, { perMinute: perMinute.recent, of }) ? next() : errorResponse('request/too-many');
  });

  const searchRoute = <Path extends string>(path: Path, summary: string) =>
    createRoute({
      method: 'get',
      path,
      tags: ['Search'],
      summary,
      request: { query: SearchQuery },
      responses: { 200: json(SearchAnswer, 'Hits by group'), 429: json(ErrorAnswer, 'Too many'), 400: failures[400] },
    });
  const own = { 401: json(ErrorAnswer, 'Log in first'), 429: json(ErrorAnswer, 'Too many') } as const;
  const ownWrite = {
    204: { description: 'Done' },
    ...own,
    400: failures[400],
    413: json(ErrorAnswer, 'Too large'),
    415: json(ErrorAnswer, 'Not JSON'),
  } as const;

  return app
    .openapi(
      searchRoute('/search', 'What matches a term, by group; ranked by the match, then by plays'),
      async (context) =>
        context.json(await search.search(context.get('viewer'), asQuery(context.req.valid('query'))), 200),
    )
    .openapi(searchRoute('/algolia/search', 'The same by the name of spec §7'), async (context) =>
      context.json(await search.search(context.get('viewer'), asQuery(context.req.valid('query'))), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/recent-searches',
        tags: ['Search'],
        summary: 'The ten terms searched for last (`recentlySearch` of the history)',
        responses: { 200: json(z.object({ items: z.array(z.string()) }), 'The last first'), ...own },
      }),
      async (context) => context.json({ items: await search.listRecentTerms(requireLoggedIn(context).viewer.id) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/recent-searches',
        tags: ['Search'],
        summary: 'Remembers a term; again is the same as once',
        request: { body: { required: true, content: { 'application/json': { schema: RecentTerm } } } },
        responses: ownWrite,
      }),
      async (context) => {
        await search.rememberTerm(requireLoggedIn(context).viewer.id, context.req.valid('json').term);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/user/recent-searches',
        tags: ['Search'],
        summary: 'Forgets a term, or all of them',
        request: { body: { required: true, content: { 'application/json': { schema: ForgottenTerm } } } },
        responses: ownWrite,
      }),
      async (context) => {
        await search.forgetTerms(requireLoggedIn(context).viewer.id, context.req.valid('json').term);
        return context.body(null, 204);
      },
    );
}
