import type Stripe from 'stripe';
import type { Kind } from '../store/documents.ts';

export type FailureType =
  | 'api_error'
  | 'authentication_error'
  | 'card_error'
  | 'idempotency_error'
  | 'invalid_request_error'
  | 'permission_error';

export type FailureDetails = {
  status: number;
  type: FailureType;
  code?: string;
  declineCode?: string;
  param?: string;
  message: string;
  paymentIntent?: Stripe.PaymentIntent;
  setupIntent?: Stripe.SetupIntent;
  /** A declined charge is committed with its records. Every other failure rolls back. */
  keepsChanges?: boolean;
  /** The unknown id. */
  missingId?: string;
  /** Nothing was started: the same idempotency key may be used again. */
  isRejected?: boolean;
};

/** An error in Stripe's format. */
export class Failure extends Error {
  override name = 'Failure';
  readonly details: FailureDetails;

  constructor(details: FailureDetails) {
    super(details.message);
    this.details = details;
  }

  /** @param shown reduces an object to the fields visible to the caller */
  body(shown: (object: object) => object = (object) => object) {
    const { type, code, declineCode, param, message, paymentIntent, setupIntent } = this.details;
    return {
      error: {
        ...(code === undefined ? {} : { code, doc_url: `https://stripe.com/docs/error-codes/${code}` }),
        ...(declineCode === undefined ? {} : { decline_code: declineCode }),
        message,
        ...(param === undefined ? {} : { param }),
        ...(paymentIntent === undefined ? {} : { payment_intent: shown(paymentIntent) }),
        ...(setupIntent === undefined ? {} : { setup_intent: shown(setupIntent) }),
        type,
      },
    };
  }
}

export function invalid(message: string, param?: string, code?: string): Failure {
  return new Failure({ status: 400, type: 'invalid_request_error', message, param, code });
}

export function missing(kind: Kind | 'payment_page', id: string, param: string): Failure {
  const name = kind.split('.').at(-1)?.replaceAll('_', ' ');
  return new Failure({
    status: 400,
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    missingId: id,
    message: `No such ${name}: '${id}'`,
  });
}
