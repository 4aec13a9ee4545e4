import { formatDay } from '#formats/times.ts';
import { i18n } from '#i18n';
import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';

/** Mail to members whom an operator brings in. */

const importedMember = defineMail({
  key: 'imported-member',
  name: 'Membership moved here',
  when: 'To a member whom an operator imports, when their account is made.',
  text: {
    subject: 'Your membership is at {site} now',
    body: `Your membership has moved to {site}, with this email address. {time} You do not have to pay anything now.

Set a password and choose a name to log in. {validity}

[{verb}]({link})`,
    closing: 'If you do not know of any membership, you can ignore this mail.',
  },
  placeholders: {
    time: {
      means: 'A sentence about what is paid',
      sample: 'It is paid until 31 March 2027.',
      isRequired: true,
    },
    validity: {
      means: 'How long the link works, and what to do afterwards',
      sample: 'The link works for 14 days; after that, choose “Forgot your password?”.',
    },
    verb: { means: 'What the link does', sample: 'Set a password' },
    link: { means: 'Where the password is set', sample: '{url}/reset-password?token=sample', isRequired: true },
  },
});

/**
 * @param link where the password is set; undefined: the owner asks for it on the site
 * @param paidUntil null: their subscription goes on
 */
export function importedMemberMail(
  site: MailSite,
  { link, paidUntil }: { link: string | undefined; paidUntil: Date | null },
): MailContent {
  const time =
    paidUntil === null
      ? i18n._(/*i18n*/ { id: 'mail.imported-goes-on', message: 'Your subscription goes on as it is.' })
      : i18n._(
          /*i18n*/ {
            id: 'mail.imported-until',
            message: 'It is paid until {day}.',
            values: { day: formatDay(new Date(paidUntil.getTime() - 1)) },
          },
        );
  const verb =
    link === undefined
      ? i18n._(/*i18n*/ { id: 'mail.imported-open', message: 'Open the site' })
      : i18n._(/*i18n*/ { id: 'mail.imported-set', message: 'Set a password' });
  const validity =
    link === undefined
      ? i18n._(/*i18n*/ { id: 'mail.imported-ask', message: 'There, choose “Log in”, then “Forgot your password?”.' })
      : i18n._(
          /*i18n*/ {
            id: 'mail.imported-validity',
            message: 'The link works for 14 days; after that, choose “Forgot your password?”.',
          },
        );
  return renderMail(site, importedMember, { time, validity, verb, link: link ?? site.url });
}

export const importMails = [importedMember];
