import type { Actor } from '../../kernel/actor.ts';
import type { PictureTools } from '../../studio/editing.ts';
import { chooseSitePreview } from '../../studio/audios/publishing.ts';
import type { AdminAudioQuery } from './audio-list.ts';
import { exportAdminAudios, listAdminAudios } from './audio-list.ts';
import * as bulk from './bulk-acts.ts';
import { setCategoryPicture } from './category-picture.ts';
import { purgeDeletedGroups } from './deleted-groups.ts';
import { purgeDeletedPlaylists } from './house-playlist-changes.ts';
import { setPlaylistPicture } from './playlist-picture.ts';
import type { BulkActForm } from '../forms.ts';
import { countAdminUploads, listAdminUploads } from './open-uploads.ts';
import { findAdminPreview } from './preview.ts';
import type { OpenUploadState } from '../rules.ts';
import * as series from './series.ts';
import { hasVoices } from '../people/voices.ts';

/** Audios of all creators, acts on many of them, their series, the preview, and pictures of categories. */
export function openCatalogueAdmin(tools: PictureTools) {
  const { db } = tools;
  return {
    listAudios: (actor: Actor, query: AdminAudioQuery) => listAdminAudios(db, actor, query),
    exportAudios: (actor: Actor, query: Parameters<typeof exportAdminAudios>[2]) => exportAdminAudios(db, actor, query),
    listUploads: (actor: Actor, state: OpenUploadState) => listAdminUploads(db, actor, state),
    countUploads: (actor: Actor) => countAdminUploads(db, actor),
    startBulkAct: (actor: Actor, form: BulkActForm) => bulk.startBulkAct(db, actor, form),
    undoBulkAct: (actor: Actor, id: string) => bulk.undoBulkAct(db, actor, id),
    stopBulkAct: (actor: Actor, id: string) => bulk.stopBulkAct(db, actor, id),
    findBulkAct: (actor: Actor, id: string) => bulk.findBulkAct(db, actor, id),
    listOpenBulkActs: (actor: Actor) => bulk.listOpenBulkActs(db, actor),
    runBulkAct: (id: string, options?: Parameters<typeof bulk.runBulkAct>[2]) => bulk.runBulkAct(db, id, options),
    findWaitingBulkActs: () => bulk.findWaitingBulkActs(db),
    purgeBulkActs: () => bulk.purgeBulkActs(db),
    listSeries: (actor: Actor, query: Parameters<typeof series.listAdminSeries>[2]) =>
      series.listAdminSeries(db, actor, query),
    listDeletedSeries: (actor: Actor, limit: number) => series.listAllDeletedSeries(db, actor, limit),
    setSeriesHidden: (actor: Actor, id: string, isHidden: boolean) => series.setSeriesHidden(db, actor, id, isHidden),
    linkSeries: (actor: Actor, voiceId: string, link: { seriesId: string | null; before: string | null }) =>
      series.linkSeries(db, actor, voiceId, link),
    hasVoices: (actor: Actor) => hasVoices(db, actor),
    findPreview: (actor: Actor) => findAdminPreview(db, actor),
    choosePreview: (actor: Actor, audioId: string, revision: number) => chooseSitePreview(db, actor, audioId, revision),
    setCategoryPicture: (actor: Actor, id: string, change: Parameters<typeof setCategoryPicture>[3]) =>
      setCategoryPicture(tools, actor, id, change),
    setPlaylistPicture: (actor: Actor, id: string, change: Parameters<typeof setPlaylistPicture>[3]) =>
      setPlaylistPicture(tools, actor, id, change),
    purgeDeletedGroups: (signal?: AbortSignal) => purgeDeletedGroups(db, signal),
    purgeDeletedPlaylists: () => purgeDeletedPlaylists(tools.db),
  };
}
