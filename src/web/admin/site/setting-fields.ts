import { plural, t } from '@lingui/core/macro';
import type { SectionValues } from '#domain/admin/site/site-settings.ts';
import { isCurrency } from '#formats/currency-decimals.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { currencyCountries } from '#domain/admin/rules.ts';
import { keepingBounds } from '#domain/membership/keeping/rules.ts';
import { giftCardMonths, membershipBounds } from '#domain/membership/rules.ts';
import { tipBounds } from '#domain/membership/tips/rules.ts';
import { amountOf, toTyped } from '../money/typed-amount.ts';
import { limitBounds } from '#domain/settings/rules.ts';

/** One field of the Settings page, as typed. */
export type SettingField = {
  /** Path within its section's value. */
  path: string;
  label: string;
  kind: 'money' | 'count' | 'count-or-none' | 'code' | 'currencies' | 'countries' | 'switch';
  /** Default for amounts: the section's. */
  currency?: string;
  /** Suggested where nothing is stored. */
  start?: string;
  /** Least and most; for money in the smallest unit. Not for codes. */
  bounds?: readonly [number, number];
  hint?: string;
};

const money = { kind: 'money', bounds: membershipBounds.cents } as const;

/** @param further currencies with prices of their own */
export const membershipFields = (further: string[]): SettingField[] => [
  { path: 'plans.month', label: t`Each month`, ...money },
  { path: 'plans.year', label: t`Each year`, ...money },
  {
    path: 'trialDays',
    label: t`Trial, in days`,
    kind: 'count',
    bounds: membershipBounds.trialDays,
    hint: t`Once per account and card. 0: no trial.`,
  },
  {
    path: 'graceDays',
    label: t`Access after a failed payment, in days`,
    kind: 'count',
    bounds: membershipBounds.graceDays,
  },
  ...giftCardMonths.map((months) => ({
    path: `giftCards.${months}`,
    label: plural(months, { one: 'Gift card of # month', other: 'Gift card of # months' }),
    ...money,
  })),
  {
    path: 'currency',
    label: t`Currency`,
    kind: 'code',
    hint: t`Three letters, such as usd. It can change only while nobody has paid.`,
  },
  {
    path: 'currencies',
    label: t`Further currencies`,
    kind: 'currencies',
    hint: t`Their codes, such as eur, gbp. Each has prices of its own. One in which somebody has paid stays.`,
  },
  ...further.flatMap(currencyFields),
];

function currencyFields(currency: string): SettingField[] {
  const code = currency.toUpperCase();
  const own = { kind: 'money', bounds: membershipBounds.furtherAmount, currency } as const;
  return [
    { path: `currencies.${currency}.plans.month`, label: t`Each month in ${code}`, ...own },
    { path: `currencies.${currency}.plans.year`, label: t`Each year in ${code}`, ...own },
    ...giftCardMonths.map((months) => ({
      path: `currencies.${currency}.giftCards.${months}`,
      label: plural(months, { one: `Gift card of # month in ${code}`, other: `Gift card of # months in ${code}` }),
      ...own,
    })),
    {
      path: `currencies.${currency}.countries`,
      label: t`Countries of ${code}`,
      kind: 'countries',
      start: (currencyCountries[currency] ?? []).join(', '),
      hint: t`Two letters each, such as FR, DE. Listeners there see this currency first.`,
    },
  ];
}

/** The currencies of a typed list. */
export function codesIn(text: string): string[] {
  return [...new Set(listed(text.toLowerCase()).filter(isCurrency))];
}

const listed = (text: string) => text.split(/[\s,;]+/).filter((one) => one !== '');

type Limit = keyof typeof limitBounds;

const limitTexts = (): Record<Limit, { label: string; hint: string; mayBeEmpty?: true }> => ({
  commentsPerHour: { label: t`Comments in an hour`, hint: t`For each listener.` },
  reportsToHide: {
    label: t`Reports that hide a comment`,
    hint: t`Until somebody decides. A report by the creator hides it at once.`,
  },
  uploadsPerDay: {
    label: t`Uploads in 24 hours`,
    hint: t`For each creator. Empty: UPLOADS_PER_DAY of the server applies.`,
    mayBeEmpty: true,
  },
  uploadGigabytesPerDay: {
    label: t`Uploads in 24 hours, in GB`,
    hint: t`For each creator. Empty: UPLOAD_GB_PER_DAY of the server applies.`,
    mayBeEmpty: true,
  },
  uploadHoursPerDay: {
    label: t`Uploads in 24 hours, in hours of sound`,
    hint: t`For each creator. Empty: UPLOAD_HOURS_PER_DAY of the server applies.`,
    mayBeEmpty: true,
  },
  unfinishedUploads: { label: t`Unfinished uploads at one time`, hint: t`For each creator.` },
  feedDownloadsPerDay: {
    label: t`Downloads of a podcast feed in a day`,
    hint: t`Different audios, for each private feed of a subscriber.`,
  },
  feedNetworksPerDay: {
    label: t`Networks of a podcast feed in a day`,
    hint: t`One more stops the feed until its subscriber makes a new address.`,
  },
});

