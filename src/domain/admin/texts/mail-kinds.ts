import { feedMails } from '../../feeds/mails.ts';
import { identityMails } from '../../identity/mails.ts';
import type { MailKind } from '../../kernel/mail-text.ts';
import { membershipMails } from '../../membership/mails.ts';
import { newsMails } from '../../notifications/mails.ts';
import { accountMails } from '../people/mails.ts';
import { reportMails } from '../people/report-mails.ts';

/** Every mail whose words operators can change, by what it is about. */
export const mailGroups: { label: string; kinds: MailKind[] }[] = [
  { label: 'Accounts', kinds: [...identityMails, ...accountMails] },
  { label: 'Subscriptions and gift cards', kinds: membershipMails },
  { label: 'Podcast feeds', kinds: feedMails },
  { label: 'Reported comments', kinds: reportMails },
  { label: 'News', kinds: newsMails },
];

export function findMailKind(key: string): MailKind | undefined {
  return mailGroups.flatMap(({ kinds }) => kinds).find((kind) => kind.key === key);
}
