import type { Mail } from '../gateways.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import type { DecisionForm } from './forms.ts';
import * as decisions from './report-decisions.ts';
import { followUpDecisions, tellOfReports } from './report-follow-up.ts';
import * as reports from './report-queue.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

export type AdminParts = {
  db: Db;
  site: MailSite;
  mail: Mail;
  /** Who is told of reports; undefined: nobody. */
  operatorEmail: string | undefined;
  membership: {
    isSubscribed(userId: string): Promise<boolean>;
    stopRenewal(userId: string): Promise<unknown>;
    resumeRenewal(userId: string): Promise<unknown>;
  };
};

export function openAdmin({ db, site, mail, operatorEmail, membership }: AdminParts) {
  const followUp = { db, site, mail, ...membership };
  return {
    listOpenReports: (actor: Actor, page: PageQuery) => reports.listOpenReports(db, actor, page),
    countOpenReports: () => reports.countOpenReports(db),
    listDecisions: (actor: Actor, page: PageQuery) => reports.listDecisions(db, actor, page),
    findReport: (actor: Actor, commentId: string) => reports.findReport(db, actor, commentId, membership.isSubscribed),
    decideReport: (actor: Actor, commentId: string, form: DecisionForm) =>
      decisions.decideReport(db, actor, commentId, form),
    undoDecision: (actor: Actor, decisionId: string) => decisions.undoDecision(db, actor, decisionId),
    followUpDecisions: (signal?: AbortSignal) => followUpDecisions(followUp, signal),
    tellOfReports: () => tellOfReports(followUp, operatorEmail),
  };
}
