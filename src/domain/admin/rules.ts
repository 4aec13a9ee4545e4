import { formatCount, formatMoney } from '#formats/numbers.ts';
import { formatMonth } from '#formats/times.ts';
import type { Actor } from '../kernel/actor.ts';
import type { User } from '../kernel/viewer.ts';
import { bulkChanges } from '../studio/rules.ts';
import type { PromoCode } from '../membership/payment-provider.ts';
import type { Total } from '../membership/shapes.ts';

/** Roles that enter the parts of Admin. Calls, pages and the menu ask `mayUse`; `everything` is what no part names. */
const rolesIn = {
  desk: ['admin', 'moderator'],
  log: ['admin', 'moderator'],
  everything: ['admin'],
} as const;
export type AdminPart = keyof typeof rolesIn;

/** For users whose session has passed the second factor, and the command line. */
export function mayUse(actor: Actor, part: AdminPart): boolean {
  if (actor.kind === 'operator') return true;
  const roles: readonly string[] = rolesIn[part];
  return (
    (actor.isAdmin === true && roles.includes('admin')) || (actor.isModerator === true && roles.includes('moderator'))
  );
}

/** Operators of the site, in the browser or on the command line. */
export function canAdminister(actor: Actor): boolean {
  return mayUse(actor, 'everything');
}

/** An operator or a moderator; this session may not have passed the second factor yet. */
export function isOperator({ isAdmin, isModerator, adminStep }: User): boolean {
  return isAdmin === true || isModerator === true || adminStep !== undefined;
}

export const userFilters = ['admins', 'moderators', 'creators', 'suspended', 'deleting'] as const;
export type UserFilter = (typeof userFilters)[number];

/** Why an account is suspended; recorded, and shown to operators only. */
export const suspensionReasons = ['Harassment', 'Spam', 'Payment fraud', 'Asked for it', 'Another reason'] as const;
export type SuspensionReason = (typeof suspensionReasons)[number];

export const maxGivenMonths = 36;

/** Waiting period before an operator's deletion of an account takes effect. */
export const deletionDays = 7;

/** Periods of the log, in days. */
/** `operator`: the command line and the site itself; `people`: everybody else. */
export const logAuthors = ['people', 'operator'] as const;
export type LogAuthor = (typeof logAuthors)[number];

/** Filters of the notices at the desk. */
export const deskFilters = ['audio', 'comment', 'people', 'overdue'] as const;
export type DeskFilter = (typeof deskFilters)[number];

/** Areas of the log that moderators read: neither accounts nor money nor settings. */
export const moderatorsLog = ['appeal', 'audio', 'comment', 'consent', 'notice', 'review', 'series', 'voice'] as const;

export const logPeriods = [1, 7, 28, 90] as const;

export const articleStates = ['published', 'scheduled', 'draft', 'deleted'] as const;
export type ArticleState = (typeof articleStates)[number];

export const articleSorts = ['changed', 'published', 'title'] as const;
export type ArticleSort = (typeof articleSorts)[number];

export const articleLengths = { title: 200, description: 600, body: 200_000, slug: 120 } as const;

/** Limit of audios linked from one article. */
export const maxArticleAudios = 12;

export const topicLength = 60;
/** Bytes of an exported look. Unlike an archive, JSON with base64 pictures cannot expand when it is read. */
export const maxLookFileBytes = 12 * 1024 * 1024;
/** First day of a month (UTC) on which the month before can be locked. */
export const lockDay = 3;

/** Longest time from the lock of a month to its payment. */
export const maxTermDays = 180;

/** `2026-10` */
export function isMonth(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}

/** @param month `2026-10`. @param by may be negative */
export function addToMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Counts of waiting reports, mails and jobs stop here. */
export const maxWaiting = 1000;

/** State filter for uploads that have not become audios yet. */
export const openUploadStates = ['processing', 'failed'] as const;
export type OpenUploadState = (typeof openUploadStates)[number];

/**
 * Periods of the overview: this month so far, or the last days. Each is compared with the same number of days before.
 */
/** Kinds of things that “Find anything” finds, in the order in which they are shown. */
export const foundKinds = [
  'user',
  'voice',
  'audio',
  'series',
  'playlist',
  'category',
  'tag',
  'article',
  'info-page',
] as const;
export type FoundKind = (typeof foundKinds)[number];

export const overviewPeriods = ['month', '28', '90'] as const;
export type OverviewPeriod = (typeof overviewPeriods)[number];

/** The month can be locked from this time on. */
export function lockableFrom(month: string): Date {
  const first = new Date(`${addToMonth(month, 1)}-01T00:00:00Z`);
  first.setUTCDate(lockDay);
  return first;
}

/**
 * Divides cents in proportion to the weights, without losing one: each gets the whole cents of its part, and the
 * remaining cents go to the largest fractions (https://en.wikipedia.org/wiki/Quota_method), ties to the first.
 * @param weights whole numbers of at least 0
 * @returns in the order of the weights; all 0 when no weight is above 0
 */
