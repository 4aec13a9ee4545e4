import type { VoiceRole } from '../kernel/actor.ts';
import type { Actor } from '../kernel/actor.ts';
import type { AdminParts } from './admin-parts.ts';
import { findAnything } from './find-anything.ts';
import type { LogFilters } from './log.ts';
import { exportLog, listLogAreas, listLogEntries } from './log.ts';
import { findOverview } from './overview.ts';
import type { UserFilter } from './rules.ts';
import * as acts from './user-acts.ts';
import { findUser, listUsers } from './users.ts';
import * as decisions from './report-decisions.ts';
import { followUpDecisions, tellOfReports } from './report-follow-up.ts';
import * as reports from './report-queue.ts';
import * as categories from './categories.ts';
import type * as forms from './forms.ts';
import * as playlists from './house-playlists.ts';
import * as tags from './tags.ts';
import * as voices from './voices.ts';

type PageOf = { cursor?: string | undefined; limit: number };

export function openAdmin(parts: AdminParts) {
  const { db, site, mail, operatorEmail, renewals } = parts;
  const followUp = { db, site, mail, ...renewals };
  return {
    findOverview: (actor: Actor) => findOverview(parts, actor),
    findAnything: (actor: Actor, query: string) => findAnything(db, actor, query),
    listLogEntries: (actor: Actor, filters: LogFilters, page: PageOf) => listLogEntries(db, actor, filters, page),
    listLogAreas: (actor: Actor) => listLogAreas(db, actor),
    exportLog: (actor: Actor, filters: LogFilters) => exportLog(db, actor, filters),
    listUsers: (actor: Actor, of: { query?: string | undefined; filter?: UserFilter | undefined }, page: PageOf) =>
      listUsers(db, actor, of, page),
    findUser: (actor: Actor, id: string) => findUser(parts, actor, id),
    giveMonths: (actor: Actor, userId: string, given: { months: number; reason: string }) =>
      acts.giveMonths(parts, actor, userId, given),
    takeMonthsBack: (actor: Actor, userId: string) => acts.takeMonthsBack(parts, actor, userId),
    suspendUser: (actor: Actor, userId: string, how: { reason: string; paysBack: boolean }) =>
      acts.suspendUser(parts, actor, userId, how),
    liftSuspension: (actor: Actor, userId: string) => acts.liftSuspension(parts, actor, userId),
    setAdminRole: (actor: Actor, userId: string, isAdmin: boolean) => acts.setAdminRole(parts, actor, userId, isAdmin),
    setVoiceRole: (actor: Actor, userId: string, voiceSlug: string, role: VoiceRole | null) =>
      acts.setVoiceRole(parts, actor, userId, voiceSlug, role),
    endSessionsOf: (actor: Actor, userId: string) => acts.endSessionsOf(parts, actor, userId),
    sendPasswordReset: (actor: Actor, userId: string) => acts.sendPasswordReset(parts, actor, userId),
    sendExport: (actor: Actor, userId: string) => acts.sendExport(parts, actor, userId),
    resetSecondFactor: (actor: Actor, userId: string) => acts.resetSecondFactorOf(parts, actor, userId),
    planDeletion: (actor: Actor, userId: string, why: { reason: string }) =>
      acts.planDeletion(parts, actor, userId, why),
    takeDeletionBack: (actor: Actor, userId: string) => acts.takeDeletionBack(parts, actor, userId),
    deleteDueAccounts: (signal?: AbortSignal) => acts.deleteDueAccounts(parts, signal),
    listOpenReports: (actor: Actor, page: PageOf) => reports.listOpenReports(db, actor, page),
    countOpenReports: () => reports.countOpenReports(db),
    listDecisions: (actor: Actor, page: PageOf) => reports.listDecisions(db, actor, page),
    findReport: (actor: Actor, commentId: string) => reports.findReport(db, actor, commentId, renewals.isSubscribed),
    decideReport: (actor: Actor, commentId: string, form: forms.DecisionForm) =>
      decisions.decideReport(db, actor, commentId, form),
    undoDecision: (actor: Actor, decisionId: string) => decisions.undoDecision(db, actor, decisionId),
    followUpDecisions: (signal?: AbortSignal) => followUpDecisions(followUp, signal),
    tellOfReports: () => tellOfReports(followUp, operatorEmail),
    listVoices: (actor: Actor, query: Parameters<typeof voices.listAdminVoices>[2]) =>
      voices.listAdminVoices(db, actor, query),
    findVoice: (actor: Actor, id: string) => voices.findAdminVoice(db, actor, id),
    createVoice: (actor: Actor, form: forms.VoiceForm) => voices.createAdminVoice(db, actor, form),
    editVoice: (actor: Actor, id: string, edit: forms.VoiceEdit) => voices.editAdminVoice(db, actor, id, edit),
    setOwner: (actor: Actor, id: string, form: { account: string; isOwner: boolean }) =>
      voices.setOwnerByName(db, actor, id, form),
    mergeVoice: (actor: Actor, id: string, form: { into: string; name: string }) =>
      voices.mergeVoice(db, actor, id, form),
    listCategories: (actor: Actor) => categories.listAdminCategories(db, actor),
    createCategory: (actor: Actor, form: forms.CategoryForm) => categories.createCategory(db, actor, form),
    editCategory: (actor: Actor, id: string, edit: forms.CategoryEdit) => categories.editCategory(db, actor, id, edit),
    orderCategories: (actor: Actor, ids: string[]) => categories.orderCategories(db, actor, ids),
    deleteCategory: (actor: Actor, id: string, name: string) => categories.deleteCategory(db, actor, id, name),
    listTags: (actor: Actor, query: Parameters<typeof tags.listAdminTags>[2]) => tags.listAdminTags(db, actor, query),
    renameTag: (actor: Actor, id: string, label: string) => tags.renameTag(db, actor, id, label),
    mergeTag: (actor: Actor, id: string, into: string) => tags.mergeTag(db, actor, id, into),
    deleteTag: (actor: Actor, id: string) => tags.deleteTag(db, actor, id),
    listPlaylists: (actor: Actor) => playlists.listHousePlaylists(db, actor),
    listDeletedPlaylists: (actor: Actor) => playlists.listDeletedPlaylists(db, actor),
    findPlaylist: (actor: Actor, id: string) => playlists.findHousePlaylist(db, actor, id),
    findListableAudios: (actor: Actor, q: string, limit: number) => playlists.findListableAudios(db, actor, q, limit),
    createPlaylist: (actor: Actor, form: forms.PlaylistForm) => playlists.createHousePlaylist(db, actor, form),
    editPlaylist: (actor: Actor, id: string, edit: forms.PlaylistEdit) =>
      playlists.editHousePlaylist(db, actor, id, edit),
    setPlaylistAudios: (actor: Actor, id: string, form: forms.PlaylistAudiosForm) =>
      playlists.setPlaylistAudios(db, actor, id, form),
    orderPlaylists: (actor: Actor, ids: string[]) => playlists.orderHousePlaylists(db, actor, ids),
    deletePlaylist: (actor: Actor, id: string) => playlists.deleteHousePlaylist(db, actor, id),
    restorePlaylist: (actor: Actor, id: string) => playlists.restoreHousePlaylist(db, actor, id),
    purgeDeletedPlaylists: () => playlists.purgeDeletedPlaylists(db),
  };
}
