import { z } from 'zod';
import { i18n, language } from '#i18n';
import type { MailSite } from '../kernel/email-template.ts';
import { type MailText, mailTextLengths } from '../kernel/mail-text.ts';
import { isPlain, notOneLine, notPlain, tooLong } from '../kernel/forms.ts';
import { languageOfOwnTexts } from './languages.ts';
import type { Settings } from './open-settings.ts';
import type { Setting } from './setting.ts';

const text = (max: number) =>
  z
    .string(notPlain)
    .trim()
    .refine((value) => [...value].length <= max, tooLong(max))
    .refine(isPlain, notPlain)
    .transform((value) => value.replaceAll('\r\n', '\n'));

export const MailTextForm = z.object({
  subject: text(mailTextLengths.subject)
    .refine((value) => value !== '', {
      error: () => i18n._(/*i18n*/ { id: 'mail-form.subject', message: 'Write a subject' }),
    })
    .refine((value) => !value.includes('\n'), notOneLine),
  body: text(mailTextLengths.body).refine((value) => value !== '', {
    error: () => i18n._(/*i18n*/ { id: 'mail-form.text', message: 'Write the text' }),
  }),
  closing: text(mailTextLengths.closing).default(''),
});

const MailTextValue = z.object({ text: MailTextForm.nullable().default(null) });

/** The operators' words of one mail; null: the site's own. */
export function mailTextSetting(key: string): Setting<typeof MailTextValue> {
  return { key: `mail-${key}`, schema: MailTextValue };
}

const fields = ['subject', 'body', 'closing'] as const;

/**
 * For `MailSite`: mails use the words in force when they are sent. A translation counts when it is whole. Without one,
 * the operators' words come before the site's own translation, because they may state other facts.
 */
export function mailTextsOf({ read, words }: Pick<Settings, 'read' | 'words'>): NonNullable<MailSite['textOf']> {
  return (key) => {
    const changed = read(mailTextSetting(key)).text;
    const found = fields.flatMap((field) => {
      const text = words.find('mail', key, field);
      return text === undefined ? [] : [[field, text] as const];
    });
    const translated: Partial<MailText> = Object.fromEntries(found);
    if (changed === null) return found.length === 0 ? null : { text: translated, language: language() };
    const isWhole = fields.every((field) => changed[field] === '' || translated[field] !== undefined);
    return isWhole
      ? { text: { ...changed, ...translated }, language: language() }
      : { text: changed, language: languageOfOwnTexts({ read }) };
  };
}
