import type { z } from '@hono/zod-openapi';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './catalogue-contract.ts';
import { found } from '#api/found.ts';
import { toPageResponse } from '#api/schemas.ts';

type AudioListQuery = z.infer<typeof contract.AudioListQuery>;
type Place = { voiceId?: string; categoryId?: string };

export function catalogueRoutes({ site: { catalogue, listening, facts } }: ApiParts) {
  async function listAudios(viewer: Viewer, query: AudioListQuery, place: Place = {}) {
    const { limit, cursor, sort, ...filter } = query;
    const page = { limit, cursor, filter, ...(sort ? { sort } : {}) };
    return toPageResponse(await catalogue.listAudios(viewer, { ...place, ...page }));
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listAudios, async (context) =>
      context.json(await listAudios(context.get('viewer'), context.req.valid('query')), 200),
    )
    .openapi(contract.findAudio, async (context) =>
      context.json(found(await catalogue.findAudio(context.req.valid('param').id)), 200),
    )
    .openapi(contract.findWaveform, async (context) => {
      const audio = found(await catalogue.findAudio(context.req.valid('param').id));
      context.header('cache-control', 'public, max-age=300');
      return context.json({ bars: (await catalogue.findWaveform(audio.id)) ?? null }, 200);
    })
    .openapi(contract.findTranscript, async (context) => {
      const audio = found(await catalogue.findAudio(context.req.valid('param').id));
      const viewer = context.get('viewer');
      const transcript = found(await listening.findTranscript(viewer, audio));
      if (transcript === 'locked')
        throw new DomainError(viewer.kind === 'visitor' ? 'auth/login-required' : 'subscription/required');
      context.header('cache-control', 'private, no-cache');
      return context.json(transcript, 200);
    })
    .openapi(contract.listRelatedAudios, async (context) => {
      const audio = found(await catalogue.findAudio(context.req.valid('param').id));
      return context.json({ items: await catalogue.listRelatedAudios(context.get('viewer'), audio, 12) }, 200);
    })
    .openapi(contract.listSimilarAudios, async (context) => {
      const audio = found(await catalogue.findAudio(context.req.valid('param').id));
      const { limit } = context.req.valid('query');
      return context.json({ items: await catalogue.listRelatedAudios(context.get('viewer'), audio, limit) }, 200);
    })
    .openapi(contract.findLeanAudio, async (context) => {
      const audio = await catalogue.findAudio(context.req.valid('param').id);
      if (audio === undefined || !audio.isFree) throw new DomainError('request/not-found');
      context.header('cache-control', 'public, s-maxage=10, stale-while-revalidate=59');
      return context.json(toLeanAudio(audio, facts.url), 200);
    })
    .openapi(contract.listTags, async (context) =>
      context.json({ items: await catalogue.listTags(context.get('viewer'), { limit: 100 }) }, 200),
    )
    .openapi(contract.listVoices, async (context) => {
      const { items, nextCursor } = await catalogue.listVoices(context.req.valid('query'));
      return context.json(toPageResponse({ voices: items, nextCursor }), 200);
    })
    .openapi(contract.findVoice, async (context) =>
      context.json(found(await catalogue.findVoice(context.req.valid('param').id)), 200),
    )
    .openapi(contract.listVoiceAudios, async (context) => {
      const { id: voiceId } = found(await catalogue.findVoice(context.req.valid('param').id));
      return context.json(await listAudios(context.get('viewer'), context.req.valid('query'), { voiceId }), 200);
    })
    .openapi(contract.listCategories, async (context) =>
      context.json({ items: await catalogue.listCategories(context.req.valid('query').limit) }, 200),
    )
    .openapi(contract.findCategory, async (context) =>
      context.json(found(await catalogue.findCategory(context.req.valid('param').id)), 200),
    )
    .openapi(contract.listCategoryAudios, async (context) => {
      const { id: categoryId } = found(await catalogue.findCategory(context.req.valid('param').id));
      return context.json(await listAudios(context.get('viewer'), context.req.valid('query'), { categoryId }), 200);
    })
    .openapi(contract.listSeries, async (context) =>
      context.json(toPageResponse(await catalogue.listSeries(context.req.valid('query'))), 200),
    )
    .openapi(contract.findSeries, async (context) =>
      context.json(found(await catalogue.findSeries(context.req.valid('param').id)), 200),
    )
    .openapi(contract.listSeriesAudios, async (context) => {
      const series = found(await catalogue.findSeries(context.req.valid('param').id));
      const page = await catalogue.listSeriesAudios(context.get('viewer'), series.id, context.req.valid('query'));
      return context.json(toPageResponse(page), 200);
    })
    .openapi(contract.listPlaylists, async (context) =>
      context.json(toPageResponse(await catalogue.listPlaylists(context.req.valid('query'))), 200),
    )
    .openapi(contract.findPlaylist, async (context) =>
      context.json(found(await catalogue.findPlaylist(context.req.valid('param').id)), 200),
    )
    .openapi(contract.listPlaylistAudios, async (context) => {
      const playlist = found(await catalogue.findPlaylist(context.req.valid('param').id));
      const page = await catalogue.listPlaylistAudios(context.get('viewer'), playlist.id, context.req.valid('query'));
      return context.json(toPageResponse(page), 200);
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
