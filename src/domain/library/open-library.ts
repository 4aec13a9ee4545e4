import { createAudioReader } from '../catalogue/audios.ts';
import { seesEverything } from '../catalogue/visibility.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { PageQuery } from '../kernel/pages.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import { type User, type Viewer, visitor } from '../kernel/viewer.ts';
import { hashListener } from '../listening/plays.ts';
import { recountPlaylists } from './recount-playlists.ts';
import { featureSetting } from '../settings/features.ts';
import type { Settings } from '../settings/open-settings.ts';
import * as favoriteLists from './favorite-lists.ts';
import * as favorites from './favorites.ts';
import type { PlaylistForm } from './forms.ts';
import { listHeardAudios } from './heard-audios.ts';
import * as hidden from './hidden.ts';
import * as hiddenTags from './hidden-tags.ts';
import * as mixes from './mixes/mixes.ts';
import * as moments from './moments/moments.ts';
import * as ownPlaylists from './own-playlists.ts';
import { type FavoriteGroup, canEditUserPlaylist } from './rules.ts';
import * as savedQueue from './saved-queue.ts';
import { setHidden } from './set-hidden.ts';
import * as userPlaylists from './user-playlists.ts';

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
    ...bind(db, {
      ...hidden,
      ...hiddenTags,
      setHidden,
      ...mixes,
      listMoments: moments.listMoments,
      keepMoment: moments.keepMoment,
      deleteMoment: moments.deleteMoment,
      ...ownPlaylists,
      countFavoriteFilters: favoriteLists.countFavoriteFilters,
      findFavoriteIds: favorites.findFavoriteIds,
      findFavoritesAmong: favorites.findFavoritesAmong,
      findQueue: savedQueue.findQueue,
      forgetQueuePosition: savedQueue.forgetQueuePosition,
      listHeardAudios,
      listUserPlaylistAudios: userPlaylists.listUserPlaylistAudios,
      purgePlaylistPlayMarks: userPlaylists.purgePlaylistPlayMarks,
      recountPlaylists,
      saveQueue: savedQueue.saveQueue,
      setFavorite: favorites.setFavorite,
      sumUserPlaylistAudios: userPlaylists.sumUserPlaylistAudios,
    }),
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
    /** @throws DomainError `site/feature-off` */
    async createUserPlaylist(userId: string, form: PlaylistForm) {
      if (!areListsOn()) throw new DomainError('site/feature-off');
      return ownPlaylists.createUserPlaylist(db, userId, form);
    },
    /** @param address of the client, for visitors */
    playUserPlaylist: (viewer: Viewer, id: string, address: string) =>
      userPlaylists.playUserPlaylist(db, viewer, id, hashListener(secret, viewer, address)),
    findFavorites: (viewer: User, limit: number) =>
      favoriteLists.findFavorites(db, viewer, { limit, ownListsOnly: !areListsOn() }),
    listFavorites: <Group extends FavoriteGroup>(viewer: User, group: Group, query: favoriteLists.FavoriteQuery) =>
      favoriteLists.listFavorites(db, viewer, group, { ...query, ownListsOnly: !areListsOn() }, audiosByIds),
    countFavorites: (viewer: User) => favoriteLists.countFavorites(db, viewer, !areListsOn()),
  };
}
