import { formatDay } from '#formats/times.ts';
import { i18n } from '#i18n';
import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';
import type { CannedReason, NoticeSide } from './rules.ts';
import { cannedText, didText, groundText, headingOf } from './wording-rules.ts';

/** Mails about notices. None of them names the reporter to the creator's side. */

const number = { means: 'Number of the notice', sample: 'N-2026-1148' };
const about = { means: 'Title or name of what was reported', sample: 'Bright Star' };
const link = {
  means: 'The private page of the notice',
  sample: '{url}/report/5d7c-q2wm-80fe',
  isRequired: true,
} as const;
const did = { means: 'What the site did', sample: 'Nothing was removed or hidden.' };
const why = { means: 'The reasons', sample: 'The text is free of copyright.' };
const ground = { means: 'The ground of the decision', sample: 'Copyright, term of protection' };
const heading = { means: 'The decision in a few words', sample: 'The audio stays online' };

const receipt = defineMail({
  key: 'notice-received',
  name: 'Receipt of a report',
  when: 'To the person who reported content, at once.',
  text: {
    subject: 'We received your report {number}',
    body: `We received your report. A person decides by {due}.

Your private page always says where your report stands:

[Open your page]({link})`,
    closing: 'Anyone with this link can read your report and appeal. Keep it to yourself.',
  },
  placeholders: { number, due: { means: 'The last day for a decision', sample: '8 December 2026' }, link },
});

export function receiptMail(site: MailSite, values: { number: string; due: Date; token: string }): MailContent {
  return renderMail(site, receipt, {
    number: values.number,
    due: formatDay(values.due.getTime() - 1),
    link: `${site.url}/report/${values.token}`,
  });
}

const facts = `What we did: {did}

Why: {why}

Ground: {ground}

Decided by a person. No automatic means were used.`;

const decidedFor = (side: NoticeSide, name: string, when: string, first: string) =>
  defineMail({
    key: `notice-decided-${side}`,
    name,
    when,
    text: {
      subject: '{heading}: {number}',
      body: `${first}

${facts}

{redress}

[Open the page of this notice]({link})`,
      closing: 'You can also turn to a certified out-of-court body, or to a court.',
    },
    placeholders: {
      number,
      about,
      heading,
      did,
      why,
      ground,
      redress: {
        means: 'Until when one can appeal, if that is still possible',
        sample: 'You can appeal once, until 3 June 2027.',
      },
      link,
    },
  });

const decided = {
  reporter: decidedFor(
    'reporter',
    'Decision on a report, to its reporter',
    'To the person who reported content, when it was decided, also after an appeal.',
    'You reported “{about}”. This is our decision.',
  ),
  owner: decidedFor(
    'owner',
    'Decision on a report, to the creator',
    'To the creator or user whose content was reported, when it was decided, also after an appeal.',
    '“{about}” was reported. This is our decision.',
  ),
};

export type DecidedValues = Parameters<typeof headingOf>[0] & {
  number: string;
  about: string;
  canned: CannedReason | null;
  /** In own words, after the standard reason. */
  reasons: string | null;
  clause: string | null;
  ground: Parameters<typeof groundText>[0];
  /** Null: there is no appeal any more. */
  appealUntil: Date | null;
  token: string;
};

export function decidedMail(site: MailSite, side: NoticeSide, values: DecidedValues): MailContent {
  return renderMail(site, decided[side], {
    number: values.number,
    about: values.about,
    heading: headingOf(values),
    did: didText(values.verb ?? 'keep'),
    why: [values.canned && cannedText(values.canned), values.reasons].filter(Boolean).join('\n'),
    ground: groundText(values.ground, values.clause),
    redress:
      values.appealUntil === null
        ? ''
        : i18n._(
            /*i18n*/ {
              id: 'notice.redress',
              message: 'You can appeal once, until {day}. Someone who did not take part in the decision reads it.',
              values: { day: formatDay(values.appealUntil) },
            },
          ),
    link: `${site.url}/report/${values.token}`,
  });
}

const asked = defineMail({
  key: 'notice-asked',
  name: 'Question about a report, to the creator',
  when: 'To the creator or user whose content was reported, when a moderator asks for an answer.',
  text: {
    subject: 'A report about “{about}”',
    body: `“{about}” was reported. Before we decide, we would like to hear from you.

[Read the report and answer]({link})`,
    closing: 'Anyone with this link can read the report and answer. Keep it to yourself.',
  },
  placeholders: { about, link },
});

export function askedMail(site: MailSite, values: { about: string; token: string }): MailContent {
  return renderMail(site, asked, { about: values.about, link: `${site.url}/report/${values.token}` });
}

const overdue = defineMail({
  key: 'notices-overdue',
  name: 'Overdue notices, to the operator',
  when: 'To OPERATOR_EMAIL, when notices were not decided in time.',
  text: {
    subject: 'Overdue at the desk: {numbers}',
    body: `Seven working days are over for {numbers}. What they are about is hidden until someone decides.

[Open the desk]({link})`,
    closing: '',
  },
  placeholders: {
    numbers: { means: 'Numbers of the notices', sample: 'N-2026-1148' },
    link: { means: 'The desk', sample: '{url}/admin/desk/notices' },
  },
});

export function overdueMail(site: MailSite, numbers: string): MailContent {
  return renderMail(site, overdue, { numbers, link: `${site.url}/admin/desk/notices` });
}

export const noticeMails = [receipt, decided.reporter, decided.owner, asked, overdue];
