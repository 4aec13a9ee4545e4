import { formatDay } from '#formats/times.ts';
import { i18n } from '#i18n';
import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';

const creator = { means: 'Name of the creator', sample: 'Maren Holt', isRequired: true } as const;
const studio = { means: 'The page Verification in the Studio', sample: '{url}/studio', isRequired: true } as const;
const reason = {
  means: 'The reason, in the words of the operator',
  sample: 'The name on the document is a different one.',
};
const answer = { asked: 'If you have a question, reply to this message.', otherwise: '' };

/** Mails about checks, agreements and consents. Subjects name no audio: they may be read by others. */

const asked = defineMail({
  key: 'verification-asked',
  name: 'A creator asks to be verified, to the operator',
  when: 'When an owner of a creator asks for verification, or appeals against a decision.',
  text: {
    subject: '{creator} asks for verification',
    body: `{username} asks at {site} that you check who {creator} is. Get in touch at {email}.

{appeal}

[Open the creator]({link})`,
    closing: 'The check happens outside of {site}. Keep only its method, its reference and its dates there.',
  },
  placeholders: {
    creator,
    username: { means: 'Who asks', sample: 'maren' },
    email: { means: 'Email of the one who asks', sample: 'maren@post.example' },
    appeal: { means: 'Their words, in an appeal; may be empty', sample: 'It is the name that I was born with.' },
    link: { means: 'The creator in Admin', sample: '{url}/admin/voices', isRequired: true },
  },
});

export function askedMail(
  site: MailSite,
  { voiceId, ...values }: { voiceId: string; creator: string; username: string; email: string; appeal: string },
): MailContent {
  return renderMail(site, asked, { ...values, link: `${site.url}/admin/voices/${voiceId}` });
}

const verified = defineMail({
  key: 'creator-verified',
  name: 'Creator verified, to its owners',
  when: 'When an operator recorded a check.',
  text: {
    subject: '{creator} is verified',
    body: `The operator of {site} has checked who {creator} is. The check counts until {day}.

[See the record]({link})`,
    closing: 'No document is kept at {site}.',
  },
  placeholders: {
    creator,
    day: { means: 'Last day of the check', sample: '14 May 2028', isRequired: true },
    link: studio,
  },
});

const refused = defineMail({
  key: 'creator-refused',
  name: 'Verification refused, to the owners of the creator',
  when: 'When an operator refused a verification.',
  text: {
    subject: '{creator} was not verified',
    body: `The operator of {site} could not verify {creator}: “{reason}”

{again}

[Open Verification]({link})`,
    closing: '{answer}',
  },
  placeholders: {
    creator,
    reason,
    again: { means: 'When one can ask again', sample: 'You can ask again from 12 December 2026.' },
    link: studio,
  },
  answer,
});

const withdrawn = defineMail({
  key: 'creator-withdrawn',
  name: 'Verification withdrawn, to the owners of the creator',
  when: 'When an operator withdrew a verification, which hides the creator and its audios.',
  text: {
    subject: 'The verification of {creator} was withdrawn',
    body: `The operator of {site} has withdrawn the verification of {creator}: “{reason}”

The creator page and its audios are hidden. Nothing is deleted. You can appeal in the Studio.

[Open Verification]({link})`,
    closing: '{answer}',
  },
  placeholders: { creator, reason, link: studio },
  answer,
});

const ending = defineMail({
  key: 'verification-ending',
  name: 'Verification ends soon, to the owners of the creator',
  when: '30 days before a verification ends.',
  text: {
    subject: 'The verification of {creator} ends on {day}',
    body: `Ask again before that. What is online stays online, new audios wait.

[Ask again]({link})`,
    closing: 'You get this message because you own {creator} at {site}.',
  },
  placeholders: {
    creator,
    day: { means: 'Last day of the check', sample: '20 December 2026', isRequired: true },
    link: studio,
  },
});

type OfCreator = { creator: string; slug: string };
const studioOf = (site: MailSite, slug: string) => `${site.url}/studio/${slug}/verification`;

export function verifiedMail(
  site: MailSite,
  { creator: name, slug, until }: OfCreator & { until: string },
): MailContent {
  return renderMail(site, verified, { creator: name, day: formatDay(until), link: studioOf(site, slug) });
}

export function refusedMail(
  site: MailSite,
  { creator: name, slug, reason: text, askAgainOn }: OfCreator & { reason: string; askAgainOn: string | null },
): MailContent {
  const again =
    askAgainOn === null
      ? i18n._(/*i18n*/ { id: 'mail.verification-appeal', message: 'You can appeal in the Studio.' })
      : i18n._(
          /*i18n*/ {
            id: 'mail.verification-again',
            message: 'You can ask again from {day}.',
            values: { day: formatDay(askAgainOn) },
          },
        );
  return renderMail(site, refused, { creator: name, reason: text, again, link: studioOf(site, slug) });
}

export function withdrawnMail(site: MailSite, { creator: name, slug, reason: text }: OfCreator & { reason: string }) {
  return renderMail(site, withdrawn, { creator: name, reason: text, link: studioOf(site, slug) });
}

export function endingMail(site: MailSite, { creator: name, slug, until }: OfCreator & { until: string }): MailContent {
  return renderMail(site, ending, { creator: name, day: formatDay(until), link: studioOf(site, slug) });
}

export const verificationMails = [asked, verified, refused, withdrawn, ending];
