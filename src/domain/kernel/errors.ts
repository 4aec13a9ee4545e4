import { countOf } from './rules.ts';

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
  'request/timeout',
  'request/wrong-host',
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
  'auth/common-password',
  'auth/under-age',
  'auth/terms-not-accepted',
  'auth/invalid-link',
  'auth/wrong-code',
  'auth/second-factor-required',
  'auth/second-factor-exists',
  'auth/last-second-factor',
  'auth/fresh-login-required',
  'subscription/required',
  'subscription/already-subscribed',
  'subscription/none',
  'subscription/payment-due',
  'subscription/trial-used',
  'payment/card-declined',
  'payment/insufficient-funds',
  'payment/expired-card',
  'payment/incorrect-cvc',
  'payment/incorrect-number',
  'payment/processing-error',
  'payment/authentication-failed',
  'payment/unknown-method',
  'payment/in-progress',
  'payment/unavailable',
  'promo-code/unknown',
  'promo-code/disabled',
  'promo-code/expired',
  'promo-code/used-up',
  'promo-code/not-for-you',
  'gift-card/unknown',
  'gift-card/already-redeemed',
  'gift-card/refunded',
  'queue/newer-version',
  'library/full',
  'playlist/changed',
  'comments/disabled',
  'comment/empty',
  'comment/too-long',
  'admin/last-admin',
  'admin/not-yourself',
  'admin/no-email',
  'admin/suspended',
  'admin/nothing-given',
  'admin/gift-used',
  'server/unavailable',
  'server/failed',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The message shown for each code. */
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
  'request/timeout': 'This request took too long to arrive.',
  'request/wrong-host': 'This page is not at the address of the site. Open the site at its own address, and try again.',
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
  'auth/common-password': 'This is one of the most common passwords, which are guessed first. Please choose another.',
  'auth/under-age': 'You must be at least 18 years old',
  'auth/terms-not-accepted': 'You must accept the terms and conditions',
  'auth/invalid-link': 'This link has been used already, or is too old.',
  'auth/wrong-code': 'This code is wrong, or was used already.',
  'auth/second-factor-required': 'Confirm that it is you with your second factor first.',
  'auth/second-factor-exists': 'There is an authenticator app already. Remove it first.',
  'auth/last-second-factor': 'This is your only second factor. Add another one first.',
  'auth/fresh-login-required': 'Confirm that it is you to continue.',
  'subscription/required': 'A subscription is needed for this.',
  'subscription/already-subscribed': 'You have a subscription already. Nothing was charged.',
  'subscription/none': 'There is no subscription to change.',
  'subscription/payment-due': 'The last payment did not go through. Please update your payment method first.',
  'subscription/trial-used': 'This card has had its free trial already.',
  // The first four use Stripe's wording.
  'payment/card-declined': 'Your card was declined.',
  'payment/insufficient-funds': 'Your card has insufficient funds.',
  'payment/expired-card': 'Your card has expired.',
  'payment/incorrect-cvc': 'Your card’s security code is incorrect.',
  'payment/incorrect-number': 'Your card number is incorrect.',
  'payment/processing-error': 'Your card could not be charged just now. Please try again in a moment.',
  'payment/authentication-failed': 'Your bank did not confirm this payment. Please try again, or use another card.',
  'payment/unknown-method': 'This card cannot be used here. Please enter it again.',
  'payment/in-progress': 'Your last step is still under way. Please wait a moment.',
  'payment/unavailable': 'The payment provider cannot be reached. Please try again in a moment.',
  'promo-code/unknown': 'This promo code does not exist.',
  'promo-code/disabled': 'This promo code is no longer offered.',
  'promo-code/expired': 'This promo code has expired.',
  'promo-code/used-up': 'This promo code has been used up.',
  'promo-code/not-for-you': 'This promo code does not apply here.',
  'gift-card/unknown': 'There is no gift card with this code.',
  'gift-card/already-redeemed': 'This gift card has been redeemed already.',
  'gift-card/refunded': 'This gift card was refunded.',
  'queue/newer-version': 'Your queue was changed on another device.',
  'library/full': 'There is no room for more. Remove something first.',
  'playlist/changed': 'This playlist was changed meanwhile.',
  // Text of spec §6.
  'comments/disabled': 'This creator has turned off their comments.',
  'comment/empty': 'Write something first.',
  'comment/too-long': 'A comment can have up to 1,000 characters.',
  'admin/last-admin': 'This is the only admin. Make somebody else admin first.',
  'admin/not-yourself': 'Another admin has to do this to your account.',
  'admin/no-email': 'This account has no email address.',
  'admin/suspended': 'This account is suspended. Lift the suspension first.',
  'admin/nothing-given': 'Nothing was given to this account that could be taken back.',
  'admin/gift-used': 'This gift is being used already, or is over.',
  'server/unavailable': 'The site is not ready. Please try again in a moment.',
  'server/failed': 'Something went wrong. Please try again.',
};

/** An outcome that the caller can only report; carries a code of the closed list. */
export class DomainError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = errorSentences[code], options?: ErrorOptions) {
    super(message, options);
    this.name = 'DomainError';
    this.code = code;
  }
}

/** A limit is reached; whoever is told so is told how long to wait. */
export class TooManyTries extends DomainError {
  /** Seconds until the next try is possible. */
  readonly retryAfter: number;

  constructor(retryAfter: number, code: 'request/too-many' | 'auth/too-many-requests' = 'request/too-many') {
    // Rounded up, so that it is true by then.
    const wait = countOf(Math.ceil(retryAfter / 60), 'minute');
    super(code, code === 'request/too-many' ? `Too many tries. The next one is possible in ${wait}.` : undefined);
    this.name = 'TooManyTries';
    this.retryAfter = retryAfter;
  }
}
