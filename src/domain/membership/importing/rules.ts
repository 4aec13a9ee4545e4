/** Members who come from elsewhere by a file of CSV. */

/** `planned`: nothing was done yet. */
export const importStates = ['planned', 'running', 'paused', 'done'] as const;
export type ImportState = (typeof importStates)[number];

/** `known`: the account was there before. `failed`: no answer, after several tries. */
export const memberStates = ['waiting', 'new', 'known', 'refused', 'failed'] as const;
export type MemberState = (typeof memberStates)[number];

/** Why a line is refused: because of the file, of the account here, or of what the payment provider says. */
export const memberRefusals = [
  'no-email',
  'twice',
  'no-time',
  'bad-date',
  'over',
  'bad-customer',
  'customer-twice',
  'suspended',
  'being-deleted',
  'erased',
  'in-use-at-provider',
  'customer-of-another',
  'other-subscription',
  'customer-missing',
  'subscription-ended',
  'several-subscriptions',
  'other-rhythm',
] as const;
export type MemberRefusal = (typeof memberRefusals)[number];

export const maxImportedMembers = 50_000;
export const maxMembersFileBytes = 8 * 1024 * 1024;
/** A later end is taken for a mistake. */
export const maxPaidYears = 10;
/** A planned import that nobody starts is forgotten after a day, one that has ended after these. */
export const keptImportDays = 90;

/** Names of the columns in the first line. Case, spaces and signs do not count. */
export const memberColumns = {
  email: ['email', 'email address', 'mail', 'customer email', 'member email'],
  paidUntil: [
    'paid until',
    'paid through',
    'valid until',
    'expires',
    'expires at',
    'expiry',
    'expiry date',
    'current period end',
    'current period end (utc)',
    'access expiration',
    'next charge date',
  ],
  plan: ['plan', 'tier', 'product'],
  language: ['language', 'locale'],
  customerId: ['stripe customer', 'stripe customer id', 'customer id', 'customer'],
} as const;
export type MemberColumn = keyof typeof memberColumns;
