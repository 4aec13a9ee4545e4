import { isEmpty } from '#domain/kernel/forms.ts';
import { z } from '@hono/zod-openapi';
import { FilterPart } from '#domain/catalogue/filters/shapes.ts';
import { AudioFilter } from '#domain/catalogue/forms.ts';
import { Limit } from '#domain/kernel/pages.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { searchGroups, SearchPage, SearchTerm } from '#domain/search/forms.ts';
import { deepestHit } from '#domain/search/rules.ts';
import type { Site } from '#domain/site.ts';
import { call, callBy } from './call.ts';
import {
  anyLanguage,
  AudioResponse,
  CategoryResponse,
  FilterChoicesResponse,
  PlaylistResponse,
  SeriesResponse,
  UserPlaylistResponse,
  UserResponse,
  VoiceResponse,
} from './schemas.ts';

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
        .object({ seconds: z.number(), text: z.string(), marks: Marks, language: z.string().describe('BCP 47') })
        .nullable()
        .describe('For a match in the transcript or a translation: the line, and the second at which it begins'),
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
      .describe(
        'Of everything that was found, an estimate for thousands; audios in which it is only said count where names fill no page',
      ),
    page: z.number(),
    hasExactName: z.boolean().describe('The name of one of the hits is exactly the term'),
  });
}

/** Spec §3, "Search results". */
const SearchResponse = z
  .object({
    audios: groupOf('audios').extend({
      wider: z
        .array(z.object({ without: FilterPart.extend({ word: z.string().optional() }), audios: z.number() }))
        .optional()
        .describe('When none was found: the parts of the filter, or words of the term, without which most are'),
    }),
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
    .openapi({ description: 'The search term; only the first 100 characters count', example: 'love' }),
  index: z.enum(searchGroups).optional().describe('Hits of this group only; of the others only totals'),
  page: SearchPage.describe(`The first page is 0; beyond the ${deepestHit}th hit pages are empty`),
  free: z.literal('true').optional().describe('Only audios that are free to all; the other groups are empty'),
  ...AudioFilter.omit({ free: true, shorterThan: true }).shape,
  ...anyLanguage,
  limit: Limit.describe('Hits of each group, 1 to 100; default: 24'),
});

/** With fewer audio hits than requested, or than this, transcripts are searched too. */
const few = 24;

type Search = { site: Site; viewer: Viewer; query: z.infer<typeof SearchQuery>; address: string };

const searching = {
  output: SearchResponse,
  limit: 'search',
  cache: 'private, no-store',
  act({ site, viewer, query: asked, address }: Search) {
    const { query: term, index, free, page, limit, tag, not, length, syntheticVoice, language, voiceType } = asked;
    const filter = { tag, not, length, syntheticVoice, language, voiceType };
    const groups = index === undefined ? undefined : [index];
    const query = { term, groups, page, limit, few: Math.min(limit, few), onlyFree: free === 'true', filter };
    return site.search.search(viewer, query, address);
  },
} as const;

export const countSearchFilters = call({
  get: '/search/filters',
  about: 'The filters that the audios of a search offer, with what each would find',
  query: SearchQuery.omit({ index: true, page: true, limit: true }),
  output: FilterChoicesResponse,
  limit: 'search',
  cache: 'private, no-store',
  act: ({ site, viewer, query: { query: term, languages: _languages, ...filter } }) =>
    site.search.countFilters(viewer, { term, filter }),
});

const userCall = callBy('user', { limit: { kind: 'recent-searches', perMinute: 120 }, maxBytes: 4 * 1024 });

export const search = call({
  get: '/search',
  about: 'What matches a term, by group; ranked by the match, then by plays',
  query: SearchQuery,
  ...searching,
});

export const searchByOldName = call({
  get: '/algolia/search',
  about: 'The same by the name of spec §7',
  query: SearchQuery.extend({
    auth: z
      .string()
      .max(20)
      .optional()
      .describe('Taken for the sake of old clients: the Bearer alone says who asks, and what they find'),
  }),
  ...searching,
});

export const listRecentTerms = userCall({
  get: '/user/recent-searches',
  about: 'The ten terms searched for last (`recentlySearch` of the history)',
  output: z.object({ items: z.array(z.string()).describe('The last first') }),
  act: async ({ site, viewer }) => ({ items: await site.search.listRecentTerms(viewer.id) }),
});

export const rememberTerm = userCall({
  post: '/user/recent-searches',
  about: 'Remembers a term; again is the same as once',
  input: z.object({ term: SearchTerm.refine((term) => term !== '', isEmpty) }),
  act: ({ site, viewer, input }) => site.search.rememberTerm(viewer.id, input.term),
});

export const purgeTerms = userCall({
  delete: '/user/recent-searches',
  about: 'Forgets a term, or all of them',
  input: z.object({ term: SearchTerm.optional().describe('Default: all') }),
  act: ({ site, viewer, input }) => site.search.purgeTerms(viewer.id, input.term),
});
