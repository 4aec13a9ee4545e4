import { formatDecimal } from '#formats/decimals.ts';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { formatMoney } from '#formats/numbers.ts';
import { formatDateTime } from '#formats/moments.ts';

/** Log entries as sentences. */
type Names = { who: ReactNode; subject: ReactNode };
type Sentence = (names: Names) => ReactNode;

const sentences: Record<string, Sentence> = {
  'article.picture': ({ who, subject }) => (
    <Trans>
      {who} changed the picture of {subject}
    </Trans>
  ),
  'user.give-months': ({ who, subject }) => (
    <Trans>
      {who} gave months to {subject}
    </Trans>
  ),
  'user.take-months-back': ({ who, subject }) => (
    <Trans>
      {who} took back given months from {subject}
    </Trans>
  ),
  'user.take-months-back-failed': ({ who, subject }) => (
    <Trans>
      {who} could not take back given months from {subject}
    </Trans>
  ),
  'user.reset-password': ({ who, subject }) => (
    <Trans>
      {who} reset the password of {subject}
    </Trans>
  ),
  'system.drop-mail': ({ who, subject }) => (
    <Trans>
      {who} deleted a mail: {subject}
    </Trans>
  ),
  'system.retry-mail': ({ who, subject }) => (
    <Trans>
      {who} sent a mail again: {subject}
    </Trans>
  ),
  'system.rebuild-search': ({ who, subject }) => (
    <Trans>
      {who} rebuilt {subject}
    </Trans>
  ),
  'system.start-backup': ({ who, subject }) => (
    <Trans>
      {who} started a backup: {subject}
    </Trans>
  ),
  'look.import': ({ who, subject }) => (
    <Trans>
      {who} imported {subject}
    </Trans>
  ),
  'look.undo-import': ({ who, subject }) => (
    <Trans>
      {who} undid the import of {subject}
    </Trans>
  ),
  'user.suspend': ({ who, subject }) => (
    <Trans>
      {who} suspended {subject}
    </Trans>
  ),
  'user.lift-suspension': ({ who, subject }) => (
    <Trans>
      {who} lifted the suspension of {subject}
    </Trans>
  ),
  'user.pay-back': ({ who, subject }) => (
    <Trans>
      {who} refunded unused days to {subject}
    </Trans>
  ),
  'user.make-admin': ({ who, subject }) => (
    <Trans>
      {who} made {subject} admin
    </Trans>
  ),
  'user.take-admin': ({ who, subject }) => (
    <Trans>
      {who} removed the admin role from {subject}
    </Trans>
  ),
  'user.make-moderator': ({ who, subject }) => (
    <Trans>
      {who} made {subject} moderator
    </Trans>
  ),
  'user.take-moderator': ({ who, subject }) => (
    <Trans>
      {who} removed the moderator role from {subject}
    </Trans>
  ),
  'notice.hide': ({ who, subject }) => (
    <Trans>
      {who} hid what notice {subject} is about
    </Trans>
  ),
  'notice.keep': ({ who, subject }) => (
    <Trans>
      {who} decided notice {subject}: nothing is wrong
    </Trans>
  ),
  'notice.remove': ({ who, subject }) => (
    <Trans>
      {who} decided notice {subject}: removed
    </Trans>
  ),
  'notice.show-reporter': ({ who, subject }) => (
    <Trans>
      {who} saw who reported {subject}
    </Trans>
  ),
  'notice.ask': ({ who, subject }) => (
    <Trans>
      {who} asked the creator about notice {subject}
    </Trans>
  ),
  'notice.answer': ({ who, subject }) => (
    <Trans>
      {who} received an answer about notice {subject}
    </Trans>
  ),
  'notice.undo': ({ who, subject }) => (
    <Trans>
      {who} took the decision on notice {subject} back
    </Trans>
  ),
  'appeal.receive': ({ who, subject }) => (
    <Trans>
      {who} received an appeal about notice {subject}
    </Trans>
  ),
  'appeal.keep': ({ who, subject }) => (
    <Trans>
      {who} decided the appeal about notice {subject}: nothing is wrong
    </Trans>
  ),
  'appeal.hide': ({ who, subject }) => (
    <Trans>
      {who} decided the appeal about notice {subject}: hidden
    </Trans>
  ),
  'appeal.remove': ({ who, subject }) => (
    <Trans>
      {who} decided the appeal about notice {subject}: removed
    </Trans>
  ),
  'user.give-voice': ({ who, subject }) => (
    <Trans>
      {who} gave a creator page to {subject}
    </Trans>
  ),
  'user.take-voice': ({ who, subject }) => (
    <Trans>
      {who} took a creator page from {subject}
    </Trans>
  ),
  'user.end-sessions': ({ who, subject }) => (
    <Trans>
      {who} logged {subject} out everywhere
    </Trans>
  ),
  'user.send-password-reset': ({ who, subject }) => (
    <Trans>
      {who} sent a password reset to {subject}
    </Trans>
  ),
  'user.revoke-feed': ({ who, subject }) => (
    <Trans>
      {who} ended a podcast feed of {subject}
    </Trans>
  ),
  'user.send-export': ({ who, subject }) => (
    <Trans>
      {who} sent an export of own data to {subject}
    </Trans>
  ),
  'user.plan-deletion': ({ who, subject }) => (
    <Trans>
      {who} scheduled the deletion of {subject}
    </Trans>
  ),
  'user.take-deletion-back': ({ who, subject }) => (
    <Trans>
      {who} canceled the deletion of {subject}
    </Trans>
  ),
  'user.delete': ({ who, subject }) => (
    <Trans>
      {who} deleted {subject}
    </Trans>
  ),
  'user.set-up-app': ({ who, subject }) => (
    <Trans>
      {who} set up an authenticator app for {subject}
    </Trans>
  ),
  'user.add-passkey': ({ who, subject }) => (
    <Trans>
      {who} added a passkey for {subject}
    </Trans>
  ),
  'user.remove-app': ({ who, subject }) => (
    <Trans>
      {who} removed the authenticator app of {subject}
    </Trans>
  ),
  'user.remove-passkey': ({ who, subject }) => (
    <Trans>
      {who} removed a passkey of {subject}
    </Trans>
  ),
  'user.renew-recovery-codes': ({ who, subject }) => (
    <Trans>
      {who} created new recovery codes for {subject}
    </Trans>
  ),
  'user.use-recovery-code': ({ who, subject }) => (
    <Trans>
      {who} used a recovery code of {subject}
    </Trans>
  ),
  'user.fail-second-factor': ({ who, subject }) => (
    <Trans>
      {who} failed the second factor of {subject}
    </Trans>
  ),
  'user.pass-second-factor': ({ who, subject }) => (
    <Trans>
      {who} passed the second factor of {subject}
    </Trans>
  ),
  'user.lock-second-factor': ({ who, subject }) => (
    <Trans>
      {who} locked the second factor of {subject}
    </Trans>
  ),
  'user.reset-second-factor': ({ who, subject }) => (
    <Trans>
      {who} reset the second factor of {subject}
    </Trans>
  ),
  'payment.refund': ({ who, subject }) => (
    <Trans>
      {who} refunded {subject}
    </Trans>
  ),
  'payment.refuse-refund': ({ who, subject }) => (
    <Trans>
      {who} could not refund {subject} because the payment provider refused it
    </Trans>
  ),
  'gift-card.create': ({ who, subject }) => (
    <Trans>
      {who} created {subject}
    </Trans>
  ),
  'gift-card.refund': ({ who, subject }) => (
    <Trans>
      {who} refunded {subject}
    </Trans>
  ),
  'gift-card.refund-failed': ({ who, subject }) => (
    <Trans>
      {who} could not refund {subject}
    </Trans>
  ),
  'gift-card.resend': ({ who, subject }) => (
    <Trans>
      {who} sent again: {subject}
    </Trans>
  ),
  'tip.refund': ({ who, subject }) => (
    <Trans>
      {who} refunded {subject}
    </Trans>
  ),
  'tip.refund-failed': ({ who, subject }) => (
    <Trans>
      {who} could not refund {subject}
    </Trans>
  ),
  'subscription.cancel-now': ({ who, subject }) => (
    <Trans>
      {who} ended the subscription of {subject}
    </Trans>
  ),
  'subscription.cancel-end': ({ who, subject }) => (
    <Trans>
      {who} canceled the subscription of {subject}
    </Trans>
  ),
  'subscription.resume': ({ who, subject }) => (
    <Trans>
      {who} resumed the subscription of {subject}
    </Trans>
  ),
  'subscription.end-pause': ({ who, subject }) => (
    <Trans>
      {who} ended the pause of {subject}
    </Trans>
  ),
  'subscription.end-pause-failed': ({ who, subject }) => (
    <Trans>
      {who} could not end the pause of {subject}
    </Trans>
  ),
  'subscription.stay-offer': ({ subject }) => <Trans>{subject} took the offer to stay</Trans>,
  'promo-code.end': ({ who, subject }) => (
    <Trans>
      {who} ended the promo code {subject}
    </Trans>
  ),
  'promo-code.create-failed': ({ who, subject }) => (
    <Trans>
      {who} could not create the promo code {subject}
    </Trans>
  ),
  'promo-code.replace-failed': ({ who, subject }) => (
    <Trans>
      {who} could not change the promo code {subject}
    </Trans>
  ),
  'payment-event.replay': ({ who, subject }) => (
    <Trans>
      {who} replayed {subject}
    </Trans>
  ),
  'payment.make-main': ({ who, subject }) => (
    <Trans>
      {who} made {subject} the main payment provider
    </Trans>
  ),
  'site.move-out': ({ who }) => <Trans>{who} wrote everything of the site to a file</Trans>,
  'voice.move-out': ({ who, subject }) => (
    <Trans>
      {who} downloaded everything of {subject}
    </Trans>
  ),
  'member-import.start': ({ who, subject }) => (
    <Trans>
      {who} started an import of members: {subject}
    </Trans>
  ),
  'member-import.pause': ({ who, subject }) => (
    <Trans>
      {who} stopped an import of members: {subject}
    </Trans>
  ),
  'member-import.resume': ({ who, subject }) => (
    <Trans>
      {who} went on with an import of members: {subject}
    </Trans>
  ),
  'member-import.retry': ({ who, subject }) => (
    <Trans>
      {who} retried an import of members: {subject}
    </Trans>
  ),
  'provider-move.start': ({ who, subject }) => (
    <Trans>
      {who} started a move of subscriptions: {subject}
    </Trans>
  ),
  'provider-move.pause': ({ who, subject }) => (
    <Trans>
      {who} paused a move of subscriptions: {subject}
    </Trans>
  ),
  'provider-move.resume': ({ who, subject }) => (
    <Trans>
      {who} went on with a move of subscriptions: {subject}
    </Trans>
  ),
  'provider-move.retry': ({ who, subject }) => (
    <Trans>
      {who} retried a move of subscriptions: {subject}
    </Trans>
  ),
  'subscription.stopped-again': ({ who, subject }) => (
    <Trans>
      {who} stopped the moved subscription of {subject} again
    </Trans>
  ),
  'reconciliation.request': ({ who, subject }) => (
    <Trans>
      {who} started {subject}
    </Trans>
  ),
  'payout.enter-pool': ({ who, subject }) => (
    <Trans>
      {who} entered the pool of {subject}
    </Trans>
  ),
  'payout.lock': ({ who, subject }) => (
    <Trans>
      {who} locked the payouts of {subject}
    </Trans>
  ),
  'payout.pay': ({ who, subject }) => (
    <Trans>
      {who} noted a payment for {subject}
    </Trans>
  ),
  'payout.export-payees': ({ who, subject }) => (
    <Trans>
      {who} downloaded the payees’ bank and tax data for {subject}
    </Trans>
  ),
  'payee.save': ({ who, subject }) => (
    <Trans>
      {who} entered who is paid for {subject}
    </Trans>
  ),
  'payee.remove': ({ who, subject }) => (
    <Trans>
      {who} removed who is paid for {subject}
    </Trans>
  ),
  'payout.correct': ({ who, subject }) => (
    <Trans>
      {who} entered a correction in {subject}
    </Trans>
  ),
  'bulk-act.start': ({ who, subject }) => (
    <Trans>
      {who} started a bulk action: {subject}
    </Trans>
  ),
  'bulk-act.stop': ({ who, subject }) => (
    <Trans>
      {who} stopped a bulk action: {subject}
    </Trans>
  ),
  'audio.free': ({ who, subject }) => (
    <Trans>
      {who} made {subject} free
    </Trans>
  ),
  'audio.restrict': ({ who, subject }) => (
    <Trans>
      {who} made {subject} for subscribers only
    </Trans>
  ),
  'audio.choose-preview': ({ who, subject }) => (
    <Trans>
      {who} chose as the preview: {subject}
    </Trans>
  ),
  'audio.choose-commenters': ({ who, subject }) => (
    <Trans>
      {who} chose who may comment under {subject}
    </Trans>
  ),
  'audio.set-language': ({ who, subject }) => (
    <Trans>
      {who} set the language of {subject}
    </Trans>
  ),
  'audio.set-synthetic-voice': ({ who, subject }) => (
    <Trans>
      {who} set the synthetic voice of {subject}
    </Trans>
  ),
  'audio.close-comments': ({ who, subject }) => (
    <Trans>
      {who} closed the comments under {subject}
    </Trans>
  ),
  'audio.open-comments': ({ who, subject }) => (
    <Trans>
      {who} opened the comments under {subject}
    </Trans>
  ),
  'audio.translate': ({ who, subject }) => (
    <Trans>
      {who} set a translation of {subject}
    </Trans>
  ),
  'audio.remove-translation': ({ who, subject }) => (
    <Trans>
      {who} removed a translation of {subject}
    </Trans>
  ),
  'audio.replace-file': ({ who, subject }) => (
    <Trans>
      {who} replaced the recording of {subject}
    </Trans>
  ),
  'comment.hide': ({ who, subject }) => (
    <Trans>
      {who} hid a comment under {subject}
    </Trans>
  ),
  'comment.show': ({ who, subject }) => (
    <Trans>
      {who} unhid a comment under {subject}
    </Trans>
  ),
  'comment.pin': ({ who, subject }) => (
    <Trans>
      {who} pinned a comment under {subject}
    </Trans>
  ),
  'comment.unpin': ({ who, subject }) => (
    <Trans>
      {who} took down the pinned comment under {subject}
    </Trans>
  ),
  'comment.heart': ({ who, subject }) => (
    <Trans>
      {who} gave a comment under {subject} a heart
    </Trans>
  ),
  'comment.unheart': ({ who, subject }) => (
    <Trans>
      {who} took the heart from a comment under {subject}
    </Trans>
  ),
  'comment.keep': ({ who, subject }) => (
    <Trans>
      {who} kept {subject}
    </Trans>
  ),
  'comment.warn': ({ who, subject }) => (
    <Trans>
      {who} removed {subject} and warned its author
    </Trans>
  ),
  'comment.suspend': ({ who, subject }) => (
    <Trans>
      {who} removed {subject} and suspended its author
    </Trans>
  ),
  'comment.undo': ({ who, subject }) => (
    <Trans>
      {who} undid the decision on {subject}
    </Trans>
  ),
  'playlist.audios': ({ who, subject }) => (
    <Trans>
      {who} changed the audios of {subject}
    </Trans>
  ),
  'series.add-audio': ({ who, subject }) => (
    <Trans>
      {who} added an audio to {subject}
    </Trans>
  ),
  'series.move-audio': ({ who, subject }) => (
    <Trans>
      {who} moved an audio of {subject}
    </Trans>
  ),
  'series.remove-audio': ({ who, subject }) => (
    <Trans>
      {who} removed an audio from {subject}
    </Trans>
  ),
  'text.translate': ({ who, subject }) => (
    <Trans>
      {who} changed the translations of {subject}
    </Trans>
  ),
  'facet.tags': ({ who, subject }) => (
    <Trans>
      {who} changed the tags of {subject}
    </Trans>
  ),
  'tag.merge': ({ who, subject }) => (
    <Trans>
      {who} merged {subject} into another tag
    </Trans>
  ),
  'tag.rename': ({ who, subject }) => (
    <Trans>
      {who} renamed {subject}
    </Trans>
  ),
  'feed-import.start': ({ who, subject }) => (
    <Trans>
      {who} read a feed to import it: {subject}
    </Trans>
  ),
  'feed-import.confirm': ({ who, subject }) => (
    <Trans>
      {who} confirmed the import of {subject} with the code of its owner
    </Trans>
  ),
  'feed-import.run': ({ who, subject }) => (
    <Trans>
      {who} started the import of {subject}
    </Trans>
  ),
  'feed-import.choose': ({ who, subject }) => (
    <Trans>
      {who} changed what comes with the import of {subject}
    </Trans>
  ),
  'feed-import.stop': ({ who, subject }) => (
    <Trans>
      {who} stopped the import of {subject}
    </Trans>
  ),
  'feed-import.drop': ({ who, subject }) => (
    <Trans>
      {who} discarded the import of {subject}
    </Trans>
  ),
  'upload.retry': ({ who, subject }) => (
    <Trans>
      {who} tried again: {subject}
    </Trans>
  ),
  'upload.start': ({ who, subject }) => (
    <Trans>
      {who} started to upload {subject}
    </Trans>
  ),
  'voice.add-owner': ({ who, subject }) => (
    <Trans>
      {who} added an owner to {subject}
    </Trans>
  ),
  'voice.remove-owner': ({ who, subject }) => (
    <Trans>
      {who} removed an owner of {subject}
    </Trans>
  ),
  'voice.add-person': ({ who, subject }) => (
    <Trans>
      {who} gave access to {subject}
    </Trans>
  ),
  'voice.remove-person': ({ who, subject }) => (
    <Trans>
      {who} took access from {subject}
    </Trans>
  ),
  'voice.set-role': ({ who, subject }) => (
    <Trans>
      {who} changed the role of {subject}
    </Trans>
  ),
  'voice.block-user': ({ who, subject }) => (
    <Trans>
      {who} blocked a listener from {subject}
    </Trans>
  ),
  'voice.unblock-user': ({ who, subject }) => (
    <Trans>
      {who} unblocked a listener from {subject}
    </Trans>
  ),
  'voice.choose-commenters': ({ who, subject }) => (
    <Trans>
      {who} chose who may comment under new audios of {subject}
    </Trans>
  ),
  'voice.set-comments': ({ who, subject }) => (
    <Trans>
      {who} changed the comment settings of {subject}
    </Trans>
  ),
  'audio.set-comments': ({ who, subject }) => (
    <Trans>
      {who} changed the comment settings of {subject}
    </Trans>
  ),
  'voice.hold-links': ({ who, subject }) => (
    <Trans>
      {who} changed whether links wait in comments of {subject}
    </Trans>
  ),
  'verification.ask': ({ who, subject }) => (
    <Trans>
      {who} asked for verification of {subject}
    </Trans>
  ),
  'verification.appeal': ({ who, subject }) => (
    <Trans>
      {who} appealed for {subject}
    </Trans>
  ),
  'verification.provider': ({ who, subject }) => (
    <Trans>
      {who} had {subject} checked by the identity provider
    </Trans>
  ),
  'verification.record': ({ who, subject }) => (
    <Trans>
      {who} recorded a check of {subject}
    </Trans>
  ),
  'verification.refuse': ({ who, subject }) => (
    <Trans>
      {who} refused to verify {subject}
    </Trans>
  ),
  'verification.withdraw': ({ who, subject }) => (
    <Trans>
      {who} withdrew the verification of {subject}
    </Trans>
  ),
  'agreement.accept': ({ who, subject }) => (
    <Trans>
      {who} agreed to the creator agreement for {subject}
    </Trans>
  ),
  'agreement.publish': ({ who, subject }) => (
    <Trans>
      {who} published {subject}
    </Trans>
  ),
  'review.approve': ({ who, subject }) => (
    <Trans>
      {who} approved {subject}
    </Trans>
  ),
  'review.return': ({ who, subject }) => (
    <Trans>
      {who} returned {subject} to its creator
    </Trans>
  ),
  'consent.give': ({ who, subject }) => (
    <Trans>
      {who} agreed to {subject}
    </Trans>
  ),
  'consent.refuse': ({ who, subject }) => (
    <Trans>
      {who} did not agree to {subject}
    </Trans>
  ),
  'consent.withdraw': ({ who, subject }) => (
    <Trans>
      {who} took their consent to {subject} back
    </Trans>
  ),
  'consent.record': ({ who, subject }) => (
    <Trans>
      {who} recorded a consent to {subject}
    </Trans>
  ),
  'performer.add': ({ who, subject }) => (
    <Trans>
      {who} added a performer to {subject}
    </Trans>
  ),
  'performer.remove': ({ who, subject }) => (
    <Trans>
      {who} removed a performer from {subject}
    </Trans>
  ),
  'performer.send-link': ({ who, subject }) => (
    <Trans>
      {who} sent a link for {subject} to a performer
    </Trans>
  ),
  'performer.copy-link': ({ who, subject }) => (
    <Trans>
      {who} copied the link of a performer of {subject}
    </Trans>
  ),
  'performer.add-owner': ({ who, subject }) => (
    <Trans>
      {who} said that the creator is heard in {subject}
    </Trans>
  ),
  'performer.remove-owner': ({ who, subject }) => (
    <Trans>
      {who} said that the creator is not heard in {subject}
    </Trans>
  ),
  'performer.verify': ({ who, subject }) => (
    <Trans>
      {who} recorded a check of a performer of {subject}
    </Trans>
  ),
  'credit.add': ({ who, subject }) => (
    <Trans>
      {who} added a credit to {subject}
    </Trans>
  ),
  'credit.change': ({ who, subject }) => (
    <Trans>
      {who} changed a credit of {subject}
    </Trans>
  ),
  'credit.remove': ({ who, subject }) => (
    <Trans>
      {who} removed a credit from {subject}
    </Trans>
  ),
  'credit.order': ({ who, subject }) => (
    <Trans>
      {who} changed the order of the credits of {subject}
    </Trans>
  ),
  'split.propose': ({ who, subject }) => (
    <Trans>
      {who} proposed shares of {subject}
    </Trans>
  ),
  'split.withdraw': ({ who, subject }) => (
    <Trans>
      {who} took back proposed shares of {subject}
    </Trans>
  ),
  'split.agree': ({ who, subject }) => (
    <Trans>
      {who} agreed to shares of {subject}
    </Trans>
  ),
  'split.decline': ({ who, subject }) => (
    <Trans>
      {who} declined shares of {subject}
    </Trans>
  ),
  'credit.accept': ({ who, subject }) => (
    <Trans>
      {who} accepted a credit of {subject}
    </Trans>
  ),
  'credit.decline': ({ who, subject }) => (
    <Trans>
      {who} declined a credit of {subject}
    </Trans>
  ),
  'voice.merge': ({ who, subject }) => (
    <Trans>
      {who} merged {subject} into another creator
    </Trans>
  ),
  'playlist.add-audio': ({ who, subject }) => (
    <Trans>
      {who} added an audio to {subject}
    </Trans>
  ),
  'playlist.remove-audio': ({ who, subject }) => (
    <Trans>
      {who} removed an audio from {subject}
    </Trans>
  ),
};

