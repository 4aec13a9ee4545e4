import { sumItems } from '../catalogue/items.ts';
import { createAudioReader } from '../catalogue/audios.ts';
import { seesEverything } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { visitor } from '../kernel/viewer.ts';
import { hashListener } from '../listening/plays.ts';
import { recountPlaylists } from './recount-playlists.ts';
import * as favoriteLists from './favorite-lists.ts';
import * as favorites from './favorites.ts';
import type { PlaylistChange, PlaylistForm, SavedQueue } from './forms.ts';
import * as hiddenTags from './hidden-tags.ts';
import * as ownPlaylists from './own-playlists.ts';
import * as playlistPlays from './playlist-plays.ts';
import type { ContentTypeId, FavoriteGroup } from './rules.ts';
import * as savedQueue from './saved-queue.ts';
import * as userPlaylists from './user-playlists.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

/** @param deps.secret key of the stored hashes of listeners; `shared` keeps what is the same for all viewers */
export function openLibrary({ db, secret, shared }: { db: Db; secret: string; shared: SharedReads }) {
  const audiosByIds = createAudioReader(db, shared);
  return {
    listTopUserPlaylists: (viewer: Viewer, page: PageQuery) =>
      page.cursor === undefined && seesEverything(viewer)
        ? shared.read(`top user playlists ${page.limit}`, () =>
            userPlaylists.listTopUserPlaylists(db, visitor, { limit: page.limit }),
          )
        : userPlaylists.listTopUserPlaylists(db, viewer, page),
    listUserPlaylistsOf: (viewer: Viewer, userId: string, page: PageQuery) =>
      userPlaylists.listUserPlaylistsOf(db, viewer, userId, page),
    findUserPlaylist: (viewer: Viewer, id: string) => userPlaylists.findUserPlaylist(db, viewer, id),
    sumUserPlaylistAudios: (viewer: Viewer, id: string) =>
      sumItems(db, viewer, { name: 'user_playlist_items', owner: 'user_playlist_id', id }),
    listUserPlaylistAudios: (
      viewer: Viewer,
      playlist: Pick<userPlaylists.UserPlaylist, 'id' | 'user'>,
      page: PageQuery,
    ) => userPlaylists.listUserPlaylistAudios(db, viewer, playlist, page),
    listOwnUserPlaylists: (userId: string, audioId?: string) => ownPlaylists.listOwnUserPlaylists(db, userId, audioId),
    createUserPlaylist: (userId: string, form: PlaylistForm) => ownPlaylists.createUserPlaylist(db, userId, form),
    changeUserPlaylist: (userId: string, id: string, change: PlaylistChange) =>
      ownPlaylists.changeUserPlaylist(db, userId, id, change),
    addToUserPlaylist: (userId: string, id: string, audioIds: string[]) =>
      ownPlaylists.addToUserPlaylist(db, userId, id, audioIds),
    removeFromUserPlaylist: (userId: string, id: string, audioId: string) =>
      ownPlaylists.removeFromUserPlaylist(db, userId, id, audioId),
    moveInUserPlaylist: (userId: string, id: string, audioId: string, place: ownPlaylists.Place) =>
      ownPlaylists.moveInUserPlaylist(db, userId, id, audioId, place),
    deleteUserPlaylist: (userId: string, id: string) => ownPlaylists.deleteUserPlaylist(db, userId, id),
    restoreUserPlaylist: (userId: string, id: string) => ownPlaylists.restoreUserPlaylist(db, userId, id),
    purgeDeletedUserPlaylists: (signal?: AbortSignal) => ownPlaylists.purgeDeletedUserPlaylists(db, signal),
    /** @param address of the client, for visitors */
    playUserPlaylist: (viewer: Viewer, id: string, address: string) =>
      playlistPlays.playUserPlaylist(db, viewer, id, hashListener(secret, viewer, address)),
    purgePlaylistPlayMarks: (signal?: AbortSignal) => playlistPlays.purgePlaylistPlayMarks(db, signal),
    setFavorite: (viewer: User, favorite: Parameters<typeof favorites.setFavorite>[2]) =>
      favorites.setFavorite(db, viewer, favorite),
    findFavoriteIds: (userId: string, most?: number) => favorites.findFavoriteIds(db, userId, most),
    findFavoritesAmong: (viewer: Viewer, contentTypeId: ContentTypeId, ids: string[]) =>
      favorites.findFavoritesAmong(db, viewer, contentTypeId, ids),
    findFavorites: (viewer: User, limit: number) => favoriteLists.findFavorites(db, viewer, limit),
    recountPlaylists: (signal?: AbortSignal) => recountPlaylists(db, signal),
    listFavorites: <Group extends FavoriteGroup>(viewer: User, group: Group, query: favoriteLists.FavoriteQuery) =>
      favoriteLists.listFavorites(db, viewer, group, query, audiosByIds),
    countFavorites: (viewer: User) => favoriteLists.countFavorites(db, viewer),
    listHiddenTags: (userId: string) => hiddenTags.listHiddenTags(db, userId),
    setTagHidden: (userId: string, slug: string, isHidden: boolean) =>
      hiddenTags.setTagHidden(db, userId, slug, isHidden),
    findQueue: (userId: string) => savedQueue.findQueue(db, userId),
    findQueueHead: (userId: string) => savedQueue.findQueueHead(db, userId, audiosByIds),
    saveQueue: (userId: string, seen: number[] | 'any', queue: SavedQueue) =>
      savedQueue.saveQueue(db, userId, seen, queue),
  };
}