export function limitFields(): SettingField[] {
  const texts = limitTexts();
  return (Object.keys(texts) as Limit[]).map((path) => {
    const { label, hint, mayBeEmpty } = texts[path];
    return { path, label, hint, kind: mayBeEmpty ? 'count-or-none' : 'count', bounds: limitBounds[path] };
  });
}

export const keepingFields = (): SettingField[] => [
  {
    path: 'cardExpiry',
    label: t`Mail before a card expires`,
    kind: 'switch',
    hint: t`30 days before the first charge after its last day. Once per card.`,
  },
  {
    path: 'renewal',
    label: t`Mail before a yearly charge`,
    kind: 'switch',
    hint: t`With the amount, the day and how to cancel. The law of several countries asks for it.`,
  },
  {
    path: 'renewalDays',
    label: t`Days before a yearly charge`,
    kind: 'count',
    bounds: keepingBounds.renewalDays,
    hint: t`31 to 40 suit most laws.`,
  },
  {
    path: 'prepaidEnd',
    label: t`Mail before prepaid time ends`,
    kind: 'switch',
    hint: t`For providers through which nothing renews by itself.`,
  },
  {
    path: 'winBack',
    label: t`Win-back code`,
    kind: 'switch',
    hint: t`A mail with a code of their own to those whose subscription has ended, and who get emails about news.`,
  },
  { path: 'winBackDays', label: t`Days after the end`, kind: 'count', bounds: keepingBounds.winBackDays },
  { path: 'winBackPercent', label: t`Percent off`, kind: 'count', bounds: keepingBounds.winBackPercent },
  {
    path: 'winBackMonths',
    label: t`Months of discount`,
    kind: 'count',
    bounds: keepingBounds.winBackMonths,
    hint: t`Providers that know only prices give it on the first payment.`,
  },
  {
    path: 'winBackValidDays',
    label: t`Days in which the code can be used`,
    kind: 'count',
    bounds: keepingBounds.winBackValidDays,
  },
  {
    path: 'pause',
    label: t`Pauses`,
    kind: 'switch',
    hint: t`Subscribers can pause for one to three months, once in twelve, where the provider can move a charge.`,
  },
  {
    path: 'stayPercent',
    label: t`Percent off for those who stay`,
    kind: 'count',
    bounds: keepingBounds.stayPercent,
    hint: t`Offered beside the button that cancels, once in twelve months, where the provider has promo codes. 0: no offer.`,
  },
  {
    path: 'stayMonths',
    label: t`Months of that discount`,
    kind: 'count',
    bounds: keepingBounds.stayMonths,
    hint: t`Yearly subscribers get it on their next payment.`,
  },
];

/** @param currency the site's own */
export function tipFields(currency: string): SettingField[] {
  const amount = { kind: 'money', currency, bounds: tipBounds.cents } as const;
  return [
    {
      path: 'isOn',
      label: t`Tips`,
      kind: 'switch',
      hint: t`Listeners can tip the creators who take tips (Studio → Creator page), where the provider takes your currency.`,
    },
    {
      path: 'sharePermille',
      label: t`The site’s part, per thousand`,
      kind: 'count',
      bounds: tipBounds.sharePermille,
      hint: t`After tax; 100 is 10%. The fees of the provider are yours. Tips that are begun keep theirs.`,
    },
    { path: 'minimum', label: t`Smallest tip`, ...amount },
    { path: 'maximum', label: t`Largest tip`, ...amount },
    { path: 'amounts.first', label: t`First suggestion`, ...amount },
    { path: 'amounts.second', label: t`Second suggestion`, ...amount },
    { path: 'amounts.third', label: t`Third suggestion`, ...amount },
  ];
}

export const chainTexts = (): Record<keyof SectionValues['chain'], { label: string; text: string }> => ({
  creators: { label: t`Verified creators`, text: t`The record of a check, on the creator’s page here, still counts.` },
  agreement: {
    label: t`Creator agreement`,
    text: t`An owner has agreed to the version in force. Publish one first, under Creator agreement.`,
  },
  consents: {
    label: t`Consents`,
    text: t`Everyone who is heard has agreed to be recorded and published. Creators who record alone need none.`,
  },
  performers: { label: t`Verified performers`, text: t`You have recorded a check of everyone else who is heard.` },
});

