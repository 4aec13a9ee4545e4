import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';
import { i18n } from '#i18n';
import { formatDay } from '#formats/times.ts';
import type { VoiceRole } from '../../kernel/viewer.ts';
import type { GivenTime } from '../../membership/gift-cards/operator-gifts.ts';

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

export function exportMail(site: MailSite): MailContent {
  return renderMail(site, dataExport, { link: `${site.url}/account/data` });
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

const newRole = defineMail({
  key: 'new-role',
  name: 'New role',
  when: 'To the owner of an account, when an operator makes them an admin or a moderator, or an owner or editor of a creator.',
  text: {
    subject: 'You have a new role at {site}',
    body: `{role}

[Open {area}]({link})`,
    closing: '{answer}',
  },
  placeholders: {
    role: { means: 'A sentence that names the role', sample: 'You are now an editor of Ana Bea.', isRequired: true },
    area: { means: 'Studio or Admin', sample: 'Studio' },
    link: { means: 'Where the role is used', sample: '{url}/studio', isRequired: true },
  },
  answer: { asked: 'If you did not expect this, answer this message.', otherwise: '' },
});

/** @param given a role in Admin, or in a voice */
export function newRoleMail(
  site: MailSite,
  given: 'admin' | 'moderator' | { name: string; role: VoiceRole },
): MailContent {
  if (typeof given === 'string')
    return renderMail(site, newRole, {
      role:
        given === 'admin'
          ? i18n._(/*i18n*/ { id: 'mail.now-admin', message: 'You are now an admin.' })
          : i18n._(/*i18n*/ { id: 'mail.now-moderator', message: 'You are now a moderator.' }),
      area: i18n._(/*i18n*/ { id: 'mail.admin', message: 'Admin' }),
      link: `${site.url}/admin`,
    });
  const role = i18n._(
    /*i18n*/ {
      id: 'mail.now-role',
      message: '{role, select, owner {You now own {name}.} other {You are now an editor of {name}.}}',
      values: given,
    },
  );
  const area = i18n._(/*i18n*/ { id: 'mail.studio', message: 'Studio' });
  return renderMail(site, newRole, { role, area, link: `${site.url}/studio` });
}

const givenMonths = defineMail({
  key: 'given-months',
  name: 'Given months',
  when: 'To the owner of an account, when an operator gives them free months.',
  text: {
    subject: 'You have been given {months}',
    body: `You have been given {months} of unlimited listening. {effect}

[Open your account]({link})`,
    closing: 'You do not need to do anything.',
  },
  placeholders: {
    months: { means: 'The number of months', sample: '2 months', isRequired: true },
    effect: { means: 'A sentence with the day until which they last', sample: 'They last until 29 January 2027.' },
    link: { means: 'The subscription in the account', sample: '{url}/account/subscription' },
  },
});

export function givenMonthsMail(site: MailSite, months: number, given: GivenTime): MailContent {
  const effect =
    'giftUntil' in given
      ? i18n._(
          /*i18n*/ {
            id: 'mail.time-lasts',
            message: 'Your time lasts until {day}.',
            values: { day: formatDay(given.giftUntil) },
          },
        )
      : i18n._(
          /*i18n*/ {
            id: 'mail.charge-moves',
            message: 'Your next charge moves to {day}.',
            values: { day: formatDay(given.nextChargeAt) },
          },
        );
  const link = `${site.url}/account/subscription`;
  const count = i18n._(
    /*i18n*/ {
      id: 'mail.given-months',
      message: '{months, plural, one {# month} other {# months}}',
      values: { months },
    },
  );
  return renderMail(site, givenMonths, { months: count, effect, link });
}

export const accountMails = [dataExport, deletion, keptAccount, newRole, givenMonths];
