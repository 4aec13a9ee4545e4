import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';

/** Mails about an account. */

export const resetPassword = defineMail({
  key: 'reset-password',
  name: 'New password',
  when: 'To the owner of an account, after someone asked to reset its password.',
  text: {
    subject: 'Set a new password',
    body: `Someone, hopefully you, asked for a new password for your account at {site}.

This link lets you set one. It can be used once, within an hour.

[Set a new password]({link})`,
    closing: 'If it was not you, you can ignore this mail. Your password does not change.',
  },
  placeholders: {
    link: { means: 'Where the password is set', sample: '{url}/reset-password?token=sample', isRequired: true },
  },
});

export const confirmEmail = defineMail({
  key: 'confirm-email',
  name: 'New email address, to confirm',
  when: 'To the new address, before it becomes that of the account.',
  text: {
    subject: 'Confirm your new email address',
    body: `Someone, hopefully you, wants to use this address for an account at {site}.

Follow the link to confirm it. It can be used once, within an hour; until then nothing changes.

[Confirm this address]({link})`,
    closing: 'If it was not you, you can ignore this mail.',
  },
  placeholders: {
    link: { means: 'Where the address is confirmed', sample: '{url}/confirm-email?token=sample', isRequired: true },
  },
});

const emailChanged = defineMail({
  key: 'email-changed',
  name: 'Email address changed',
  when: 'To the old address, so that its owner can object.',
  text: {
    subject: 'Your email address was changed',
    body: 'Your account at {site} now has the address {newEmail}. This one no longer belongs to it.',
    closing: '{answer}',
  },
  placeholders: { newEmail: { means: 'The new address, partly hidden', sample: 'n…@example.org' } },
  answer: {
    asked: 'If it was not you, please answer this message at once.',
    otherwise:
      'If it was not you, open {url}/account at once on a device where you are still logged in, and change the email address back and your password.',
  },
});

export function emailChangedMail(site: MailSite, { newEmail }: { newEmail: string }): MailContent {
  return renderMail(site, emailChanged, { newEmail: partlyHidden(newEmail) });
}

export const addressTaken = defineMail({
  key: 'address-taken',
  name: 'Address has an account already',
  when: 'To the owner of an address that someone tries to use for another account.',
  text: {
    subject: 'You already have an account',
    body: `Someone, hopefully you, wanted to use this address for an account at {site}. It already belongs to an account, so nothing was changed.

To use that account, log in with this address. If you no longer know the password, you can set a new one there.

[Open {site}]({link})`,
    closing: 'If it was not you, you can ignore this mail.',
  },
  placeholders: { link: { means: 'Address of the site', sample: '{url}' } },
});

export const passwordChanged = defineMail({
  key: 'password-changed',
  name: 'Password changed',
  when: 'To the owner of an account, after its password was changed.',
  text: {
    subject: 'Your password was changed',
    body: 'The password of your account at {site} was changed, and everyone who was logged in with the old one was logged out.',
    closing: 'If it was not you, set a new password at once: choose "Log in" at {url}, then "Forgot your password?".',
  },
  placeholders: {},
});

export const identityMails = [resetPassword, confirmEmail, emailChanged, addressTaken, passwordChanged];

/** Recognizable to its owner but not to others who read the old mailbox: `n…@example.org`. */
function partlyHidden(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}…${email.slice(at)}`;
}
