import { t } from '@lingui/core/macro';
import type { ImportState, MemberRefusal } from '#domain/membership/importing/rules.ts';

export const importStateNames = (): Record<ImportState, string> => ({
  planned: t`Not started`,
  running: t`Running`,
  paused: t`Paused`,
  done: t`Done`,
});

/** Why a line of a file of members is refused. */
export const refusalTexts = (): Record<MemberRefusal, string> => ({
  'no-email': t`No email address`,
  twice: t`This address is in the file already`,
  'no-time': t`Neither a day until which it is paid nor a customer`,
  'bad-date': t`The day cannot be read; write it as 2027-03-31`,
  over: t`The paid time is over`,
  'bad-customer': t`No customer of Stripe, such as cus_123`,
  'customer-twice': t`This customer is in the file already`,
  suspended: t`The account is suspended`,
  'being-deleted': t`The account is about to be deleted`,
  erased: t`The account was deleted`,
  'in-use-at-provider': t`The sign-in service has another account with this address`,
  'customer-of-another': t`The customer belongs to another account`,
  'other-subscription': t`The account has another subscription`,
  'customer-missing': t`Stripe does not know the customer`,
  'subscription-ended': t`The customer has no running subscription`,
  'several-subscriptions': t`The customer has several running subscriptions`,
  'other-rhythm': t`The subscription has more than one price, or is charged neither monthly nor yearly`,
});
