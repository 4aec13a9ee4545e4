import { z } from 'zod';
import { canonicalLanguage } from '#formats/canonical-language.ts';
import { i18n } from '#i18n';
import { compose, dropUnwanted, isVisible } from './rules.ts';

/** Whether PostgreSQL accepts the text: it rejects NUL, and in JSON also lone surrogates. */
export function isPlain(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** A plain text without line breaks, tabs and other control characters. */
export function isPlainLine(text: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(text);
}

/** Faults of fields, in the language of the page or of the request. */
export const notPlain = { error: () => i18n._(/*i18n*/ { id: 'form.not-plain', message: 'Use plain text' }) };
export const notOneLine = {
  error: () => i18n._(/*i18n*/ { id: 'form.not-one-line', message: 'Use one line of plain characters' }),
};
export const notSlug = {
  error: () => i18n._(/*i18n*/ { id: 'form.not-slug', message: 'Use small letters, digits and hyphens' }),
};
export const isRepeated = { error: () => i18n._(/*i18n*/ { id: 'form.repeated', message: 'Name each one only once' }) };
export const isEmpty = { error: () => i18n._(/*i18n*/ { id: 'form.empty', message: 'Write something' }) };
export const notColor = {
  error: () => i18n._(/*i18n*/ { id: 'form.not-color', message: 'Write the color as #RRGGBB' }),
};
export const notLanguage = {
  error: () =>
    i18n._(
      /*i18n*/ {
        id: 'form.not-language',
        message: 'Use the code of a language, such as de or pt-BR; zxx for no words',
      },
    ),
};
export const noTitle = { error: () => i18n._(/*i18n*/ { id: 'form.no-title', message: 'Enter a title' }) };
export const noName = { error: () => i18n._(/*i18n*/ { id: 'form.no-name', message: 'Write a name' }) };
export const noType = { error: () => i18n._(/*i18n*/ { id: 'form.no-type', message: 'Choose a type' }) };
export const tooLong = (max: number) => ({
  error: () => i18n._(/*i18n*/ { id: 'form.too-long', message: 'At most {max} characters', values: { max } }),
});
export const tooMany = (max: number) => ({
  error: () => i18n._(/*i18n*/ { id: 'form.too-many', message: 'At most {max}', values: { max } }),
});

/** BCP 47, in its canonical spelling. */
export const ContentLanguage = z
  .string()
  .refine((text) => canonicalLanguage(text) !== undefined, notLanguage)
  .transform((text) => canonicalLanguage(text) ?? text)
  .meta({ description: 'BCP 47; `zxx`: no words', example: 'pt-BR' });

const trimmed = (text: z.ZodString, max: number) =>
  text
    .trim()
    .overwrite(compose)
    .min(1, isEmpty)
    .refine((value) => [...value].length <= max, tooLong(max));

/** A line of words, without characters that nobody sees. @param text `z.string`, with another fault for what is none */
export const lineOfWords = (max: number, text = z.string()) =>
  trimmed(text, max).refine(isPlainLine, notOneLine).refine(isVisible, isEmpty).transform(dropUnwanted);

/** The same with line breaks. */
export const wordsOf = (max: number, text = z.string()) =>
  trimmed(text, max).refine(isPlain, notPlain).refine(isVisible, isEmpty).transform(dropUnwanted);

/** A text in a cursor. */
export const PlainText = z.string().refine(isPlain);

/** A time: PostgreSQL's years begin with 1. */
export const Instant = z.iso.datetime().refine((text) => !text.startsWith('0000'));

/**
 * A code as it was copied from a mail, a chat or paper: capital letters and digits, without the typographic hyphens,
 * invisible characters and full stops that come along.
 */
export function toCode(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
}
