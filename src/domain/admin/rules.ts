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

/** Filters of the operators' table of audios, besides words, state, creator, category and tag. */
export const audioAccesses = ['free', 'subscribers'] as const;
export type AudioAccess = (typeof audioAccesses)[number];
export const audioProblems = ['no-cover', 'not-measured', 'changes'] as const;
export type AudioProblem = (typeof audioProblems)[number];
export const audioChangeDays = [1, 7, 30, 90] as const;

/** What operators do with many audios at once. */
export const bulkVerbs = [
  'publish',
  'unpublish',
  'free',
  'subscribers',
  'add-categories',
  'remove-categories',
  'add-tags',
  'remove-tags',
  'add-to-playlist',
  'remove-from-playlist',
  'delete',
  'restore',
] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

/** Audios of one act, and how many of them can be picked one by one. */
export const mostBulkAudios = 100_000;
export const mostPickedAudios = 500;
