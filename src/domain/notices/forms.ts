import { z } from 'zod';
import { isPlain, isPlainLine, notOneLine, notPlain } from '../kernel/forms.ts';
import { dropUnwanted } from '../kernel/rules.ts';
import { noticeLengths, reportFields } from './rules.ts';

const line = z.string().max(noticeLengths.line).transform(dropUnwanted).refine(isPlainLine, notOneLine).default('');

/** All that the form sends; which fields are needed depends on the kind (`faultsOf`). */
export const ReportContent = z.object({
  about: z
    .string()
    .max(500)
    .refine(isPlainLine, notOneLine)
    .default('')
    .describe(
      '`audio/{id}`, `voice/{id}`, `comment/{id}`, `user/{id}`, `user-playlist/{id}`, or an address of the site',
    ),
  kind: z.string().max(20).default('').describe('illegal, consent, minor, copyright, rights or rules'),
  country: line.describe('illegal: whose law'),
  law: line.describe('illegal: which law'),
  work: line.describe('copyright: whose work'),
  owner: line.describe('copyright: `owner`, or `agent` who acts for the owner'),
  details: z
    .string()
    .max(noticeLengths.details)
    .transform((text) => dropUnwanted(text.replaceAll('\r\n', '\n')).trim())
    .refine(isPlain, notPlain)
    .default(''),
  name: line,
  email: line,
  goodFaith: z.string().max(10).default('').describe('Any text: what is said is believed to be correct and complete'),
});
export type ReportContent = z.output<typeof ReportContent>;

/** A form of a page as its fields. */
export function readReportForm(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(reportFields.flatMap((name) => (form.has(name) ? [[name, form.get(name) ?? '']] : [])));
}

export const AppealForm = z.object({
  reasons: z
    .string()
    .max(noticeLengths.details)
    .transform((text) => dropUnwanted(text.replaceAll('\r\n', '\n')).trim())
    .refine((text) => isPlain(text) && text !== '', notPlain),
});
