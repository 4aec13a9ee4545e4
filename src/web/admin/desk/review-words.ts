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

/** Its label, and the first words of the reason. */
export const reasonWords: Record<ReturnReason, { label: () => string; start: () => string }> = {
  'consent-missing': { label: () => t`Consent missing`, start: () => t`The consent of a performer is missing.` },
  'wrong-notes': { label: () => t`Wrong notes`, start: () => t`The tags or categories do not fit.` },
  'text-differs': { label: () => t`Text differs`, start: () => t`The text differs from what is heard.` },
  sound: { label: () => t`Sound`, start: () => t`There is something wrong with the sound.` },
  other: { label: () => t({ message: 'Other', context: 'reason' }), start: () => '' },
};
