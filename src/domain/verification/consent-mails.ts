import { i18n } from '#i18n';
import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';
import { linkDays } from './rules.ts';

const creator = { means: 'Name of the creator', sample: 'Maren Holt', isRequired: true } as const;
const who = { means: 'Who answers: a name, or that they are not credited', sample: 'Hanna Brandt' };
const performers = { means: 'The performers in the Studio', sample: '{url}/studio', isRequired: true } as const;
const consentLink = { means: 'The page of the consent', sample: '{url}/consent/…', isRequired: true } as const;

/** None names the audio: a mail may be read by others. */
const request = defineMail({
  key: 'consent-request',
  name: 'Request for consent, to a performer',
  when: 'When a creator adds a performer to an audio, or sends the link again.',
  text: {
    subject: '{creator} asks for your consent',
    body: `You are heard in a recording that {creator} wants to publish on {site}, and are asked for your agreement. You can listen first. No account is needed.

[Listen and answer]({link})`,
    closing:
      'The link is valid for {days}. If this is not you, ignore this message: nothing is published without an answer.',
  },
  placeholders: {
    creator,
    link: consentLink,
    days: { means: 'How long the link is valid', sample: '14 days' },
  },
});

export function requestMail(site: MailSite, values: { creator: string; link: string }): MailContent {
  const days = i18n._(
    /*i18n*/ {
      id: 'mail.consent-days',
      message: '{days, plural, one {# day} other {# days}}',
      values: { days: linkDays },
    },
  );
  return renderMail(site, request, { ...values, days });
}

const copyOf = (key: string, name: string, when: string, subject: string, body: string) =>
  defineMail({
    key,
    name,
    when,
    text: { subject, body, closing: 'Keep this message: with its link you can change your mind at any time.' },
    placeholders: {
      creator,
      consent: { means: 'Each part with yes or no', sample: 'Recorded: yes. Published: yes. Downloaded: no.' },
      shown: { means: 'The name shown', sample: 'Name shown: Hanna Brandt.' },
      link: consentLink,
    },
  });

const copies = {
  given: copyOf(
    'consent-given',
    'Copy of a consent, to the performer',
    'When a performer gave or changed their consent.',
    'Your consent is recorded',
    `You agreed to a recording that {creator} wants to publish on {site}.

{consent} {shown}

[See or change it]({link})`,
  ),
  refused: copyOf(
    'consent-refused',
    'Copy of a refusal, to the performer',
    'When a performer did not agree.',
    'You did not agree',
    `You did not agree that {creator} publishes a recording with you on {site}. It is not published with you.

[See or change it]({link})`,
  ),
  withdrawn: copyOf(
    'consent-withdrawn',
    'Copy of a withdrawal, to the performer',
    'When a performer took their consent back.',
    'You took your consent back',
    `You took back your consent to a recording by {creator} on {site}. It is hidden from everybody, and {creator} and the operator are told.

[See or change it]({link})`,
  ),
};

type Answer = { state: 'given' | 'refused' | 'withdrawn'; creator: string; name: string | undefined };
type Given = { recorded: boolean; published: boolean; downloaded: boolean };

export function answerCopy(
  site: MailSite,
  { state, creator: by, name, recorded, published, downloaded, link }: Answer & Given & { link: string },
): MailContent {
  const values = { recorded: String(recorded), published: String(published), downloaded: String(downloaded) };
  const consent = i18n._(
    /*i18n*/ {
      id: 'mail.consent-parts',
      message:
        'Recorded: {recorded, select, true {yes} other {no}}. Published: {published, select, true {yes} other {no}}. Downloaded: {downloaded, select, true {yes} other {no}}.',
      values,
    },
  );
  const shown =
    name === undefined
      ? i18n._(/*i18n*/ { id: 'mail.consent-no-name', message: 'You are not credited.' })
      : i18n._(/*i18n*/ { id: 'mail.consent-name', message: 'Name shown: {name}.', values: { name } });
  return renderMail(site, copies[state], { creator: by, consent, shown, link });
}

const answerOf = (key: string, name: string, when: string, subject: string, body: string) =>
  defineMail({
    key,
    name,
    when,
    text: {
      subject,
      body: `${body}\n\n[See the performers]({link})`,
      closing: 'You get this message because you own {creator} at {site}.',
    },
    placeholders: {
      creator,
      who,
      hidden: { means: 'Says that the audio is hidden; may be empty', sample: 'The audio is hidden.' },
      link: performers,
    },
  });

const answers = {
  given: answerOf(
    'performer-agreed',
    'A performer agreed, to the owners',
    'When a performer gave or changed their consent.',
    'A performer of {creator} agreed',
    '{who} agreed to a recording of {creator}.',
  ),
  refused: answerOf(
    'performer-refused',
    'A performer did not agree, to the owners',
    'When a performer did not agree. Nobody asks for a reason.',
    'A performer of {creator} did not agree',
    '{who} did not agree to a recording of {creator}. {hidden} Remove the performer with new sound, or ask again.',
  ),
  withdrawn: answerOf(
    'performer-withdrew',
    'A performer took their consent back, to the owners',
    'When a performer took their consent back, which hides the audio at once.',
    'A performer of {creator} took their consent back',
    '{who} took back their consent to a recording of {creator}. {hidden} Remove the performer with new sound, or ask them.',
  ),
};

type Told = Answer & { wasHidden: boolean; link: string };

const personOf = (name: string | undefined) =>
  name ?? i18n._(/*i18n*/ { id: 'mail.uncredited', message: 'A performer who is not credited' });
const hiddenOf = (wasHidden: boolean) =>
  wasHidden ? i18n._(/*i18n*/ { id: 'mail.audio-hidden', message: 'The audio is hidden.' }) : '';

export function answerMail(site: MailSite, { state, creator: of, name, wasHidden, link }: Told): MailContent {
  const values = { creator: of, who: personOf(name), hidden: hiddenOf(wasHidden), link };
  return renderMail(site, answers[state], values);
}

const toOperator = defineMail({
  key: 'consent-withdrawn-operator',
  name: 'A consent was taken back, to the operator',
  when: 'When a performer took their consent back.',
  text: {
    subject: 'A performer took their consent back',
    body: `{who} took back their consent to a recording by {creator} at {site}. {hidden}

[See the performers]({link})`,
    closing: 'The log has the time and what was agreed before.',
  },
  placeholders: {
    creator,
    who,
    hidden: { means: 'Says that the audio is hidden; may be empty', sample: 'The audio is hidden.' },
    link: performers,
  },
});

export function withdrawnMail(site: MailSite, { creator: of, name, wasHidden, link }: Told): MailContent {
  const values = { creator: of, who: personOf(name), hidden: hiddenOf(wasHidden), link };
  return renderMail(site, toOperator, values);
}

const published = defineMail({
  key: 'consent-published',
  name: 'An audio is public, to its performers',
  when: 'When an audio to which a performer agreed is published.',
  text: {
    subject: 'A recording with you is published',
    body: `{creator} has published a recording with you on {site}, as you agreed.

[Open its page]({link})`,
    closing: 'To change your mind, use the link in the copy of your consent.',
  },
  placeholders: {
    creator,
    link: { means: 'The page of the audio', sample: '{url}/audio/…', isRequired: true },
  },
});

export function publishedMail(site: MailSite, { creator: by, link }: { creator: string; link: string }) {
  return renderMail(site, published, { creator: by, link });
}

export const consentMails = [request, ...Object.values(copies), ...Object.values(answers), toOperator, published];