export function shareOut(pool: number, weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) return weights.map(() => 0);
  const parts = weights.map((weight, index) => {
    const exact = BigInt(pool) * BigInt(weight);
    return { index, cents: exact / total, rest: exact % total };
  });
  let left = BigInt(pool) - parts.reduce((sum, { cents }) => sum + cents, 0n);
  const shares = parts.map(({ cents }) => Number(cents));
  for (const { index } of parts.toSorted(
    (one, other) => Number(other.rest > one.rest) - Number(other.rest < one.rest),
  )) {
    if (left === 0n) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1n;
  }
  return shares;
}

/** The largest pool, in cents. */
export const lastPool = 100_000_000_000;

export const promoStates = ['active', 'expired', 'used-up', 'ended'] as const;
export type PromoState = (typeof promoStates)[number];

/** The rules of a promo code in the shape of its form. */
export function promoCodeRules({
  code,
  discount,
  currency,
  amounts,
  months,
  expiresAt,
  maxRedemptions,
  isFirstTimeOnly,
}: PromoCode) {
  return {
    code,
    percentOff: discount.percentOff ?? undefined,
    amountOff: discount.amountOff ?? undefined,
    currency: discount.amountOff === null ? undefined : currency,
    amounts: Object.keys(amounts).length === 0 ? undefined : amounts,
    duration: discount.duration,
    months,
    maxRedemptions,
    lastDay: expiresAt?.toISOString().slice(0, 10),
    isFirstTimeOnly,
  };
}

/** Suggested countries of currencies (ISO 3166, ISO 4217), for the form of prices; state of 2026. */
export const currencyCountries: Record<string, string[]> = {
  eur: 'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM VA XK'.split(' '),
  gbp: ['GB', 'GG', 'IM', 'JE'],
  usd: ['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'EC', 'SV', 'PA'],
  aud: ['AU'],
  cad: ['CA'],
  chf: ['CH', 'LI'],
  dkk: ['DK', 'FO', 'GL'],
  jpy: ['JP'],
  krw: ['KR'],
  mxn: ['MX'],
  nok: ['NO'],
  nzd: ['NZ'],
  pln: ['PL'],
  sek: ['SE'],
};

export const giftCardStates = ['awaiting-payment', 'paid', 'sent', 'redeemed', 'refunded'] as const;

export const subscriptionFilters = [
  'active',
  'trialing',
  'paused',
  'past-due',
  'confirming',
  'ending',
  'ended',
] as const;
export type SubscriptionFilter = (typeof subscriptionFilters)[number];

export const eventStates = ['received', 'done', 'ignored', 'failed'] as const;
export type EventState = (typeof eventStates)[number];
/** Filters of the operators' table of audios, besides search text, state, creator, category and tag. */
export const audioAccesses = ['free', 'subscribers'] as const;
export type AudioAccess = (typeof audioAccesses)[number];
export const audioProblems = ['no-cover', 'no-text', 'not-measured', 'changes'] as const;
export type AudioProblem = (typeof audioProblems)[number];
export const audioChangeDays = [1, 7, 30, 90] as const;

/** Acts on many audios at once. */
export const bulkVerbs = [
  ...bulkChanges,
  'add-categories',
  'remove-categories',
  'add-tags',
  'remove-tags',
  'add-to-playlist',
  'remove-from-playlist',
  'delete',
  'restore',
] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

/** Maximum audios of one act, and maximum picked one by one. */
export const maxBulkAudios = 100_000;
export const maxPickedAudios = 500;

/** Width to height of an article's picture. */
export const articleRatio = 1.6;

/** A total of a reconciliation: `Paid in June 2026: $59.88 at the provider, $51.89 here`. */
export function totalText(total: Total): string {
  const { of, atProvider, here } = total;
  if (of === 'paying')
    return `Paying subscriptions: ${formatCount(atProvider)} at the provider, ${formatCount(here)} here`;
  const name = of === 'paid' ? 'Paid' : 'Refunded of what was paid';
  const amount = (cents: number) => formatMoney(cents, total.currency);
  return `${name} in ${formatMonth(total.month)}: ${amount(atProvider)} at the provider, ${amount(here)} here`;
}

/** Operators' texts that can have one per language. */
export const ownTextKinds = [
  'category',
  'facet',
  'tag',
  'playlist',
  'series',
  'look',
  'menu',
  'words',
  'info',
  'agreement',
  'mail',
] as const;
export type OwnTextKind = (typeof ownTextKinds)[number];

/** `outdated`: the text that it translates has changed since. `built-in`: the site has a translation of its own. */
export const ownTextStates = ['translated', 'outdated', 'missing', 'built-in'] as const;
export type OwnTextState = (typeof ownTextStates)[number];

/** Characters of the reason for which a reviewer returns an audio. */
export const reasonLength = 2000;
