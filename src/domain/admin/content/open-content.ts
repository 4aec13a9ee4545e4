import type { Mail } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import * as categories from './categories.ts';
import * as groups from './deleted-groups.ts';
import type * as forms from '../forms.ts';
import * as playlistChanges from './house-playlist-changes.ts';
import * as playlists from './house-playlists.ts';
import { findPlaylistPlaces } from './playlist-places.ts';
import * as decisions from '../people/report-decisions.ts';
import { followUpDecisions, notifyOfReports } from '../people/report-follow-up.ts';
import type { FollowUpParts } from '../people/report-follow-up.ts';
import * as reports from '../people/report-queue.ts';
import * as tags from './tags.ts';
import * as voices from '../people/voices.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

export type ContentParts = {
  db: Db;
  site: MailSite;
  mail: Mail;
  /** Address for mails about new reports; undefined: no mails. */
  operatorEmail: string | undefined;
  membership: Pick<FollowUpParts, 'stopRenewal' | 'resumeRenewal'> & {
    isSubscribed(userId: string): Promise<boolean>;
  };
};

export function openContent({ db, site, mail, operatorEmail, membership }: ContentParts) {
  const followUp = { db, site, mail, ...membership };
  return {
    listOpenReports: (actor: Actor, page: PageQuery) => reports.listOpenReports(db, actor, page),
    countOpenReports: () => reports.countOpenReports(db),
    listDecisions: (actor: Actor, page: PageQuery) => reports.listDecisions(db, actor, page),
    findReport: (actor: Actor, commentId: string) => reports.findReport(db, actor, commentId, membership.isSubscribed),
    decideReport: (actor: Actor, commentId: string, form: forms.DecisionForm) =>
      decisions.decideReport(db, actor, commentId, form),
    undoDecision: (actor: Actor, decisionId: string) => decisions.undoDecision(db, actor, decisionId),
    followUpDecisions: (signal?: AbortSignal) => followUpDecisions(followUp, signal),
    notifyOfReports: () => notifyOfReports(followUp, operatorEmail),
    listVoices: (actor: Actor, query: Parameters<typeof voices.listAdminVoices>[2]) =>
      voices.listAdminVoices(db, actor, query),
    findVoiceChoices: (actor: Actor, q: string, limit: number) => voices.findVoiceChoices(db, actor, q, limit),
    findVoice: (actor: Actor, id: string) => voices.findAdminVoice(db, actor, id),
    createVoice: (actor: Actor, form: forms.VoiceForm) => voices.createAdminVoice(db, actor, form),
    editVoice: (actor: Actor, id: string, edit: forms.VoiceEdit) => voices.editAdminVoice(db, actor, id, edit),
    setOwner: (actor: Actor, id: string, form: { account: string; isOwner: boolean }) =>
      voices.setOwnerByName(db, actor, id, form),
    mergeVoice: (actor: Actor, id: string, form: { into: string; name: string }) =>
      voices.mergeVoice(db, actor, id, form),
    deleteVoice: (actor: Actor, id: string, name: string) => groups.deleteGroup(db, actor, 'voice', id, name),
    restoreVoice: (actor: Actor, id: string) => groups.restoreGroup(db, actor, 'voice', id),
    listDeletedVoices: (actor: Actor) => groups.listDeletedGroups(db, actor, 'voice'),
    listCategories: (actor: Actor) => categories.listAdminCategories(db, actor),
    listCategoryChoices: (actor: Actor) => categories.listCategoryChoices(db, actor),
    createCategory: (actor: Actor, form: forms.CategoryForm) => categories.createCategory(db, actor, form),
    editCategory: (actor: Actor, id: string, edit: forms.CategoryEdit) => categories.editCategory(db, actor, id, edit),
    orderCategories: (actor: Actor, order: forms.OrderForm) => categories.orderCategories(db, actor, order),
    deleteCategory: (actor: Actor, id: string, name: string) => groups.deleteGroup(db, actor, 'category', id, name),
    restoreCategory: (actor: Actor, id: string) => groups.restoreGroup(db, actor, 'category', id),
    listDeletedCategories: (actor: Actor) => groups.listDeletedGroups(db, actor, 'category'),
    listTags: (actor: Actor, query: Parameters<typeof tags.listAdminTags>[2]) => tags.listAdminTags(db, actor, query),
    findTagChoices: (actor: Actor, q: string, limit: number) => tags.findTagChoices(db, actor, q, limit),
    findTag: (actor: Actor, id: string) => tags.findAdminTag(db, actor, id),
    renameTag: (actor: Actor, id: string, form: forms.TagForm) => tags.renameTag(db, actor, id, form),
    mergeTag: (actor: Actor, id: string, into: string) => tags.mergeTag(db, actor, id, into),
    deleteTag: (actor: Actor, id: string) => tags.deleteTag(db, actor, id),
    findPlaylistPlaces: (actor: Actor, id: string, rails: Parameters<typeof findPlaylistPlaces>[3]) =>
      findPlaylistPlaces(db, actor, id, rails),
    listPlaylists: (actor: Actor) => playlists.listHousePlaylists(db, actor),
    listPlaylistChoices: (actor: Actor) => playlists.listPlaylistChoices(db, actor),
    listDeletedPlaylists: (actor: Actor) => playlists.listDeletedPlaylists(db, actor),
    findPlaylist: (actor: Actor, id: string) => playlists.findHousePlaylist(db, actor, id),
    findListableAudios: (actor: Actor, q: string, limit: number) => playlists.findListableAudios(db, actor, q, limit),
    createPlaylist: (actor: Actor, form: forms.PlaylistForm) => playlistChanges.createHousePlaylist(db, actor, form),
    editPlaylist: (actor: Actor, id: string, edit: forms.PlaylistEdit) =>
      playlistChanges.editHousePlaylist(db, actor, id, edit),
    setPlaylistAudios: (actor: Actor, id: string, form: forms.PlaylistAudiosForm) =>
      playlistChanges.setPlaylistAudios(db, actor, id, form),
    orderPlaylists: (actor: Actor, order: forms.OrderForm) => playlistChanges.orderHousePlaylists(db, actor, order),
    deletePlaylist: (actor: Actor, id: string) => playlistChanges.deleteHousePlaylist(db, actor, id),
    restorePlaylist: (actor: Actor, id: string) => playlistChanges.restoreHousePlaylist(db, actor, id),
  };
}
