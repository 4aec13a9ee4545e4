import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { renderEmail } from '../kernel/email-template.ts';
import { formatDay } from '../kernel/rules.ts';

/** Mails about what an operator did to an account. */

export function exportMail(site: MailSite, { link }: { link: string }): MailContent {
  return renderEmail(site, {
    subject: 'Your data is ready to download',
    paragraphs: [
      `You can download everything that ${site.name} has stored about your account, as a ZIP file.`,
      'The page asks you to log in: nobody else can open it.',
    ],
    action: { label: 'Download your data', url: link },
    closing: 'If you did not ask for it, there is nothing to do.',
  });
}

export function deletionMail(site: MailSite, { dueAt }: { dueAt: Date }): MailContent {
  return renderEmail(site, {
    subject: 'Your account will be deleted',
    paragraphs: [
      `Your account at ${site.name} will be deleted on ${formatDay(dueAt)}, with everything that belongs to it. A subscription ends then.`,
      'Until then you can log in and download your data.',
    ],
    action: { label: 'Download your data', url: `${site.url}/account/data` },
    closing: 'If this is a mistake, answer this message before that day.',
  });
}

export function keptAccountMail(site: MailSite): MailContent {
  return renderEmail(site, {
    subject: 'Your account stays',
    paragraphs: [`Your account at ${site.name} will not be deleted. Everything is as it was.`],
    closing: 'There is nothing to do.',
  });
}
