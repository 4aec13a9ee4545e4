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
import { findOldPath } from './old-paths.ts';
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
  /**
   * Made for the viewer alone, or as for a visitor and kept for all of them.
   * @param key undefined: requested too rarely to be kept
   */
  function readAs<Result>(
    viewer: Viewer,
    { isOwn, key }: { isOwn: boolean; key: string | undefined },
    make: (as: Viewer) => Promise<Result>,
  ): Promise<Result> {
    if (isOwn) return make(viewer);
    return key === undefined ? make(visitor) : shared.read(key, () => make(visitor));
  }
  /** Later pages have none. */
  const keyOf = (name: string, query: { cursor?: string | undefined }) =>
    query.cursor === undefined ? `${name} ${JSON.stringify(query)}` : undefined;

  return {
    ...bind(db, {
      addUpTotals,
      findAudio: audios.findAudio,
      findCategory: categories.findCategory,
      findEnclosures,
      findFeedChoices: voices.findFeedChoices,
      findNeighbourShard,
      findOldPath,
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
      readAs(viewer, { isOwn: !seesEverything(viewer), key: keyOf('audios', query) }, (as) =>
        audioLists.listAudios(db, as, query),
      ),
    countCredited: (viewer: Viewer, voiceId: string) =>
      readAs(viewer, { isOwn: !seesEverything(viewer), key: `credits of ${voiceId}` }, (as) =>
        audioLists.countCredited(db, as, voiceId),
      ),
    countFilters: (viewer: Viewer, place: FilterPlace, filter: AudioFilter = {}) =>
      readAs(viewer, { isOwn: !seesEverything(viewer), key: `filters ${JSON.stringify([place, filter])}` }, (as) =>
        countFilters(db, as, place, filter),
      ),
    listMostPlayedOfVoice: (viewer: Viewer, voiceId: string) =>
      seesEverything(viewer)
        ? shared.read(`most played of ${voiceId}`, () =>
            audioLists.listMostPlayedOfVoice(db, visitor, voiceId, audiosByIds),
          )
        : audioLists.listMostPlayedOfVoice(db, viewer, voiceId),
    /** `findAudio` with counts that may be two seconds old. */
    findSharedAudio: (idOrSlug: string) => shared.read(`audio by ${idOrSlug}`, () => audios.findAudio(db, idOrSlug)),
    takesTips: (voiceId: string) => shared.read(`tips of ${voiceId}`, () => voices.takesTips(db, voiceId)),
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
      readAs(viewer, { isOwn: mayHide(viewer), key: `recommended by ${voiceId}` }, (as) =>
        voices.listRecommendedVoices(db, as, voiceId),
      ),
    listPopularVoices: (viewer: Viewer, limit: number) =>
      readAs(viewer, { isOwn: mayHide(viewer), key: `popular voices ${limit}` }, (as) =>
        voices.listPopularVoices(db, as, limit),
      ),
    listSeries: (viewer: Viewer, query: Parameters<typeof series.listSeries>[2]) =>
      readAs(viewer, { isOwn: mayHide(viewer), key: keyOf('series', query) }, (as) => series.listSeries(db, as, query)),
    listPlaylists: (viewer: Viewer, query: Parameters<typeof playlists.listPlaylists>[2]) =>
      readAs(viewer, { isOwn: mayHide(viewer), key: keyOf('playlists', query) }, (as) =>
        playlists.listPlaylists(db, as, query),
      ),
  };
}
