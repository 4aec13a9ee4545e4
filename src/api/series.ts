import { call } from './call.ts';
import { found } from './found.ts';
import {
  AudioResponse,
  FilteredPageQuery,
  idOrSlug,
  OfVoiceQuery,
  pageOf,
  SeriesResponse,
  toListQuery,
} from './schemas.ts';

export const listSeries = call({
  get: '/series',
  about: 'Series, A–Z',
  query: OfVoiceQuery,
  output: pageOf(SeriesResponse),
  act: ({ site, viewer, query }) => site.catalogue.listSeries(viewer, query),
});

export const findSeries = call({
  get: '/series/{id}',
  about: 'One series',
  params: idOrSlug,
  output: SeriesResponse,
  act: ({ site, id }) => site.catalogue.findSeries(id),
});

export const listSeriesAudios = call({
  get: '/series/{id}/audios',
  about: 'The parts of a series, in its order',
  params: idOrSlug,
  query: FilteredPageQuery,
  output: pageOf(AudioResponse),
  async act({ site: { catalogue }, viewer, id, query }) {
    const series = found(await catalogue.findSeries(id));
    return catalogue.listSeriesAudios(viewer, series.id, toListQuery(query));
  },
});
