import type { AddressKind } from './catalogue/addresses.ts';
import * as addresses from './catalogue/addresses.ts';
import * as audios from './catalogue/audios.ts';
import * as categories from './catalogue/categories.ts';
import { findEnclosures } from './catalogue/enclosures.ts';
import * as playlists from './catalogue/playlists.ts';
import * as series from './catalogue/series.ts';
import * as settings from './catalogue/site-settings.ts';
import * as transcripts from './catalogue/transcripts.ts';
import * as voices from './catalogue/voices.ts';
import * as blocks from './community/blocks.ts';
import * as comments from './community/comments.ts';
import type { CommentForm, ReportForm } from './community/forms.ts';
import * as voiceOwners from './community/voice-owners.ts';
import * as writing from './community/writing.ts';
import type { Db } from './db.ts';
import type { InfoPageName, Operator } from './editorial/info-pages.ts';
import { loadInfoPages } from './editorial/info-pages.ts';
import * as articles from './editorial/articles.ts';
import type { BlogQuery, Topic } from './editorial/rules.ts';
import * as accountChanges from './identity/account-changes.ts';
import * as accounts from './identity/accounts.ts';
import { gather } from './gather.ts';
import { countAttempts, forgetOldAttempts } from './identity/attempts.ts';
import type { IdentityProvider } from './identity/provider.ts';
import type { BrowserIdentitySettings, Viewer } from './identity/rules.ts';
import * as sessions from './identity/sessions.ts';
import { checkUsername } from './identity/usernames.ts';
import * as consents from './insight/consents.ts';
import type { InsightEvent } from './insight/forms.ts';
import * as events from './insight/events.ts';
import { openIntake } from './insight/intake.ts';
import * as favoriteLists from './library/favorite-lists.ts';
import * as favorites from './library/favorites.ts';
import type { PlaylistChange, PlaylistForm, SavedQueue } from './library/forms.ts';
import * as leftOutTags from './library/left-out-tags.ts';
import * as ownPlaylists from './library/own-playlists.ts';
import * as playlistPlays from './library/playlist-plays.ts';
import type { ContentTypeId, FavoriteGroup } from './library/rules.ts';
import * as savedQueue from './library/saved-queue.ts';
import * as userPlaylists from './library/user-playlists.ts';
import * as counters from './listening/counters.ts';
import type { CounterReport } from './listening/forms.ts';
import * as history from './listening/history.ts';
import * as media from './listening/media.ts';
import * as plays from './listening/plays.ts';
import * as progress from './listening/progress.ts';
import * as seconds from './listening/seconds.ts';
import { canPlay } from './listening/rules.ts';
import type { EventForwarder, Mail } from './gateways.ts';
import { openMembership } from './membership/membership.ts';
import type { PaymentProvider } from './membership/payment-provider.ts';
import type { BrowserPaymentSettings, TestCard } from './membership/rules.ts';
import { exportUser } from './personal-data.ts';
import { openBuiltInIndex } from './search/built-in-index.ts';
import { forgetOldChanges } from './search/changes.ts';
import * as recentTerms from './search/recent-terms.ts';
import { findResults } from './search/results.ts';
import type { SearchQuery } from './search/search.ts';
import { search } from './search/search.ts';
import type { SearchIndex } from './search/search-index.ts';

/** What pages and calls are told about the site itself. */
export type SiteFacts = {
  name: string;
  /** Origin, without a trailing slash. */
  url: string;
  appLinks: { ios: string | undefined; android: string | undefined };
  /** What the browser needs to sign in at the identity provider. */
  identity: BrowserIdentitySettings;
  /** What the browser needs to hand a card to the payment provider. */
  payments: BrowserPaymentSettings;
  /** Listed beside the form; empty where cards are real. */
  testCards: TestCard[];
  /** Of the v2 transport; absent: plain JSON. */
  transportKey: string | undefined;
  /** As the info pages name it; nameless when left out. */
  operator?: Operator;
  /** Events also go to a service of the operator's. */
  isForwarding?: boolean;
};

type User = Extract<Viewer, { kind: 'user' }>;
type PageQuery = { cursor?: string | undefined; limit: number };

/** A season; nothing is kept for ever. */
const eventsKeptDays = 90;
/** A report that comes twice comes soon, or after a journey without a network. */
const reportsKeptDays = 30;

/** All the site can do, in one object; both doors (pages and HTTP API) go through it. */
export type Site = Awaited<ReturnType<typeof openSite>>;

