/** Every code the site can answer with. One list, so that clients can rely on it. */
export const errorCodes = [
  'request/invalid',
  'request/not-found',
  'request/method-not-allowed',
  'request/too-large',
  'request/unsupported-type',
  'request/bad-cursor',
  'request/range-not-satisfiable',
  'request/precondition-failed',
  'request/too-many',
  'auth/login-required',
  'subscription/required',
  'server/unavailable',
  'server/failed',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The one sentence a person reads for each code. */
export const errorSentences: Record<ErrorCode, string> = {
  'request/invalid': 'Something in this request is not as it should be.',
  'request/not-found': 'There is nothing here.',
  'request/method-not-allowed': 'This address does not take that method.',
  'request/too-large': 'This request is too large.',
  'request/unsupported-type': 'This content type is not understood here.',
  'request/bad-cursor': 'This cursor does not belong to this list.',
  'request/range-not-satisfiable': 'The file has no such bytes.',
  'request/precondition-failed': 'It has changed since you last saw it.',
  'request/too-many': 'Too many requests. Please wait a moment.',
  'auth/login-required': 'Please log in to continue.',
  'subscription/required': 'A subscription is needed for this.',
  'server/unavailable': 'The site is not ready. Please try again in a moment.',
  'server/failed': 'Something went wrong. Please try again.',
};

/** An outcome the caller can do nothing about but report; carries a code of the closed list. */
export class DomainError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = errorSentences[code], options?: ErrorOptions) {
    super(message, options);
    this.name = 'DomainError';
    this.code = code;
  }
}
