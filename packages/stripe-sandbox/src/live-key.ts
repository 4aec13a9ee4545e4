export class LiveKeyError extends Error {
  override name = 'LiveKeyError';
}

/**
 * The sandbox accepts test cards as money, so it must never run beside live keys.
 * @throws LiveKeyError if one of the keys is live
 */
export function refuseLiveKey(...keys: (string | undefined)[]): void {
  if (keys.some((key) => key !== undefined && /^(?:sk|rk|pk)_live_/.test(key.trim())))
    throw new LiveKeyError('the payment sandbox does not run beside a live Stripe key');
}
