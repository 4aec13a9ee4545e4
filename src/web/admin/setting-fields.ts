import type { SectionValues } from '#domain/admin/site-settings.ts';
import { giftCardMonths } from '#domain/membership/rules.ts';
import { countOf } from '#domain/kernel/rules.ts';

/** One field of the Settings page, as typed. */
export type SettingField = {
  /** Path within its section's value. */
  path: string;
  label: string;
  kind: 'money' | 'count' | 'count-or-none' | 'code';
  hint?: string;
};

export const membershipFields: SettingField[] = [
  { path: 'plans.month', label: 'Each month', kind: 'money' },
  { path: 'plans.year', label: 'Each year', kind: 'money' },
  { path: 'trialDays', label: 'Trial, in days', kind: 'count', hint: 'Once per account and card. 0: no trial.' },
  { path: 'graceDays', label: 'Access after a failed payment, in days', kind: 'count' },
  ...giftCardMonths.map((months): SettingField => ({
    path: `giftCards.${months}`,
    label: `Gift card of ${countOf(months, 'month')}`,
    kind: 'money',
  })),
  {
    path: 'currency',
    label: 'Currency',
    kind: 'code',
    hint: 'Three letters, such as usd. It can change only while nobody has paid.',
  },
];

export const limitFields: SettingField[] = [
  { path: 'commentsPerHour', label: 'Comments in an hour', kind: 'count', hint: 'For each listener.' },
  {
    path: 'reportsToHide',
    label: 'Reports that hide a comment',
    kind: 'count',
    hint: 'Until somebody decides. A report by the creator hides it at once.',
  },
  {
    path: 'uploadsPerDay',
    label: 'Uploads in 24 hours',
    kind: 'count-or-none',
    hint: 'For each creator. Empty: UPLOADS_PER_DAY of the server applies.',
  },
  {
    path: 'uploadGigabytesPerDay',
    label: 'Uploads in 24 hours, in GB',
    kind: 'count-or-none',
    hint: 'For each creator. Empty: UPLOAD_GB_PER_DAY of the server applies.',
  },
  { path: 'unfinishedUploads', label: 'Unfinished uploads at one time', kind: 'count', hint: 'For each creator.' },
  {
    path: 'feedDownloadsPerDay',
    label: 'Downloads of a podcast feed in a day',
    kind: 'count',
    hint: 'Different audios, for each private feed of a subscriber.',
  },
  {
    path: 'feedNetworksPerDay',
    label: 'Networks of a podcast feed in a day',
    kind: 'count',
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
function readField({ kind }: SettingField, text: string): number | string | null | undefined {
  const plain = text.trim();
  if (kind === 'code') return /^[a-z]{3}$/i.test(plain) ? plain.toLowerCase() : undefined;
  if (kind === 'money')
    return /^\d{1,6}([.,]\d{1,2})?$/.test(plain) ? Math.round(Number(plain.replace(',', '.')) * 100) : undefined;
  if (kind === 'count-or-none' && plain === '') return null;
  return /^\d{1,6}$/.test(plain) ? Number(plain) : undefined;
}

const problems: Record<SettingField['kind'], string> = {
  money: 'Enter an amount such as 7.99',
  count: 'Enter a whole number',
  'count-or-none': 'Enter a whole number, or leave it empty',
  code: 'Enter three letters, such as usd',
};

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
      faults[field.path] = problems[field.kind];
      continue;
    }
    const keys = field.path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], value);
    (parent as Record<string, unknown>)[last] = read;
  }
  return Object.keys(faults).length > 0 ? { faults } : { value };
}
