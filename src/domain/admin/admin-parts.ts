import type { Blobs, Covers, Mail } from '../gateways.ts';
import type { IdentityParts } from '../identity/parts.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import type { MembershipParts } from '../membership/customers.ts';
import type { openSearch } from '../search/open-search.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { Operations } from './operations.ts';

/** Dependencies of operators' acts on accounts. */
export type AccountParts = {
  db: Db;
  identity: IdentityParts;
  membership: MembershipParts;
  mail: Mail;
  site: MailSite;
};

/** Dependencies of what Admin shows and changes of the site itself. */
export type SiteAdminParts = {
  db: Db;
  blobs: Blobs;
  covers: Covers;
  membership: Pick<MembershipParts, 'payments'>;
  search?: Pick<ReturnType<typeof openSearch>, 'rebuild' | 'state'> | undefined;
  settings?: Pick<Settings, 'refresh'> | undefined;
  /** Undefined outside the site process. */
  operations?: Operations | undefined;
};
