import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { renderEmail } from '../kernel/email-template.ts';

/** Mails about an account. */

export function resetPasswordMail(site: MailSite, { link }: { link: string }): MailContent {
  return renderEmail(site, {
    subject: 'Set a new password',
    paragraphs: [
      `Somebody, hopefully you, asked for a new password for your account at ${site.name}.`,
      'This link lets you set one. It can be used once, within an hour.',
    ],
    action: { label: 'Set a new password', url: link },
    closing: 'If it was not you, there is nothing to do: your password stays as it is.',
  });
}

export function confirmEmailMail(site: MailSite, { link }: { link: string }): MailContent {
  return renderEmail(site, {
    subject: 'Confirm your new email address',
    paragraphs: [
      `This address is to become the one of an account at ${site.name}.`,
      'Follow the link to confirm it. It can be used once, within an hour; until then nothing changes.',
    ],
    action: { label: 'Confirm this address', url: link },
    closing: 'If it was not you, there is nothing to do.',
  });
}

/** To the old address, whose owner can still object. */
export function emailChangedMail(site: MailSite, { newEmail }: { newEmail: string }): MailContent {
  return renderEmail(site, {
    subject: 'Your email address was changed',
    paragraphs: [
      `Your account at ${site.name} now has the address ${partlyHidden(newEmail)}. This one no longer belongs to it.`,
    ],
    closing: 'If it was not you, please answer this message at once.',
  });
}

/** To the owner of an address that someone else tries to use for another account. */
export function addressTakenMail(site: MailSite): MailContent {
  return renderEmail(site, {
    subject: 'Your address has an account already',
    paragraphs: [
      `Somebody, hopefully you, wanted to use this address for an account at ${site.name}. It belongs to one already, so nothing was changed.`,
      'To use that account, log in with this address. If you no longer know the password, you can set a new one there.',
    ],
    action: { label: `Open ${site.name}`, url: site.url },
    closing: 'If it was not you, there is nothing to do.',
  });
}

export function passwordChangedMail(site: MailSite): MailContent {
  return renderEmail(site, {
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${site.name} was changed, and everyone who was logged in with the old one was logged out.`,
    ],
    closing: `If it was not you, set a new password at once: choose "Log in" at ${site.url}, then "Forgot your password?".`,
  });
}

/** Recognizable to its owner but not to others who read the old mailbox: `n…@example.org`. */
function partlyHidden(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}…${email.slice(at)}`;
}
