import { z } from 'zod';

/** Whether PostgreSQL accepts the text: it rejects NUL, and in JSON also lone surrogates. */
export function isPlain(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** A plain text without line breaks, tabs and other control characters. */
export function isPlainLine(text: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(text);
}

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
