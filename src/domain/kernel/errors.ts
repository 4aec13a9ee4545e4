import { sourceLanguage } from '#formats/languages.ts';
import { i18n, inLanguage } from '#i18n';

/** A text for people and translators: an id, the English, and its values. */
export type Sentence = {
  readonly id: string;
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number>>;
};

/**
 * Every code that the site can answer with: its HTTP status, the sentence shown, and `Retry-After` in seconds, since a
 * shorter delay would cause the next burst. One list, so that clients can rely on it.
 */
const errors = {
  'request/invalid': [400, /*i18n*/ { id: 'error.request/invalid', message: 'This request is not valid.' }],
  'request/not-found': [404, /*i18n*/ { id: 'error.request/not-found', message: 'Page not found.' }],
  'request/method-not-allowed': [
    405,
    /*i18n*/ { id: 'error.request/method-not-allowed', message: 'This address does not accept that method.' },
  ],
  'request/too-large': [413, /*i18n*/ { id: 'error.request/too-large', message: 'This request is too large.' }],
  'request/unsupported-type': [
    415,
    /*i18n*/ { id: 'error.request/unsupported-type', message: 'This content type is not supported here.' },
  ],
  'request/bad-cursor': [
    400,
    /*i18n*/ { id: 'error.request/bad-cursor', message: 'This cursor does not belong to this list.' },
  ],
  'request/range-not-satisfiable': [
    416,
    /*i18n*/ { id: 'error.request/range-not-satisfiable', message: 'The requested range is outside of the file.' },
  ],
  'request/precondition-failed': [
    412,
    /*i18n*/ { id: 'error.request/precondition-failed', message: 'It has changed since you last saw it.' },
  ],
  'request/precondition-required': [
    428,
    /*i18n*/ {
      id: 'error.request/precondition-required',
      message: 'This call requires the version that you saw last.',
    },
  ],
  'request/too-many': [
    429,
    /*i18n*/ { id: 'error.request/too-many', message: 'Too many requests. Please wait a moment.' },
    5,
  ],
  'request/in-progress': [
    409,
    /*i18n*/ {
      id: 'error.request/in-progress',
      message: 'This was sent before and has no answer yet. Please check whether it was done before you send it again.',
    },
    5,
  ],
  'request/key-of-another': [
    422,
    /*i18n*/ {
      id: 'error.request/key-of-another',
      message: 'This Idempotency-Key was used for another call. Use a new key for each act.',
    },
  ],
  'request/timeout': [408, /*i18n*/ { id: 'error.request/timeout', message: 'This request took too long to arrive.' }],
  'request/wrong-host': [
    421,
    /*i18n*/ {
      id: 'error.request/wrong-host',
      message: 'This page is not at the address of the site. Open the site at its own address, and try again.',
    },
  ],
  'request/not-offered': [
    501,
    /*i18n*/ { id: 'error.request/not-offered', message: 'This site does not offer that format.' },
  ],
  'auth/login-required': [401, /*i18n*/ { id: 'error.auth/login-required', message: 'Please log in to continue.' }],
  'auth/invalid-id-token': [
    401,
    /*i18n*/ { id: 'error.auth/invalid-id-token', message: 'This sign-in has expired. Please log in again.' },
  ],
  // Texts of spec §5 and §8 from here on.
  'auth/account-exists-with-different-credential': [
    409,
    /*i18n*/ {
      id: 'error.auth/account-exists-with-different-credential',
      message:
        'An account already exists with the same email address but different sign-in credentials. Please sign in using a provider associated with this email address.',
    },
  ],
  'auth/wrong-password': [
    403,
    /*i18n*/ { id: 'error.auth/wrong-password', message: 'This combination does not exist. Please try again.' },
  ],
  'auth/user-not-found': [
    403,
    /*i18n*/ { id: 'error.auth/user-not-found', message: 'This combination does not exist. Please try again.' },
  ],
  'auth/too-many-requests': [
    429,
    /*i18n*/ {
      id: 'error.auth/too-many-requests',
      message:
        'Access to this account has been temporarily disabled due to many failed login attempts. You can immediately restore it by resetting your password or you can try again later.',
    },
  ],
  'auth/user-disabled': [403, /*i18n*/ { id: 'error.auth/user-disabled', message: 'This account has been suspended.' }],
  'auth/email-already-in-use': [
    409,
    /*i18n*/ { id: 'error.auth/email-already-in-use', message: 'This email address is already in use' },
  ],
  'auth/invalid-email': [400, /*i18n*/ { id: 'error.auth/invalid-email', message: 'Enter a valid email address' }],
  'auth/username-already-in-use': [
    409,
    /*i18n*/ { id: 'error.auth/username-already-in-use', message: 'This username is unavailable' },
  ],
  'auth/invalid-username': [400, /*i18n*/ { id: 'error.auth/invalid-username', message: 'Please enter username' }],
  'auth/weak-password': [
    400,
    /*i18n*/ { id: 'error.auth/weak-password', message: 'Password have a minimum of 6 characters' },
  ],
  'auth/common-password': [
    400,
    /*i18n*/ {
      id: 'error.auth/common-password',
      message: 'This is one of the most common passwords, which are guessed first. Please choose another.',
    },
  ],
  'auth/under-age': [400, /*i18n*/ { id: 'error.auth/under-age', message: 'You must be at least 18 years old' }],
  'notice/incomplete': [400, /*i18n*/ { id: 'error.notice/incomplete', message: 'This report is not complete.' }],
  'notice/too-many': [
    429,
    /*i18n*/ {
      id: 'error.notice/too-many',
      message: 'Ten reports came from this network today. Nothing was sent. Please try again tomorrow.',
    },
    3600,
  ],
  'notice/too-late': [409, /*i18n*/ { id: 'error.notice/too-late', message: 'The time for this is over.' }],
  'notice/decided': [
    409,
    /*i18n*/ { id: 'error.notice/decided', message: 'Someone else decided this notice meanwhile.' },
  ],
  'notice/own-decision': [
    403,
    /*i18n*/ {
      id: 'error.notice/own-decision',
      message: 'You decided this notice. Someone else reads its appeal.',
    },
  ],
  'notice/mails-left': [
    409,
    /*i18n*/ {
      id: 'error.notice/mails-left',
      message: 'The mails have left already. An appeal can change the decision.',
    },
  ],
  'age/required': [403, /*i18n*/ { id: 'error.age/required', message: 'Please confirm your age first.' }],
  'age/no-way': [400, /*i18n*/ { id: 'error.age/no-way', message: 'Proof needs a way that is on.' }],
  'age/no-certificate': [
    400,
    /*i18n*/ { id: 'error.age/no-certificate', message: 'This is not one certificate in the format PEM.' },
  ],
  'auth/terms-not-accepted': [
    400,
    /*i18n*/ { id: 'error.auth/terms-not-accepted', message: 'You must accept the terms and conditions' },
  ],
  'auth/invalid-link': [
    400,
    /*i18n*/ { id: 'error.auth/invalid-link', message: 'This link was already used or has expired.' },
  ],
  'auth/wrong-code': [
    403,
    /*i18n*/ { id: 'error.auth/wrong-code', message: 'This code is wrong or was already used.' },
  ],
  'auth/second-factor-required': [
    403,
    /*i18n*/ {
      id: 'error.auth/second-factor-required',
      message: 'Confirm your identity with your second factor first.',
    },
  ],
  'auth/second-factor-exists': [
    409,
    /*i18n*/ {
      id: 'error.auth/second-factor-exists',
      message: 'An authenticator app is already set up. Remove it first.',
    },
  ],
  'auth/last-second-factor': [
    409,
    /*i18n*/ {
      id: 'error.auth/last-second-factor',
      message: 'This is your only second factor. Add another one first.',
    },
  ],
  'auth/fresh-login-required': [
    403,
    /*i18n*/ { id: 'error.auth/fresh-login-required', message: 'Confirm your identity to continue.' },
  ],
  'clip/not-free': [
    409,
    /*i18n*/ { id: 'error.clip/not-free', message: 'Clips are for audios that everyone can hear.' },
  ],
  'clip/not-allowed': [409, /*i18n*/ { id: 'error.clip/not-allowed', message: 'This audio allows no clips.' }],
  'subscription/required': [
    402,
    /*i18n*/ { id: 'error.subscription/required', message: 'A subscription is needed for this.' },
  ],
  'subscription/already-subscribed': [
    409,
    /*i18n*/ {
      id: 'error.subscription/already-subscribed',
      message: 'You already have a subscription. Nothing was charged.',
    },
  ],
  'subscription/currency-not-offered': [
    409,
    /*i18n*/ {
      id: 'error.subscription/currency-not-offered',
      message: 'There are no prices in this currency. Nothing was charged.',
    },
  ],
  'subscription/currency-fixed': [
    409,
    /*i18n*/ {
      id: 'error.subscription/currency-fixed',
      message: 'Your account pays in the currency of its first subscription. Nothing was charged.',
    },
  ],
  'subscription/none': [
    409,
    /*i18n*/ { id: 'error.subscription/none', message: 'You have no subscription to change.' },
  ],
  'subscription/not-pausable': [
    409,
    /*i18n*/ { id: 'error.subscription/not-pausable', message: 'This subscription cannot be paused now.' },
  ],
  'subscription/already-paused': [
    409,
    /*i18n*/ { id: 'error.subscription/already-paused', message: 'This subscription is paused already.' },
  ],
  'subscription/paused-lately': [
    409,
    /*i18n*/ { id: 'error.subscription/paused-lately', message: 'You can pause once in twelve months.' },
  ],
  'subscription/no-offer': [
    409,
    /*i18n*/ { id: 'error.subscription/no-offer', message: 'This offer is not available any more.' },
  ],
  'subscription/payment-due': [
    409,
    /*i18n*/ {
      id: 'error.subscription/payment-due',
      message: 'The last payment did not go through. Please update your payment method first.',
    },
  ],
  'subscription/trial-used': [
    409,
    /*i18n*/ { id: 'error.subscription/trial-used', message: 'This card has had its free trial already.' },
  ],
  'subscription/price-changed': [
    409,
    /*i18n*/ { id: 'error.subscription/price-changed', message: 'The price has changed. Nothing was charged.' },
  ],
  // The first four use Stripe’s wording.
  'payment/card-declined': [402, /*i18n*/ { id: 'error.payment/card-declined', message: 'Your card was declined.' }],
  'payment/insufficient-funds': [
    402,
    /*i18n*/ { id: 'error.payment/insufficient-funds', message: 'Your card has insufficient funds.' },
  ],
  'payment/expired-card': [402, /*i18n*/ { id: 'error.payment/expired-card', message: 'Your card has expired.' }],
  'payment/incorrect-cvc': [
    402,
    /*i18n*/ { id: 'error.payment/incorrect-cvc', message: 'Your card’s security code is incorrect.' },
  ],
  'payment/incorrect-number': [
    402,
    /*i18n*/ { id: 'error.payment/incorrect-number', message: 'Your card number is incorrect.' },
  ],
  'payment/processing-error': [
    402,
    /*i18n*/ {
      id: 'error.payment/processing-error',
      message: 'Your card could not be charged just now. Please try again in a moment.',
    },
  ],
  'payment/authentication-failed': [
    402,
    /*i18n*/ {
      id: 'error.payment/authentication-failed',
      message: 'Your bank did not confirm this payment. Please try again, or use another card.',
    },
  ],
  'payment/unknown-method': [
    400,
    /*i18n*/ { id: 'error.payment/unknown-method', message: 'This card cannot be used here. Please enter it again.' },
  ],
  'payment/in-progress': [
    409,
    /*i18n*/ { id: 'error.payment/in-progress', message: 'Your last step is still in progress. Please wait a moment.' },
  ],
  'payment/unavailable': [
    503,
    /*i18n*/ {
      id: 'error.payment/unavailable',
      message: 'The payment provider cannot be reached. Please try again in a moment.',
    },
    5,
  ],
  'payment/not-offered': [
    409,
    /*i18n*/ {
      id: 'error.payment/not-offered',
      message: 'This is not possible with the payment provider of this subscription.',
    },
  ],
  'payment/cancel-at-provider': [
    409,
    /*i18n*/ {
      id: 'error.payment/cancel-at-provider',
      message: 'Your subscription has to be canceled at the payment provider first.',
    },
  ],
  'payment/provider-gone': [
    409,
    /*i18n*/ {
      id: 'error.payment/provider-gone',
      message: 'This site no longer works with the payment provider of this subscription.',
    },
  ],
  'promo-code/unknown': [400, /*i18n*/ { id: 'error.promo-code/unknown', message: 'This promo code does not exist.' }],
  'promo-code/disabled': [
    400,
    /*i18n*/ { id: 'error.promo-code/disabled', message: 'This promo code is no longer offered.' },
  ],
  'promo-code/expired': [400, /*i18n*/ { id: 'error.promo-code/expired', message: 'This promo code has expired.' }],
  'promo-code/used-up': [
    400,
    /*i18n*/ { id: 'error.promo-code/used-up', message: 'This promo code has been used up.' },
  ],
  'promo-code/not-for-you': [
    400,
    /*i18n*/ { id: 'error.promo-code/not-for-you', message: 'This promo code does not apply here.' },
  ],
  'promo-code/other-currency': [
    400,
    /*i18n*/ {
      id: 'error.promo-code/other-currency',
      message: 'This promo code can’t be used in this currency.',
    },
  ],
  'promo-code/ends-too-soon': [
    400,
    /*i18n*/ {
      id: 'error.promo-code/ends-too-soon',
      message: 'This discount would end before your next payment. Your code was not used.',
    },
  ],
  'tip/off': [404, /*i18n*/ { id: 'error.tip/off', message: 'This creator takes no tips at the moment.' }],
  'tip/amount': [400, /*i18n*/ { id: 'error.tip/amount', message: 'This amount can’t be given. Choose another one.' }],
  'tip/unknown': [404, /*i18n*/ { id: 'error.tip/unknown', message: 'There is no such tip.' }],
  'tip/refunded': [409, /*i18n*/ { id: 'error.tip/refunded', message: 'This tip was refunded.' }],
  'gift-card/unknown': [
    404,
    /*i18n*/ { id: 'error.gift-card/unknown', message: 'There is no gift card with this code.' },
  ],
  'gift-card/already-redeemed': [
    409,
    /*i18n*/ { id: 'error.gift-card/already-redeemed', message: 'This gift card was already redeemed.' },
  ],
  'gift-card/refunded': [409, /*i18n*/ { id: 'error.gift-card/refunded', message: 'This gift card was refunded.' }],
  'promo-code/exists': [
    409,
    /*i18n*/ { id: 'error.promo-code/exists', message: 'An active promo code already has this name.' },
  ],
  'promo-code/above-price': [
    400,
    /*i18n*/ { id: 'error.promo-code/above-price', message: 'This code takes off more than any subscription costs.' },
  ],
  'promo-code/changed': [
    409,
    /*i18n*/ {
      id: 'error.promo-code/changed',
      message:
        '{who, select, known {{by}} other {Someone else}} changed or ended this promo code meanwhile. Your changes were not saved.',
    },
  ],
  'refund/changed': [
    409,
    /*i18n*/ {
      id: 'error.refund/changed',
      message: 'Part of this payment was refunded meanwhile. Nothing was refunded now. Please check it again.',
    },
  ],
  'refund/too-much': [
    400,
    /*i18n*/ {
      id: 'error.refund/too-much',
      message: 'That is more than is left of this payment. Nothing was refunded.',
    },
  ],
  'refund/not-possible': [
    409,
    /*i18n*/ {
      id: 'error.refund/not-possible',
      message: 'The payment provider cannot refund this payment. Nothing was refunded.',
    },
  ],
  'subscription/changed': [
    409,
    /*i18n*/ {
      id: 'error.subscription/changed',
      message: 'This subscription has changed meanwhile. Nothing was done. Please check it again.',
    },
  ],
  'provider-move/running': [
    409,
    /*i18n*/ { id: 'error.provider-move/running', message: 'Another move of subscriptions has not ended yet.' },
  ],
  'member-import/not-csv': [
    400,
    /*i18n*/ { id: 'error.member-import/not-csv', message: 'This file is not CSV in UTF-8. Nothing was imported.' },
  ],
  'member-import/no-columns': [
    400,
    /*i18n*/ {
      id: 'error.member-import/no-columns',
      message: 'The first line needs the column email, and one of paid until and stripe customer.',
    },
  ],
  'member-import/empty': [
    400,
    /*i18n*/ { id: 'error.member-import/empty', message: 'This file has no members below its first line.' },
  ],
  'member-import/too-many': [
    400,
    /*i18n*/ {
      id: 'error.member-import/too-many',
      message: 'This file has more than 50,000 members. Divide it into several.',
    },
  ],
  'member-import/running': [
    409,
    /*i18n*/ { id: 'error.member-import/running', message: 'Another import of members has not ended yet.' },
  ],
  'reconciliation/running': [
    409,
    /*i18n*/ { id: 'error.reconciliation/running', message: 'A comparison is already running.' },
  ],
  'invoice/no-vat-id': [
    400,
    /*i18n*/ { id: 'error.invoice/no-vat-id', message: 'Enter a VAT ID with its country, such as FR12345678901.' },
  ],
  'payout/changed': [
    409,
    /*i18n*/ {
      id: 'error.payout/changed',
      message: 'This month has changed meanwhile. Nothing was saved. Please check it again.',
    },
  ],
  'payout/locked': [
    409,
    /*i18n*/ { id: 'error.payout/locked', message: 'This month is locked and cannot be changed.' },
  ],
  'payout/too-early': [
    409,
    /*i18n*/ { id: 'error.payout/too-early', message: 'A month can be locked from the third day of the next one.' },
  ],
  'payout/no-pool': [
    409,
    /*i18n*/ {
      id: 'error.payout/no-pool',
      message: 'Enter the pool of this month first, in each currency with payments; 0 shares nothing.',
    },
  ],
  'payout/other-currency': [
    409,
    /*i18n*/ { id: 'error.payout/other-currency', message: 'There are neither prices nor payments in this currency.' },
  ],
  'payout/not-locked': [409, /*i18n*/ { id: 'error.payout/not-locked', message: 'Lock this month before you pay it.' }],
  'payout/below-minimum': [
    409,
    /*i18n*/ {
      id: 'error.payout/below-minimum',
      message: 'This amount is below the smallest payment. It is carried over to the next month.',
    },
  ],
  'payout/no-payee': [
    409,
    /*i18n*/ {
      id: 'error.payout/no-payee',
      message: 'The payee of this creator is missing. Nothing was saved.',
    },
  ],
  'payee/no-account': [
    409,
    /*i18n*/ {
      id: 'error.payee/no-account',
      message: 'The account that you entered before cannot be read any more. Please enter it again.',
    },
  ],
  'queue/newer-version': [
    412,
    /*i18n*/ { id: 'error.queue/newer-version', message: 'Your queue was changed on another device.' },
  ],
  'library/full': [
    409,
    /*i18n*/ { id: 'error.library/full', message: 'There is no room for more. Remove something first.' },
  ],
  'offline/too-many-devices': [
    409,
    /*i18n*/ {
      id: 'error.offline/too-many-devices',
      message: 'Five of your devices already have downloads. Remove one in Account → Sessions, then try again.',
    },
  ],
  'playlist/changed': [409, /*i18n*/ { id: 'error.playlist/changed', message: 'This playlist was changed meanwhile.' }],
  // Text of spec §6.
  'comments/disabled': [
    403,
    /*i18n*/ { id: 'error.comments/disabled', message: 'This creator has turned off their comments.' },
  ],
  'comments/subscribers-only': [
    403,
    /*i18n*/ { id: 'error.comments/subscribers-only', message: 'Only subscribers can comment here.' },
  ],
  'comments/paused': [
    403,
    /*i18n*/ { id: 'error.comments/paused', message: 'This creator takes no new comments at the moment.' },
  ],
  'comments/blocked': [
    403,
    /*i18n*/ { id: 'error.comments/blocked', message: 'This creator does not accept comments from you.' },
  ],
  'comment/empty': [400, /*i18n*/ { id: 'error.comment/empty', message: 'Write something first.' }],
  'comment/too-long': [
    400,
    /*i18n*/ { id: 'error.comment/too-long', message: 'A comment can have up to 1,000 characters.' },
  ],
  'comment/under-review': [
    409,
    /*i18n*/ { id: 'error.comment/under-review', message: 'This comment cannot be changed at the moment.' },
  ],
  'comment/at-desk': [
    409,
    /*i18n*/ { id: 'error.comment/at-desk', message: 'The operator decides whether this comment is shown.' },
  ],
  'comment/edited': [
    409,
    /*i18n*/ { id: 'error.comment/edited', message: 'This comment was edited meanwhile. Please read it again.' },
  ],
  'comment/too-many': [
    429,
    /*i18n*/ {
      id: 'error.comment/too-many',
      message: 'You’ve reached the hourly comment limit. Please try again later.',
    },
  ],
  'upload/unknown-category': [
    400,
    /*i18n*/ { id: 'error.upload/unknown-category', message: 'This category no longer exists. Choose another one.' },
  ],
  'upload/wrong-type': [
    415,
    /*i18n*/ {
      id: 'error.upload/wrong-type',
      message: 'This file type is not supported. Save it as WAV, FLAC, MP3, M4A or OGG and add it again.',
    },
  ],
  'upload/empty': [400, /*i18n*/ { id: 'error.upload/empty', message: 'This file is empty.' }],
  'upload/too-large': [
    413,
    /*i18n*/ {
      id: 'error.upload/too-large',
      message: 'This file is over the limit of 2 GB. Split it, or save it as FLAC.',
    },
  ],
  'upload/too-many': [
    409,
    /*i18n*/ {
      id: 'error.upload/too-many',
      message: 'You have 20 unfinished uploads. Finish or cancel one of them first.',
    },
  ],
  'upload/daily-limit': [
    429,
    /*i18n*/ {
      id: 'error.upload/daily-limit',
      message: 'You have reached your upload limit for 24 hours. Nothing was lost. Continue tomorrow.',
    },
    3600,
  ],
  'upload/no-space': [
    503,
    /*i18n*/ {
      id: 'error.upload/no-space',
      message: 'The site has no space for this file right now. The uploaded part is kept. Try again later.',
    },
    60,
  ],
  'upload/wrong-offset': [
    409,
    /*i18n*/ {
      id: 'error.upload/wrong-offset',
      message: 'The upload is at another position. Request the current offset, and continue there.',
    },
  ],
  'upload/busy': [
    423,
    /*i18n*/ { id: 'error.upload/busy', message: 'Another request is working on this upload. Try again in a moment.' },
  ],
  'upload/too-late': [409, /*i18n*/ { id: 'error.upload/too-late', message: 'This upload can no longer be changed.' }],
  'import/under-way': [
    409,
    /*i18n*/ { id: 'error.import/under-way', message: 'An import is under way. Stop it, or wait until it is done.' },
  ],
  'import/too-many': [
    429,
    /*i18n*/ { id: 'error.import/too-many', message: 'You have read too many feeds today. Continue tomorrow.' },
  ],
  'import/too-late': [
    409,
    /*i18n*/ { id: 'error.import/too-late', message: 'This import has gone on meanwhile. Load the page again.' },
  ],
  'import/wrong-code': [
    400,
    /*i18n*/ { id: 'error.import/wrong-code', message: 'This is not the code of the mail. Check it, and try again.' },
  ],
  'list/changed': [
    409,
    /*i18n*/ {
      id: 'error.list/changed',
      message:
        '{who, select, known {{by}} other {Someone else}} changed this list meanwhile. Your changes were not saved. Reload to see the current list.',
    },
  ],
  'list/other-name': [
    400,
    /*i18n*/ { id: 'error.list/other-name', message: 'The name does not match. Type it as it is shown.' },
  ],
  'look/changed': [
    409,
    /*i18n*/ {
      id: 'error.look/changed',
      message:
        '{who, select, known {{by}} other {Someone else}} changed this meanwhile. Your changes were not saved. Reload to see the current version.',
    },
  ],
  'look/contrast': [400, /*i18n*/ { id: 'error.look/contrast', message: 'These colors are too close to each other.' }],
  'look/bad-svg': [
    400,
    /*i18n*/ {
      id: 'error.look/bad-svg',
      message: 'This SVG cannot be rendered. Save it as plain SVG, with text converted to paths.',
    },
  ],
  'look/svg-too-large': [
    413,
    /*i18n*/ { id: 'error.look/svg-too-large', message: 'This SVG is larger than 100 kB. Simplify it, or use a PNG.' },
  ],
  'look/unknown-content': [
    400,
    /*i18n*/ {
      id: 'error.look/unknown-content',
      message: 'A rail shows something that no longer exists. Remove it, or choose another.',
    },
  ],
  'look/bad-file': [
    400,
    /*i18n*/ {
      id: 'error.look/bad-file',
      message: 'This file is not an exported look, or it was changed. Nothing was imported.',
    },
  ],
  'look/newer-file': [
    400,
    /*i18n*/ {
      id: 'error.look/newer-file',
      message: 'This file was exported by a newer version. Update this site first. Nothing was imported.',
    },
  ],
  'look/nothing-to-undo': [
    409,
    /*i18n*/ {
      id: 'error.look/nothing-to-undo',
      message: 'There is no import to undo, or something was changed since.',
    },
  ],
  'preview/changed': [
    409,
    /*i18n*/ {
      id: 'error.preview/changed',
      message:
        '{who, select, known {{by}} other {Someone else}} chose the preview meanwhile. Your choice was not saved. Please check theirs first.',
    },
  ],
  'preview/not-published': [
    409,
    /*i18n*/ {
      id: 'error.preview/not-published',
      message: 'Only a published audio can be the preview. Publish it first.',
    },
  ],
  'picture/changed': [
    409,
    /*i18n*/ {
      id: 'error.picture/changed',
      message:
        '{who, select, known {{by}} other {Someone else}} changed this picture meanwhile. Your picture was not saved. Please check theirs first.',
    },
  ],
  'bulk-act/nothing': [409, /*i18n*/ { id: 'error.bulk-act/nothing', message: 'There are no audios left to change.' }],
  'bulk-act/too-many': [
    409,
    /*i18n*/ {
      id: 'error.bulk-act/too-many',
      message: 'One action can change up to 100,000 audios. Narrow the filters and change each part.',
    },
  ],
  'bulk-act/gone': [
    409,
    /*i18n*/ {
      id: 'error.bulk-act/gone',
      message: 'A category or playlist of this action no longer exists. Choose again.',
    },
  ],
  'bulk-act/finished': [409, /*i18n*/ { id: 'error.bulk-act/finished', message: 'This action is already finished.' }],
  'tag/exists': [409, /*i18n*/ { id: 'error.tag/exists', message: 'Another tag has this name. Merge them instead.' }],
  'facet/address-taken': [
    409,
    /*i18n*/ { id: 'error.facet/address-taken', message: 'Another facet has this address.' },
  ],
  'facet/notes-elsewhere': [
    409,
    /*i18n*/ {
      id: 'error.facet/notes-elsewhere',
      message: 'Another facet has the content notes. Turn them off there first.',
    },
  ],
  'facet/crowded': [
    409,
    /*i18n*/ {
      id: 'error.facet/crowded',
      message: 'Audios have several of these tags, but this facet takes one of each audio. Nothing was changed.',
    },
  ],
  'voice/no-user': [
    404,
    /*i18n*/ { id: 'error.voice/no-user', message: 'There is no account with this email or username.' },
  ],
  'report/decided': [
    409,
    /*i18n*/ { id: 'error.report/decided', message: 'Someone else already decided on this report.' },
  ],
  'report/undone': [409, /*i18n*/ { id: 'error.report/undone', message: 'Someone else already undid this decision.' }],
  'report/of-admin': [
    409,
    /*i18n*/ {
      id: 'error.report/of-admin',
      message: 'The author is an admin and cannot be suspended for a comment. Remove the role first.',
    },
  ],
  'admin/last-admin': [
    409,
    /*i18n*/ { id: 'error.admin/last-admin', message: 'This is the only admin. Make someone else admin first.' },
  ],
  'admin/not-yourself': [
    409,
    /*i18n*/ { id: 'error.admin/not-yourself', message: 'Another admin has to do this to your account.' },
  ],
  'admin/no-email': [409, /*i18n*/ { id: 'error.admin/no-email', message: 'This account has no email address.' }],
  'admin/suspended': [
    409,
    /*i18n*/ { id: 'error.admin/suspended', message: 'This account is suspended. Lift the suspension first.' },
  ],
  'audio/changed-meanwhile': [
    409,
    /*i18n*/ {
      id: 'error.audio/changed-meanwhile',
      message:
        '{who, select, known {{by}} other {Someone else}} has changed this audio meanwhile. Nothing of yours is lost.',
    },
  ],
  'audio/slug-taken': [
    409,
    /*i18n*/ { id: 'error.audio/slug-taken', message: 'Another audio already has this address.' },
  ],
  'audio/unknown-category': [
    409,
    /*i18n*/ { id: 'error.audio/unknown-category', message: 'This category no longer exists.' },
  ],
  'audio/crowded-facet': [
    409,
    /*i18n*/ {
      id: 'error.audio/crowded-facet',
      message: 'An audio has one tag of each such group at most. Take the other one off first.',
    },
  ],
  'audio/missing-facet': [
    409,
    /*i18n*/ { id: 'error.audio/missing-facet', message: 'Nothing was published: a tag that is required is missing.' },
  ],
  'audio/unknown-series': [
    409,
    /*i18n*/ { id: 'error.audio/unknown-series', message: 'This series no longer exists.' },
  ],
  'audio/mistimed-transcript': [
    409,
    /*i18n*/ {
      id: 'error.audio/mistimed-transcript',
      message: 'Lines of the transcript have wrong times. Nothing was published. Correct them, then publish it again.',
    },
  ],
  'audio/incomplete-chain': [
    409,
    /*i18n*/ {
      id: 'error.audio/incomplete-chain',
      message: 'Nothing was published: a check, an agreement or a consent is missing.',
    },
  ],
  'audio/stream-only': [
    403,
    /*i18n*/ {
      id: 'error.audio/stream-only',
      message: 'This audio can be heard, but not downloaded: someone who is heard has not agreed to downloads.',
    },
  ],
  'audio/spoken-language': [
    409,
    /*i18n*/ {
      id: 'error.audio/spoken-language',
      message: 'This is the language that is spoken. Its text is the transcript.',
    },
  ],
  'audio/too-many-translations': [
    409,
    /*i18n*/ {
      id: 'error.audio/too-many-translations',
      message: 'This transcript has too many translations. Please remove one first.',
    },
  ],
  'audio/mistimed-translation': [
    409,
    /*i18n*/ {
      id: 'error.audio/mistimed-translation',
      message:
        'Lines of the translation have wrong times. Nothing was saved. Correct them, then import the file again.',
    },
  ],
  'audio/unreadable-script': [
    400,
    /*i18n*/ { id: 'error.audio/unreadable-script', message: 'This script cannot be read. Paste plain text.' },
  ],
  'audio/too-many-scripts': [
    409,
    /*i18n*/ {
      id: 'error.audio/too-many-scripts',
      message: 'Too many scripts of this creator wait to be timed. Try again when some of them are done.',
    },
  ],
  'audio/timing-not-ready': [
    409,
    /*i18n*/ { id: 'error.audio/timing-not-ready', message: 'The script is not timed yet. Please wait until it is.' },
  ],
  'audio/outdated-timing': [
    409,
    /*i18n*/ {
      id: 'error.audio/outdated-timing',
      message: 'The recording was replaced since the script was timed. Time it again.',
    },
  ],
  'audio/is-preview': [
    409,
    /*i18n*/ {
      id: 'error.audio/is-preview',
      message: 'This audio is the preview for visitors. An operator has to choose another one first.',
    },
  ],
  'audio/not-a-picture': [
    400,
    /*i18n*/ {
      id: 'error.audio/not-a-picture',
      message: 'This file cannot be read as a picture. Use JPEG, PNG, WebP, AVIF, GIF or TIFF.',
    },
  ],
  'audio/bad-area': [
    400,
    /*i18n*/ { id: 'error.audio/bad-area', message: 'This crop is too small, or outside of the picture.' },
  ],
  'audio/in-the-past': [400, /*i18n*/ { id: 'error.audio/in-the-past', message: 'Choose a time in the future.' }],
  'words/refused': [
    400,
    /*i18n*/ {
      id: 'error.words/refused',
      message: 'A word in it is one that this site does not use. Please choose another one.',
    },
  ],
  'review/changed-meanwhile': [
    409,
    /*i18n*/ {
      id: 'error.review/changed-meanwhile',
      message: 'Somebody else decided it meanwhile, or its creator sent new sound or withdrew it. Nothing was changed.',
    },
  ],
  'comment/yours': [
    403,
    /*i18n*/ { id: 'error.comment/yours', message: 'What you wrote yourself, another reviewer decides.' },
  ],
  'review/yours': [
    403,
    /*i18n*/ { id: 'error.review/yours', message: 'What you uploaded yourself, another reviewer decides.' },
  ],
  'studio/no-creator': [
    403,
    /*i18n*/ { id: 'error.studio/no-creator', message: 'This is for the owners and editors of a creator page.' },
  ],
  'studio/owners-only': [
    403,
    /*i18n*/ { id: 'error.studio/owners-only', message: 'Only owners of this creator page can do this.' },
  ],
  'agreement/changed': [
    409,
    /*i18n*/ {
      id: 'error.agreement/changed',
      message: 'There is a newer version of the agreement. Reload the page to read it.',
    },
  ],
  'performer/there-already': [
    409,
    /*i18n*/ {
      id: 'error.performer/there-already',
      message: 'Someone with this email is a performer of this audio already.',
    },
  ],
  'performer/no-email': [
    409,
    /*i18n*/ {
      id: 'error.performer/no-email',
      message: 'There is no email of this performer. Copy the link, and pass it on.',
    },
  ],
  'performer/same-sound': [
    409,
    /*i18n*/ {
      id: 'error.performer/same-sound',
      message: 'They do not agree, and are heard in this recording. Upload new sound without them first.',
    },
  ],
  'credit/there-already': [
    409,
    /*i18n*/ { id: 'error.credit/there-already', message: 'This name is in the credits of this audio already.' },
  ],
  'split/not-whole': [400, /*i18n*/ { id: 'error.split/not-whole', message: 'The shares have to be 100% in all.' }],
  'split/not-credited': [
    409,
    /*i18n*/ {
      id: 'error.split/not-credited',
      message: 'Only the creator of the audio and creators who accepted a credit can have a share.',
    },
  ],
  'credit/unknown-creator': [
    404,
    /*i18n*/ { id: 'error.credit/unknown-creator', message: 'This creator is not here any more.' },
  ],
  'credit/declined': [
    409,
    /*i18n*/ {
      id: 'error.credit/declined',
      message: 'This creator has declined. You can ask again 30 days after that.',
    },
  ],
  'credit/needs-consent': [
    409,
    /*i18n*/ {
      id: 'error.credit/needs-consent',
      message: 'A creator of this name was asked and has not accepted, so the name alone cannot be shown either.',
    },
  ],
  'credit/order-changed': [
    409,
    /*i18n*/ {
      id: 'error.credit/order-changed',
      message: 'Someone else changed these credits meanwhile. Nothing was lost. Please look at them, and try again.',
    },
  ],
  'verification/not-now': [
    409,
    /*i18n*/ {
      id: 'error.verification/not-now',
      message: 'This cannot be asked for now. Reload the page to see where it stands.',
    },
  ],
  'verification/not-verified': [
    409,
    /*i18n*/ { id: 'error.verification/not-verified', message: 'This creator is not verified.' },
  ],
  'voice/address-taken': [
    409,
    /*i18n*/ { id: 'error.voice/address-taken', message: 'Another creator has this address.' },
  ],
  'voice/no-such-user': [
    404,
    /*i18n*/ { id: 'error.voice/no-such-user', message: 'There is no account with this username or email.' },
  ],
  'voice/not-for-feeds': [
    400,
    /*i18n*/ {
      id: 'error.voice/not-for-feeds',
      message: 'Choose one of your public audios that podcast apps may download.',
    },
  ],
  'voice/last-owner': [
    409,
    /*i18n*/ { id: 'error.voice/last-owner', message: 'A creator needs at least one owner. Add another owner first.' },
  ],
  'voice/is-member': [
    409,
    /*i18n*/ { id: 'error.voice/is-member', message: 'Owners and editors of this creator cannot be blocked.' },
  ],
  'series/audio-in-another': [
    409,
    /*i18n*/ {
      id: 'error.series/audio-in-another',
      message: 'This audio is in another series. Remove it there first.',
    },
  ],
  'picture/unreadable': [
    400,
    /*i18n*/ {
      id: 'error.picture/unreadable',
      message: 'This file cannot be read as a picture. Use JPEG, PNG, WebP or AVIF.',
    },
  ],
  'picture/too-costly': [
    400,
    /*i18n*/ {
      id: 'error.picture/too-costly',
      message:
        'This picture takes too much memory or time to open. Save it with fewer pixels – a progressive JPEG may have 25 million – and upload it again.',
    },
  ],
  'admin/nothing-given': [
    409,
    /*i18n*/ { id: 'error.admin/nothing-given', message: 'This account has no free months to remove.' },
  ],
  'admin/gift-used': [
    409,
    /*i18n*/ { id: 'error.admin/gift-used', message: 'This gift has already started, or is over.' },
  ],
  'article/changed-meanwhile': [
    409,
    /*i18n*/ {
      id: 'error.article/changed-meanwhile',
      message:
        '{who, select, known {{by}} other {Someone else}} changed this article meanwhile. Your changes were not saved: copy your text, and reload.',
    },
  ],
  'article/slug-taken': [
    409,
    /*i18n*/ { id: 'error.article/slug-taken', message: 'Another article has this address.' },
  ],
  'article/unknown-topic': [
    409,
    /*i18n*/ { id: 'error.article/unknown-topic', message: 'This topic no longer exists.' },
  ],
  'article/unknown-audio': [
    409,
    /*i18n*/ { id: 'error.article/unknown-audio', message: 'One of the audios no longer exists.' },
  ],
  'article/empty': [409, /*i18n*/ { id: 'error.article/empty', message: 'Write the text first.' }],
  'article/topic-in-use': [
    409,
    /*i18n*/ { id: 'error.article/topic-in-use', message: 'Articles have this topic. Choose another one for them.' },
  ],
  'article/topic-twice': [400, /*i18n*/ { id: 'error.article/topic-twice', message: 'Two topics have the same name.' }],
  'text/changed-meanwhile': [
    409,
    /*i18n*/ {
      id: 'error.text/changed-meanwhile',
      message:
        '{who, select, known {{by}} other {Someone else}} changed this meanwhile. Your changes were not saved: copy your text, and reload.',
    },
  ],
  'text/unusable': [400, /*i18n*/ { id: 'error.text/unusable', message: 'This text cannot be used.' }],
  'text/too-complex': [
    400,
    /*i18n*/ {
      id: 'error.text/too-complex',
      message:
        'This text takes too long to lay out. Please remove unusual repetitions, such as thousands of _ or > in a row.',
    },
  ],
  'site/feature-off': [403, /*i18n*/ { id: 'error.site/feature-off', message: 'This is turned off on this site.' }],
  'site/sign-up-closed': [
    403,
    /*i18n*/ { id: 'error.site/sign-up-closed', message: 'This site does not accept new accounts at the moment.' },
  ],
  'system/job-state': [
    409,
    /*i18n*/ { id: 'error.system/job-state', message: 'This job has changed meanwhile. Reload to see its state.' },
  ],
  'system/mail-failed': [
    409,
    /*i18n*/ {
      id: 'error.system/mail-failed',
      message: 'The mail server did not accept it. It stays in the list, with the reason.',
    },
  ],
  'system/no-backup-folder': [
    409,
    /*i18n*/ { id: 'error.system/no-backup-folder', message: 'BACKUP_DIR is not set on the server.' },
  ],
  'system/backup-running': [
    409,
    /*i18n*/ { id: 'error.system/backup-running', message: 'A backup is already in progress.' },
  ],
  'search/rebuild-running': [
    409,
    /*i18n*/ { id: 'error.search/rebuild-running', message: 'The search index is already being rebuilt.' },
  ],
  'settings/changed': [
    409,
    /*i18n*/ {
      id: 'error.settings/changed',
      message:
        '{who, select, known {{by}} other {Someone else}} changed these settings meanwhile. Your changes were not saved.',
    },
  ],
  'settings/currency-in-use': [
    409,
    /*i18n*/ {
      id: 'error.settings/currency-in-use',
      message: 'Someone has already paid in the current currency. It can only change while nobody has paid.',
    },
  ],
  'settings/tax-not-ready': [
    409,
    /*i18n*/ {
      id: 'error.settings/tax-not-ready',
      message: 'The payment provider cannot work out tax yet. Set it up in your account there first.',
    },
  ],
  'server/unavailable': [
    503,
    /*i18n*/ { id: 'error.server/unavailable', message: 'The site is not ready. Please try again in a moment.' },
    5,
  ],
  'server/busy': [
    503,
    /*i18n*/ {
      id: 'error.server/busy',
      message: 'The site is busy with a large change. This one was not made: please try again in a minute.',
    },
    10,
  ],
  'server/too-slow': [
    504,
    /*i18n*/ { id: 'error.server/too-slow', message: 'This took too long and was stopped. Nothing was changed.' },
  ],
  'server/failed': [500, /*i18n*/ { id: 'error.server/failed', message: 'Something went wrong. Please try again.' }],
} as const satisfies Record<string, readonly [status: number, sentence: Sentence, retryAfter?: number]>;