export const featureTexts = (): Record<keyof SectionValues['features'], { label: string; text: string }> => ({
  signUp: { label: t`Sign-up`, text: t`New accounts. Existing ones keep working.` },
  comments: {
    label: t`Comments`,
    text: t`Under audios. Off: comments are hidden and cannot be written; nothing is deleted.`,
  },
  userPlaylists: {
    label: t`Listeners’ playlists`,
    text: t`Off: nobody can create playlists, and listeners see only their own.`,
  },
  giftCards: { label: t`Gift cards`, text: t`Purchases. Existing cards can still be redeemed and refunded.` },
  privateFeeds: {
    label: t`Podcast feeds`,
    text: t`Feeds of subscribers for their podcast apps. Off: feeds do not load until this is on again.`,
  },
  blog: { label: t`Blog`, text: t`Its pages, its feed and its link.` },
  clips: {
    label: t`Clips`,
    text: t`Parts of free audios, up to a minute, that listeners share. Off: their links do not work.`,
  },
  embeds: {
    label: t`Embeds`,
    text: t`Players of free audios and series on other sites. Off: they show a link to this site.`,
  },
  news: { label: t`News`, text: t`The bell, emails and pushes about new audios and replies. Off: nobody is notified.` },
});

export type Typed = Record<string, string>;

export function typedOf(value: object, fields: SettingField[]): Typed {
  const currency = 'currency' in value ? String(value.currency) : standardCurrency;
  return Object.fromEntries(
    fields.flatMap(({ path, kind, currency: own = currency }) => {
      const found = path
        .split('.')
        .reduce((at: unknown, key) => (at as Record<string, unknown> | undefined)?.[key], value);
      if (found === undefined) return [];
      if (kind === 'currencies') return [[path, Object.keys(found as object).join(', ')]];
      if (kind === 'switch') return [[path, found === true ? on : '']];
      if (kind === 'countries') return [[path, (found as string[]).join(', ')]];
      return [[path, kind === 'money' ? toTyped(Number(found), own) : String(found ?? '')]];
    }),
  );
}

/** A switch that is on, as typed. */
export const on = 'on';

const standardCurrency = 'usd';

/** The currency that amounts of the section are typed in. */
export function typedCurrency({ currency = '' }: Typed): string {
  const code = currency.trim().toLowerCase();
  return isCurrency(code) ? code : standardCurrency;
}

/** @returns the typed value; undefined for an invalid one */
function readField(
  { kind, bounds = [0, Infinity] }: SettingField,
  text: string,
  currency: string,
): number | string | string[] | boolean | null | undefined {
  const plain = text.trim();
  if (kind === 'switch') return plain === on;
  if (kind === 'currencies') return codesIn(plain).length === listed(plain).length ? codesIn(plain) : undefined;
  if (kind === 'countries') {
    const codes = listed(plain.toUpperCase());
    return codes.every((code) => /^[A-Z]{2}$/.test(code)) ? codes : undefined;
  }
  if (kind === 'code') return isCurrency(plain.toLowerCase()) ? plain.toLowerCase() : undefined;
  if (kind === 'count-or-none' && plain === '') return null;
  const number = kind === 'money' ? amountOf(plain, currency) : /^\d{1,6}$/.test(plain) ? Number(plain) : undefined;
  return number !== undefined && number >= bounds[0] && number <= bounds[1] ? number : undefined;
}

function problemOf({ kind, bounds = [0, Infinity] }: SettingField, currency: string): string {
  if (kind === 'code') return t`Enter three letters, such as usd`;
  if (kind === 'currencies') return t`Enter codes of currencies, such as eur, gbp`;
  if (kind === 'countries') return t`Enter codes of countries, such as FR, DE`;
  if (kind === 'money') {
    const [min, max] = [formatMoney(bounds[0], currency), formatMoney(bounds[1], currency)];
    return t`Enter an amount from ${min} to ${max}`;
  }
  const [min, max] = [formatCount(bounds[0]), formatCount(bounds[1])];
  return kind === 'count'
    ? t`Enter a whole number from ${min} to ${max}`
    : t`Enter a whole number from ${min} to ${max}, or nothing`;
}

/** Keeps the listed ones, and adds an empty part for each new code, which the fields after it fill. */
function withCodes(codes: string[], before: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(codes.map((code) => [code, before[code] ?? { plans: {}, giftCards: {} }]));
}

/** @returns the section's value, or its errors by path */
export function readTyped<Value extends object>(
  start: Value,
  fields: SettingField[],
  typed: Typed,
): { value: Value } | { faults: Typed } {
  const value = structuredClone(start);
  const faults: Typed = {};
  const currency = typedCurrency(typed);
  for (const field of fields) {
    const own = field.currency ?? currency;
    const read = readField(field, typed[field.path] ?? field.start ?? '', own);
    if (read === undefined) {
      faults[field.path] = problemOf(field, own);
      continue;
    }
    const keys = field.path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], value);
    const parts = parent as Record<string, unknown>;
    parts[last] =
      field.kind === 'currencies' ? withCodes(read as string[], parts[last] as Record<string, unknown>) : read;
  }
  return Object.keys(faults).length > 0 ? { faults } : { value };
}
