import type { AddJobs, Mail } from '../../gateways.ts';
import { bind } from '../../kernel/bind.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import type { AccountParts } from '../admin-parts.ts';
import * as memberImports from './member-imports.ts';
import { decideReport, undoDecision } from './report-decisions.ts';
import { type FollowUpParts, followUpDecisions, notifyOfReports } from './report-follow-up.ts';
import { countOpenReports, findReport, listDecisions, listOpenReports } from './report-queue.ts';
import * as userActs from './user-acts.ts';
import * as userDeletions from './user-deletions.ts';
import { findUser, listUsers } from './users.ts';

export type ReportParts = {
  db: Db;
  site: MailSite;
  mail: Mail;
  /** Address for mails about new reports; undefined: no mails. */
  operatorEmail: string | undefined;
  renewals: Pick<FollowUpParts, 'stopRenewal' | 'resumeRenewal'>;
  isSubscribed(userId: string): Promise<boolean>;
};

/** Users and reports. */
export function openPeople(parts: AccountParts & ReportParts & { addJobs: AddJobs }) {
  return { ...openUsers(parts), ...openReports(parts), ...bind(parts, memberImports) };
}

export function openUsers(parts: AccountParts) {
  return { ...bind(parts, { ...userActs, ...userDeletions, findUser }), ...bind(parts.db, { listUsers }) };
}

export function openReports(parts: ReportParts) {
  return {
    ...bind(parts.db, { decideReport, undoDecision, countOpenReports, listDecisions, listOpenReports }),
    ...bind(parts, { findReport, notifyOfReports }),
    ...bind({ ...parts, ...parts.renewals }, { followUpDecisions }),
  };
}
