import type { LogEntry } from '#domain/admin/site/log.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDateTime } from '#formats/moments.ts';

/** Log entries as sentences: the person, these words, the subject's name, the rest. */
type Words = {
  verb: string;
  rest?: string;
  /** All the words after the person, where the subject is that person. */
  own?: string;
};

const words: Record<string, Words> = {
  'article.picture': { verb: 'changed the picture of' },
  'user.give-months': { verb: 'gave months to' },
  'user.take-months-back': { verb: 'took back given months from' },
  'user.take-months-back-failed': { verb: 'could not take back given months from' },
  'user.reset-password': { verb: 'reset the password of' },
  'system.drop-mail': { verb: 'deleted a mail:' },
  'system.retry-mail': { verb: 'sent a mail again:' },
  'system.rebuild-search': { verb: 'rebuilt' },
  'system.start-backup': { verb: 'started a backup:' },
  'look.import': { verb: 'imported' },
  'look.undo-import': { verb: 'undid the import of' },
  'user.suspend': { verb: 'suspended' },
  'user.lift-suspension': { verb: 'lifted the suspension of' },
  'user.pay-back': { verb: 'refunded unused days to' },
  'user.make-admin': { verb: 'made', rest: 'admin' },
  'user.take-admin': { verb: 'removed the admin role from' },
  'user.give-voice': { verb: 'gave a creator page to' },
  'user.take-voice': { verb: 'took a creator page from' },
  'user.end-sessions': { verb: 'logged', rest: 'out everywhere' },
  'user.send-password-reset': { verb: 'sent a password reset to' },
  'user.revoke-feed': { verb: 'ended a podcast feed of' },
  'user.send-export': { verb: 'sent an export of own data to' },
  'user.plan-deletion': { verb: 'scheduled the deletion of' },
  'user.take-deletion-back': { verb: 'canceled the deletion of' },
  'user.delete': { verb: 'deleted' },
  'user.set-up-app': { verb: 'set up an authenticator app for', own: 'set up an authenticator app' },
  'user.add-passkey': { verb: 'added a passkey for', own: 'added a passkey' },
  'user.remove-app': { verb: 'removed the authenticator app of', own: 'removed their authenticator app' },
  'user.remove-passkey': { verb: 'removed a passkey of', own: 'removed one of their passkeys' },
  'user.renew-recovery-codes': { verb: 'created new recovery codes for', own: 'created new recovery codes' },
  'user.use-recovery-code': { verb: 'used a recovery code of', own: 'logged in with a recovery code' },
  'user.fail-second-factor': { verb: 'failed the second factor of', own: 'failed to confirm their second factor' },
  'user.pass-second-factor': {
    verb: 'passed the second factor of',
    own: 'confirmed their second factor after several failed tries',
  },
  'user.lock-second-factor': {
    verb: 'locked the second factor of',
    own: 'was locked out for a while after too many failed tries at the second factor',
  },
  'user.reset-second-factor': { verb: 'reset the second factor of' },
  'payment.refund': { verb: 'refunded' },
  'payment.refuse-refund': { verb: 'could not refund', rest: 'because the payment provider refused it' },
  'gift-card.create': { verb: 'made' },
  'gift-card.refund': { verb: 'refunded' },
  'gift-card.refund-failed': { verb: 'could not refund' },
  'gift-card.resend': { verb: 'sent again' },
  'subscription.cancel-now': { verb: 'ended the subscription of' },
  'subscription.cancel-end': { verb: 'canceled the subscription of' },
  'subscription.resume': { verb: 'resumed the subscription of' },
  'promo-code.end': { verb: 'ended the promo code' },
  'promo-code.create-failed': { verb: 'could not create the promo code' },
  'promo-code.replace-failed': { verb: 'could not change the promo code' },
  'payment-event.replay': { verb: 'replayed' },
  'reconciliation.request': { verb: 'started' },
  'payout.enter-pool': { verb: 'entered the pool of' },
  'payout.lock': { verb: 'locked the payouts of' },
  'bulk-act.start': { verb: 'started a bulk action:' },
  'bulk-act.stop': { verb: 'stopped a bulk action:' },
  'audio.free': { verb: 'made', rest: 'free' },
  'audio.restrict': { verb: 'made', rest: 'for subscribers only' },
  'audio.choose-preview': { verb: 'chose as the preview:' },
  'audio.choose-commenters': { verb: 'chose who may comment under' },
  'audio.close-comments': { verb: 'closed the comments under' },
  'audio.open-comments': { verb: 'opened the comments under' },
  'audio.replace-file': { verb: 'replaced the recording of' },
  'comment.hide': { verb: 'hid a comment under' },
  'comment.show': { verb: 'unhid a comment under' },
  'comment.keep': { verb: 'kept' },
  'comment.warn': { verb: 'removed', rest: 'and warned its author' },
  'comment.suspend': { verb: 'removed', rest: 'and suspended its author' },
  'comment.undo': { verb: 'undid the decision on' },
  'playlist.audios': { verb: 'changed the audios of' },
  'series.add-audio': { verb: 'added an audio to' },
  'series.move-audio': { verb: 'moved an audio of' },
  'series.remove-audio': { verb: 'removed an audio from' },
  'tag.merge': { verb: 'merged', rest: 'into another tag' },
  'tag.rename': { verb: 'renamed' },
  'upload.retry': { verb: 'tried again:' },
  'upload.start': { verb: 'started to upload' },
  'voice.add-owner': { verb: 'added an owner to' },
  'voice.remove-owner': { verb: 'removed an owner of' },
  'voice.add-person': { verb: 'gave access to' },
  'voice.remove-person': { verb: 'took access from' },
  'voice.set-role': { verb: 'changed the role of' },
  'voice.block-user': { verb: 'blocked a listener from' },
  'voice.unblock-user': { verb: 'unblocked a listener from' },
  'voice.choose-commenters': { verb: 'chose who may comment under new audios of' },
  'voice.hold-links': { verb: 'changed whether links wait in comments of' },
  'voice.merge': { verb: 'merged', rest: 'into another creator' },
  'playlist.add-audio': { verb: 'added an audio to' },
  'playlist.remove-audio': { verb: 'removed an audio from' },
};

