import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';
import { formatDay } from '#formats/times.ts';

/** Mails about what an operator did to an account. */

const dataExport = defineMail({
  key: 'data-export',
  name: 'Own data to download',
  when: 'To the owner of an account, when an operator sends them their data.',
  text: {
    subject: 'Your data is ready to download',
    body: `You can download everything that {site} has stored about your account, as a ZIP file.

The page asks you to log in: nobody else can open it.

[Download your data]({link})`,
    closing: 'If you did not ask for it, you can ignore this mail.',
  },
  placeholders: { link: { means: 'Where the data is', sample: '{url}/account/data', isRequired: true } },
});

export function exportMail(site: MailSite, values: { link: string }): MailContent {
  return renderMail(site, dataExport, values);
}

const deletion = defineMail({
  key: 'account-deletion',
  name: 'Account will be deleted',
  when: 'To the owner of an account, when an operator plans its deletion.',
  text: {
    subject: 'Your account will be deleted',
    body: `Your account at {site} will be deleted on {day}, with everything that belongs to it. A subscription ends then.

Until then you can log in and download your data.

[Download your data]({link})`,
    closing: '{answer}',
  },
  placeholders: {
    day: { means: 'The day of the deletion', sample: '29 November 2026', isRequired: true },
    link: { means: 'Where the data can be downloaded', sample: '{url}/account/data' },
  },
  answer: { asked: 'If this is a mistake, answer this message before that day.', otherwise: '' },
});

export function deletionMail(site: MailSite, { dueAt }: { dueAt: Date }): MailContent {
  return renderMail(site, deletion, { day: formatDay(dueAt), link: `${site.url}/account/data` });
}

const keptAccount = defineMail({
  key: 'account-kept',
  name: 'Account stays',
  when: 'To the owner of an account, when its planned deletion was taken back.',
  text: {
    subject: 'Your account will not be deleted',
    body: 'Your account at {site} will not be deleted. Nothing was changed.',
    closing: 'You do not need to do anything.',
  },
  placeholders: {},
});

export function keptAccountMail(site: MailSite): MailContent {
  return renderMail(site, keptAccount, {});
}

export const accountMails = [dataExport, deletion, keptAccount];