/** In place of the above, where the subject is the person. */
const ownSentences: Record<string, Sentence> = {
  'user.set-up-app': ({ who }) => <Trans>{who} set up an authenticator app</Trans>,
  'user.add-passkey': ({ who }) => <Trans>{who} added a passkey</Trans>,
  'user.remove-app': ({ who }) => <Trans>{who} removed their authenticator app</Trans>,
  'user.remove-passkey': ({ who }) => <Trans>{who} removed one of their passkeys</Trans>,
  'user.renew-recovery-codes': ({ who }) => <Trans>{who} created new recovery codes</Trans>,
  'user.use-recovery-code': ({ who }) => <Trans>{who} logged in with a recovery code</Trans>,
  'user.fail-second-factor': ({ who }) => <Trans>{who} failed to confirm their second factor</Trans>,
  'user.pass-second-factor': ({ who }) => <Trans>{who} confirmed their second factor after several failed tries</Trans>,
  'user.lock-second-factor': ({ who }) => (
    <Trans>{who} was locked out for a while after too many failed tries at the second factor</Trans>
  ),
};

/** Acts of any area, by verb: `audio.publish` reads "published", `voice.create` "created". */
const sentencesByVerb: Record<string, Sentence> = {
  add: ({ who, subject }) => (
    <Trans>
      {who} added {subject}
    </Trans>
  ),
  change: ({ who, subject }) => (
    <Trans>
      {who} changed {subject}
    </Trans>
  ),
  create: ({ who, subject }) => (
    <Trans>
      {who} created {subject}
    </Trans>
  ),
  delete: ({ who, subject }) => (
    <Trans>
      {who} deleted {subject}
    </Trans>
  ),
  edit: ({ who, subject }) => (
    <Trans>
      {who} changed {subject}
    </Trans>
  ),
  hide: ({ who, subject }) => (
    <Trans>
      {who} hid {subject}
    </Trans>
  ),
  order: ({ who, subject }) => (
    <Trans>
      {who} changed: {subject}
    </Trans>
  ),
  publish: ({ who, subject }) => (
    <Trans>
      {who} published {subject}
    </Trans>
  ),
  remove: ({ who, subject }) => (
    <Trans>
      {who} removed {subject}
    </Trans>
  ),
  reorder: ({ who, subject }) => (
    <Trans>
      {who} changed the order of {subject}
    </Trans>
  ),
  replace: ({ who, subject }) => (
    <Trans>
      {who} replaced the recording of {subject}
    </Trans>
  ),
  restore: ({ who, subject }) => (
    <Trans>
      {who} restored {subject}
    </Trans>
  ),
  schedule: ({ who, subject }) => (
    <Trans>
      {who} scheduled {subject}
    </Trans>
  ),
  show: ({ who, subject }) => (
    <Trans>
      {who} showed {subject} again
    </Trans>
  ),
  undelete: ({ who, subject }) => (
    <Trans>
      {who} restored {subject}
    </Trans>
  ),
  unpublish: ({ who, subject }) => (
    <Trans>
      {who} unpublished {subject}
    </Trans>
  ),
  update: ({ who, subject }) => (
    <Trans>
      {who} changed {subject}
    </Trans>
  ),
  upload: ({ who, subject }) => (
    <Trans>
      {who} uploaded {subject}
    </Trans>
  ),
};

