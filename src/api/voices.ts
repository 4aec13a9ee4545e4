import { z } from '@hono/zod-openapi';
import { AudioFilter, AudioSort } from '#domain/catalogue/forms.ts';
import { call } from './call.ts';
import { found } from './found.ts';
import {
  AudioListQuery,
  AudioPageQuery,
  AudioResponse,
  idOrSlug,
  pageOf,
  PageQuery,
  pageUnder,
  toListQuery,
  VoiceDetailResponse,
  VoiceResponse,
} from './schemas.ts';

export const listVoices = call({
  get: '/voices',
  about: 'Voices, A–Z',
  query: PageQuery.extend({ voiceType: AudioFilter.shape.voiceType }),
  output: pageUnder('voices', VoiceResponse),
  async act({ site, viewer, query }) {
    const { items, nextCursor } = await site.catalogue.listVoices(viewer, query);
    return { voices: items, nextCursor };
  },
});

export const findVoice = call({
  get: '/voices/{id}',
  about: 'One voice',
  params: idOrSlug,
  output: VoiceDetailResponse,
  act: ({ site, id }) => site.catalogue.findVoice(id),
});

export const listRecommendedVoices = call({
  get: '/voices/{id}/recommended',
  about: 'Voices that this voice recommends, at most five, in its order',
  params: idOrSlug,
  output: z.object({ items: z.array(VoiceResponse) }),
  async act({ site: { catalogue }, viewer, id }) {
    const voice = found(await catalogue.findVoice(id));
    return { items: await catalogue.listRecommendedVoices(viewer, voice.id) };
  },
});

export const listVoiceAudios = call({
  get: '/voices/{id}/audios',
  about: 'Audios of a voice',
  params: idOrSlug,
  query: AudioListQuery,
  output: pageOf(AudioResponse),
  async act({ site: { catalogue }, viewer, id, query }) {
    const voice = found(await catalogue.findVoice(id));
    return catalogue.listAudios(viewer, { voiceId: voice.id, ...toListQuery(query) });
  },
});

export const listCreditedAudios = call({
  get: '/voices/{id}/credited',
  about: 'Audios of other voices that name this one in their credits',
  params: idOrSlug,
  query: AudioPageQuery.extend({ sort: AudioSort.optional() }),
  output: pageOf(AudioResponse),
  async act({ site: { catalogue }, viewer, id, query: { languages: _languages, ...query } }) {
    const voice = found(await catalogue.findVoice(id));
    return catalogue.listAudios(viewer, { creditedId: voice.id, ...query });
  },
});
