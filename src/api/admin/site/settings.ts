import { i18n } from '#i18n';
import { z } from '@hono/zod-openapi';
import type { SectionName } from '#domain/admin/site/site-settings.ts';
import { ChainSettings } from '#domain/catalogue/editing/chain.ts';
import type { User } from '#domain/kernel/viewer.ts';
import { KeepingSettings } from '#domain/membership/keeping/settings.ts';
import { MembershipSettings } from '#domain/membership/settings.ts';
import { ratesWrittenOn, withPresets } from '#domain/membership/tax/presets.ts';
import { TipSettings, areTipAmountsOffered } from '#domain/membership/tips/settings.ts';
import { TaxSettings } from '#domain/membership/tax/settings.ts';
import { Features } from '#domain/settings/features.ts';
import { Languages } from '#domain/settings/languages.ts';
import { formOf } from '#domain/settings/form-of.ts';
import { Limits } from '#domain/settings/limits.ts';
import type { Site } from '#domain/site.ts';
import { isCurrency } from '#formats/currency-decimals.ts';
import { agePresetNames, presetsWrittenOn } from '#domain/age/presets.ts';
import { AgeSettings, withPreset } from '#domain/age/settings.ts';
import { NoticeSettings } from '#domain/notices/settings.ts';
import { ReviewSettings } from '#domain/catalogue/review/settings.ts';
import { WordLists } from '#domain/settings/word-lists.ts';
import { callBy, freshAdminCall } from '../../call.ts';
import { Instant } from '#domain/kernel/shapes.ts';

/** Settings that change while the site runs. Each section is saved as a whole, with the revision that the operator saw. */

const revision = z.number().int().min(0).describe('The revision of the last answer; another one is a conflict (409)');

const sectionOf = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value,
    standard: value,
    revision: z.number().int(),
    changedBy: z.object({ id: z.uuid(), username: z.string().nullable() }).nullable(),
    changedAt: Instant.nullable(),
  });

/** The whole section, which a command changes in part. */
const seenIn = (section: SectionName) => {
  const find = async ({ site, viewer }: { site: Site; viewer: User }) =>
    (await site.admin.site.findSiteSettings(viewer))[section];
  return {
    seen: { revision: async (given: Parameters<typeof find>[0]) => (await find(given)).revision },
    unchanged: { value: async (given: Parameters<typeof find>[0]) => (await find(given)).value },
  };
};

/** Each further currency is another one, and no country has two. */
function areApart({ currency, currencies }: MembershipSettings): boolean {
  const codes = Object.keys(currencies);
  const countries = Object.values(currencies).flatMap((one) => one.countries);
  return codes.every((code) => code !== currency && isCurrency(code)) && new Set(countries).size === countries.length;
}

const MembershipForm = formOf(MembershipSettings)
  .refine(({ currency }) => isCurrency(currency), {
    path: ['currency'],
    error: () => i18n._(/*i18n*/ { id: 'membership-form.currency', message: 'Choose a currency' }),
  })
  .refine(areApart, {
    path: ['currencies'],
    error: () =>
      i18n._(
        /*i18n*/ {
          id: 'membership-form.currencies',
          message: 'Each further currency must be another one, and no country can have two',
        },
      ),
  });
const TaxForm = formOf(TaxSettings).refine(
  ({ mode, seller }) => mode === 'off' || (seller.name !== '' && seller.address !== '' && seller.country !== null),
  {
    path: ['seller'],
    error: () =>
      i18n._(
        /*i18n*/ {
          id: 'tax-form.seller',
          message: 'Invoices with tax need the seller’s legal name, address and country',
        },
      ),
  },
);
const TipsForm = formOf(TipSettings).refine(areTipAmountsOffered, {
  path: ['amounts'],
  error: () =>
    i18n._(
      /*i18n*/ { id: 'tips-form.amounts', message: 'Suggested amounts must lie between the smallest and the largest' },
    ),
});
const adminCall = callBy('operator', { limit: { kind: 'admin', perMinute: 120 }, sameSite: true });

