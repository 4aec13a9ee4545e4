import { createRoute, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { searchGroups, SearchPage, SearchTerm } from '#domain/search/forms.ts';
import { deepestHit } from '#domain/search/rules.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import { searchBudget } from '../limits/search-budget.ts';
import type { ApiEnv } from './api-env.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import {
  AudioResponse,
  CategoryResponse,
  ErrorResponse,
  failures,
  json,
  jsonBody,
  PlaylistResponse,
  refusals,
  SeriesResponse,
  UserResponse,
  UserPlaylistResponse,
  VoiceResponse,
  writeRefusals,
} from '#api/schemas.ts';

const Marks = z
  .array(z.tuple([z.number(), z.number()]))
  .describe('From (included) to (excluded), in UTF-16 units of the text');
const highlights = { highlights: z.record(z.string(), Marks).describe('Where fields match, by field') };
const voice = AudioResponse.shape.voice.omit({ imageUrl: true, linkedSeries: true });

const hits = {
  audios: AudioResponse.pick({ id: true, slug: true, title: true, imageUrl: true, color: true, numberDuration: true })
    .extend({
      voice,
      ...highlights,
      line: z
        .object({ seconds: z.number(), text: z.string(), marks: Marks })
        .nullable()
        .describe('For a transcript match: the line, and the second at which it begins'),
    })
    .openapi('AudioHit'),
  categories: CategoryResponse.pick({ id: true, slug: true, label: true, imageUrl: true, color: true })
    .extend(highlights)
    .openapi('CategoryHit'),
  playlists: PlaylistResponse.pick({
    id: true,
    slug: true,
    title: true,
    voices: true,
    voiceImages: true,
    totalAudios: true,
  })
    .extend(highlights)
    .openapi('PlaylistHit'),
  voices: VoiceResponse.pick({
    id: true,
    slug: true,
    name: true,
    imageURL: true,
    color: true,
    voiceTypeLabel: true,
    category: true,
    linkedSeries: true,
  })
    .extend(highlights)
    .openapi('VoiceHit'),
  series: SeriesResponse.pick({ id: true, slug: true, title: true, imageUrl: true, color: true, totalAudios: true })
    .extend({ voice: voice.nullable(), ...highlights })
    .openapi('SeriesHit'),
  users: UserResponse.extend(highlights).openapi('UserHit'),
  usersPlaylists: UserPlaylistResponse.pick({ id: true, title: true })
    .extend({
      background: z.enum(playlistBackgrounds),
      font: z.enum(playlistFonts),
      user: UserResponse.pick({ id: true, username: true }),
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
    hasExactName: z.boolean().describe('The name of one of the hits is exactly the term'),
  });
}

/** Spec §3, "Search results". */
const SearchResponse = z
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

export const SearchQuery = z.object({
  query: SearchTerm.optional()
    .default('')
    .openapi({ description: 'The search term; only the first 100 characters count', example: 'love' }),
  index: z.enum(searchGroups).optional().describe('Hits of this group only; of the others only totals'),
  page: SearchPage.describe(`The first page is 0; beyond the ${deepestHit}th hit pages are empty`),
  free: z.literal('true').optional().describe('Only audios that are free to all; the other groups are empty'),
  limit: Limit.describe('Hits of each group, 1 to 100; default: 24'),
});

const RecentTerm = z.object({ term: SearchTerm.refine((term) => term !== '', 'must not be empty') });
const ForgottenTerm = z.object({ term: SearchTerm.optional().describe('Default: all') });

const limitSearches: MiddlewareHandler<ApiEnv> = async (context, next) => {
  const isWithin = context.get('rateLimit')(context, searchBudget(context.get('viewer')));
  return isWithin ? next() : errorResponse('request/too-many', undefined, { 'retry-after': '60' });
};

const own = inOrder(personal, loggedInOnly, limitAccount('recent-searches', 120), limitBody(4 * 1024));

function searchRoute<Path extends string, Query extends typeof SearchQuery>(path: Path, summary: string, query: Query) {
  return createRoute({
    method: 'get',
    path,
    middleware: inOrder(personal, limitSearches),
    tags: ['Search'],
    summary,
    request: { query },
    responses: {
      200: {
        ...json(SearchResponse, 'Hits by group'),
        headers: z.object({
          'x-search-partial': z
            .literal('true')
            .optional()
            .describe('The index is being built: some things are missing'),
        }),
      },
      429: json(ErrorResponse, 'Too many'),
      400: failures[400],
    },
  });
}

const written = { 204: { description: 'Done' }, ...writeRefusals, 400: failures[400] } as const;

export const search = searchRoute(
  '/search',
  'What matches a term, by group; ranked by the match, then by plays',
  SearchQuery,
);

export const searchByOldName = searchRoute(
  '/algolia/search',
  'The same by the name of spec §7',
  SearchQuery.extend({
    auth: z
      .string()
      .max(20)
      .optional()
      .describe('Taken for the sake of old clients: the Bearer alone says who asks, and what they find'),
  }),
);

export const listRecentTerms = createRoute({
  method: 'get',
  path: '/user/recent-searches',
  middleware: own,
  tags: ['Search'],
  summary: 'The ten terms searched for last (`recentlySearch` of the history)',
  responses: { 200: json(z.object({ items: z.array(z.string()) }), 'The last first'), ...refusals },
});

export const rememberTerm = createRoute({
  method: 'post',
  path: '/user/recent-searches',
  middleware: own,
  tags: ['Search'],
  summary: 'Remembers a term; again is the same as once',
  request: { body: jsonBody(RecentTerm) },
  responses: written,
});

export const purgeTerms = createRoute({
  method: 'delete',
  path: '/user/recent-searches',
  middleware: own,
  tags: ['Search'],
  summary: 'Forgets a term, or all of them',
  request: { body: jsonBody(ForgottenTerm) },
  responses: written,
});
