import type { Mail } from '../../gateways.ts';
import { bind } from '../../kernel/bind.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { chooseSitePreview } from '../../studio/audios/publishing.ts';
import type { PictureTools } from '../../studio/pictures.ts';
import type { QueueParts } from '../../studio/queue-parts.ts';
import { exportAudios, findPreview, listAudios } from './audio-list.ts';
import * as bulkActs from './bulk-acts.ts';
import * as categories from './categories.ts';
import { findAgreementsOf, findChain } from './chain-archive.ts';
import * as deletedGroups from './deleted-groups.ts';
import { addFacetPresets } from './facet-presets.ts';
import { addFacetTag, setFacetTags } from './facet-tags.ts';
import { createFacet, deleteFacet, editFacet, listFacets } from './facets.ts';
import { orderByHand } from './hand-order.ts';
import * as playlistChanges from './house-playlist-changes.ts';
import * as playlists from './house-playlists.ts';
import { setPicture } from './pictures.ts';
import * as performers from './performers.ts';
import { findPlaylistPlaces } from './playlist-places.ts';
import * as series from './series.ts';
import * as tags from './tags.ts';
import { countUploads, listUploads } from './uploads.ts';
import * as verifications from './verifications.ts';
import * as voices from './voices.ts';

export type ContentParts = PictureTools & QueueParts & { mail: Mail; site: MailSite };

/** Audios, uploads, series, categories, tags, playlists and creators. */
export function openContent(tools: ContentParts) {
  return {
    ...bind(tools.db, {
      ...bulkActs,
      ...categories,
      ...deletedGroups,
      ...playlists,
      ...playlistChanges,
      ...performers,
      ...series,
      ...tags,
      ...voices,
      addFacetPresets,
      addFacetTag,
      createFacet,
      deleteFacet,
      editFacet,
      listFacets,
      setFacetTags,
      listAudios,
      exportAudios,
      listUploads,
      countUploads,
      chooseSitePreview,
      findPreview,
      findChain,
      findAgreementsOf,
      findPlaylistPlaces,
      orderByHand,
    }),
    ...bind(tools, { setPicture, beginBulkAct: bulkActs.beginBulkAct, ...verifications }),
  };
}