export const findSettings = adminCall({
  get: '/admin/settings',
  about: 'Settings that change while the site runs, with their defaults and who changed them',
  output: z.object({
    membership: sectionOf(formOf(MembershipSettings)),
    keeping: sectionOf(formOf(KeepingSettings)),
    features: sectionOf(formOf(Features)),
    languages: sectionOf(formOf(Languages)),
    limits: sectionOf(formOf(Limits)),
    age: sectionOf(formOf(AgeSettings)),
    chain: sectionOf(formOf(ChainSettings)),
    notices: sectionOf(formOf(NoticeSettings)),
    review: sectionOf(formOf(ReviewSettings)),
    words: sectionOf(formOf(WordLists)),
    tax: sectionOf(formOf(TaxSettings)),
    tips: sectionOf(formOf(TipSettings)),
  }),
  act: ({ site, viewer }) => site.admin.site.findSiteSettings(viewer),
});

export const changeMembership = freshAdminCall({
  put: '/admin/settings/membership',
  ...seenIn('membership'),
  about: 'Prices, trial and gift cards; current subscribers keep their price',
  input: z.strictObject({ value: MembershipForm, revision }),
  errors: ['settings/changed', 'settings/currency-in-use', 'payment/unavailable'],
  // Prices are money.
  limit: { kind: 'admin', perMinute: 60 },
  sameSite: true,
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'membership', input),
});

export const changeKeeping = adminCall({
  put: '/admin/settings/keeping',
  ...seenIn('keeping'),
  about:
    'Mails before a card expires, before a yearly charge and after the end of a subscription; pauses and the offer at leaving',
  input: z.strictObject({ value: formOf(KeepingSettings), revision }),
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'keeping', input),
});

export const changeFeatures = adminCall({
  put: '/admin/settings/features',
  ...seenIn('features'),
  about: 'Turns parts of the site on or off',
  input: z.strictObject({ value: formOf(Features), revision }),
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'features', input),
});

export const changeLanguages = adminCall({
  put: '/admin/settings/languages',
  ...seenIn('languages'),
  about: 'Languages that pages are offered in besides English',
  input: z.strictObject({ value: formOf(Languages), revision }),
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'languages', input),
});

export const changeLimits = adminCall({
  put: '/admin/settings/limits',
  ...seenIn('limits'),
  about: 'How much one person may do',
  input: z.strictObject({ value: formOf(Limits), revision }),
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'limits', input),
});

export const changeChain = adminCall({
  put: '/admin/settings/chain',
  command: 'settings change-publication',
  ...seenIn('chain'),
  about: 'What a publication needs: checks, the creator agreement, consents; what is online stays online',
  input: z.strictObject({ value: formOf(ChainSettings), revision }),
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'chain', input),
});

export const changeAge = adminCall({
  put: '/admin/settings/age',
  ...seenIn('age'),
  about: 'Who is asked for their age, by country or state of the United States, and how; the label for filters',
  input: z.strictObject({ value: formOf(AgeSettings), revision }),
  refuses: { 'no-way': 'age/no-way' },
  errors: ['settings/changed'],
  act({ site, viewer, input }) {
    if (!site.age.hasWayFor(input.value)) return { ok: false, reason: 'no-way' };
    return site.admin.site.changeSection(viewer, 'age', input);
  },
});

export const changeNotices = adminCall({
  put: '/admin/settings/notices',
  ...seenIn('notices'),
  about: 'The calendar of working days for notices, and the kinds that hide what they are about until decided',
  input: z.strictObject({ value: formOf(NoticeSettings), revision }),
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'notices', input),
});

export const changeReview = adminCall({
  put: '/admin/settings/review',
  ...seenIn('review'),
  about: 'Which audios are reviewed before they are published',
  details: 'What is public or scheduled already stays so.',
  input: z.strictObject({ value: formOf(ReviewSettings), revision }),
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'review', input),
});

export const changeWords = adminCall({
  put: '/admin/settings/words',
  ...seenIn('words'),
  about: 'Words that the site refuses, and words that hold an audio or a comment until it was reviewed',
  input: z.strictObject({ value: formOf(WordLists), revision }),
  errors: ['settings/changed'],
  // 500 words of 60 characters each, twice.
  maxBytes: 256 * 1024,
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'words', input),
});