export type ErrorCode = keyof typeof errors;

/** An expected outcome of a function of the domain: it changed nothing, for this reason. */
export type Refusal<Reason extends ErrorCode> = { ok: false; reason: Reason };

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

type Status = (typeof errors)[ErrorCode][0];
type Entry = readonly [Status, Sentence, number?];
const entries = Object.entries(errors) as [ErrorCode, Entry][];
const each = <Value>(pick: (entry: Entry) => Value) =>
  Object.fromEntries(entries.map(([code, entry]) => [code, pick(entry)])) as Record<ErrorCode, Value>;

/** @param sentence a string is in English alone @returns it in the language of the request that runs */
export function say(sentence: Sentence | string): string {
  return typeof sentence === 'string' ? sentence : i18n._(sentence);
}

function inEnglish(sentence: Sentence | string): string {
  return inLanguage(sourceLanguage, () => say(sentence));
}

export const errorStatus = each(([status]) => status);
export const errorTexts = each(([, sentence]) => sentence);
/** For commands, and for the description of the API. */
export const englishErrors = each(([, sentence]) => inEnglish(sentence));
export const errorRetryAfter = each(([, , seconds]) => seconds);

/** An outcome that the caller can only report; carries a code of the closed list. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  /** For people; `message` has it in English, for the log. */
  readonly sentence: Sentence | string;

  constructor(code: ErrorCode, sentence: Sentence | string = errorTexts[code], options?: ErrorOptions) {
    super(inEnglish(sentence), options);
    this.name = 'DomainError';
    this.code = code;
    this.sentence = sentence;
  }
}

