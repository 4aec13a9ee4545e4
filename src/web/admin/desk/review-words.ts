import { t } from '@lingui/core/macro';
import type { WaitingReview } from '#domain/admin/desk/reviews.ts';
import { type ReturnReason, type ReviewMode, reviewedFirst } from '#domain/catalogue/review/rules.ts';

export const modeLabels: Record<ReviewMode, () => string> = {
  off: () => t({ message: 'Off', context: 'review' }),
  'new-creators': () => t`New creators`,
  all: () => t({ message: 'All', context: 'review' }),
};

/** Why an audio is reviewed. */
export function causeText({ cause, nth }: Pick<WaitingReview, 'cause' | 'nth'>): string {
  if (cause === 'new-sound') return t`New sound`;
  if (cause === 'watched-word') return t`Watched word`;
  if (cause === 'all') return t`All are reviewed`;
  return t`${{ nth: nth ?? 1 }} of the first ${{ count: reviewedFirst }}`;
}

export const reasonLabels: Record<ReturnReason, () => string> = {
  'consent-missing': () => t`Consent missing`,
  'wrong-notes': () => t`Wrong notes`,
  'text-differs': () => t`Text differs`,
  sound: () => t`Sound`,
  other: () => t({ message: 'Other', context: 'reason' }),
};
