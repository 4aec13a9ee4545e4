import type { Viewer } from '../identity/rules.ts';

/** Characters, as `countCharacters` counts them. */
export const commentLength = 1000;

export const reportReasons = ['unkind', 'hate', 'threat', 'private-information', 'spam', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** Characters. */
export const reportDetailsLength = 500;

/**
 * What a line of text may not bring: control characters (but tab and line feed), embeddings, overrides and isolates,
 * which turn the text around them (UAX #9), halves of characters, and what is no character. Marks of direction
 * (U+200E, U+200F) and joiners stay: Hebrew, Arabic and emoji are written with them.
 */
const unwanted =
  /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069\u206A-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Cs}|\p{Noncharacter_Code_Point}/gu;

/** Hangul fillers and the empty Braille pattern are letters and symbols by name only. */
const seen = /(?![\u115F\u1160\u2800\u3164\uFFA0])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Without what is not seen and does harm; what is left is shown as it is. */
export function dropUnwanted(text: string): string {
  return text.replace(unwanted, '');
}

/**
 * Composed, and with no more marks on one letter than languages put there (pointed Hebrew has five): hundreds of them
 * paint over everything above.
 */
export function compose(text: string): string {
  return text.normalize('NFC').replace(/(\p{M}{6})\p{M}+/gu, '$1');
}

/** Something in it can be seen: not only spaces, joiners and marks. */
export function isVisible(text: string): boolean {
  return seen.test(text);
}

/** A comment as it is kept: composed, lines ended by one character, no more than one empty line in a row. */
export function normalizeComment(text: string): string {
  return compose(dropUnwanted(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')))
    .replace(/[^\S\n]*\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Code points of what is kept: the page's counter and the database count alike. */
export function countCharacters(text: string): number {
  return [...normalizeComment(text)].length;
}

/** Nothing in it can be seen. */
export function isBlankComment(text: string): boolean {
  return !isVisible(normalizeComment(text));
}

/** Whoever comments is named with it, and so needs a name. */
export function canWriteComment(viewer: Viewer, audio: { commentsDisabled: boolean }): boolean {
  return viewer.kind === 'user' && viewer.isComplete && !audio.commentsDisabled;
}

type Written = { user: { id: string } | null };

export function canDeleteComment(viewer: Viewer, comment: Written): boolean {
  return viewer.kind === 'user' && comment.user?.id === viewer.id;
}

export function canReportComment(viewer: Viewer, comment: Written): boolean {
  return viewer.kind === 'user' && comment.user !== null && comment.user.id !== viewer.id;
}

/** @param owners ids of those who own the audio's voice */
export function canModerateComments(viewer: Viewer, owners: readonly string[]): boolean {
  return viewer.kind === 'user' && owners.includes(viewer.id);
}

export function canBlock(viewer: Viewer, userId: string): boolean {
  return viewer.kind === 'user' && viewer.id !== userId;
}

/** So many, and no more: the list of them goes along with the user. */
export const mostBlocks = 1000;
