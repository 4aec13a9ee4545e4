import Stripe from 'stripe';
import { DomainError } from '#domain/errors.ts';
import type { Declined } from '#domain/membership/payment-provider.ts';

/** Pinned, so that an account's own default changes nothing here; the SDK's types are those of this version. */
const apiVersion = '2026-10-28.endive';

export type StripeConnection = {
  host: string;
  port: number;
  protocol: 'http' | 'https';
  /** Instead of the SDK's own. */
  httpClient?: Stripe.HttpClient;
};

/** @param connection of the sandbox; absent: Stripe itself */
export function openClient(apiKey: string, connection: StripeConnection | undefined): Stripe {
  return new Stripe(apiKey, {
    ...connection,
    apiVersion,
    telemetry: false,
    timeout: 8000,
    // With an idempotency key of the SDK's own, so that a lost answer charges nothing twice.
    maxNetworkRetries: 2,
  });
}

/** What Stripe refused, without what it says of a card: errors go to logs. */
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

/** @param failure what Stripe says of a charge that failed, as an error or on an intent */
export function reasonOf(failure: {
  code?: string | undefined;
  decline_code?: string | undefined;
}): Declined['reason'] {
  return declines[failure.decline_code ?? ''] ?? declines[failure.code ?? ''] ?? 'payment/card-declined';
}

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Not to be done as it was asked; such as for a card that belongs to somebody else by now. */
export function isRefused(error: unknown): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

export function isCardError(error: unknown): error is InstanceType<typeof Stripe.errors.StripeCardError> {
  return error instanceof Stripe.errors.StripeCardError;
}

/** @returns what to throw instead */
function translated(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { errors } = Stripe;
  // Another request with the same key is under way.
  if (error instanceof errors.StripeIdempotencyError || error.statusCode === 409)
    return new DomainError('payment/in-progress');
  const said = new StripeRefusal([error.type, error.code, error.param, error.requestId].filter(Boolean).join(' '));
  const isAway =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    (error.statusCode ?? 0) >= 500;
  return isAway ? new DomainError('payment/unavailable', undefined, { cause: said }) : said;
}

/** Around everything that is asked: nothing of the SDK comes out of this folder. */
export async function asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw translated(error);
  }
}

/** As `asking`, for what charges a card: a decline is an answer. */
export async function charging<Answer>(ask: () => Promise<Answer>): Promise<Answer | Declined> {
  return asking(async () => {
    try {
      return await ask();
    } catch (error) {
      if (isCardError(error))
        return { ok: false, reason: reasonOf({ code: error.code, decline_code: error.decline_code }) } as const;
      throw error;
    }
  });
}

/** As `asking`, for what may not be there. */
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

/** Nothing that leads the browser to another site. */
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
