import { bind } from '../../kernel/bind.ts';
import { chooseSitePreview } from '../../studio/audios/publishing.ts';
import type { PictureTools } from '../../studio/editing.ts';
import { exportAudios, listAudios } from './audio-list.ts';
import * as bulkActs from './bulk-acts.ts';
import * as categories from './categories.ts';
import { setCategoryPicture } from './category-picture.ts';
import * as deletedGroups from './deleted-groups.ts';
import * as playlistChanges from './house-playlist-changes.ts';
import * as playlists from './house-playlists.ts';
import { setPlaylistPicture } from './playlist-picture.ts';
import { findPlaylistPlaces } from './playlist-places.ts';
import { findPreview } from './preview.ts';
import * as series from './series.ts';
import * as tags from './tags.ts';
import { countUploads, listUploads } from './uploads.ts';
import * as voices from './voices.ts';

/** Audios, uploads, series, categories, tags, playlists and creators. */
export function openContent(tools: PictureTools) {
  return {
    ...bind(tools.db, {
      ...bulkActs,
      ...categories,
      ...deletedGroups,
      ...playlists,
      ...playlistChanges,
      ...series,
      ...tags,
      ...voices,
      listAudios,
      exportAudios,
      listUploads,
      countUploads,
      chooseSitePreview,
      findPreview,
      findPlaylistPlaces,
    }),
    ...bind(tools, { setCategoryPicture, setPlaylistPicture }),
  };
}
