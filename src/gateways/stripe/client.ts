import Stripe from 'stripe';
import { DomainError } from '#domain/kernel/errors.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import type { Declined } from '#domain/membership/payment-provider.ts';
import { callLimits } from '../call-limits.ts';

/** Pinned, so that the account's default version does not matter; the SDK's types belong to this version. */
const apiVersion = '2026-10-28.endive';

export type StripeConnection = {
  host: string;
  port: number;
  protocol: 'http' | 'https';
  /** Instead of the SDK's own. */
  httpClient?: Stripe.HttpClient;
  maxNetworkRetries?: number;
};

/** @param connection of the sandbox; absent: Stripe itself */
export function openClient(apiKey: string, connection: StripeConnection | undefined): Stripe {
  return new Stripe(apiKey, {
    apiVersion,
    telemetry: false,
    timeout: callLimits.stripe.answerMs,
    // Its time limit is for the whole answer; that of the SDK's own client begins anew with each byte.
    httpClient: Stripe.createFetchHttpClient(),
    // The SDK adds an idempotency key to retries, so that a lost answer charges nothing twice.
    maxNetworkRetries: callLimits.stripe.attempts - 1,
    ...connection,
  });
}

/** Stripe's error without card details, because errors are logged. */
class StripeRefusal extends Error {
  override name = 'StripeRefusal';
}

const declines: Record<string, Declined['reason']> = {
  insufficient_funds: 'payment/insufficient-funds',
  expired_card: 'payment/expired-card',
  invalid_expiry_month: 'payment/expired-card',
  invalid_expiry_year: 'payment/expired-card',
  incorrect_cvc: 'payment/incorrect-cvc',
  invalid_cvc: 'payment/incorrect-cvc',
  incorrect_number: 'payment/incorrect-number',
  invalid_number: 'payment/incorrect-number',
  processing_error: 'payment/processing-error',
  authentication_required: 'payment/authentication-failed',
  payment_intent_authentication_failure: 'payment/authentication-failed',
  setup_intent_authentication_failure: 'payment/authentication-failed',
};

/** @param failure Stripe's description of a failed charge, from an error or an intent */
export function reasonOf(failure: {
  code?: string | undefined;
  decline_code?: string | undefined;
}): Declined['reason'] {
  return declines[failure.decline_code ?? ''] ?? declines[failure.code ?? ''] ?? 'payment/card-declined';
}

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** The request itself was refused, for example for a card of another customer. */
export function isRefused(error: unknown): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

export function isCardError(error: unknown): error is InstanceType<typeof Stripe.errors.StripeCardError> {
  return error instanceof Stripe.errors.StripeCardError;
}

/** @returns the domain's error */
function translated(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { errors } = Stripe;
  // Another request with the same key is running.
  if (error instanceof errors.StripeIdempotencyError || error.statusCode === 409)
    return new DomainError('payment/in-progress');
  const refusal = new StripeRefusal([error.type, error.code, error.param, error.requestId].filter(Boolean).join(' '));
  const isAway =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    (error.statusCode ?? 0) >= 500;
  return isAway ? new DomainError('payment/unavailable', undefined, { cause: refusal }) : refusal;
}

/** @returns undefined when Stripe refuses the request itself */
export async function unlessRefused<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

/** Wraps all calls, so that no SDK error leaves this folder. */
export async function asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  refuseInTransaction('The payment provider');
  try {
    return await ask();
  } catch (error) {
    throw translated(error);
  }
}

/** Like `asking`, for calls that charge a card: a decline is a return value. */
export async function charging<Answer>(ask: () => Promise<Answer>): Promise<Answer | Declined> {
  return asking(async () => {
    try {
      return await ask();
    } catch (error) {
      if (isCardError(error)) return { ok: false, reason: reasonOf(error) } as const;
      throw error;
    }
  });
}

/** Like `asking`, but undefined for a missing object. */
export async function finding<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  return asking(async () => {
    try {
      return await ask();
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  });
}

export function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}

/** No payment methods that redirect to another site. */
export const cardsOnly = { enabled: true, allow_redirects: 'never' } as const;

/** Stripe counts seconds. */
export function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}

export function maybeDateOf(seconds: number | null | undefined): Date | undefined {
  return seconds === null || seconds === undefined ? undefined : dateOf(seconds);
}

export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