export async function openSite({
  db,
  facts,
  identityProvider: provider,
  payments,
  mail,
  secret,
  searchIndex = openBuiltInIndex(db),
  forwarder,
}: {
  db: Db;
  facts: SiteFacts;
  identityProvider: IdentityProvider;
  payments: PaymentProvider;
  mail: Mail;
  /** The same in every process of the site; hides in the database whose play was counted. */
  secret: string;
  /** The built-in one unless told. */
  searchIndex?: SearchIndex;
  /** Where events go beside the database; nowhere when left out. */
  forwarder?: EventForwarder;
}) {
  const intake = openIntake({ db, forwarder });
  const writeInfoPage = await loadInfoPages(facts);
  const membership = openMembership({ db, payments, mail, site: { name: facts.name, url: facts.url } });
  // What every call or every listener does all the time is done for many at once.
  const findSession = gather({ run: (tokens: string[]) => sessions.findSessions(db, tokens), most: 200, atOnce: 2 });
  const saveProgress = gather({
    run: (changes: progress.ProgressChange[]) => progress.saveProgress(db, changes),
    most: 500,
  });
  const countPlay = gather({ run: (list: plays.Play[]) => plays.countPlays(db, list), most: 200 });
  const addSeconds = gather({ run: (list: seconds.SecondsReport[]) => seconds.addSeconds(db, list), most: 200 });
  const searching = { db, index: searchIndex };
  return {
    facts,
    catalogue: {
      listAudios: (viewer: Viewer, query: audios.AudioListQuery) => audios.listAudios(db, viewer, query),
      sumAudios: (viewer: Viewer, query: Parameters<typeof audios.sumAudios>[2]) => audios.sumAudios(db, viewer, query),
      findAudio: (idOrSlug: string) => audios.findAudio(db, idOrSlug),
      findPreview: async () => {
        const id = await settings.findPreviewId(db);
        return id === undefined ? undefined : audios.findAudio(db, id);
      },
      listRelatedAudios: (viewer: Viewer, audioId: string, limit: number) =>
        audios.listRelatedAudios(db, viewer, audioId, limit),
      listTags: (viewer: Viewer, options: Parameters<typeof audios.listTags>[2]) =>
        audios.listTags(db, viewer, options),
      findEnclosures: (audioIds: string[]) => findEnclosures(db, audioIds),
      listAddresses: (kind: AddressKind, page: { after: string; limit: number }) =>
        addresses.listAddresses(db, kind, page),
      listAddressCuts: (kind: AddressKind, size: number) => addresses.listAddressCuts(db, kind, size),
      listVoices: (query: Parameters<typeof voices.listVoices>[1]) => voices.listVoices(db, query),
      listPopularVoices: (limit: number) => voices.listPopularVoices(db, limit),
      findVoice: (idOrSlug: string) => voices.findVoice(db, idOrSlug),
      listCategories: () => categories.listCategories(db),
      findCategory: (idOrSlug: string) => categories.findCategory(db, idOrSlug),
      listSeries: (query: Parameters<typeof series.listSeries>[1]) => series.listSeries(db, query),
      findSeries: (idOrSlug: string) => series.findSeries(db, idOrSlug),
      findSeriesOfAudio: (audioId: string) => series.findSeriesOfAudio(db, audioId),
      listSeriesAudios: (viewer: Viewer, id: string, page: PageQuery) => series.listSeriesAudios(db, viewer, id, page),
      listPlaylists: (query: Parameters<typeof playlists.listPlaylists>[1]) => playlists.listPlaylists(db, query),
      findPlaylist: (idOrSlug: string) => playlists.findPlaylist(db, idOrSlug),
      listPlaylistAudios: (viewer: Viewer, id: string, page: PageQuery) =>
        playlists.listPlaylistAudios(db, viewer, id, page),
    },
    identity: {
      attempts: countAttempts(db),
      checkUsername: (username: string) => checkUsername(db, username),
      register: (form: Parameters<typeof accounts.register>[2]) => accounts.register(db, provider, form),
      logIn: (input: Parameters<typeof accounts.logIn>[2]) => accounts.logIn(db, provider, input),
      findMe: (userId: string) => accounts.findMe(db, userId),
      findProfile: (userId: string) => accounts.findProfile(db, provider, userId),
      findPublicProfile: (id: string) => accounts.findPublicProfile(db, id),
      updateProfile: (userId: string, change: accounts.ProfileChange) => accounts.updateProfile(db, userId, change),
      findSession,
      listSessions: (userId: string, currentId: string) => sessions.listSessions(db, userId, currentId),
      endSession: (userId: string, id: string) => sessions.endSession(db, userId, id),
      endSessionOf: (token: string) => sessions.endSessionOf(db, token),
      endAllSessions: (userId: string) => sessions.endAllSessions(db, userId),
      forgetEndedSessions: () => sessions.forgetEndedSessions(db),
      forgetOldAttempts: () => forgetOldAttempts(db),
      async changePassword(userId: string, change: Parameters<typeof accountChanges.changePassword>[3]) {
        const account = await accountChanges.findOwnAccount(db, provider, userId);
        return accountChanges.changePassword(db, provider, account, change);
      },
      async requestEmailChange(userId: string, change: { password: string; newEmail: string }) {
        const account = await accountChanges.findOwnAccount(db, provider, userId);
        return accountChanges.requestEmailChange(db, provider, account, change);
      },
      confirmEmailChange: (token: string) => accountChanges.confirmEmailChange(db, provider, token),
      async deleteAccount(userId: string, proof: accountChanges.Proof) {
        const account = await accountChanges.findOwnAccount(db, provider, userId);
        return accountChanges.deleteAccount(db, provider, account, proof, (erase) =>
          membership.withoutCharges(userId, erase),
        );
      },
      /** Files of plain JSON by name, from every area of the domain and from the provider. */
      async exportUser(userId: string): Promise<Record<string, unknown>> {
        const account = await accountChanges.findOwnAccount(db, provider, userId);
        return { ...(await exportUser(db, userId)), 'sign-in': await provider.exportOf(account.subject) };
      },
    },
    library: {
      listTopUserPlaylists: (viewer: Viewer, page: PageQuery) => userPlaylists.listTopUserPlaylists(db, viewer, page),
      listUserPlaylistsOf: (viewer: Viewer, userId: string, page: PageQuery) =>
        userPlaylists.listUserPlaylistsOf(db, viewer, userId, page),
      findUserPlaylist: (viewer: Viewer, id: string) => userPlaylists.findUserPlaylist(db, viewer, id),
      listUserPlaylistAudios: (
        viewer: Viewer,
        playlist: Pick<userPlaylists.UserPlaylist, 'id' | 'user'>,
        page: PageQuery,
      ) => userPlaylists.listUserPlaylistAudios(db, viewer, playlist, page),
      listOwnUserPlaylists: (userId: string, audioId?: string) =>
        ownPlaylists.listOwnUserPlaylists(db, userId, audioId),
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
      forgetDeletedUserPlaylists: () => ownPlaylists.forgetDeletedUserPlaylists(db),
      /** @param address of the client, for whom is not logged in */
      playUserPlaylist: (viewer: Viewer, id: string, address: string) =>
        playlistPlays.playUserPlaylist(db, viewer, id, plays.hashListener(secret, viewer, address)),
      setFavorite: (viewer: User, favorite: Parameters<typeof favorites.setFavorite>[2]) =>
        favorites.setFavorite(db, viewer, favorite),
      findFavoriteIds: (userId: string, most?: number) => favorites.findFavoriteIds(db, userId, most),
      findFavoritesAmong: (viewer: Viewer, contentTypeId: ContentTypeId, ids: string[]) =>
        favorites.findFavoritesAmong(db, viewer, contentTypeId, ids),
      findFavorites: (viewer: User, limit: number) => favoriteLists.findFavorites(db, viewer, limit),
      listFavorites: <Group extends FavoriteGroup>(viewer: User, group: Group, query: favoriteLists.FavoriteQuery) =>
        favoriteLists.listFavorites(db, viewer, group, query),
      countFavorites: (viewer: User) => favoriteLists.countFavorites(db, viewer),
      listLeftOutTags: (userId: string) => leftOutTags.listLeftOutTags(db, userId),
      setTagLeftOut: (userId: string, slug: string, isLeftOut: boolean) =>
        leftOutTags.setTagLeftOut(db, userId, slug, isLeftOut),
      findQueue: (userId: string) => savedQueue.findQueue(db, userId),
      saveQueue: (userId: string, seen: number, queue: SavedQueue) => savedQueue.saveQueue(db, userId, seen, queue),
    },
    community: {
      listComments: (viewer: Viewer, audio: Pick<audios.Audio, 'id' | 'commentsDisabled'>, page: PageQuery) =>
        comments.listComments(db, viewer, audio, page),
      listReplies: (viewer: Viewer, commentId: string, page: PageQuery) =>
        comments.listReplies(db, viewer, commentId, page),
      writeComment: (viewer: User, audioIdOrSlug: string, form: CommentForm) =>
        writing.writeComment(db, viewer, audioIdOrSlug, form),
      deleteComment: (viewer: User, id: string) => writing.deleteComment(db, viewer, id),
      reportComment: (viewer: User, id: string, report: ReportForm) => writing.reportComment(db, viewer, id, report),
      canSwitchComments: (viewer: Viewer, audio: Pick<audios.Audio, 'id'>) =>
        voiceOwners.canSwitchComments(db, viewer, audio.id),
      switchComments: (viewer: Viewer, audioId: string, commentsDisabled: boolean) =>
        voiceOwners.switchComments(db, viewer, audioId, commentsDisabled),
      setBlocked: (viewer: User, userId: string, isBlocked: boolean) =>
        blocks.setBlocked(db, viewer, userId, isBlocked),
      hasBlocked: (viewer: Viewer, userId: string) => blocks.hasBlocked(db, viewer, userId),
      listBlockedUsers: (userId: string, page: PageQuery) => blocks.listBlockedUsers(db, userId, page),
    },
    listening: {
      findPlayableFile: (viewer: Viewer, audioId: string) => media.findPlayableFile(db, viewer, audioId),
      /** @param address of the client, for whom is not logged in */
      playAudio: (viewer: Viewer, idOrSlug: string, address: string) =>
        plays.playAudio(db, viewer, idOrSlug, plays.hashListener(secret, viewer, address), countPlay),
      increaseCounter: (viewer: User, report: CounterReport) =>
        counters.increaseCounter(db, viewer, report, addSeconds),
      /** @returns the seconds as they are kept; undefined where there is no such audio */
      async saveProgress(userId: string, audioId: string, seconds: number): Promise<number | undefined> {
        const saved = await saveProgress({ userId, audioId, positionMs: Math.round(seconds * 1000) });
        return typeof saved === 'number' ? saved / 1000 : undefined;
      },
      async removeProgress(userId: string, audioId: string): Promise<void> {
        await saveProgress({ userId, audioId, positionMs: null });
      },
      findContinueListening: (viewer: Viewer, limit = 12) => progress.findContinueListening(db, viewer, limit),
      async findHistory(userId: string) {
        const [places, recentlySearch] = await Promise.all([
          history.findHistory(db, userId),
          recentTerms.listRecentTerms(db, userId),
        ]);
        return { ...places, recentlySearch };
      },
      listHistory: (userId: string, page: PageQuery) => history.listHistory(db, userId, page),
      async listRecentActivity(viewer: Viewer, limit = 20): Promise<{ audio: audios.Audio; at: Date }[]> {
        if (viewer.kind === 'visitor') return [];
        const { items } = await history.listHistory(db, viewer.id, { limit }, viewer);
        return items.map(({ audio, lastListenedAt }) => ({ audio, at: lastListenedAt }));
      },
      removeFromHistory: (userId: string, audioId: string) => history.removeFromHistory(db, userId, audioId),
      async clearHistory(userId: string): Promise<void> {
        await history.clearHistory(db, userId);
        await recentTerms.forgetTerms(db, userId);
      },
      /** What is kept only so that nothing counts twice. */
      async forgetOldMarks(): Promise<void> {
        await plays.forgetPlayMarks(db);
        await playlistPlays.forgetPlaylistPlayMarks(db);
        await counters.forgetOldReports(db, reportsKeptDays);
      },
      /** The words of an audio, for those who may hear it. */
      async findTranscript(
        viewer: Viewer,
        audio: audios.Audio,
      ): Promise<transcripts.Transcript | 'locked' | undefined> {
        if (!audio.hasTranscript) return undefined;
        return canPlay(viewer, audio) ? transcripts.findTranscript(db, audio.id) : 'locked';
      },
    },
    membership,
    editorial: {
      findInfoPage: async (name: InfoPageName) => writeInfoPage(name, await membership.findOffer()),
      listArticles: (query: BlogQuery & { limit?: number }) => articles.listArticles(db, query),
      findArticle: (idOrSlug: string) => articles.findArticle(db, idOrSlug),
      listNextArticles: (article: { id: string; topic: Topic }, limit: number) =>
        articles.listNextArticles(db, article, limit),
      listWholeArticles: (limit: number) => articles.listWholeArticles(db, limit),
    },
    search: {
      /** What is shown while someone types. */
      search: (viewer: Viewer, query: SearchQuery) => search(searching, viewer, query),
      /** With all that pages show of what they list. */
      findResults: (viewer: Viewer, query: SearchQuery) => findResults(searching, viewer, query),
      listRecentTerms: (userId: string) => recentTerms.listRecentTerms(db, userId),
      rememberTerm: (userId: string, term: string) => recentTerms.rememberTerm(db, userId, term),
      forgetTerms: (userId: string, term?: string) => recentTerms.forgetTerms(db, userId, term),
      prepare: () => searchIndex.prepare(),
      /** Something may have changed. */
      catchUp: () => searchIndex.catchUp(),
      forgetOldChanges: () => forgetOldChanges(db),
    },
    insight: {
      /** @returns whether they were kept; not when more come than the site can write */
      recordEvents: (list: InsightEvent[], viewer: Viewer) =>
        intake.record(list, viewer.kind === 'user' ? viewer.id : undefined),
      findConsent: (userId: string) => consents.findConsent(db, userId),
      async setConsent(userId: string, consent: boolean): Promise<void> {
        await consents.setConsent(db, userId, consent);
        intake.forgetIdentity(userId);
      },
      forgetOldEvents: () => events.forgetOldEvents(db, eventsKeptDays),
    },
  };
}
