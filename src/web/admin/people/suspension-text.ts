import { t } from '@lingui/core/macro';
import type { SuspensionReason } from '#domain/admin/rules.ts';

const texts: Record<SuspensionReason, () => string> = {
  Harassment: () => t`Harassment`,
  Spam: () => t`Spam`,
  'Payment fraud': () => t`Payment fraud`,
  'Asked for it': () => t`Asked for it`,
  'Another reason': () => t`Another reason`,
};

/** A recorded reason; those of the command line are any text. */
export function suspensionText(reason: string): string {
  return Object.hasOwn(texts, reason) ? texts[reason as SuspensionReason]() : reason;
}
