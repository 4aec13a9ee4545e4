import { z } from 'zod';
import type { Setting } from '../settings/setting.ts';
import { isPlace, places } from './places.ts';
import { type AgePreset, agePresetNames, agePresets } from './presets.ts';
import { ageRules, askedAgain, withRules } from './rules.ts';
import { issuerFacts } from './wallet/certificates.ts';

const Rule = z.enum(ageRules);
const Again = z.enum(askedAgain);

const PlaceRules = z
  .array(
    z.strictObject({
      place: z.string().refine(isPlace, 'must be a country such as FR, or a state such as US-TX'),
      rule: Rule,
      again: Again,
      /** The rule came from it. */
      preset: z.enum(agePresetNames).nullable().default(null),
    }),
  )
  .max(places.length)
  .refine((rules) => new Set(rules.map(({ place }) => place)).size === rules.length, 'must name each place once');

/** Rules of age, when visitors are asked, and the label for filters. */
export const AgeSettings = z.object({
  rules: PlaceRules.default([]),
  /** For all other regions, and unknown ones. Null: nobody has set it, and the site's default applies. */
  others: z.strictObject({ rule: Rule, again: Again }).nullable().default(null),
  /** When a statement is asked for: at the first press on Play, or before anything. */
  asks: z.enum(['play', 'first']).default('play'),
  /** Offered where they can be used. */
  ways: z
    .strictObject({
      wallet: z.boolean().default(true),
      provider: z.boolean().default(true),
      'stand-in': z.boolean().default(true),
    })
    .prefault({}),
  ratingLabel: z
    .boolean()
    .describe(
      'Labels pages and feeds as restricted to adults (RTA), so that filters of parents and of search engines know',
    )
    .default(true),
});
export type AgeSettings = z.infer<typeof AgeSettings>;

export const ageSetting = { key: 'age', schema: AgeSettings } satisfies Setting;

/** With the rules of a preset, except for places that have one. */
export function withPreset(settings: AgeSettings, preset: AgePreset): AgeSettings {
  const added = agePresets[preset].map((rule) => ({ ...rule, preset }));
  return { ...settings, rules: withRules(settings.rules, added) };
}

/** Certificates of issuers whose proofs wallets may bring, as PEM. Apart from the rules, so that each change is whole. */
const AgeIssuers = z.object({
  certificates: z
    .array(z.string().refine((pem) => issuerFacts(pem) !== undefined, 'must be a certificate (PEM)'))
    .max(200)
    .default([]),
});
export type AgeIssuers = z.infer<typeof AgeIssuers>;

export const ageIssuersSetting = { key: 'age-issuers', schema: AgeIssuers } satisfies Setting;