export const changeTax = freshAdminCall({
  put: '/admin/settings/tax',
  ...seenIn('tax'),
  about: 'Tax, the seller on invoices, and the years for which invoices of deleted accounts are kept',
  details: 'Invoices that were issued never change.',
  input: z.strictObject({ value: TaxForm, revision }),
  errors: ['settings/changed', 'settings/tax-not-ready', 'payment/unavailable'],
  // 1,000 rates.
  maxBytes: 128 * 1024,
  limit: { kind: 'admin', perMinute: 60 },
  sameSite: true,
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'tax', input),
});

export const changeTips = freshAdminCall({
  put: '/admin/settings/tips',
  ...seenIn('tips'),
  about: 'Tips to creators: whether they are offered, the site’s part, the amounts',
  input: z.strictObject({ value: TipsForm, revision }),
  errors: ['settings/changed'],
  // Amounts are money.
  limit: { kind: 'admin', perMinute: 60 },
  sameSite: true,
  act: ({ site, viewer, input }) => site.admin.site.changeSection(viewer, 'tips', input),
});

export const addTaxPresets = freshAdminCall({
  post: '/admin/settings/tax/presets',
  about:
    'Adds the standard VAT rates of the European Union and the United Kingdom; countries that have a rate keep theirs',
  details: `Written on ${ratesWrittenOn}. Not legal advice.`,
  output: z.object({ added: z.number().int().describe('Rates that are new') }),
  errors: ['settings/changed', 'settings/tax-not-ready', 'payment/unavailable'],
  limit: { kind: 'admin', perMinute: 60 },
  sameSite: true,
  async act({ site, viewer }) {
    const { value, revision: seen } = (await site.admin.site.findSiteSettings(viewer)).tax;
    const rates = withPresets(value.rates);
    const changed = { ...value, rates: TaxSettings.shape.rates.parse(rates) };
    await site.admin.site.changeSection(viewer, 'tax', { value: changed, revision: seen });
    return { added: rates.length - value.rates.length };
  },
});

export const addAgePreset = adminCall({
  post: '/admin/settings/age/presets/{name}',
  params: z.object({ name: z.enum(agePresetNames) }),
  about: 'Adds the rules of a preset; places that have a rule keep theirs',
  details: `Written on ${presetsWrittenOn}. Not legal advice.`,
  output: z.object({ added: z.number().int().describe('Rules that are new') }),
  refuses: { 'no-way': 'age/no-way' },
  errors: ['settings/changed'],
  async act({ site, viewer, name }) {
    const { value, revision: seen } = (await site.admin.site.findSiteSettings(viewer)).age;
    const changed = withPreset(value, name);
    if (!site.age.hasWayFor(changed)) return { ok: false, reason: 'no-way' };
    await site.admin.site.changeSection(viewer, 'age', { value: changed, revision: seen });
    return { added: changed.rules.length - value.rules.length };
  },
});

const Issuer = z.object({
  fingerprint: z.string().describe('SHA-256 of the certificate, in hex'),
  name: z.string(),
  validFrom: Instant,
  validUntil: Instant,
});

export const findAgeIssuers = adminCall({
  get: '/admin/settings/age/issuers',
  about: 'Issuers whose proofs of age wallets may bring',
  output: z.object({ issuers: z.array(Issuer) }),
  act: async ({ site }) => ({ issuers: site.age.ways.issuers() }),
});

export const addAgeIssuer = adminCall({
  post: '/admin/settings/age/issuers',
  about: 'Trusts an issuer of proofs of age',
  details: 'By its own certificate, or by that of the authority that vouches for it.',
  input: z.strictObject({ certificate: z.string().max(8192).describe('PEM') }),
  refuses: { 'no-certificate': 'age/no-certificate' },
  errors: ['settings/changed'],
  act: ({ site, viewer, input }) => site.admin.site.addAgeIssuer(viewer, input.certificate),
});

export const removeAgeIssuer = adminCall({
  delete: '/admin/settings/age/issuers/{fingerprint}',
  params: z.object({ fingerprint: z.string().regex(/^[0-9a-f]{64}$/) }),
  about: 'Trusts an issuer of proofs of age no longer',
  refuses: { 'no-way': 'age/no-way', 'not-found': 'request/not-found' },
  errors: ['settings/changed'],
  act: ({ site, viewer, fingerprint }) =>
    site.admin.site.removeAgeIssuer(viewer, fingerprint, (left) => site.age.hasWayFor(undefined, left)),
});
