import { countOf } from '#formats/numbers.ts';

/**
 * Every code that the site can answer with: its HTTP status, the message shown, and `Retry-After` in seconds, since a
 * shorter delay would cause the next burst. One list, so that clients can rely on it.
 */
const errors = {
  'request/invalid': [400, 'This request is not valid.'],
  'request/not-found': [404, 'Page not found.'],
  'request/method-not-allowed': [405, 'This address does not accept that method.'],
  'request/too-large': [413, 'This request is too large.'],
  'request/unsupported-type': [415, 'This content type is not supported here.'],
  'request/bad-cursor': [400, 'This cursor does not belong to this list.'],
  'request/range-not-satisfiable': [416, 'The requested range is outside of the file.'],
  'request/precondition-failed': [412, 'It has changed since you last saw it.'],
  'request/precondition-required': [428, 'This call requires the version that you saw last.'],
  'request/too-many': [429, 'Too many requests. Please wait a moment.', 5],
  'request/in-progress': [
    409,
    'This was sent before and has no answer yet. Please check whether it was done before you send it again.',
    5,
  ],
  'request/key-of-another': [422, 'This Idempotency-Key was used for another call. Use a new key for each act.'],
  'request/timeout': [408, 'This request took too long to arrive.'],
  'request/wrong-host': [
    421,
    'This page is not at the address of the site. Open the site at its own address, and try again.',
  ],
  'auth/login-required': [401, 'Please log in to continue.'],
  'auth/invalid-id-token': [401, 'This sign-in has expired. Please log in again.'],
  // Texts of spec §5 and §8 from here on.
  'auth/account-exists-with-different-credential': [
    409,
    'An account already exists with the same email address but different sign-in credentials. Please sign in using a provider associated with this email address.',
  ],
  'auth/wrong-password': [403, 'This combination does not exist. Please try again.'],
  'auth/user-not-found': [403, 'This combination does not exist. Please try again.'],
  'auth/too-many-requests': [
    429,
    'Access to this account has been temporarily disabled due to many failed login attempts. You can immediately restore it by resetting your password or you can try again later.',
  ],
  'auth/user-disabled': [403, 'This account has been suspended.'],
  'auth/email-already-in-use': [409, 'This email address is already in use'],
  'auth/invalid-email': [400, 'Enter a valid email address'],
  'auth/username-already-in-use': [409, 'This username is unavailable'],
  'auth/invalid-username': [400, 'Please enter username'],
  'auth/weak-password': [400, 'Password have a minimum of 6 characters'],
  'auth/common-password': [
    400,
    'This is one of the most common passwords, which are guessed first. Please choose another.',
  ],
  'auth/under-age': [400, 'You must be at least 18 years old'],
  'auth/terms-not-accepted': [400, 'You must accept the terms and conditions'],
  'auth/invalid-link': [400, 'This link was already used or has expired.'],
  'auth/wrong-code': [403, 'This code is wrong or was already used.'],
  'auth/second-factor-required': [403, 'Confirm your identity with your second factor first.'],
  'auth/second-factor-exists': [409, 'An authenticator app is already set up. Remove it first.'],
  'auth/last-second-factor': [409, 'This is your only second factor. Add another one first.'],
  'auth/fresh-login-required': [403, 'Confirm your identity to continue.'],
  'subscription/required': [402, 'A subscription is needed for this.'],
  'subscription/already-subscribed': [409, 'You already have a subscription. Nothing was charged.'],
  'subscription/none': [409, 'You have no subscription to change.'],
  'subscription/payment-due': [409, 'The last payment did not go through. Please update your payment method first.'],
  'subscription/trial-used': [409, 'This card has had its free trial already.'],
  'subscription/price-changed': [409, 'The price has changed. Nothing was charged.'],
  // The first four use Stripe’s wording.
  'payment/card-declined': [402, 'Your card was declined.'],
  'payment/insufficient-funds': [402, 'Your card has insufficient funds.'],
  'payment/expired-card': [402, 'Your card has expired.'],
  'payment/incorrect-cvc': [402, 'Your card’s security code is incorrect.'],
  'payment/incorrect-number': [402, 'Your card number is incorrect.'],
  'payment/processing-error': [402, 'Your card could not be charged just now. Please try again in a moment.'],
  'payment/authentication-failed': [
    402,
    'Your bank did not confirm this payment. Please try again, or use another card.',
  ],
  'payment/unknown-method': [400, 'This card cannot be used here. Please enter it again.'],
  'payment/in-progress': [409, 'Your last step is still in progress. Please wait a moment.'],
  'payment/unavailable': [503, 'The payment provider cannot be reached. Please try again in a moment.', 5],
  'promo-code/unknown': [400, 'This promo code does not exist.'],
  'promo-code/disabled': [400, 'This promo code is no longer offered.'],
  'promo-code/expired': [400, 'This promo code has expired.'],
  'promo-code/used-up': [400, 'This promo code has been used up.'],
  'promo-code/not-for-you': [400, 'This promo code does not apply here.'],
  'promo-code/ends-too-soon': [400, 'This discount would end before your next payment. Your code was not used.'],
  'gift-card/unknown': [404, 'There is no gift card with this code.'],
  'gift-card/already-redeemed': [409, 'This gift card was already redeemed.'],
  'gift-card/refunded': [409, 'This gift card was refunded.'],
  'promo-code/exists': [409, 'An active promo code already has this name.'],
  'promo-code/above-price': [400, 'This code takes off more than any subscription costs.'],
  'promo-code/changed': [409, 'Someone else changed or ended this promo code meanwhile. Your changes were not saved.'],
  'refund/changed': [
    409,
    'Part of this payment was refunded meanwhile. Nothing was refunded now. Please check it again.',
  ],
  'refund/too-much': [400, 'That is more than is left of this payment. Nothing was refunded.'],
  'refund/not-possible': [409, 'The payment provider cannot refund this payment. Nothing was refunded.'],
  'subscription/changed': [409, 'This subscription has changed meanwhile. Nothing was done. Please check it again.'],
  'reconciliation/running': [409, 'A comparison is already running.'],
  'payout/changed': [409, 'This month has changed meanwhile. Nothing was saved. Please check it again.'],
  'payout/locked': [409, 'This month is locked and cannot be changed.'],
  'payout/too-early': [409, 'A month can be locked from the third day of the next one.'],
  'payout/no-pool': [409, 'Enter the pool of this month first.'],
  'queue/newer-version': [412, 'Your queue was changed on another device.'],
  'library/full': [409, 'There is no room for more. Remove something first.'],
  'offline/too-many-devices': [
    409,
    'Five of your devices already have downloads. Remove one in Account → Sessions, then try again.',
  ],
  'playlist/changed': [409, 'This playlist was changed meanwhile.'],
  // Text of spec §6.
  'comments/disabled': [403, 'This creator has turned off their comments.'],
  'comments/subscribers-only': [403, 'Only subscribers can comment here.'],
  'comments/blocked': [403, 'This creator does not accept comments from you.'],
  'comment/empty': [400, 'Write something first.'],
  'comment/too-long': [400, 'A comment can have up to 1,000 characters.'],
  'comment/too-many': [429, 'You’ve reached the hourly comment limit. Please try again later.'],
  'upload/unknown-category': [400, 'This category no longer exists. Choose another one.'],
  'upload/wrong-type': [
    415,
    'This file type is not supported. Save it as WAV, FLAC, MP3, M4A or OGG and add it again.',
  ],
  'upload/empty': [400, 'This file is empty.'],
  'upload/too-large': [413, 'This file is over the limit of 2 GB. Split it, or save it as FLAC.'],
  'upload/too-many': [409, 'You have 20 unfinished uploads. Finish or cancel one of them first.'],
  'upload/daily-limit': [
    429,
    'You have reached your upload limit for 24 hours. Nothing was lost. Continue tomorrow.',
    3600,
  ],
  'upload/no-space': [
    503,
    'The site has no space for this file right now. The uploaded part is kept. Try again later.',
    60,
  ],
  'upload/wrong-offset': [409, 'The upload is at another position. Request the current offset, and continue there.'],
  'upload/busy': [423, 'Another request is working on this upload. Try again in a moment.'],
  'upload/too-late': [409, 'This upload can no longer be changed.'],
  'list/changed': [
    409,
    'Someone else changed this list meanwhile. Your changes were not saved. Reload to see the current list.',
  ],
  'list/other-name': [400, 'The name does not match. Type it as it is shown.'],
  'look/changed': [
    409,
    'Someone else changed this meanwhile. Your changes were not saved. Reload to see the current version.',
  ],
  'look/contrast': [400, 'These colors are too close to each other.'],
  'look/bad-svg': [400, 'This SVG cannot be rendered. Save it as plain SVG, with text converted to paths.'],
  'look/svg-too-large': [413, 'This SVG is larger than 100 kB. Simplify it, or use a PNG.'],
  'look/unknown-content': [400, 'A rail shows something that no longer exists. Remove it, or choose another.'],
  'look/bad-file': [400, 'This file is not an exported look, or it was changed. Nothing was imported.'],
  'look/newer-file': [400, 'This file was exported by a newer version. Update this site first. Nothing was imported.'],
  'look/nothing-to-undo': [409, 'There is no import to undo, or something was changed since.'],
  'preview/changed': [
    409,
    'Someone else chose the preview meanwhile. Your choice was not saved. Please check theirs first.',
  ],
  'preview/not-published': [409, 'Only a published audio can be the preview. Publish it first.'],
  'picture/changed': [
    409,
    'Someone else changed this picture meanwhile. Your picture was not saved. Please check theirs first.',
  ],
  'bulk-act/nothing': [409, 'There are no audios left to change.'],
  'bulk-act/too-many': [409, 'One action can change up to 100,000 audios. Narrow the filters and change each part.'],
  'bulk-act/gone': [409, 'A category or playlist of this action no longer exists. Choose again.'],
  'bulk-act/finished': [409, 'This action is already finished.'],
  'tag/exists': [409, 'Another tag has this name. Merge them instead.'],
  'voice/no-user': [404, 'There is no account with this email or username.'],
  'report/decided': [409, 'Someone else already decided on this report.'],
  'report/undone': [409, 'Someone else already undid this decision.'],
  'report/of-admin': [409, 'The author is an admin and cannot be suspended for a comment. Remove the role first.'],
  'admin/last-admin': [409, 'This is the only admin. Make someone else admin first.'],
  'admin/not-yourself': [409, 'Another admin has to do this to your account.'],
  'admin/no-email': [409, 'This account has no email address.'],
  'admin/suspended': [409, 'This account is suspended. Lift the suspension first.'],
  'audio/changed-meanwhile': [409, 'Someone else has changed this audio meanwhile. Nothing of yours is lost.'],
  'audio/slug-taken': [409, 'Another audio already has this address.'],
  'audio/unknown-category': [409, 'This category no longer exists.'],
  'audio/unknown-series': [409, 'This series no longer exists.'],
  'audio/mistimed-transcript': [
    409,
    'Lines of the transcript have wrong times. Nothing was published. Correct them, then publish it again.',
  ],
  'audio/is-preview': [409, 'This audio is the preview for visitors. An operator has to choose another one first.'],
  'audio/not-a-picture': [400, 'This file cannot be read as a picture. Use JPEG, PNG, WebP, AVIF, GIF or TIFF.'],
  'audio/bad-area': [400, 'This crop is too small, or outside of the picture.'],
  'audio/in-the-past': [400, 'Choose a time in the future.'],
  'studio/no-creator': [403, 'This is for the owners and editors of a creator page.'],
  'studio/owners-only': [403, 'Only owners of this creator page can do this.'],
  'voice/address-taken': [409, 'Another creator has this address.'],
  'voice/no-such-user': [404, 'There is no account with this username or email.'],
  'voice/last-owner': [409, 'A creator needs at least one owner. Add another owner first.'],
  'voice/is-member': [409, 'Owners and editors of this creator cannot be blocked.'],
  'series/audio-in-another': [409, 'This audio is in another series. Remove it there first.'],
  'picture/unreadable': [400, 'This file cannot be read as a picture. Use JPEG, PNG, WebP or AVIF.'],
  'picture/too-costly': [
    400,
    'This picture takes too much memory or time to open. Save it with fewer pixels – a progressive JPEG may have 25 million – and upload it again.',
  ],
  'admin/nothing-given': [409, 'This account has no free months to remove.'],
  'admin/gift-used': [409, 'This gift has already started, or is over.'],
  'article/changed-meanwhile': [
    409,
    'Someone else changed this article meanwhile. Your changes were not saved: copy your text, and reload.',
  ],
  'article/slug-taken': [409, 'Another article has this address.'],
  'article/unknown-topic': [409, 'This topic no longer exists.'],
  'article/unknown-audio': [409, 'One of the audios no longer exists.'],
  'article/empty': [409, 'Write the text first.'],
  'article/topic-in-use': [409, 'Articles have this topic. Choose another one for them.'],
  'article/topic-twice': [400, 'Two topics have the same name.'],
  'text/changed-meanwhile': [
    409,
    'Someone else changed this meanwhile. Your changes were not saved: copy your text, and reload.',
  ],
  'text/unusable': [400, 'This text cannot be used.'],
  'text/too-complex': [
    400,
    'This text takes too long to lay out. Please remove unusual repetitions, such as thousands of _ or > in a row.',
  ],
  'site/feature-off': [403, 'This is turned off on this site.'],
  'site/sign-up-closed': [403, 'This site does not accept new accounts at the moment.'],
  'system/job-state': [409, 'This job has changed meanwhile. Reload to see its state.'],
  'system/mail-failed': [409, 'The mail server did not accept it. It stays in the list, with the reason.'],
  'system/no-backup-folder': [409, 'BACKUP_DIR is not set on the server.'],
  'system/backup-running': [409, 'A backup is already in progress.'],
  'search/rebuild-running': [409, 'The search index is already being rebuilt.'],
  'settings/changed': [409, 'Someone else changed these settings meanwhile. Your changes were not saved.'],
  'settings/currency-in-use': [
    409,
    'Someone has already paid in the current currency. It can only change while nobody has paid.',
  ],
  'server/unavailable': [503, 'The site is not ready. Please try again in a moment.', 5],
  'server/busy': [
    503,
    'The site is busy with a large change. This one was not made: please try again in a minute.',
    10,
  ],
  'server/too-slow': [504, 'This took too long and was stopped. Nothing was changed.'],
  'server/failed': [500, 'Something went wrong. Please try again.'],
} as const satisfies Record<string, readonly [status: number, message: string, retryAfter?: number]>;

