import type { DecisionVerb } from '../community/rules.ts';
import type { Actor } from '../kernel/actor.ts';
import type { User } from '../kernel/viewer.ts';

/** Operators of the site, in the browser or on the command line. */
export function canAdminister(actor: Actor): boolean {
  return actor.kind === 'operator' || actor.isAdmin === true;
}

/** A decision as history and messages name it. */
export const decisionWords: Record<DecisionVerb, string> = {
  keep: 'Kept',
  remove: 'Removed',
  warn: 'Removed, and its author warned',
  suspend: 'Removed, and its author suspended',
};

/** Has the role, although this session may not have passed the second factor yet. */
export function isOperator({ isAdmin, adminStep }: User): boolean {
  return isAdmin === true || adminStep !== undefined;
}

export const userFilters = ['admins', 'creators', 'suspended', 'deleting'] as const;
export type UserFilter = (typeof userFilters)[number];

/** Why an account is suspended; recorded, and shown to operators only. */
export const suspensionReasons = ['Harassment', 'Spam', 'Payment fraud', 'Asked for it', 'Another reason'] as const;
export type SuspensionReason = (typeof suspensionReasons)[number];

export const mostGivenMonths = 36;

/** An account that an operator deletes can be kept until then. */
export const deletionDays = 7;

/** Periods of the log, in days. */
export const logPeriods = [1, 7, 28, 90] as const;

export const articleStates = ['published', 'scheduled', 'draft', 'deleted'] as const;
export type ArticleState = (typeof articleStates)[number];

export const articleSorts = ['changed', 'published', 'title'] as const;
export type ArticleSort = (typeof articleSorts)[number];

/** A deletion can be undone so long. */
export const restorableArticleDays = 30;

export const articleLengths = { title: 200, description: 600, body: 200_000, slug: 120 } as const;

/** Audios that one article links to. */
export const mostArticleAudios = 12;

export const topicLength = 60;
export const mostTopics = 30;

/** Width to height of an article's picture. */
export const articleRatio = 1.6;
