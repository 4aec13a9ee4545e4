import { DomainError } from '#domain/kernel/errors.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { callLimits } from '../call-limits.ts';
import { timedFetch } from '../timed-fetch.ts';

/**
 * A call of a payment provider. Its address and headers have secrets, so that neither gets into the error.
 * @returns undefined for what the provider does not know (404)
 * @throws DomainError `payment/unavailable`
 */
export async function askProvider(
  provider: string,
  address: string,
  init: Omit<RequestInit, 'signal' | 'redirect'> = {},
): Promise<Response | undefined> {
  refuseInTransaction(provider);
  const response = await timedFetch(address, {
    ...init,
    redirect: 'error',
    limitMs: callLimits.hostedPayments.answerMs,
  }).catch((error: unknown) => {
    throw unavailable(provider, codeOf(error));
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw unavailable(provider, `status ${response.status}`);
  return response;
}

export function unavailable(provider: string, reason: string): DomainError {
  return new DomainError('payment/unavailable', undefined, { cause: new Error(`${provider}: ${reason}`) });
}

/** Such as ECONNREFUSED, which the message of `fetch` hides. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? 'no answer';
}
