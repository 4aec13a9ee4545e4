import { t } from '@lingui/core/macro';
/** A card error and its place. `other` is below expiration date and security code (spec §5). */
export type CardFailure = { field: 'number' | 'expiry' | 'cvc' | 'other'; message: string };

/**
 * Error under the field whose name the code contains (number, expiry or cvc); otherwise `other`.
 * @param code the provider’s, or the site’s
 */
export function cardFailureOf(code: string | undefined, message: string | undefined): CardFailure {
  const field = (['number', 'expiry', 'cvc'] as const).find((name) => code?.includes(name)) ?? 'other';
  return { field, message: message ?? t`Something went wrong. Please try again.` };
}
