import { z } from 'zod';
import { i18n } from '#i18n';
import type { MailSite } from '../kernel/email-template.ts';
import { mailTextLengths } from '../kernel/mail-text.ts';
import { isPlain, notOneLine, notPlain, tooLong } from '../kernel/forms.ts';
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

/** For `MailSite`: mails use the words in force when they are sent. */
export function mailTextsOf(settings: Pick<Settings, 'read'>): NonNullable<MailSite['textOf']> {
  return (key) => settings.read(mailTextSetting(key)).text;
}
