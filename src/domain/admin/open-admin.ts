import type { AddJobs } from '../gateways.ts';
import { bind } from '../kernel/bind.ts';
import type { AccountParts, SiteAdminParts } from './admin-parts.ts';
import { type ContentParts, openContent } from './content/open-content.ts';
import { findAnything } from './find-anything.ts';
import { findLastChangeOf } from './last-change.ts';
import { countAll } from './list-totals.ts';
import { openDesk } from './desk/open-desk.ts';
import type { NoticeParts } from '../notices/parts.ts';
import { openMoney } from './money/open-money.ts';
import { type ReportParts, openPeople } from './people/open-people.ts';
import { openSiteAdmin } from './site/open-site-admin.ts';
import { type TextParts, openTexts } from './texts/open-texts.ts';

/** Operators' acts, in the same six groups as the API, the routes and the menu. */
export function openAdmin(
  parts: AccountParts &
    ContentParts &
    ReportParts &
    SiteAdminParts &
    TextParts & {
      /** For work that a scheduled job finds too; never rejects. */
      addJobsOrWarn: AddJobs;
      notices: NoticeParts;
    },
) {
  return {
    ...bind(parts.db, { countAll, findAnything, findLastChangeOf }),
    content: openContent({ ...parts, addJobs: parts.addJobsOrWarn }),
    texts: openTexts(parts),
    desk: openDesk(parts.notices),
    people: openPeople({ ...parts, addJobs: parts.addJobsOrWarn }),
    money: openMoney(parts.membership, parts.addJobs),
    site: openSiteAdmin(parts),
  };
}