/** Made by somebody else. `by`: their username; null for the command line, and for deleted accounts. */
export type LastChange = { by: string | null; at: Date };

export type ChangedCode = Extract<ErrorCode, `${string}/changed` | `${string}/changed-meanwhile` | 'payout/locked'>;

/** Somebody else changed it since the caller saw it. */
export class ChangedMeanwhile extends DomainError {
  /** Undefined when the log does not have it. */
  readonly change: LastChange | undefined;

  constructor(code: ChangedCode, change: LastChange | undefined) {
    const by = change?.by ?? undefined;
    super(code, { ...errorTexts[code], ...(by !== undefined && { values: { who: 'known', by } }) });
    this.name = 'ChangedMeanwhile';
    this.change = change;
  }
}

/** A limit was reached; the answer says how long to wait. */
export class TooManyTries extends DomainError {
  /** Seconds until the next try is possible. */
  readonly retryAfter: number;

  constructor(retryAfter: number, code: 'request/too-many' | 'auth/too-many-requests' = 'request/too-many') {
    // Rounded up, so that it is true by then.
    super(code, code === 'request/too-many' ? nextTryIn(Math.ceil(retryAfter / 60)) : undefined);
    this.name = 'TooManyTries';
    this.retryAfter = retryAfter;
  }
}

function nextTryIn(minutes: number): Sentence {
  return /*i18n*/ {
    id: 'error.next-try',
    message: 'Too many tries. The next one is possible in {minutes, plural, one {# minute} other {# minutes}}.',
    values: { minutes },
  };
}
