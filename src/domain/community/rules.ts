import type { Commenters } from '../catalogue/rules.ts';
import { compose, dropUnwanted, isVisible, roleIn } from '../kernel/rules.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Characters, as `countCharacters` counts them. */
export const commentLength = 1000;

export const reportReasons = ['unkind', 'hate', 'threat', 'private-information', 'spam', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** Characters. */
export const reportDetailsLength = 500;

/** Decisions of operators on a reported comment; all but `keep` remove it. */
export const decisionVerbs = ['keep', 'remove', 'warn', 'suspend'] as const;
export type DecisionVerb = (typeof decisionVerbs)[number];

/** Characters of an operator's note on a decision. */
export const decisionNoteLength = 500;

/** Reports of younger accounts do not count towards hiding a comment until it is decided. */
export const reportingAccountDays = 7;

/** A second warning within this many days suggests a suspension. */
export const warningDays = 90;

/** A comment as stored: NFC, `\n` line ends, at most one empty line in a row. */
export function normalizeComment(text: string): string {
  return (
    compose(dropUnwanted(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')))
      .split('\n')
      // No regular expression: matching spaces before a line end takes quadratic time on long runs of spaces.
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** Code points of the normalized text, as the database counts them. */
export function countCharacters(text: string): number {
  return [...normalizeComment(text)].length;
}

/** Has no visible character. */
export function isBlankComment(text: string): boolean {
  return !isVisible(normalizeComment(text));
}

/** Addresses with a scheme, with `www.`, and names under the most common domains; tried once per word, not per letter. */
const link =
  /\b(?:https?:\/\/|www\.)\S|(?<![\p{L}\d-])[\p{L}\d-]+\.(?:com|net|org|info|biz|shop|site|online|xyz|top|me|io|co|app|dev|link|ly|gg|ru|de|uk)\b/iu;

export function hasLink(text: string): boolean {
  return link.test(text);
}

/** Places of links, in UTF-16 units: whole, as far as the next space. */
export function findLinks(text: string): [from: number, to: number][] {
  return Array.from(text.matchAll(/\S+/g), ({ 0: part, index }): [number, number] => [index, index + part.length])
    .filter(([from, to]) => hasLink(text.slice(from, to)))
    .map(([from, to]) => [from, from + (/^.*[^.,;:!?)\]}”"'’]/su.exec(text.slice(from, to))?.[0].length ?? 0)]);
}

/** Why a comment waits for its creator. */
export const heldReasons = ['link', 'word', 'unkind', 'all'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** Reasons as its author is told: neither the creator's words nor the site's. `site`: the desk decides. */
export const writerReasons = ['link', 'wording', 'all', 'site'] as const;
export type WriterReason = (typeof writerReasons)[number];

/** Held comments without an answer stay hidden after this many days. */
export const heldDays = 14;
/** A creator's own words that hold a comment. */
export const maxHeldWords = 200;
/** Longest break from new comments. */
export const maxPauseDays = 366;

type Commented = { commenters: Commenters; voiceId: string; pausedUntil?: unknown };

/**
 * Comments show the author's name, so a complete account is needed. Managers of the voice may always answer.
 * @param commented.pausedUntil nobody else writes meanwhile; null or absent: there is no break
 */
export function canWriteComment(viewer: Viewer, { commenters, voiceId, pausedUntil }: Commented): boolean {
  if (viewer.kind !== 'user' || !viewer.isComplete || commenters === 'nobody') return false;
  if (roleIn(viewer, voiceId) !== undefined) return true;
  return !pausedUntil && (commenters === 'everyone' || viewer.isSubscribed);
}

type Written = { user: { id: string } | null };

export function canDeleteComment(viewer: Viewer, comment: Written): boolean {
  return viewer.kind === 'user' && comment.user?.id === viewer.id;
}

export function canReportComment(viewer: Viewer, comment: Written): boolean {
  return viewer.kind === 'user' && comment.user !== null && comment.user.id !== viewer.id;
}

/** @param owners user ids of the owners of the audio's voice */
export function canModerateComments(viewer: Viewer, owners: readonly string[]): boolean {
  return viewer.kind === 'user' && owners.includes(viewer.id);
}

export function canBlock(viewer: Viewer, userId: string): boolean {
  return viewer.kind === 'user' && viewer.id !== userId;
}

/** Limited, because the whole list is sent with the user's data. */
export const maxBlocks = 1000;

/** Lists of the comments under a voice's audios, for its managers. */
export const voiceCommentFilters = ['unanswered', 'waiting', 'all', 'hidden', 'reported'] as const;
export type VoiceCommentFilter = (typeof voiceCommentFilters)[number];
/** Those, and one that is not counted. */
export const voiceCommentLists = [...voiceCommentFilters, 'pinned'] as const;
export type VoiceCommentList = (typeof voiceCommentLists)[number];
