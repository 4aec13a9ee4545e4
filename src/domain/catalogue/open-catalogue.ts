import type { Db } from '../kernel/db.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { visitor } from '../kernel/viewer.ts';
import * as audioLists from './audio-lists.ts';
import * as audios from './audios.ts';
import * as categories from './categories.ts';
import { purgeDeletedAudios } from './editing/deletion.ts';
import { findEnclosures, findPartNumbers, hasEpisode } from './enclosures.ts';
import { sumItems } from './items.ts';
import * as playlists from './playlists.ts';
import type { RelatedTo } from './related-audios.ts';
import { listRelatedAudios } from './related-audios.ts';
import * as series from './series.ts';
import { findPreviewId } from './site-settings.ts';
import type { SitemapKind, SitemapRange } from './sitemap-entries.ts';
import * as sitemap from './sitemap-entries.ts';
import { listTagChoices, listTags } from './tags.ts';
import { addUpTotals } from './totals.ts';
import { seesEverything } from './visibility.ts';
import * as voices from './voices.ts';
import * as waveforms from './waveforms.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

/** @param deps.shared keeps what is the same for all viewers who hide nothing */
export function openCatalogue({ db, shared }: { db: Db; shared: SharedReads }) {
  const audiosByIds = audios.createAudioReader(db, shared);
  /** Later pages are requested too rarely to cache. */
  function firstPage<Result>(name: string, query: { cursor?: string | undefined }, make: () => Promise<Result>) {
    return query.cursor === undefined ? shared.read(`${name} ${JSON.stringify(query)}`, make) : make();
  }

  return {
    listAudios: (viewer: Viewer, query: audioLists.AudioListQuery) =>
      seesEverything(viewer)
        ? firstPage('audios', query, () => audioLists.listAudios(db, visitor, query))
        : audioLists.listAudios(db, viewer, query),
    listMostPlayedOfVoice: (viewer: Viewer, voiceId: string) =>
      seesEverything(viewer)
        ? shared.read(`most played of ${voiceId}`, () =>
            audioLists.listMostPlayedOfVoice(db, visitor, voiceId, audiosByIds),
          )
        : audioLists.listMostPlayedOfVoice(db, viewer, voiceId),
    sumAudios: (viewer: Viewer, query: Parameters<typeof audioLists.sumAudios>[2]) =>
      audioLists.sumAudios(db, viewer, query),
    findAudio: (idOrSlug: string) => audios.findAudio(db, idOrSlug),
    /** `findAudio` with counts that may be two seconds old. */
    findSharedAudio: (idOrSlug: string) => shared.read(`audio by ${idOrSlug}`, () => audios.findAudio(db, idOrSlug)),
    findPreview: (): Promise<audios.Audio | undefined> =>
      shared.read('preview', async () => {
        const id = await findPreviewId(db);
        return id === undefined ? undefined : audios.findAudio(db, id);
      }),
    findWaveform: (audioId: string) => shared.read(`waveform ${audioId}`, () => waveforms.findWaveform(db, audioId)),
    findPreviewWaveform: () => shared.read('preview waveform', () => waveforms.findPreviewWaveform(db)),
    listRelatedAudios(viewer: Viewer, audio: RelatedTo, limit: number) {
      if (!seesEverything(viewer)) return listRelatedAudios(db, viewer, audio, limit);
      // Unpublished changes of an audio can have other categories and tags.
      const key = JSON.stringify([audio.id, audio.categories.map(({ id }) => id), audio.tags.map(({ slug }) => slug)]);
      return shared.read(`related ${limit} ${key}`, () =>
        listRelatedAudios(db, visitor, audio, limit, { shared, audiosByIds }),
      );
    },
    addUpTotals: () => addUpTotals(db),
    listTags: (viewer: Viewer, options: Parameters<typeof listTags>[2]) => listTags(db, viewer, options),
    listTagChoices: (viewer: Viewer, options: Parameters<typeof listTagChoices>[2]) =>
      listTagChoices(db, viewer, options),
    findEnclosures: (audioIds: string[]) => findEnclosures(db, audioIds),
    findPartNumbers: (seriesId: string) => findPartNumbers(db, seriesId),
    purgeDeletedAudios: (signal?: AbortSignal) => purgeDeletedAudios(db, signal),
    listSitemapEntries: (kind: SitemapKind, range: SitemapRange) => sitemap.listSitemapEntries(db, kind, range),
    listSitemapRanges: (kind: SitemapKind) => sitemap.listSitemapRanges(db, kind),
    listVoices: (query: Parameters<typeof voices.listVoices>[1]) => voices.listVoices(db, query),
    listPopularVoices: (limit: number) =>
      shared.read(`popular voices ${limit}`, () => voices.listPopularVoices(db, limit)),
    findVoice: (idOrSlug: string) => voices.findVoice(db, idOrSlug),
    hasEpisode: (owner: Parameters<typeof hasEpisode>[1]) => hasEpisode(db, owner),
    listCategories: (limit?: number) => shared.read(`categories ${limit}`, () => categories.listCategories(db, limit)),
    findCategory: (idOrSlug: string) => categories.findCategory(db, idOrSlug),
    listSeries: (query: Parameters<typeof series.listSeries>[1]) =>
      firstPage('series', query, () => series.listSeries(db, query)),
    countSeries: (voiceId: string) => shared.read(`number of series ${voiceId}`, () => series.countSeries(db, voiceId)),
    findSeries: (idOrSlug: string) => series.findSeries(db, idOrSlug),
    findSeriesOfAudio: (audioId: string) =>
      shared.read(`series of ${audioId}`, () => series.findSeriesOfAudio(db, audioId)),
    sumSeriesAudios: (viewer: Viewer, id: string) =>
      sumItems(db, viewer, { name: 'series_items', owner: 'series_id', id }),
    listSeriesAudios: (viewer: Viewer, id: string, page: PageQuery) => series.listSeriesAudios(db, viewer, id, page),
    countPlaylists: (voiceId: string) =>
      shared.read(`number of playlists ${voiceId}`, () => playlists.countPlaylists(db, voiceId)),
    listPlaylists: (query: Parameters<typeof playlists.listPlaylists>[1]) =>
      firstPage('playlists', query, () => playlists.listPlaylists(db, query)),
    findPlaylist: (idOrSlug: string) => playlists.findPlaylist(db, idOrSlug),
    sumPlaylistAudios: (viewer: Viewer, id: string) =>
      sumItems(db, viewer, { name: 'playlist_items', owner: 'playlist_id', id }),
    listPlaylistAudios: (viewer: Viewer, id: string, page: PageQuery) =>
      playlists.listPlaylistAudios(db, viewer, id, page),
  };
}
