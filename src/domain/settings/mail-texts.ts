import { z } from 'zod';
import type { MailSite } from '../kernel/email-template.ts';
import { mailTextLengths } from '../kernel/mail-text.ts';
import { isPlain } from '../kernel/forms.ts';
import type { Settings } from './open-settings.ts';
import type { Setting } from './setting.ts';

const text = (max: number) =>
  z
    .string('Use plain text')
    .trim()
    .refine((value) => [...value].length <= max, `at most ${max} characters`)
    .refine(isPlain, 'must be plain text')
    .transform((value) => value.replaceAll('\r\n', '\n'));

export const MailTextForm = z.object({
  subject: text(mailTextLengths.subject)
    .refine((value) => value !== '', 'Write a subject')
    .refine((value) => !value.includes('\n'), 'must be one line'),
  body: text(mailTextLengths.body).refine((value) => value !== '', 'Write the text'),
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
