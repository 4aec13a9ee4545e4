import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import { type SharedReads, share } from '../kernel/shared-reads.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import * as audioLists from './audio-lists.ts';
import * as audios from './audios.ts';
import { countLanguages } from './language-lists.ts';
import * as categories from './categories.ts';
import { countFilters } from './filters/count-filters.ts';
import type { FilterPlace } from './filters/shapes.ts';
import type { AudioFilter } from './forms.ts';
import { purgeDeletedAudios } from './editing/deletion.ts';
import * as facets from './facets/facets.ts';
import { findEnclosures, findPartNumbers, hasEpisode } from './enclosures.ts';
import * as playlists from './playlists.ts';
import { type RelatedTo, listRelatedAudios } from './related-audios.ts';
import * as series from './series.ts';
import { findPreviewId } from './site-settings.ts';
import { listSitemapEntries, listSitemapRanges } from './sitemap-entries.ts';
import { listTagChoices, listTags } from './tags.ts';
import { addUpTotals } from './totals.ts';
import { findNeighbourShard, findSuggestionIndex, listBlock } from './suggestions/public-files.ts';
import { mayHide, seesEverything } from './visibility.ts';
import * as voices from './voices.ts';
import * as waveforms from './waveforms.ts';

/** @param deps.shared keeps what is the same for all viewers who see everything */
export function openCatalogue({ db, shared }: { db: Db; shared: SharedReads }) {
  const audiosByIds = audios.createAudioReader(db, shared);
  /** Later pages are requested too rarely to cache. */
  function firstPage<Result>(name: string, query: { cursor?: string | undefined }, make: () => Promise<Result>) {
    return query.cursor === undefined ? shared.read(`${name} ${JSON.stringify(query)}`, make) : make();
  }

  return {
    ...bind(db, {
      addUpTotals,
      findAudio: audios.findAudio,
      findCategory: categories.findCategory,
      findEnclosures,
      findNeighbourShard,
      findPartNumbers,
      findPlaylist: playlists.findPlaylist,
      findSeries: series.findSeries,
      findSuggestionIndex,
      findVoice: voices.findVoice,
      hasEpisode,
      listPlaylistAudios: playlists.listPlaylistAudios,
      listSeriesAudios: series.listSeriesAudios,
      listSitemapEntries,
      listSitemapRanges,
      listTagChoices,
      listTags,
      listVoices: voices.listVoices,
      purgeDeletedAudios,
      sumAudios: audioLists.sumAudios,
      sumPlaylistAudios: playlists.sumPlaylistAudios,
      sumSeriesAudios: series.sumSeriesAudios,
    }),
    ...share(
      shared,
      bind(db, {
        countLanguages,
        countPlaylists: playlists.countPlaylists,
        countSeries: series.countSeries,
        findPreviewWaveform: waveforms.findPreviewWaveform,
        findSeriesOfAudio: series.findSeriesOfAudio,
        findWaveform: waveforms.findWaveform,
        listCategories: categories.listCategories,
        listFacets: facets.listFacets,
        listFacetFields: facets.listFacetFields,
      }),
    ),
    listAudios: (viewer: Viewer, query: audioLists.AudioListQuery) =>
      seesEverything(viewer)
        ? firstPage('audios', query, () => audioLists.listAudios(db, visitor, query))
        : audioLists.listAudios(db, viewer, query),
    countFilters: (viewer: Viewer, place: FilterPlace, filter: AudioFilter = {}) =>
      seesEverything(viewer)
        ? shared.read(`filters ${JSON.stringify([place, filter])}`, () => countFilters(db, visitor, place, filter))
        : countFilters(db, viewer, place, filter),
    listMostPlayedOfVoice: (viewer: Viewer, voiceId: string) =>
      seesEverything(viewer)
        ? shared.read(`most played of ${voiceId}`, () =>
            audioLists.listMostPlayedOfVoice(db, visitor, voiceId, audiosByIds),
          )
        : audioLists.listMostPlayedOfVoice(db, viewer, voiceId),
    /** `findAudio` with counts that may be two seconds old. */
    findSharedAudio: (idOrSlug: string) => shared.read(`audio by ${idOrSlug}`, () => audios.findAudio(db, idOrSlug)),
    findPreview: (): Promise<audios.Audio | undefined> =>
      shared.read('preview', async () => {
        const id = await findPreviewId(db);
        return id === undefined ? undefined : audios.findAudio(db, id);
      }),
    listRelatedAudios(viewer: Viewer, audio: RelatedTo, limit: number) {
      if (!seesEverything(viewer)) return listRelatedAudios(db, viewer, audio, limit);
      // Unpublished changes of an audio can have other categories and tags.
      const key = JSON.stringify([audio.id, audio.categories.map(({ id }) => id), audio.tags.map(({ slug }) => slug)]);
      return shared.read(`related ${limit} ${key}`, () =>
        listRelatedAudios(db, visitor, audio, limit, { shared, audiosByIds }),
      );
    },
    listSuggestionBlock: (block: number) => listBlock(db, block, audiosByIds),
    listRecommendedVoices: (viewer: Viewer, voiceId: string) =>
      mayHide(viewer)
        ? voices.listRecommendedVoices(db, viewer, voiceId)
        : shared.read(`recommended by ${voiceId}`, () => voices.listRecommendedVoices(db, visitor, voiceId)),
    listPopularVoices: (viewer: Viewer, limit: number) =>
      mayHide(viewer)
        ? voices.listPopularVoices(db, viewer, limit)
        : shared.read(`popular voices ${limit}`, () => voices.listPopularVoices(db, visitor, limit)),
    listSeries: (viewer: Viewer, query: Parameters<typeof series.listSeries>[2]) =>
      mayHide(viewer)
        ? series.listSeries(db, viewer, query)
        : firstPage('series', query, () => series.listSeries(db, visitor, query)),
    listPlaylists: (viewer: Viewer, query: Parameters<typeof playlists.listPlaylists>[2]) =>
      mayHide(viewer)
        ? playlists.listPlaylists(db, viewer, query)
        : firstPage('playlists', query, () => playlists.listPlaylists(db, visitor, query)),
  };
}
