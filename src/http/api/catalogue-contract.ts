import { createRoute, z } from '@hono/zod-openapi';
import { AudioFilter, AudioSort } from '#domain/catalogue/forms.ts';
import { Limit } from '#domain/kernel/pages.ts';
import {
  AudioResponse,
  CategoryResponse,
  ErrorResponse,
  failures,
  idOrSlug,
  json,
  LeanAudioResponse,
  optionalSession,
  pageOf,
  PageQuery,
  pageUnder,
  PlaylistResponse,
  SeriesResponse,
  TagResponse,
  TranscriptResponse,
  unauthorized,
  VoiceResponse,
  VoiceDetailResponse,
  WaveformResponse,
} from '#api/schemas.ts';

export const AudioListQuery = PageQuery.extend({ sort: AudioSort.optional(), ...AudioFilter.shape });
const VoiceQuery = PageQuery.extend({
  voiceId: z.uuid().toLowerCase().optional().describe('Only with audios of this voice'),
});
const VoiceListQuery = PageQuery.extend({ voiceType: AudioFilter.shape.voiceType });

// Paths stay literal types, which the browser's typed client needs.
function list<const Path extends string>(path: Path, summary: string) {
  return createRoute({
    method: 'get',
    path,
    tags: ['Audios'],
    summary,
    request: { query: AudioListQuery },
    responses: { 200: json(pageOf(AudioResponse), 'A page'), ...failures },
  });
}

function listOf<const Path extends string>(path: Path, tag: string, summary: string) {
  return createRoute({
    method: 'get',
    path,
    tags: [tag],
    summary,
    request: { params: idOrSlug, query: AudioListQuery },
    responses: { 200: json(pageOf(AudioResponse), 'A page'), ...failures },
  });
}

function itemsOf<const Path extends string>(path: Path, tag: string, summary: string) {
  return createRoute({
    method: 'get',
    path,
    tags: [tag],
    summary,
    request: { params: idOrSlug, query: PageQuery },
    responses: { 200: json(pageOf(AudioResponse), 'A page, in the order of the list'), ...failures },
  });
}

function one<const Path extends string, Schema extends z.ZodType>(
  path: Path,
  tag: string,
  summary: string,
  schema: Schema,
) {
  return createRoute({
    method: 'get',
    path,
    tags: [tag],
    summary,
    request: { params: idOrSlug },
    responses: { 200: json(schema, summary), ...failures },
  });
}

export const listAudios = list('/audios', 'Audios, newest first unless sorted');

export const findAudio = one('/audios/{id}', 'Audios', 'One audio', AudioResponse);

export const findWaveform = one('/audios/{id}/waveform', 'Audios', 'What an audio looks like', WaveformResponse);

export const findTranscript = createRoute({
  method: 'get',
  path: '/audios/{id}/transcript',
  security: optionalSession,
  tags: ['Audios'],
  summary: 'The words of an audio, with their times; needs the right to hear it',
  request: { params: idOrSlug },
  responses: {
    200: json(TranscriptResponse, 'Transcript'),
    401: unauthorized,
    402: json(ErrorResponse, 'Subscribe first'),
    ...failures,
  },
});

export const listRelatedAudios = createRoute({
  method: 'get',
  path: '/audios/{id}/related',
  tags: ['Audios'],
  summary: 'Audios like this one',
  request: { params: idOrSlug },
  responses: { 200: json(z.object({ items: z.array(AudioResponse) }), 'Most alike first'), ...failures },
});

export const listSimilarAudios = createRoute({
  method: 'get',
  path: '/audios/{id}/similar',
  tags: ['Audios'],
  summary: 'Audios that a player can continue with after this one',
  request: { params: idOrSlug, query: z.object({ limit: PageQuery.shape.limit }) },
  responses: { 200: json(z.object({ items: z.array(AudioResponse) }), 'Most alike first'), ...failures },
});

export const findLeanAudio = createRoute({
  method: 'get',
  path: '/content/entity/{id}',
  tags: ['Audios'],
  summary: 'The preview, or another audio that anyone may hear, in short',
  request: { params: idOrSlug, query: z.object({ contentType: z.literal('leanAudio') }) },
  responses: { 200: json(LeanAudioResponse, 'Lean audio'), ...failures },
});

export const listTags = createRoute({
  method: 'get',
  path: '/tags',
  tags: ['Audios'],
  summary: 'The tags used most',
  responses: { 200: json(z.object({ items: z.array(TagResponse) }), 'Tags') },
});

export const listVoices = createRoute({
  method: 'get',
  path: '/voices',
  tags: ['Voices'],
  summary: 'Voices, A–Z',
  request: { query: VoiceListQuery },
  responses: { 200: json(pageUnder('voices', VoiceResponse), 'A page'), ...failures },
});

export const findVoice = one('/voices/{id}', 'Voices', 'One voice', VoiceDetailResponse);

export const listVoiceAudios = listOf('/voices/{id}/audios', 'Voices', 'Audios of a voice');

export const listCategories = createRoute({
  method: 'get',
  path: '/categories',
  tags: ['Categories'],
  summary: 'Categories, in the order of the house',
  request: {
    query: z.object({ limit: Limit.removeDefault().optional().describe('1 to 100; default: all') }),
  },
  responses: { 200: json(z.object({ items: z.array(CategoryResponse) }), 'Categories'), 400: failures[400] },
});

export const findCategory = one('/categories/{id}', 'Categories', 'One category', CategoryResponse);

export const listCategoryAudios = listOf('/categories/{id}/audios', 'Categories', 'Audios in a category');

export const listSeries = createRoute({
  method: 'get',
  path: '/series',
  tags: ['Series'],
  summary: 'Series, A–Z',
  request: { query: VoiceQuery },
  responses: { 200: json(pageOf(SeriesResponse), 'A page'), ...failures },
});

export const findSeries = one('/series/{id}', 'Series', 'One series', SeriesResponse);

export const listSeriesAudios = itemsOf('/series/{id}/audios', 'Series', 'The parts of a series');

export const listPlaylists = createRoute({
  method: 'get',
  path: '/playlists',
  tags: ['Playlists'],
  summary: 'Playlists of the site, in its order',
  request: { query: VoiceQuery },
  responses: { 200: json(pageOf(PlaylistResponse), 'A page'), ...failures },
});

export const findPlaylist = one('/playlists/{id}', 'Playlists', 'One playlist', PlaylistResponse);

export const listPlaylistAudios = itemsOf('/playlists/{id}/audios', 'Playlists', 'The audios of a playlist');
