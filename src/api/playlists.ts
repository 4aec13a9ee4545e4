import { call } from './call.ts';
import { found } from './found.ts';
import {
  AudioResponse,
  FilteredPageQuery,
  idOrSlug,
  OfVoiceQuery,
  pageOf,
  PlaylistResponse,
  toListQuery,
} from './schemas.ts';

export const listPlaylists = call({
  get: '/playlists',
  about: 'Playlists of the site, in its order',
  query: OfVoiceQuery,
  output: pageOf(PlaylistResponse),
  act: ({ site, viewer, query }) => site.catalogue.listPlaylists(viewer, query),
});

export const findPlaylist = call({
  get: '/playlists/{id}',
  about: 'One playlist',
  params: idOrSlug,
  output: PlaylistResponse,
  act: ({ site, id }) => site.catalogue.findPlaylist(id),
});

export const listPlaylistAudios = call({
  get: '/playlists/{id}/audios',
  about: 'The audios of a playlist, in its order',
  params: idOrSlug,
  query: FilteredPageQuery,
  output: pageOf(AudioResponse),
  async act({ site: { catalogue }, viewer, id, query }) {
    const playlist = found(await catalogue.findPlaylist(id));
    return catalogue.listPlaylistAudios(viewer, playlist.id, toListQuery(query));
  },
});