function knownSentence(action: string): Sentence | undefined {
  return sentences[action] ?? sentencesByVerb[action.split('.')[1] ?? ''];
}

/** Whether the log has words for an act. */
export function isKnownAct(action: string): boolean {
  return knownSentence(action) !== undefined;
}

/** @param isOwn the subject is the person */
export function sentenceOf(action: string, isOwn: boolean, { who, subject }: Names): ReactNode {
  const known = (isOwn && ownSentences[action]) || knownSentence(action);
  if (known !== undefined) return known({ who, subject });
  const act = (action.split('.')[1] ?? '').replaceAll('-', ' ');
  return (
    <Trans>
      {who} did “{act}” with {subject}
    </Trans>
  );
}

const areas: Record<string, () => string> = {
  appeal: () => t`Appeals`,
  notice: () => t`Notices`,
  article: () => t`Articles`,
  audio: () => t`Audios`,
  'bulk-act': () => t`Bulk actions`,
  comment: () => t`Comments`,
  'gift-card': () => t`Gift cards`,
  payment: () => t`Payments`,
  'payment-event': () => t`Webhook events`,
  payee: () => t`Payees`,
  payout: () => t`Payouts`,
  'promo-code': () => t`Promo codes`,
  'member-import': () => t`Imports of members`,
  'provider-move': () => t`Moves of subscriptions`,
  reconciliation: () => t`Reconciliation`,
  subscription: () => t`Subscriptions`,
  playlist: () => t`Playlists`,
  series: () => t`Series`,
  setting: () => t`Settings`,
  settings: () => t`Settings`,
  text: () => t`Texts`,
  tip: () => t`Tips`,
  topic: () => t`Topics`,
  user: () => t`Users`,
  voice: () => t`Creators`,
};

