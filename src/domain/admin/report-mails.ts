import type { DecisionVerb } from '../community/rules.ts';
import { warningDays } from '../community/rules.ts';
import type { EmailTemplate, MailContent, MailSite } from '../kernel/email-template.ts';
import { renderEmail } from '../kernel/email-template.ts';
import { countOf } from '../kernel/rules.ts';

/** Mails about decisions on reported comments. None of them names who reported what. */

type Decided = { verb: DecisionVerb; audioTitle: string; text: string };

const letter = (site: MailSite, content: EmailTemplate): MailContent => renderEmail(site, content);

const rules = (site: MailSite) =>
  `Comments on ${site.name} have to be kind to the person who reads. The terms say more:`;
const answer = 'If you think that this is wrong, answer this message.';

/** Undefined where the author has nothing to know: the comment stayed. */
export function authorMail(site: MailSite, { verb, audioTitle, text }: Decided): MailContent | undefined {
  if (verb === 'keep') return undefined;
  const said = `Under “${audioTitle}” you wrote: “${shorten(text)}”`;
  const action = { label: 'Read the terms', url: `${site.url}/terms` };
  if (verb === 'suspend')
    return letter(site, {
      subject: `Your account at ${site.name} is suspended`,
      paragraphs: [
        said,
        'The comment was reported and removed, and your account is suspended: you cannot log in. A running subscription is not renewed.',
        rules(site),
      ],
      action,
      closing: answer,
    });
  return letter(site, {
    subject: verb === 'warn' ? 'A warning about a comment of yours' : 'A comment of yours was removed',
    paragraphs: [
      said,
      verb === 'warn'
        ? `The comment was reported and removed. This is a warning: another one within ${countOf(warningDays, 'day')} can lead to a suspension of your account.`
        : 'The comment was reported and removed. Nobody sees it any more.',
      rules(site),
    ],
    action,
    closing: answer,
  });
}

export function reporterMail(site: MailSite, { verb, audioTitle }: Decided): MailContent {
  const stays = verb === 'keep';
  return letter(site, {
    subject: stays ? 'The comment you reported stays' : 'The comment you reported was removed',
    paragraphs: [
      `You reported a comment under “${audioTitle}”. Thank you: every report is read.`,
      stays
        ? 'It does not break the rules for comments, so it stays. To see no more of its author, block them on their profile.'
        : 'It broke the rules for comments, so it was removed for everyone.',
    ],
    closing: 'Nobody learns who reported what.',
  });
}

export function ownerMail(site: MailSite, { verb, audioTitle, text }: Decided): MailContent {
  const outcomes: Record<DecisionVerb, string> = {
    keep: 'It stays: it does not break the rules for comments. You can hide it in the Studio.',
    remove: 'It was removed for everyone.',
    warn: 'It was removed for everyone, and its author was warned.',
    suspend: 'It was removed for everyone, and the account of its author is suspended.',
  };
  return letter(site, {
    subject: `A reported comment under “${audioTitle}”`,
    paragraphs: [`This comment was reported: “${shorten(text)}”`, outcomes[verb]],
    closing: 'You get this message because you own the audio.',
  });
}

/** To the author, after mails about the decision were sent. */
export function undoneMail(site: MailSite, { verb, audioTitle }: Decided): MailContent | undefined {
  if (verb === 'keep') return undefined;
  return letter(site, {
    subject: 'A decision about your comment was taken back',
    paragraphs: [
      `We looked again at your comment under “${audioTitle}”, and took our decision back.`,
      ...(verb === 'warn' ? ['The warning no longer counts.'] : []),
      ...(verb === 'suspend' ? ['Your account is open again: you can log in.'] : []),
    ],
    closing: answer,
  });
}

/** To the operator, at most once an hour. */
export function waitingMail(site: MailSite, { waiting, held }: { waiting: number; held: number }): MailContent {
  return letter(site, {
    subject: `${countOf(waiting, 'reported comment')} to decide`,
    paragraphs: [
      `${countOf(waiting, 'reported comment waits', 'reported comments wait')} for a decision at ${site.name}.`,
      ...(held === 0 ? [] : [`${countOf(held, 'of them is', 'of them are')} hidden until then.`]),
    ],
    action: { label: 'See the reports', url: `${site.url}/admin/reports` },
    closing: 'This mail comes at most once an hour, and only after a new report.',
  });
}

/** Characters quoted of a comment. */
const quoted = 200;

function shorten(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length <= quoted
    ? characters.join('')
    : `${characters
        .slice(0, quoted - 1)
        .join('')
        .trimEnd()}…`;
}
