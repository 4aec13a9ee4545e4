export class LiveKeyError extends Error {
  override name = 'LiveKeyError';
}

/**
 * The sandbox takes test cards for money: it may never stand where real cards are taken.
 * @throws LiveKeyError when one of the keys moves real money
 */
export function refuseLiveKey(...keys: (string | undefined)[]): void {
  if (keys.some((key) => key !== undefined && /^(?:sk|rk|pk)_live_/.test(key.trim())))
    throw new LiveKeyError('the payment sandbox does not run beside a live Stripe key');
}
