import type { VoiceRole } from '../kernel/viewer.ts';
import type { Actor } from '../kernel/actor.ts';
import type { AdminParts } from './admin-parts.ts';
import { findAnything } from './find-anything.ts';
import type { AdminList } from './list-totals.ts';
import type { Subject } from '../kernel/audit.ts';
import { findLastChangeOf } from './last-change.ts';
import { countAll } from './list-totals.ts';
import type { LogFilters } from './site/log.ts';
import { exportLog, listLogAreas, listLogEntries } from './site/log.ts';
import { findOverview } from './site/overview.ts';
import type { SectionName, SectionValues } from './site/site-settings.ts';
import { changeSection, findSiteSettings } from './site/site-settings.ts';
import { openSystem } from './site/system.ts';
import type { OverviewPeriod, UserFilter } from './rules.ts';
import { addUpSite } from './site/site-days.ts';
import { sumLedger } from './money/sum-ledger.ts';
import * as acts from './people/user-acts.ts';
import { deleteDueAccounts, planDeletion, takeDeletionBack } from './people/user-deletions.ts';
import { findUser, listUsers } from './people/users.ts';

type PageOf = { cursor?: string | undefined; limit: number };

export function openAdmin(parts: AdminParts) {
  const { db } = parts;
  return {
    findOverview: (actor: Actor, period?: OverviewPeriod) => findOverview(parts, actor, period),
    addUpSite: () => addUpSite(db),
    sumLedger: (signal?: AbortSignal) => sumLedger(db, signal),
    findAnything: (actor: Actor, query: string) => findAnything(db, actor, query),
    findLastChangeOf: (actor: Actor, subject: Subject) => findLastChangeOf(db, actor, subject),
    countAll: (actor: Actor, list: AdminList, page: { items: unknown[] }) => countAll(db, actor, list, page),
    ...openSystem(parts),
    findSiteSettings: (actor: Actor) => findSiteSettings(db, actor),
    changeSection: <Name extends SectionName>(
      actor: Actor,
      name: Name,
      change: { value: SectionValues[Name]; revision: number },
    ) =>
      changeSection(
        { db, payments: parts.membership.payments, refresh: async () => parts.settings?.refresh() },
        actor,
        name,
        change,
      ),
    listLogEntries: (actor: Actor, filters: LogFilters, page: PageOf) => listLogEntries(db, actor, filters, page),
    listLogAreas: (actor: Actor) => listLogAreas(db, actor),
    exportLog: (actor: Actor, filters: LogFilters) => exportLog(db, actor, filters),
    listUsers: (actor: Actor, filter: { query?: string | undefined; filter?: UserFilter | undefined }, page: PageOf) =>
      listUsers(db, actor, filter, page),
    findUser: (actor: Actor, id: string) => findUser(parts, actor, id),
    giveMonths: (actor: Actor, userId: string, given: { months: number; reason: string; key?: string | undefined }) =>
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
    planDeletion: (actor: Actor, userId: string, why: { reason: string }) => planDeletion(parts, actor, userId, why),
    takeDeletionBack: (actor: Actor, userId: string) => takeDeletionBack(parts, actor, userId),
    deleteDueAccounts: (signal?: AbortSignal) => deleteDueAccounts(parts, signal),
  };
}
