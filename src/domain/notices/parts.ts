import type { Mail } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import type { Settings } from '../settings/open-settings.ts';

export type NoticeParts = {
  db: Db;
  /** Key of the private pages' addresses. */
  secret: string;
  settings: Pick<Settings, 'read'>;
  mail: Pick<Mail, 'queue'>;
  site: MailSite;
  operatorEmail: string | undefined;
};
