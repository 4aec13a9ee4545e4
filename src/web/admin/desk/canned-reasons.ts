import { t } from '@lingui/core/macro';
import type { CannedReason } from '#domain/notices/rules.ts';

/** Names of standard reasons, for the decider. */
export const cannedLabels: Record<CannedReason, () => string> = {
  'consent-withdrawn': () => t`Consent was withdrawn`,
  'consent-on-record': () => t`Consent is on record`,
  'free-of-copyright': () => t`Free of copyright`,
  'work-of-others': () => t`Work of someone else`,
  advertising: () => t`Advertising`,
  'no-violation': () => t`No violation found`,
};
