import type { SectionValues } from '#domain/admin/site/site-settings.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { giftCardMonths, membershipBounds } from '#domain/membership/rules.ts';
import { limitBounds } from '#domain/settings/rules.ts';

/** One field of the Settings page, as typed. */
export type SettingField = {
  /** Path within its section's value. */
  path: string;
  label: string;
  kind: 'money' | 'count' | 'count-or-none' | 'code';
  /** Least and most; cents for money. Not for a code. */
  bounds?: readonly [number, number];
  hint?: string;
};

export const membershipFields: SettingField[] = [
  { path: 'plans.month', label: 'Each month', kind: 'money', bounds: membershipBounds.cents },
  { path: 'plans.year', label: 'Each year', kind: 'money', bounds: membershipBounds.cents },
  {
    path: 'trialDays',
    label: 'Trial, in days',
    kind: 'count',
    bounds: membershipBounds.trialDays,
    hint: 'Once per account and card. 0: no trial.',
  },
  {
    path: 'graceDays',
    label: 'Access after a failed payment, in days',
    kind: 'count',
    bounds: membershipBounds.graceDays,
  },
  ...giftCardMonths.map((months): SettingField => ({
    path: `giftCards.${months}`,
    label: `Gift card of ${countOf(months, 'month')}`,
    kind: 'money',
    bounds: membershipBounds.cents,
  })),
  {
    path: 'currency',
    label: 'Currency',
    kind: 'code',
    hint: 'Three letters, such as usd. It can change only while nobody has paid.',
  },
];

export const limitFields: SettingField[] = [
  {
    path: 'commentsPerHour',
    label: 'Comments in an hour',
    kind: 'count',
    bounds: limitBounds.commentsPerHour,
    hint: 'For each listener.',
  },
  {
    path: 'reportsToHide',
    label: 'Reports that hide a comment',
    kind: 'count',
    bounds: limitBounds.reportsToHide,
    hint: 'Until somebody decides. A report by the creator hides it at once.',
  },
  {
    path: 'uploadsPerDay',
    label: 'Uploads in 24 hours',
    kind: 'count-or-none',
    bounds: limitBounds.uploadsPerDay,
    hint: 'For each creator. Empty: UPLOADS_PER_DAY of the server applies.',
  },
  {
    path: 'uploadGigabytesPerDay',
    label: 'Uploads in 24 hours, in GB',
    kind: 'count-or-none',
    bounds: limitBounds.uploadGigabytesPerDay,
    hint: 'For each creator. Empty: UPLOAD_GB_PER_DAY of the server applies.',
  },
  {
    path: 'uploadHoursPerDay',
    label: 'Uploads in 24 hours, in hours of sound',
    kind: 'count-or-none',
    bounds: limitBounds.uploadHoursPerDay,
    hint: 'For each creator. Empty: UPLOAD_HOURS_PER_DAY of the server applies.',
  },
  {
    path: 'unfinishedUploads',
    label: 'Unfinished uploads at one time',
    kind: 'count',
    bounds: limitBounds.unfinishedUploads,
    hint: 'For each creator.',
  },
  {
    path: 'feedDownloadsPerDay',
    label: 'Downloads of a podcast feed in a day',
    kind: 'count',
    bounds: limitBounds.feedDownloadsPerDay,
    hint: 'Different audios, for each private feed of a subscriber.',
  },
  {
    path: 'feedNetworksPerDay',
    label: 'Networks of a podcast feed in a day',
    kind: 'count',
    bounds: limitBounds.feedNetworksPerDay,
    hint: 'One more stops the feed until its subscriber makes a new address.',
  },
];

export const featureTexts: Record<keyof SectionValues['features'], { label: string; text: string }> = {
  signUp: { label: 'Sign-up', text: 'New accounts. Existing ones keep working.' },
  comments: {
    label: 'Comments',
    text: 'Under audios. Off: comments are hidden and cannot be written; nothing is deleted.',
  },
  userPlaylists: {
    label: 'Listeners’ playlists',
    text: 'Off: nobody can create playlists, and listeners see only their own.',
  },
  giftCards: { label: 'Gift cards', text: 'Purchases. Existing cards can still be redeemed and refunded.' },
  privateFeeds: {
    label: 'Podcast feeds',
    text: 'Feeds of subscribers for their podcast apps. Off: feeds do not load until this is on again.',
  },
  blog: { label: 'Blog', text: 'Its pages, its feed and its link.' },
  news: { label: 'News', text: 'The bell, emails and pushes about new audios and replies. Off: nobody is notified.' },
};

export type Typed = Record<string, string>;

export function typedOf(value: object, fields: SettingField[]): Typed {
  return Object.fromEntries(
    fields.map(({ path, kind }) => {
      const found = path.split('.').reduce((at: unknown, key) => (at as Record<string, unknown>)[key], value);
      return [path, kind === 'money' ? (Number(found) / 100).toFixed(2) : String(found ?? '')];
    }),
  );
}

/** @returns the typed value; undefined for an invalid one */
function readField({ kind, bounds = [0, Infinity] }: SettingField, text: string): number | string | null | undefined {
  const plain = text.trim();
  if (kind === 'code') return /^[a-z]{3}$/i.test(plain) ? plain.toLowerCase() : undefined;
  if (kind === 'count-or-none' && plain === '') return null;
  const isNumber = kind === 'money' ? /^\d{1,6}([.,]\d{1,2})?$/.test(plain) : /^\d{1,6}$/.test(plain);
  const number = kind === 'money' ? Math.round(Number(plain.replace(',', '.')) * 100) : Number(plain);
  return isNumber && number >= bounds[0] && number <= bounds[1] ? number : undefined;
}

function problemOf({ kind, bounds = [0, Infinity] }: SettingField): string {
  if (kind === 'code') return 'Enter three letters, such as usd';
  const [min, max] = bounds;
  if (kind === 'money') return `Enter an amount from ${(min / 100).toFixed(2)} to ${formatCount(max / 100)}`;
  const number = `Enter a whole number from ${formatCount(min)} to ${formatCount(max)}`;
  return kind === 'count' ? number : `${number}, or nothing`;
}

/** @returns the section's value, or its errors by path */
export function readTyped<Value extends object>(
  start: Value,
  fields: SettingField[],
  typed: Typed,
): { value: Value } | { faults: Typed } {
  const value = structuredClone(start);
  const faults: Typed = {};
  for (const field of fields) {
    const read = readField(field, typed[field.path] ?? '');
    if (read === undefined) {
      faults[field.path] = problemOf(field);
      continue;
    }
    const keys = field.path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], value);
    (parent as Record<string, unknown>)[last] = read;
  }
  return Object.keys(faults).length > 0 ? { faults } : { value };
}
