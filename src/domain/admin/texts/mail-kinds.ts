import { i18n } from '#i18n';
import { feedMails } from '../../feeds/mails.ts';
import { identityMails } from '../../identity/mails.ts';
import type { MailKind } from '../../kernel/mail-text.ts';
import { importMails } from '../../membership/importing/mails.ts';
import { membershipMails } from '../../membership/mails.ts';
import { noticeMails } from '../../notices/mails.ts';
import { newsMails } from '../../notifications/mails.ts';
import { creditMails } from '../../studio/credits/mails.ts';
import { feedImportMails } from '../../studio/feed-imports/mails.ts';
import { payeeMails } from '../../studio/payees/mails.ts';
import { splitMails } from '../../studio/splits/mails.ts';
import { consentMails } from '../../verification/consent-mails.ts';
import { verificationMails } from '../../verification/mails.ts';
import { reviewMails } from '../desk/review-mails.ts';
import { accountMails } from '../people/mails.ts';
import { reportMails } from '../people/report-mails.ts';

/** Every mail whose words operators can change, by what it is about. */
export const mailGroups: { label: () => string; kinds: MailKind[] }[] = [
  {
    label: () => i18n._(/*i18n*/ { id: 'mails.accounts', message: 'Accounts' }),
    kinds: [...identityMails, ...accountMails],
  },
  {
    label: () => i18n._(/*i18n*/ { id: 'mails.membership', message: 'Subscriptions and gift cards' }),
    kinds: [...membershipMails, ...importMails],
  },
  { label: () => i18n._(/*i18n*/ { id: 'mails.feeds', message: 'Podcast feeds' }), kinds: feedMails },
  { label: () => i18n._(/*i18n*/ { id: 'mails.reports', message: 'Reported comments' }), kinds: reportMails },
  {
    label: () => i18n._(/*i18n*/ { id: 'mails.verification', message: 'Creators and performers' }),
    kinds: [...verificationMails, ...consentMails, ...creditMails, ...feedImportMails, ...splitMails, ...payeeMails],
  },
  { label: () => i18n._(/*i18n*/ { id: 'mails.notices', message: 'Notices' }), kinds: noticeMails },
  { label: () => i18n._(/*i18n*/ { id: 'mails.review', message: 'Review' }), kinds: reviewMails },
  { label: () => i18n._(/*i18n*/ { id: 'mails.news', message: 'News' }), kinds: newsMails },
];

export function findMailKind(key: string): MailKind | undefined {
  return mailGroups.flatMap(({ kinds }) => kinds).find((kind) => kind.key === key);
}