export type ErrorCode = keyof typeof errors;

/** An expected outcome of a function of the domain: it changed nothing, for this reason. */
export type Refusal<Reason extends ErrorCode> = { ok: false; reason: Reason };

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

const entries = Object.entries(errors) as [ErrorCode, readonly [Status, string, number?]][];
type Status = (typeof errors)[ErrorCode][0];
const each = <Value>(pick: (entry: readonly [Status, string, number?]) => Value) =>
  Object.fromEntries(entries.map(([code, entry]) => [code, pick(entry)])) as Record<ErrorCode, Value>;

export const errorStatus = each(([status]) => status);
export const errorSentences = each(([, message]) => message);
export const errorRetryAfter = each(([, , seconds]) => seconds);

/** An outcome that the caller can only report; carries a code of the closed list. */
export class DomainError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = errorSentences[code], options?: ErrorOptions) {
    super(message, options);
    this.name = 'DomainError';
    this.code = code;
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
    super(
      code,
      errorSentences[code].replace('Someone else', () => change?.by ?? 'Someone else'),
    );
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
    const wait = countOf(Math.ceil(retryAfter / 60), 'minute');
    super(code, code === 'request/too-many' ? `Too many tries. The next one is possible in ${wait}.` : undefined);
    this.name = 'TooManyTries';
    this.retryAfter = retryAfter;
  }
}
