import { z } from '@hono/zod-openapi';
import { i18n } from '#i18n';
import { AudioFilter } from '#domain/catalogue/forms.ts';
import { Facet } from '#domain/catalogue/facets/facets.ts';
import { call } from './call.ts';
import { found } from './found.ts';
import {
  anyLanguage,
  AudioListQuery,
  AudioPageQuery,
  AudioResponse,
  FilterChoicesResponse,
  idOrSlug,
  LeanAudioResponse,
  pageOf,
  ChaptersResponse,
  TagResponse,
  toListQuery,
  TranscriptResponse,
  WaveformResponse,
} from './schemas.ts';

const Audios = z.object({ items: z.array(AudioResponse).describe('Most alike first') });

export const listAudios = call({
  get: '/audios',
  about: 'Audios, newest first unless sorted',
  query: AudioListQuery,
  output: pageOf(AudioResponse),
  act: ({ site, viewer, query }) => site.catalogue.listAudios(viewer, toListQuery(query)),
});

const place = z.string().max(200).optional();

export const countFilters = call({
  get: '/audios/filters',
  about: 'The filters that a list of audios offers, with what each would find',
  query: z
    .object({
      category: place.describe('Id or slug: only audios in this category'),
      voice: place.describe('Id or slug: only audios of this voice'),
      series: place.describe('Id or slug: only parts of this series'),
      playlist: place.describe('Id or slug: only audios of this playlist'),
      ...anyLanguage,
      ...AudioFilter.shape,
    })
    .refine(({ voice, series, playlist }) => [voice, series, playlist].filter((one) => one !== undefined).length < 2, {
      error: () =>
        i18n._(/*i18n*/ { id: 'filter-form.one-place', message: 'Name only one of voice, series and playlist' }),
    }),
  output: FilterChoicesResponse,
  errors: ['request/not-found'],
  async act({
    site: { catalogue },
    viewer,
    query: { category, voice, series, playlist, languages: _languages, ...filter },
  }) {
    const places = {
      ...(category !== undefined && { categoryId: found(await catalogue.findCategory(category)).id }),
      ...(voice !== undefined && { voiceId: found(await catalogue.findVoice(voice)).id }),
      ...(series !== undefined && { seriesId: found(await catalogue.findSeries(series)).id }),
      ...(playlist !== undefined && { playlistId: found(await catalogue.findPlaylist(playlist)).id }),
    };
    return catalogue.countFilters(viewer, places, filter);
  },
});

export const findAudio = call({
  get: '/audios/{id}',
  about: 'One audio',
  params: idOrSlug,
  output: AudioResponse,
  act: ({ site, id }) => site.catalogue.findAudio(id),
});

export const findWaveform = call({
  get: '/audios/{id}/waveform',
  about: 'What an audio looks like',
  params: idOrSlug,
  output: WaveformResponse,
  cache: 'public, max-age=300',
  async act({ site: { catalogue }, id }) {
    const audio = found(await catalogue.findAudio(id));
    return { bars: (await catalogue.findWaveform(audio.id)) ?? null };
  },
});

export const findTranscript = call({
  get: '/audios/{id}/transcript',
  about: 'The words of an audio, with their times; needs the right to hear it',
  params: idOrSlug,
  query: z.object({
    language: z.string().max(35).optional().describe('BCP 47; without a translation into it, what is spoken'),
  }),
  output: TranscriptResponse,
  refuses: { visitor: 'auth/login-required', user: 'subscription/required' },
  cache: 'private, no-cache',
  async act({ site: { catalogue, listening }, viewer, id, query }) {
    const transcript = await listening.findTranscript(viewer, found(await catalogue.findAudio(id)), query.language);
    return transcript === 'locked' ? { ok: false, reason: viewer.kind } : transcript;
  },
});

export const listChapters = call({
  get: '/audios/{id}/chapters',
  about: 'The chapters of an audio, in their order; empty for those who may not hear it',
  params: idOrSlug,
  output: ChaptersResponse,
  cache: 'private, no-cache',
  async act({ site: { catalogue, listening }, viewer, id }) {
    return { chapters: await listening.findChapters(viewer, found(await catalogue.findAudio(id))) };
  },
});

export const listRelatedAudios = call({
  get: '/audios/{id}/related',
  about: 'Audios like this one',
  params: idOrSlug,
  query: z.object(anyLanguage),
  output: Audios,
  async act({ site: { catalogue }, viewer, id }) {
    const audio = found(await catalogue.findAudio(id));
    return { items: await catalogue.listRelatedAudios(viewer, audio, 12) };
  },
});

export const listSimilarAudios = call({
  get: '/audios/{id}/similar',
  about: 'Audios that a player can continue with after this one',
  params: idOrSlug,
  query: AudioPageQuery.omit({ cursor: true }),
  output: Audios,
  async act({ site: { catalogue }, viewer, id, query }) {
    const audio = found(await catalogue.findAudio(id));
    return { items: await catalogue.listRelatedAudios(viewer, audio, query.limit) };
  },
});

export const findLeanAudio = call({
  get: '/content/entity/{id}',
  about: 'The preview, or another audio that anyone may hear, in short',
  params: idOrSlug,
  query: z.object({ contentType: z.literal('leanAudio') }),
  output: LeanAudioResponse,
  cache: 'public, s-maxage=10, stale-while-revalidate=59',
  async act({ site: { catalogue, facts }, id }) {
    const audio = await catalogue.findAudio(id);
    if (audio === undefined || !audio.isFree) return undefined;
    return {
      id: audio.id,
      title: audio.title,
      image: audio.imageUrl === null ? null : { url: `${facts.url}${audio.imageUrl}` },
      audioFile: { original_secure_url: `${facts.url}${audio.audioFileUrl}` },
      numberDuration: audio.numberDuration,
    };
  },
});

export const listFacets = call({
  get: '/facets',
  about: 'Groups of tags, in their order',
  output: z.object({ items: z.array(z.object(Facet.shape).openapi('Facet')) }),
  act: async ({ site }) => ({ items: await site.catalogue.listFacets() }),
});

export const listTags = call({
  get: '/tags',
  about: 'The tags used most',
  output: z.object({ items: z.array(TagResponse) }),
  act: async ({ site, viewer }) => ({ items: await site.catalogue.listTags(viewer, { limit: 100 }) }),
});
