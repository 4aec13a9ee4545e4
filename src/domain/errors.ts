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
  'request/precondition-required',
  'request/too-many',
  'auth/login-required',
  'auth/invalid-id-token',
  'auth/account-exists-with-different-credential',
  'auth/wrong-password',
  'auth/user-not-found',
  'auth/too-many-requests',
  'auth/user-disabled',
  'auth/email-already-in-use',
  'auth/invalid-email',
  'auth/username-already-in-use',
  'auth/invalid-username',
  'auth/weak-password',
  'auth/under-age',
  'auth/terms-not-accepted',
  'auth/invalid-link',
  'subscription/required',
  'queue/newer-version',
  'library/full',
  'playlist/changed',
  'comments/disabled',
  'comment/empty',
  'comment/too-long',
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
  'request/precondition-required': 'This call needs to know which version you saw last.',
  'request/too-many': 'Too many requests. Please wait a moment.',
  'auth/login-required': 'Please log in to continue.',
  'auth/invalid-id-token': 'This sign-in has run out. Please log in again.',
  // Texts of spec §5 and §8 from here on.
  'auth/account-exists-with-different-credential':
    'An account already exists with the same email address but different sign-in credentials. Please sign in using a provider associated with this email address.',
  'auth/wrong-password': 'This combination does not exist. Please try again.',
  'auth/user-not-found': 'This combination does not exist. Please try again.',
  'auth/too-many-requests':
    'Access to this account has been temporarily disabled due to many failed login attempts. You can immediately restore it by resetting your password or you can try again later.',
  'auth/user-disabled': 'This account has been suspended.',
  'auth/email-already-in-use': 'This email address is already in use',
  'auth/invalid-email': 'Enter a valid email address',
  'auth/username-already-in-use': 'This username is unavailable',
  'auth/invalid-username': 'Please enter username',
  'auth/weak-password': 'Password have a minimum of 6 characters',
  'auth/under-age': 'You must be at least 18 years old',
  'auth/terms-not-accepted': 'You must accept the terms and conditions',
  'auth/invalid-link': 'This link has been used already, or is too old.',
  'subscription/required': 'A subscription is needed for this.',
  'queue/newer-version': 'Your queue was changed on another device.',
  'library/full': 'There is no room for more. Remove something first.',
  'playlist/changed': 'This playlist was changed meanwhile.',
  // Text of spec §6.
  'comments/disabled': 'This creator has turned off their comments.',
  'comment/empty': 'Write something first.',
  'comment/too-long': 'A comment can have up to 1,000 characters.',
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