/** Verbs of any area: `audio.publish` reads "published", `voice.create` "created". */
const verbs: Record<string, string> = {
  add: 'added',
  change: 'changed',
  create: 'created',
  delete: 'deleted',
  edit: 'changed',
  hide: 'hid',
  order: 'changed:',
  publish: 'published',
  remove: 'removed',
  reorder: 'changed the order of',
  replace: 'replaced the recording of',
  restore: 'restored',
  schedule: 'scheduled',
  show: 'showed again',
  undelete: 'restored',
  unpublish: 'unpublished',
  update: 'changed',
  upload: 'uploaded',
};

export function wordsOf({ action }: Pick<LogEntry, 'action'>): Words {
  const [, verb = ''] = action.split('.');
  return words[action] ?? { verb: verbs[verb] ?? `did “${verb.replaceAll('-', ' ')}” with` };
}

const areas: Record<string, string> = {
  article: 'Articles',
  audio: 'Audios',
  'bulk-act': 'Bulk actions',
  comment: 'Comments',
  'gift-card': 'Gift cards',
  payment: 'Payments',
  'payment-event': 'Webhook events',
  payout: 'Payouts',
  'promo-code': 'Promo codes',
  reconciliation: 'Reconciliation',
  subscription: 'Subscriptions',
  playlist: 'Playlists',
  series: 'Series',
  setting: 'Settings',
  settings: 'Settings',
  topic: 'Topics',
  user: 'Users',
  voice: 'Creators',
};

/** @param area the part of an action before its dot */
export function areaName(area: string): string {
  return areas[area] ?? `${area.charAt(0).toUpperCase()}${area.slice(1).replaceAll('-', ' ')}`;
}

/** `isFree` and `is_free` read "Is free". */
export function fieldName(name: string): string {
  const spaced = name
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, one: string, two: string) => `${one} ${two.toLowerCase()}`);
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
}

/** Fields with cents. */
const amounts = new Set(['amount', 'pool', 'month', 'year', 'refunded']);
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * A recorded value as text.
 * @param zone the reader's
 * @param fields of the same record, whose currency counts
 */
export function valueText(
  value: unknown,
  zone: string | undefined,
  name?: string,
  fields: Record<string, unknown> = {},
): string {
  if (value === null || value === undefined || value === '') return 'None';
  if (value === true) return 'Yes';
  if (value === false) return 'No';
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map((one) => valueText(one, zone)).join(', ');
  if (typeof value === 'number' && name !== undefined && amounts.has(name)) {
    const { currency } = fields;
    return typeof currency === 'string' ? formatMoney(value, currency) : (value / 100).toFixed(2);
  }
  if (typeof value === 'string' && isoTime.test(value)) return formatDateTime(value, zone);
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, one]) => `${fieldName(key)}: ${valueText(one, zone, key, fields)}`)
    .join(', ');
}
