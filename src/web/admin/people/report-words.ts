import type { DecisionVerb, ReportReason } from '#domain/community/rules.ts';

export const reasonWords: Record<ReportReason, string> = {
  unkind: 'Unkind',
  hate: 'Hate',
  threat: 'Threat',
  'private-information': 'Private information',
  spam: 'Spam',
  other: 'Something else',
};

/** Names of decisions in the history. */
export const verbWords: Record<DecisionVerb, string> = {
  keep: 'Report not upheld',
  remove: 'Comment removed',
  warn: 'Warned',
  suspend: 'Suspended',
};

/** Shown after the decision. */
export const doneWords: Record<DecisionVerb, (author: string) => string> = {
  keep: () => 'Kept',
  remove: () => 'Removed',
  warn: (author) => `Removed, ${author} warned`,
  suspend: (author) => `Removed, ${author} suspended`,
};
