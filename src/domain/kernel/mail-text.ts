import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { i18n, inLanguage, language } from '#i18n';
import { type EmailTemplate, type MailContent, type MailSite, renderEmail } from './email-template.ts';
import type { Sentence } from './errors.ts';

/** Texts of mails, which operators can change. Plain text with placeholders such as `{site}`. */

export type MailText = {
  subject: string;
  /** Paragraphs between empty lines. One of the form `[Words]({link})` is the button. */
  body: string;
  /** Small print at the end; may be empty. */
  closing: string;
};

type Placeholder = {
  means: string;
  /** For the preview. */
  sample: string;
  /** Required: without it the mail would be useless. */
  isRequired?: true;
};

/** One mail that the site sends. */
export type MailKind<Names extends string = string> = {
  /** Name in settings and addresses. */
  key: string;
  name: string;
  /** Recipient and occasion. */
  when: string;
  text: MailText;
  placeholders: Record<Names, Placeholder>;
  /** Value of `{answer}`: what asks for an answer, and what stands there when nobody would read it; may be empty. */
  answer?: { asked: string; otherwise: string };
};

/** For `npm run texts`. `forOperators`: their explanations of the mail. */
export function textsOf(kind: MailKind): { text: string; forOperators: boolean }[] {
  const { name, when, text, answer } = kind;
  const own = [text.subject, text.body, text.closing, answer?.asked ?? '', answer?.otherwise ?? ''];
  const explanations = [name, when, ...Object.values(placeholdersOf(kind)).map(({ means }) => means)];
  return [
    ...own.map((one) => ({ text: one, forOperators: false })),
    ...explanations.map((one) => ({ text: one, forOperators: true })),
    // Others consist of placeholders.
  ].filter((one) => /\p{L}/u.test(one.text.replaceAll(/\{\w+\}/g, '')));
}

/** In the language of the mail, or of the operator who reads about it. */
export function translated(text: string): string {
  if (text === '') return '';
  const values = Object.fromEntries(namesIn(text).map((name) => [name, `{${name}}`]));
  const message = { id: generateMessageId(text), message: text, values };
  // Without the isolates of Arabic (catalogues.ts): a placeholder may be a link, or empty.
  return i18n._(message).replaceAll(/[\u2068\u2069]/g, '');
}

/** Keeps the placeholder names in the type, so that `renderMail` requires a value for each. */
export function defineMail<Names extends string>(kind: MailKind<Names>): MailKind<Names> {
  return kind;
}

export const mailTextLengths = { subject: 200, body: 5000, closing: 1000 } as const;

/** Placeholders of every mail. */
export const commonPlaceholders = {
  site: { means: 'Name of the site', sample: '' },
  url: { means: 'Address of the site', sample: '' },
} as const satisfies Record<string, Placeholder>;

/** @returns every placeholder of this mail */
export function placeholdersOf(kind: MailKind): Record<string, Placeholder> {
  return {
    ...commonPlaceholders,
    ...kind.placeholders,
    ...(kind.answer && {
      answer: {
        means: 'Asks for an answer; without OPERATOR_EMAIL, what to do instead, or nothing',
        sample: translated(kind.answer.asked),
      },
    }),
  };
}

const button = /^\[([^\]\n]+)\]\(\{link\}\)$/;

const paragraphsOf = (body: string) =>
  body
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
        .trim(),
    )
    .filter((paragraph) => paragraph !== '');

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Reason why a text cannot be this mail; undefined for a valid one. */
export function findMailFault(kind: MailKind, { subject, body, closing }: MailText): Sentence | undefined {
  const known = placeholdersOf(kind);
  const names = namesIn([subject, body, closing].join('\n'));
  const unknown = names.find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    const all = Object.keys(known).map((name) => `{${name}}`);
    return /*i18n*/ {
      id: 'mail.unknown-placeholder',
      message: '{name} is no placeholder of this mail. These are: {all}.',
      values: { name: `{${unknown}}`, all: all.join(', ') },
    };
  }
  const missing = Object.keys(known).find((name) => known[name]?.isRequired === true && !names.includes(name));
  if (missing !== undefined)
    return /*i18n*/ {
      id: 'mail.missing-placeholder',
      message: '{name} is missing, and the mail is of no use without it.',
      values: { name: `{${missing}}` },
    };
  const buttons = paragraphsOf(body).filter((paragraph) => button.test(paragraph));
  const links = names.filter((name) => name === 'link').length;
  if (links !== buttons.length || buttons.length > 1)
    return /*i18n*/ {
      id: 'mail.link-place',
      message:
        '{name} stands once, behind the words of its button on a line of its own, with an empty line before and after: [Words]({name}). This text has {links, plural, one {# link} other {# links}} and {buttons, plural, one {# button} other {# buttons}}.',
      values: { name: '{link}', links, buttons: buttons.length },
    };
  return undefined;
}

/**
 * The mail in the operators' words if there are any, else in the site's. Words with placeholders that this version does
 * not know fall back to the site's, because a mail must not have gaps.
 */
export function renderMail<Names extends string>(
  site: MailSite,
  kind: MailKind<Names>,
  values: Record<NoInfer<Names>, string>,
): MailContent {
  const own = site.textOf?.(kind.key) ?? { text: {}, language: language() };
  const changed = { ...translatedText(kind), ...own.text };
  const isUsed = findMailFault(kind, changed) === undefined;
  const render = () =>
    renderMailText(site, isUsed ? changed : translatedText(kind), { ...values, ...answerOf(site, kind) });
  return isUsed ? inLanguage(own.language, render) : render();
}

/** The site's own words. */
export function translatedText({ text }: MailKind): MailText {
  return { subject: translated(text.subject), body: translated(text.body), closing: translated(text.closing) };
}

function answerOf({ takesAnswers = false, url }: MailSite, { answer }: MailKind): Record<string, string> {
  if (answer === undefined) return {};
  return { answer: translated(takesAnswers ? answer.asked : answer.otherwise).replaceAll('{url}', url) };
}

/** The mail, filled with sample values. */
export function previewMail(site: MailSite, kind: MailKind, text: MailText): MailContent {
  const samples = Object.entries(kind.placeholders).map(([name, { sample }]) => [
    name,
    sample.replaceAll('{url}', site.url),
  ]);
  return renderMailText(site, text, {
    ...(Object.fromEntries(samples) as Record<string, string>),
    ...answerOf(site, kind),
  });
}

function renderMailText(site: MailSite, text: MailText, given: Record<string, string>): MailContent {
  const values: Record<string, string> = { site: site.name, url: site.url, ...given };
  // An empty value also removes the space before it.
  const fill = (template: string) =>
    template
      .replaceAll(/( ?)\{(\w+)\}/g, (_, space: string, name: string) => {
        const value = values[name] ?? '';
        return value === '' ? '' : space + value;
      })
      .trim();
  const paragraphs = paragraphsOf(text.body).flatMap((paragraph): EmailTemplate['paragraphs'] => {
    const [, label] = button.exec(paragraph) ?? [];
    if (label !== undefined) return [{ label: fill(label), url: values['link'] ?? site.url }];
    // A value of several lines, such as the message of a gift, becomes several paragraphs.
    return fill(paragraph)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  });
  return renderEmail(site, {
    subject: fill(text.subject).replaceAll(/\s+/g, ' '),
    paragraphs,
    closing: fill(text.closing.replaceAll(/\s+/g, ' ')),
  });
}
