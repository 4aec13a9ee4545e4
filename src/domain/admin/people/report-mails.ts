import { type DecisionVerb, warningDays } from '../../community/rules.ts';
import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { defineMail, renderMail } from '../../kernel/mail-text.ts';
import { i18n } from '#i18n';
import { countOf } from '#formats/numbers.ts';

/** Mails about decisions on reported comments. None of them names who reported what. */

type Decided = { verb: DecisionVerb; audioTitle: string; text: string };

const audio = { means: 'Title of the audio', sample: 'Bright Star' };
const comment = { means: 'Beginning of the comment', sample: 'Nobody should have to listen to this.' };
const terms = { means: 'The terms', sample: '{url}/terms' };

const rules = `Comments on {site} have to be kind to the person who reads. The terms say more:

[Read the terms]({link})`;
const answer = { asked: 'If you think that this is a mistake, reply to this message.', otherwise: '' };

const authorMails = {
  remove: defineMail({
    key: 'comment-removed',
    name: 'Comment removed, to its author',
    when: 'When a reported comment was removed.',
    text: {
      subject: 'Your comment was removed',
      body: `Under “{audio}” you wrote: “{comment}”

The comment was reported and removed. Nobody sees it any more.

${rules}`,
      closing: '{answer}',
    },
    placeholders: { audio, comment, link: terms },
    answer,
  }),
  warn: defineMail({
    key: 'comment-warning',
    name: 'Warning, to the author of a comment',
    when: 'When a reported comment was removed and its author warned.',
    text: {
      subject: 'A warning about your comment',
      body: `Under “{audio}” you wrote: “{comment}”

The comment was reported and removed. This is a warning: another one within {days} can lead to a suspension of your account.

${rules}`,
      closing: '{answer}',
    },
    placeholders: {
      audio,
      comment,
      link: terms,
      days: { means: 'How long a warning counts', sample: countOf(warningDays, 'day') },
    },
    answer,
  }),
  suspend: defineMail({
    key: 'comment-suspension',
    name: 'Suspension, to the author of a comment',
    when: 'When a reported comment was removed and its author suspended.',
    text: {
      subject: 'Your account at {site} is suspended',
      body: `Under “{audio}” you wrote: “{comment}”

The comment was reported and removed, and your account is suspended: you cannot log in. A running subscription is not renewed.

${rules}`,
      closing: '{answer}',
    },
    placeholders: { audio, comment, link: terms },
    answer,
  }),
};

type Sanction = Exclude<DecisionVerb, 'keep'>;

export function authorMail(site: MailSite, { verb, audioTitle, text }: Decided & { verb: Sanction }): MailContent {
  const values = { audio: audioTitle, comment: shorten(text), link: `${site.url}/terms` };
  const days = i18n._(
    /*i18n*/ {
      id: 'mail.days',
      message: '{days, plural, one {# day} other {# days}}',
      values: { days: warningDays },
    },
  );
  if (verb === 'warn') return renderMail(site, authorMails.warn, { ...values, days });
  return renderMail(site, authorMails[verb], values);
}

const reporterKept = defineMail({
  key: 'report-kept',
  name: 'Comment stays, to those who reported it',
  when: 'When a reported comment was kept.',
  text: {
    subject: 'The comment you reported stays',
    body: `You reported a comment under “{audio}”. Thank you: every report is read.

It does not break the rules for comments, so it stays. To see no more of its author, block them on their profile.`,
    closing: 'Nobody is told who reported a comment.',
  },
  placeholders: { audio },
});

const reporterRemoved = defineMail({
  key: 'report-removed',
  name: 'Comment removed, to those who reported it',
  when: 'When a reported comment was removed.',
  text: {
    subject: 'The comment you reported was removed',
    body: `You reported a comment under “{audio}”. Thank you: every report is read.

It broke the rules for comments, so it was removed for everyone.`,
    closing: 'Nobody is told who reported a comment.',
  },
  placeholders: { audio },
});

export function reporterMail(site: MailSite, { verb, audioTitle }: Decided): MailContent {
  return renderMail(site, verb === 'keep' ? reporterKept : reporterRemoved, { audio: audioTitle });
}