/** @param area the part of an action before its dot */
export function areaName(area: string): string {
  return areas[area]?.() ?? `${area.charAt(0).toUpperCase()}${area.slice(1).replaceAll('-', ' ')}`;
}

const fieldTexts: Record<string, () => string> = {
  admin: () => t`Admin`,
  amount: () => t`Amount`,
  audio: () => t`Audio`,
  audioIds: () => t`Audios`,
  badge: () => t`Badge`,
  bio: () => t`About the creator`,
  categories: () => t`Categories`,
  categoryId: () => t`Category`,
  chapters: () => t`Chapters`,
  commentsDisabled: () => t`Comments turned off`,
  countsTrials: () => t`Trials count`,
  cover: () => t`Cover`,
  currency: () => t`Currency`,
  decision: () => t`Decision`,
  deletion: () => t`Deletion`,
  description: () => t`Description`,
  durationMs: () => t`Length in milliseconds`,
  ends: () => t`Ends`,
  endsAt: () => t`Ends on`,
  feed: () => t`Feed`,
  fileName: () => t`File`,
  hidden: () => t`Hidden`,
  imageKey: () => t`Picture`,
  into: () => t`Merged into`,
  isFree: () => t`Free`,
  label: () => t`Name`,
  lines: () => t`Lines`,
  linkedSeriesId: () => t`Linked series`,
  license: () => t`License`,
  directoryText: () => t`Text for podcast directories`,
  allowsClips: () => t`Clips`,
  takesTips: () => t`Take tips`,
  tipThanks: () => t`Your thanks`,
  welcomeAudioId: () => t`Welcome in private feeds`,
  paymentAudioId: () => t`After a failed payment`,
  farewellAudioId: () => t`Farewell in private feeds`,
  locked: () => t({ message: 'Locked', context: 'month' }),
  month: () => t`Month`,
  months: () => t`Months`,
  name: () => t`Name`,
  order: () => t({ message: 'Order', context: 'sequence' }),
  pool: () => t`Pool`,
  publishedAt: () => t`Published on`,
  reason: () => t`Reason`,
  recommendedIds: () => t`Recommended creators`,
  refunded: () => t`Refunded`,
  removed: () => t`Removed`,
  role: () => t`Role`,
  sessions: () => t`Sessions`,
  settledAt: () => t`Settled on`,
  slug: () => t`Address`,
  state: () => t`State`,
  status: () => t`Status`,
  suspended: () => t`Suspended`,
  tags: () => t`Tags`,
  text: () => t`Text`,
  times: () => t`Times`,
  title: () => t`Title`,
  topics: () => t`Topics`,
  transcript: () => t`Transcript`,
  translation: () => t`Translation`,
  trialDays: () => t`Days of the trial`,
  unusedDaysPaidBack: () => t`Unused days paid back`,
  voice: () => t`Creator`,
  voiceType: () => t`Kind of voice`,
  voices: () => t`Creators`,
  year: () => t`Year`,
};

