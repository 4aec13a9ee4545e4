import { sumItems } from '../catalogue/items.ts';
import { createAudioReader } from '../catalogue/audios.ts';
import { seesEverything } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { visitor } from '../kernel/viewer.ts';
import { hashListener } from '../listening/plays.ts';
import { recountPlaylists } from './recount-playlists.ts';
import { featureSetting } from '../settings/features.ts';
import type { Settings } from '../settings/open-settings.ts';
import * as favoriteLists from './favorite-lists.ts';
import * as favorites from './favorites.ts';
import type { PlaylistChange, PlaylistForm, SavedQueue } from './forms.ts';
import * as hiddenTags from './hidden-tags.ts';
import * as ownPlaylists from './own-playlists.ts';
import * as playlistPlays from './playlist-plays.ts';
import type { ContentTypeId, FavoriteGroup } from './rules.ts';
import { canEditUserPlaylist } from './rules.ts';
import * as savedQueue from './saved-queue.ts';
import * as userPlaylists from './user-playlists.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

/** @param deps.secret key of the stored hashes of listeners; `shared` keeps what is the same for all viewers */
export function openLibrary({
  db,
  secret,
  settings,
  shared,
}: {
  db: Db;
  secret: string;
  settings: Settings;
  shared: SharedReads;
}) {
  const audiosByIds = createAudioReader(db, shared);
  const areListsOn = () => settings.read(featureSetting).userPlaylists;
  const nothing = { items: [], nextCursor: undefined };
  return {
    /** Empty where an operator turned listeners' playlists off; owners still find their own. */
    async listTopUserPlaylists(viewer: Viewer, page: PageQuery) {
      if (!areListsOn()) return nothing;
      return page.cursor === undefined && seesEverything(viewer)
        ? shared.read(`top user playlists ${page.limit}`, () =>
            userPlaylists.listTopUserPlaylists(db, visitor, { limit: page.limit }),
          )
        : userPlaylists.listTopUserPlaylists(db, viewer, page);
    },
    listUserPlaylistsOf: async (viewer: Viewer, userId: string, page: PageQuery) =>
      areListsOn() ? userPlaylists.listUserPlaylistsOf(db, viewer, userId, page) : nothing,
    async findUserPlaylist(viewer: Viewer, id: string) {
      const found = await userPlaylists.findUserPlaylist(db, viewer, id);
      return found === undefined || areListsOn() || canEditUserPlaylist(viewer, found) ? found : undefined;
    },
    /** Unlike the counts of lists, without audios scheduled for later. Hidden tags do not apply to one's own list. */
    sumUserPlaylistAudios: (viewer: Viewer, playlist: { id: string; user: { id: string } }) =>
      sumItems(db, canEditUserPlaylist(viewer, playlist) ? visitor : viewer, {
        name: 'user_playlist_items',
        owner: 'user_playlist_id',
        id: playlist.id,
      }),
    listUserPlaylistAudios: (
      viewer: Viewer,
      playlist: Pick<userPlaylists.UserPlaylist, 'id' | 'user'>,
      page: PageQuery,
    ) => userPlaylists.listUserPlaylistAudios(db, viewer, playlist, page),
    listOwnUserPlaylists: (userId: string, audioId?: string) => ownPlaylists.listOwnUserPlaylists(db, userId, audioId),
    /** @throws DomainError `site/feature-off` */
    async createUserPlaylist(userId: string, form: PlaylistForm) {
      if (!areListsOn()) throw new DomainError('site/feature-off');
      return ownPlaylists.createUserPlaylist(db, userId, form);
    },
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
    findFavoriteIds: (userId: string) => favorites.findFavoriteIds(db, userId),
    findFavoritesAmong: (viewer: Viewer, contentTypeId: ContentTypeId, ids: string[]) =>
      favorites.findFavoritesAmong(db, viewer, contentTypeId, ids),
    findFavorites: (viewer: User, limit: number) =>
      favoriteLists.findFavorites(db, viewer, { limit, ownListsOnly: !areListsOn() }),
    recountPlaylists: (signal?: AbortSignal) => recountPlaylists(db, signal),
    listFavorites: <Group extends FavoriteGroup>(viewer: User, group: Group, query: favoriteLists.FavoriteQuery) =>
      favoriteLists.listFavorites(db, viewer, group, { ...query, ownListsOnly: !areListsOn() }, audiosByIds),
    countFavorites: (viewer: User) => favoriteLists.countFavorites(db, viewer, !areListsOn()),
    listHiddenTags: (userId: string) => hiddenTags.listHiddenTags(db, userId),
    setTagHidden: (userId: string, slug: string, isHidden: boolean) =>
      hiddenTags.setTagHidden(db, userId, slug, isHidden),
    findQueue: (userId: string) => savedQueue.findQueue(db, userId),
    forgetQueuePosition: (userId: string, audioId?: string) => savedQueue.forgetQueuePosition(db, userId, audioId),
    saveQueue: (userId: string, seen: number[] | 'any', queue: SavedQueue) =>
      savedQueue.saveQueue(db, userId, seen, queue),
  };
}