const ownerMailOf = (verb: DecisionVerb, name: string, outcome: string) =>
  defineMail({
    key: `owner-${verb}`,
    name: `${name}, to the owners of the audio`,
    when: 'When the operator chose to tell them.',
    text: {
      subject: 'A reported comment under “{audio}”',
      body: `This comment was reported: “{comment}”

${outcome}`,
      closing: 'You get this message because you own the audio.',
    },
    placeholders: { audio, comment },
  });

const ownerMails = {
  keep: ownerMailOf(
    'keep',
    'Comment stays',
    'It stays: it does not break the rules for comments. You can hide it in the Studio.',
  ),
  remove: ownerMailOf('remove', 'Comment removed', 'It was removed for everyone.'),
  warn: ownerMailOf('warn', 'Author warned', 'It was removed for everyone, and its author was warned.'),
  suspend: ownerMailOf(
    'suspend',
    'Author suspended',
    'It was removed for everyone, and the account of its author is suspended.',
  ),
} satisfies Record<DecisionVerb, unknown>;

export function ownerMail(site: MailSite, { verb, audioTitle, text }: Decided): MailContent {
  return renderMail(site, ownerMails[verb], { audio: audioTitle, comment: shorten(text) });
}

const undoneMailOf = (verb: DecisionVerb, name: string, consequence: string) =>
  defineMail({
    key: `undone-${verb}`,
    name: `${name} taken back, to the author of the comment`,
    when: 'When a decision was undone after its mails were sent.',
    text: {
      subject: 'A decision about your comment was taken back',
      body: `We looked again at your comment under “{audio}”, and took our decision back.

${consequence}`.trim(),
      closing: '{answer}',
    },
    placeholders: { audio },
    answer,
  });

const undoneMails = {
  remove: undoneMailOf('remove', 'Removal', ''),
  warn: undoneMailOf('warn', 'Warning', 'The warning no longer counts.'),
  suspend: undoneMailOf('suspend', 'Suspension', 'Your account is open again: you can log in.'),
};

/** To the author, after mails about the decision were sent. */
export function undoneMail(site: MailSite, { verb, audioTitle }: Decided & { verb: Sanction }): MailContent {
  return renderMail(site, undoneMails[verb], { audio: audioTitle });
}

const waitingReports = defineMail({
  key: 'reports-waiting',
  name: 'Reports wait, to the operator',
  when: 'At most once an hour, after new reports.',
  text: {
    subject: '{reports} to decide',
    body: `{waiting} for a decision at {site}.

{held}

[See the reports]({link})`,
    closing: 'This mail comes at most once an hour, and only after a new report.',
  },
  placeholders: {
    reports: { means: 'How many', sample: '3 reported comments' },
    waiting: { means: 'How many, as the beginning of a sentence', sample: '3 reported comments wait' },
    held: { means: 'How many are hidden until then; may be empty', sample: '1 of them is hidden until then.' },
    link: { means: 'The reports', sample: '{url}/admin/desk/notices' },
  },
});

/** To the operator, at most once an hour. */
export function waitingMail(site: MailSite, { waiting, held }: { waiting: number; held: number }): MailContent {
  return renderMail(site, waitingReports, {
    reports: i18n._(
      /*i18n*/ {
        id: 'mail.reports',
        message: '{count, plural, one {# reported comment} other {# reported comments}}',
        values: { count: waiting },
      },
    ),
    waiting: i18n._(
      /*i18n*/ {
        id: 'mail.reports-wait',
        message: '{count, plural, one {# reported comment waits} other {# reported comments wait}}',
        values: { count: waiting },
      },
    ),
    held:
      held === 0
        ? ''
        : i18n._(
            /*i18n*/ {
              id: 'mail.reports-held',
              message:
                '{count, plural, one {# of them is hidden until then.} other {# of them are hidden until then.}}',
              values: { count: held },
            },
          ),
    link: `${site.url}/admin/desk/notices`,
  });
}

export const reportMails = [
  authorMails.remove,
  authorMails.warn,
  authorMails.suspend,
  reporterKept,
  reporterRemoved,
  ...Object.values(ownerMails),
  ...Object.values(undoneMails),
  waitingReports,
];

/** Characters quoted of a comment. */
const quoted = 200;

export function shorten(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length <= quoted
    ? characters.join('')
    : `${characters
        .slice(0, quoted - 1)
        .join('')
        .trimEnd()}…`;
}