/** States of audios, articles and playlists. */
const states: Record<string, () => string> = {
  deleted: () => t`Deleted`,
  draft: () => t`Draft`,
  published: () => t`Published`,
  scheduled: () => t`Scheduled`,
};

/** Others read as they are written: `is_muted` as "Is muted". */
export function fieldName(name: string): string {
  const known = Object.hasOwn(fieldTexts, name) ? fieldTexts[name]?.() : undefined;
  if (known !== undefined) return known;
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
/** Prices in a further currency are below its code. */
const isOfCurrency = (key: string, value: unknown) =>
  /^[a-z]{3}$/.test(key) && typeof value === 'object' && value !== null && 'giftCards' in value;

export function valueText(
  value: unknown,
  zone: string | undefined,
  name?: string,
  fields: Record<string, unknown> = {},
): string {
  if (value === null || value === undefined || value === '') return t`None`;
  if (value === true) return t`Yes`;
  if (value === false) return t`No`;
  if (Array.isArray(value)) return value.length === 0 ? t`None` : value.map((one) => valueText(one, zone)).join(', ');
  if (typeof value === 'number' && name !== undefined && amounts.has(name)) {
    const { currency } = fields;
    return typeof currency === 'string' ? formatMoney(value, currency) : formatDecimal(value / 100, 2);
  }
  if (typeof value === 'string' && isoTime.test(value)) return formatDateTime(value, zone);
  if (name === 'state' && typeof value === 'string') return states[value]?.() ?? value;
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(
      ([key, one]) =>
        `${fieldName(key)}: ${valueText(one, zone, key, isOfCurrency(key, one) ? { currency: key } : fields)}`,
    )
    .join(', ');
}
