import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { AudioFilter, AudioSort } from '#domain/catalogue/forms.ts';
import type { Audio } from '#domain/catalogue/audios.ts';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#domain/site.ts';
import type { ViewerEnv } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import {
  AudioAnswer,
  CategoryAnswer,
  ErrorAnswer,
  failures,
  idOrSlug,
  json,
  LeanAudioAnswer,
  pageOf,
  PageQuery,
  pageUnder,
  PlaylistAnswer,
  SeriesAnswer,
  TagAnswer,
  TranscriptAnswer,
  VoiceAnswer,
  VoiceDetailAnswer,
} from './schemas.ts';

const VoiceListQuery = PageQuery.extend({ voiceType: AudioFilter.shape.voiceType });
const AudioListQuery = PageQuery.extend({ sort: AudioSort.optional(), ...AudioFilter.shape });

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('request/not-found');
  return value;
}

export function catalogueRoutes({ catalogue, listening, facts }: Site) {
  // The paths stay literal types, by which the browser's client knows the calls.
  const list = <const Path extends string>(path: Path, summary: string) =>
    createRoute({
      method: 'get',
      path,
      tags: ['Audios'],
      summary,
      request: { query: AudioListQuery },
      responses: { 200: json(pageOf(AudioAnswer), 'A page'), ...failures },
    });
  const listOf = <const Path extends string>(path: Path, tag: string, summary: string) =>
    createRoute({
      method: 'get',
      path,
      tags: [tag],
      summary,
      request: { params: idOrSlug, query: AudioListQuery },
      responses: { 200: json(pageOf(AudioAnswer), 'A page'), ...failures },
    });
  const itemsOf = <const Path extends string>(path: Path, tag: string, summary: string) =>
    createRoute({
      method: 'get',
      path,
      tags: [tag],
      summary,
      request: { params: idOrSlug, query: PageQuery },
      responses: { 200: json(pageOf(AudioAnswer), 'A page, in the order of the list'), ...failures },
    });
  const one = <const Path extends string, Schema extends z.ZodType>(
    path: Path,
    tag: string,
    summary: string,
    schema: Schema,
  ) =>
    createRoute({
      method: 'get',
      path,
      tags: [tag],
      summary,
      request: { params: idOrSlug },
      responses: { 200: json(schema, summary), ...failures },
    });

  return new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid })
    .openapi(list('/audios', 'Audios, newest first unless sorted'), async (context) => {
      const { limit, cursor, sort, ...filter } = context.req.valid('query');
      return context.json(
        await catalogue.listAudios(context.get('viewer'), { limit, cursor, filter, ...(sort ? { sort } : {}) }),
        200,
      );
    })
    .openapi(one('/audios/{id}', 'Audios', 'One audio', AudioAnswer), async (context) =>
      context.json(found(await catalogue.findAudio(context.req.valid('param').id)), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/audios/{id}/transcript',
        tags: ['Audios'],
        summary: 'The words of an audio, with their times; needs the right to hear it',
        request: { params: idOrSlug },
        responses: {
          200: json(TranscriptAnswer, 'Transcript'),
          401: json(ErrorAnswer, 'Log in first'),
          402: json(ErrorAnswer, 'Subscribe first'),
          ...failures,
        },
      }),
      async (context) => {
        const audio = found(await catalogue.findAudio(context.req.valid('param').id));
        const viewer = context.get('viewer');
        const transcript = found(await listening.findTranscript(viewer, audio));
        if (transcript === 'locked')
          throw new DomainError(viewer.kind === 'visitor' ? 'auth/login-required' : 'subscription/required');
        context.header('cache-control', 'private, no-cache');
        return context.json(transcript, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/audios/{id}/related',
        tags: ['Audios'],
        summary: 'Audios like this one',
        request: { params: idOrSlug },
        responses: { 200: json(z.object({ items: z.array(AudioAnswer) }), 'Most alike first'), ...failures },
      }),
      async (context) => {
        const audio = found(await catalogue.findAudio(context.req.valid('param').id));
        return context.json({ items: await catalogue.listRelatedAudios(context.get('viewer'), audio.id, 12) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/audios/{id}/similar',
        tags: ['Audios'],
        summary: 'What a player goes on with after this one',
        request: { params: idOrSlug, query: z.object({ limit: PageQuery.shape.limit }) },
        responses: { 200: json(z.object({ items: z.array(AudioAnswer) }), 'Most alike first'), ...failures },
      }),
      async (context) => {
        const audio = found(await catalogue.findAudio(context.req.valid('param').id));
        const { limit } = context.req.valid('query');
        return context.json({ items: await catalogue.listRelatedAudios(context.get('viewer'), audio.id, limit) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/content/entity/{id}',
        tags: ['Audios'],
        summary: 'The preview, or another audio that anyone may hear, in short',
        request: { params: idOrSlug, query: z.object({ contentType: z.literal('leanAudio') }) },
        responses: { 200: json(LeanAudioAnswer, 'Lean audio'), ...failures },
      }),
      async (context) => {
        const audio = await catalogue.findAudio(context.req.valid('param').id);
        if (audio === undefined || !audio.isFree) throw new DomainError('request/not-found');
        context.header('cache-control', 'public, s-maxage=10, stale-while-revalidate=59');
        return context.json(toLeanAudio(audio, facts.url), 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/tags',
        tags: ['Audios'],
        summary: 'The tags used most',
        responses: { 200: json(z.object({ items: z.array(TagAnswer) }), 'Tags') },
      }),
      async (context) => context.json({ items: await catalogue.listTags(context.get('viewer'), { limit: 100 }) }, 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/voices',
        tags: ['Voices'],
        summary: 'Voices, A–Z',
        request: { query: VoiceListQuery },
        responses: { 200: json(pageUnder('voices', VoiceAnswer), 'A page'), ...failures },
      }),
      async (context) => {
        const { items, nextCursor } = await catalogue.listVoices(context.req.valid('query'));
        return context.json({ voices: items, nextCursor }, 200);
      },
    )
    .openapi(one('/voices/{id}', 'Voices', 'One voice', VoiceDetailAnswer), async (context) =>
      context.json(found(await catalogue.findVoice(context.req.valid('param').id)), 200),
    )
    .openapi(listOf('/voices/{id}/audios', 'Voices', 'Audios of a voice'), async (context) => {
      const { limit, cursor, sort, ...filter } = context.req.valid('query');
      const voice = found(await catalogue.findVoice(context.req.valid('param').id));
      return context.json(
        await catalogue.listAudios(context.get('viewer'), {
          voiceId: voice.id,
          limit,
          cursor,
          filter,
          ...(sort ? { sort } : {}),
        }),
        200,
      );
    })
    .openapi(
      createRoute({
        method: 'get',
        path: '/categories',
        tags: ['Categories'],
        summary: 'All categories, in the order of the house',
        responses: { 200: json(z.object({ items: z.array(CategoryAnswer) }), 'Categories') },
      }),
      async (context) => context.json({ items: await catalogue.listCategories() }, 200),
    )
    .openapi(one('/categories/{id}', 'Categories', 'One category', CategoryAnswer), async (context) =>
      context.json(found(await catalogue.findCategory(context.req.valid('param').id)), 200),
    )
    .openapi(listOf('/categories/{id}/audios', 'Categories', 'Audios in a category'), async (context) => {
      const { limit, cursor, sort, ...filter } = context.req.valid('query');
      const category = found(await catalogue.findCategory(context.req.valid('param').id));
      return context.json(
        await catalogue.listAudios(context.get('viewer'), {
          categoryId: category.id,
          limit,
          cursor,
          filter,
          ...(sort ? { sort } : {}),
        }),
        200,
      );
    })
    .openapi(
      createRoute({
        method: 'get',
        path: '/series',
        tags: ['Series'],
        summary: 'Series, A–Z',
        request: { query: PageQuery },
        responses: { 200: json(pageOf(SeriesAnswer), 'A page'), ...failures },
      }),
      async (context) => context.json(await catalogue.listSeries(context.req.valid('query')), 200),
    )
    .openapi(one('/series/{id}', 'Series', 'One series', SeriesAnswer), async (context) =>
      context.json(found(await catalogue.findSeries(context.req.valid('param').id)), 200),
    )
    .openapi(itemsOf('/series/{id}/audios', 'Series', 'The parts of a series'), async (context) => {
      const series = found(await catalogue.findSeries(context.req.valid('param').id));
      return context.json(
        await catalogue.listSeriesAudios(context.get('viewer'), series.id, context.req.valid('query')),
        200,
      );
    })
    .openapi(
      createRoute({
        method: 'get',
        path: '/playlists',
        tags: ['Playlists'],
        summary: 'Playlists of the house, in its order',
        request: { query: PageQuery },
        responses: { 200: json(pageOf(PlaylistAnswer), 'A page'), ...failures },
      }),
      async (context) => context.json(await catalogue.listPlaylists(context.req.valid('query')), 200),
    )
    .openapi(one('/playlists/{id}', 'Playlists', 'One playlist', PlaylistAnswer), async (context) =>
      context.json(found(await catalogue.findPlaylist(context.req.valid('param').id)), 200),
    )
    .openapi(itemsOf('/playlists/{id}/audios', 'Playlists', 'The audios of a playlist'), async (context) => {
      const playlist = found(await catalogue.findPlaylist(context.req.valid('param').id));
      return context.json(
        await catalogue.listPlaylistAudios(context.get('viewer'), playlist.id, context.req.valid('query')),
        200,
      );
    });
}

function toLeanAudio(audio: Audio, siteUrl: string) {
  return {
    id: audio.id,
    title: audio.title,
    image: audio.imageUrl === null ? null : { url: `${siteUrl}${audio.imageUrl}` },
    audioFile: { original_secure_url: `${siteUrl}${audio.audioFileUrl}` },
    numberDuration: audio.numberDuration,
  };
}
