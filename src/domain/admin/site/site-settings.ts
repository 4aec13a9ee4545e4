import { inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { PaymentProvider } from '../../membership/payment-provider.ts';
import { type MembershipSettings, membershipSetting, plansOf } from '../../membership/settings.ts';
import { type KeepingSettings, keepingSetting } from '../../membership/keeping/settings.ts';
import { type TaxSettings, taxSetting } from '../../membership/tax/settings.ts';
import { type TipSettings, tipSetting } from '../../membership/tips/settings.ts';
import { type ChainSettings, chainSetting } from '../../catalogue/editing/chain.ts';
import { type AgeSettings, ageSetting } from '../../age/settings.ts';
import { type NoticeSettings, noticeSetting } from '../../notices/settings.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { type Features, featureSetting } from '../../settings/features.ts';
import { type Languages, languageSetting } from '../../settings/languages.ts';
import { type Limits, limitSetting } from '../../settings/limits.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { settingChanged } from '../../identity/setting-changes.ts';
import { changeSiteSetting } from '../settings.ts';
import { type ReviewSettings, reviewSetting, standardReviewSetting } from '../../catalogue/review/settings.ts';
import { type WordLists, wordSetting } from '../../settings/word-lists.ts';

/** Sections of the Settings page, each saved as a whole. */
export type SectionValues = {
  membership: MembershipSettings;
  keeping: KeepingSettings;
  features: Features;
  languages: Languages;
  limits: Limits;
  age: AgeSettings;
  chain: ChainSettings;
  notices: NoticeSettings;
  review: ReviewSettings;
  words: WordLists;
  tax: TaxSettings;
  tips: TipSettings;
};
export type SectionName = keyof SectionValues;

export const sections = {
  membership: { setting: membershipSetting, name: 'Prices and trial', conflict: 'settings/changed' },
  keeping: { setting: keepingSetting, name: 'Keeping subscribers', conflict: 'settings/changed' },
  features: { setting: featureSetting, name: 'Features', conflict: 'settings/changed' },
  languages: { setting: languageSetting, name: 'Languages', conflict: 'settings/changed' },
  limits: { setting: limitSetting, name: 'Limits', conflict: 'settings/changed' },
  age: { setting: ageSetting, name: 'Age', conflict: 'settings/changed' },
  chain: { setting: chainSetting, name: 'Publication', conflict: 'settings/changed' },
  notices: { setting: noticeSetting, name: 'Notices', conflict: 'settings/changed' },
  review: { setting: reviewSetting, name: 'Review', conflict: 'settings/changed' },
  words: { setting: wordSetting, name: 'Words', conflict: 'settings/changed' },
  tax: { setting: taxSetting, name: 'Tax and invoices', conflict: 'settings/changed' },
  tips: { setting: tipSetting, name: 'Tips', conflict: 'settings/changed' },
} as const;

export type Section<Value> = {
  value: Value;
  /** The defaults. */
  standard: Value;
  /** Sent back with a change, to detect concurrent ones. */
  revision: number;
  changedBy: { id: string; username: string | null } | null;
  changedAt: Date | null;
};

export type SiteSettings = { [Name in SectionName]: Section<SectionValues[Name]> };

export async function findSiteSettings(db: Db, actor: Actor): Promise<SiteSettings> {
  administratorsOnly(actor);
  const names = Object.keys(sections) as SectionName[];
  const stored = await Promise.all(names.map((name) => findSetting(db, sections[name].setting)));
  const ids = stored.flatMap(({ changedBy }) => (changedBy === null ? [] : [changedBy]));
  const people =
    ids.length === 0
      ? []
      : await db.select({ id: users.id, username: users.username }).from(users).where(inArray(users.id, ids));
  const found = names.map((name, index) => {
    const { changedBy, ...section } = stored[index] as (typeof stored)[number];
    const person = people.find(({ id }) => id === changedBy) ?? null;
    const schema: z.ZodType = sections[name].setting.schema;
    return [name, { ...section, standard: schema.parse({}), changedBy: person }];
  });
  return Object.fromEntries(found) as SiteSettings;
}

/** Questions of the overview: defaults that nobody has looked at, on a site that others can open. */
export async function findUnseenSettings(
  db: Db,
  actor: Actor,
): Promise<Record<'isOpen' | 'review' | 'notices', boolean>> {
  administratorsOnly(actor);
  const [standard, review, notices] = await Promise.all([
    findSetting(db, standardReviewSetting),
    findSetting(db, reviewSetting),
    findSetting(db, noticeSetting),
  ]);
  const isOpen = standard.value.mode !== 'off';
  return { isOpen, review: isOpen && review.value.mode === null, notices: isOpen && notices.revision === 0 };
}

/**
 * Saves a section. New prices are created at the payment provider first; current subscribers keep theirs.
 * @throws DomainError `settings/changed`, `settings/currency-in-use`, `settings/tax-not-ready`, `payment/unavailable`
 */
export async function changeSection<Name extends SectionName>(
  { db, payments, refresh }: { db: Db; payments: PaymentProvider; refresh: () => Promise<void> },
  actor: Actor,
  name: Name,
  change: { value: SectionValues[Name]; revision: number },
): Promise<{ ok: true }> {
  administratorsOnly(actor);
  if (name === 'membership') {
    const { value, revision } = await findSetting(db, membershipSetting);
    if (revision !== change.revision) throw await settingChanged(db, membershipSetting.key, 'settings/changed');
    await preparePrices(db, payments, value, change.value as MembershipSettings);
  }
  if (name === 'tax' && (change.value as TaxSettings).mode === 'provider' && (await payments.isTaxReady?.()) !== true)
    throw new DomainError('settings/tax-not-ready');
  const check = async (tx: Db, before: unknown): Promise<void> => {
    if (name === 'membership')
      await requireCurrency(tx, before as MembershipSettings, change.value as MembershipSettings);
  };
  await changeSiteSetting(db, actor, sections[name] as never, change as never, check);
  // The change feed reaches every process, this one too; this only saves the operator the delay.
  await refresh();
  return { ok: true };
}

/** Prices that nobody uses do no harm, if the change then fails. */
async function preparePrices(db: Db, payments: PaymentProvider, before: MembershipSettings, after: MembershipSettings) {
  await requireCurrency(db, before, after);
  const plans = plansOf(after, payments.capabilities);
  const former = plansOf(before, payments.capabilities);
  if (JSON.stringify(plans) !== JSON.stringify(former)) await payments.preparePlans(plans);
}

/** Subscribers of a currency may change the period and subscribe again. @throws DomainError `settings/currency-in-use` */
async function requireCurrency(tx: Db, before: MembershipSettings, after: MembershipSettings): Promise<void> {
  const codesOf = ({ currency, currencies }: MembershipSettings) => [currency, ...Object.keys(currencies)];
  const kept = new Set(codesOf(after));
  const removed = codesOf(before).filter((code) => !kept.has(code));
  if (removed.length === 0) return;
  const isRemoved = sql`currency in ${removed}`;
  const { rows } = await tx.execute<{ isUsed: boolean }>(sql`
    select exists (select from subscriptions where ${isRemoved}) or exists (select from invoices where ${isRemoved})
      or exists (select from gift_cards where paid_at is not null and ${isRemoved})
      or exists (select from tips where paid_at is not null and ${isRemoved}) as "isUsed"`);
  if (rows[0]?.isUsed === true) throw new DomainError('settings/currency-in-use');
}
