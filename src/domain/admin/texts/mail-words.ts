import { i18n } from '#i18n';

const words: Record<string, () => { name: string; when: string }> = {
  'reset-password': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.reset-password.name', message: 'New password' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.reset-password.when',
        message: 'To the owner of an account, after someone asked to reset its password.',
      },
    ),
  }),
  'confirm-email': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.confirm-email.name', message: 'New email address, to confirm' }),
    when: i18n._(
      /*i18n*/ { id: 'mail.confirm-email.when', message: 'To the new address, before it becomes that of the account.' },
    ),
  }),
  'email-changed': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.email-changed.name', message: 'Email address changed' }),
    when: i18n._(
      /*i18n*/ { id: 'mail.email-changed.when', message: 'To the old address, so that its owner can object.' },
    ),
  }),
  'address-taken': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.address-taken.name', message: 'Address has an account already' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.address-taken.when',
        message: 'To the owner of an address that someone tries to use for another account.',
      },
    ),
  }),
  'password-changed': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.password-changed.name', message: 'Password changed' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.password-changed.when',
        message: 'To the owner of an account, after its password was changed.',
      },
    ),
  }),
  'data-export': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.data-export.name', message: 'Own data to download' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.data-export.when',
        message: 'To the owner of an account, when an operator sends them their data.',
      },
    ),
  }),
  'account-deletion': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.account-deletion.name', message: 'Account will be deleted' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.account-deletion.when',
        message: 'To the owner of an account, when an operator plans its deletion.',
      },
    ),
  }),
  'account-kept': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.account-kept.name', message: 'Account stays' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.account-kept.when',
        message: 'To the owner of an account, when its planned deletion was taken back.',
      },
    ),
  }),
  'new-role': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.new-role.name', message: 'New role' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.new-role.when',
        message:
          'To the owner of an account, when an operator makes them an admin, or an owner or editor of a creator.',
      },
    ),
  }),
  'given-months': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.given-months.name', message: 'Given months' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.given-months.when',
        message: 'To the owner of an account, when an operator gives them free months.',
      },
    ),
  }),
  'welcome-trial': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.welcome-trial.name', message: 'Welcome, with a free trial' }),
    when: i18n._(
      /*i18n*/ { id: 'mail.welcome-trial.when', message: 'To a new subscriber whose first weeks are free.' },
    ),
  }),
  welcome: () => ({
    name: i18n._(/*i18n*/ { id: 'mail.welcome.name', message: 'Welcome' }),
    when: i18n._(/*i18n*/ { id: 'mail.welcome.when', message: 'To a new subscriber without a free trial.' }),
  }),
  'trial-ends': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.trial-ends.name', message: 'Free trial ends' }),
    when: i18n._(
      /*i18n*/ { id: 'mail.trial-ends.when', message: 'To a subscriber, two days before the first payment.' },
    ),
  }),
  receipt: () => ({
    name: i18n._(/*i18n*/ { id: 'mail.receipt.name', message: 'Receipt' }),
    when: i18n._(/*i18n*/ { id: 'mail.receipt.when', message: 'To a subscriber, after each payment.' }),
  }),
  refund: () => ({
    name: i18n._(/*i18n*/ { id: 'mail.refund.name', message: 'Refund' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.refund.when',
        message: 'To the payer, after each refund of a payment or a gift card, whole or in part.',
      },
    ),
  }),
  'payment-failed': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.payment-failed.name', message: 'Payment failed' }),
    when: i18n._(
      /*i18n*/ { id: 'mail.payment-failed.when', message: 'To a subscriber whose payment did not go through.' },
    ),
  }),
  'subscription-ended': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.subscription-ended.name', message: 'Subscription ended' }),
    when: i18n._(/*i18n*/ { id: 'mail.subscription-ended.when', message: 'To a user whose subscription has ended.' }),
  }),
  gift: () => ({
    name: i18n._(/*i18n*/ { id: 'mail.gift.name', message: 'Gift card' }),
    when: i18n._(
      /*i18n*/ { id: 'mail.gift.when', message: 'To the recipient of a gift card, on the day that the buyer chose.' },
    ),
  }),
  'gift-bought': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.gift-bought.name', message: 'Gift card bought' }),
    when: i18n._(/*i18n*/ { id: 'mail.gift-bought.when', message: 'To the buyer of a gift card.' }),
  }),
  'feed-stopped': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.feed-stopped.name', message: 'Podcast feed stopped' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.feed-stopped.when',
        message: 'To a subscriber, when the address of a podcast feed is used from too many networks.',
      },
    ),
  }),
  'comment-removed': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.comment-removed.name', message: 'Comment removed, to its author' }),
    when: i18n._(/*i18n*/ { id: 'mail.comment-removed.when', message: 'When a reported comment was removed.' }),
  }),
  'comment-warning': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.comment-warning.name', message: 'Warning, to the author of a comment' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.comment-warning.when',
        message: 'When a reported comment was removed and its author warned.',
      },
    ),
  }),
  'comment-suspension': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.comment-suspension.name', message: 'Suspension, to the author of a comment' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.comment-suspension.when',
        message: 'When a reported comment was removed and its author suspended.',
      },
    ),
  }),
  'report-kept': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.report-kept.name', message: 'Comment stays, to those who reported it' }),
    when: i18n._(/*i18n*/ { id: 'mail.report-kept.when', message: 'When a reported comment was kept.' }),
  }),
  'report-removed': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.report-removed.name', message: 'Comment removed, to those who reported it' }),
    when: i18n._(/*i18n*/ { id: 'mail.report-removed.when', message: 'When a reported comment was removed.' }),
  }),
  'owner-keep': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.owner-keep.name', message: 'Comment stays, to the owners of the audio' }),
    when: i18n._(/*i18n*/ { id: 'mail.owners.when', message: 'When the operator chose to tell them.' }),
  }),
  'owner-remove': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.owner-remove.name', message: 'Comment removed, to the owners of the audio' }),
    when: i18n._(/*i18n*/ { id: 'mail.owners.when', message: 'When the operator chose to tell them.' }),
  }),
  'owner-warn': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.owner-warn.name', message: 'Author warned, to the owners of the audio' }),
    when: i18n._(/*i18n*/ { id: 'mail.owners.when', message: 'When the operator chose to tell them.' }),
  }),
  'owner-suspend': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.owner-suspend.name', message: 'Author suspended, to the owners of the audio' }),
    when: i18n._(/*i18n*/ { id: 'mail.owners.when', message: 'When the operator chose to tell them.' }),
  }),
  'undone-remove': () => ({
    name: i18n._(
      /*i18n*/ { id: 'mail.undone-remove.name', message: 'Removal taken back, to the author of the comment' },
    ),
    when: i18n._(/*i18n*/ { id: 'mail.undone.when', message: 'When a decision was undone after its mails were sent.' }),
  }),
  'undone-warn': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.undone-warn.name', message: 'Warning taken back, to the author of the comment' }),
    when: i18n._(/*i18n*/ { id: 'mail.undone.when', message: 'When a decision was undone after its mails were sent.' }),
  }),
  'undone-suspend': () => ({
    name: i18n._(
      /*i18n*/ { id: 'mail.undone-suspend.name', message: 'Suspension taken back, to the author of the comment' },
    ),
    when: i18n._(/*i18n*/ { id: 'mail.undone.when', message: 'When a decision was undone after its mails were sent.' }),
  }),
  'reports-waiting': () => ({
    name: i18n._(/*i18n*/ { id: 'mail.reports-waiting.name', message: 'Reports wait, to the operator' }),
    when: i18n._(/*i18n*/ { id: 'mail.reports-waiting.when', message: 'At most once an hour, after new reports.' }),
  }),
  news: () => ({
    name: i18n._(/*i18n*/ { id: 'mail.news.name', message: 'News' }),
    when: i18n._(
      /*i18n*/ {
        id: 'mail.news.when',
        message: 'To a listener who asked for news by email: at once, daily or weekly.',
      },
    ),
  }),
};

/** Name of a mail, with recipient and occasion, as operators see them. */
export function wordsOfMail(key: string): { name: string; when: string } {
  return words[key]?.() ?? { name: key, when: '' };
}
