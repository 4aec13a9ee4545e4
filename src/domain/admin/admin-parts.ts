import type { Mail } from '../gateways.ts';
import type { IdentityParts } from '../identity/parts.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import type { MembershipParts } from '../membership/customers.ts';
import type { openSearch } from '../search/open-search.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { Operations } from './operations.ts';

/** Dependencies of Admin. */
export type AdminParts = {
  db: Db;
  identity: IdentityParts;
  membership: MembershipParts;
  mail: Mail;
  site: MailSite;
  /** Undefined on the command line. */
  search?: Pick<ReturnType<typeof openSearch>, 'rebuild' | 'state'> | undefined;
  /** Undefined on the command line, where nothing is kept in memory. */
  settings?: Pick<Settings, 'refresh'> | undefined;
  /** Undefined outside the site process, such as on the command line. */
  operations?: Operations | undefined;
};
