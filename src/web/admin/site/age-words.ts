import { t } from '@lingui/core/macro';
import type { AgePreset } from '#domain/age/presets.ts';
import { type AgeRule, type AgeWay, type AskedAgain, elsewhere } from '#domain/age/rules.ts';

export const ruleLabels: Record<AgeRule, () => string> = {
  none: () => t({ message: 'None', context: 'rule of age' }),
  statement: () => t({ message: 'Statement', context: 'rule of age' }),
  proof: () => t({ message: 'Proof', context: 'rule of age' }),
};

export const againLabels: Record<AskedAgain, () => string> = {
  device: () => t`On each new device`,
  year: () => t`After 1 year`,
  quarter: () => t`After 90 days`,
};

export const wayLabels: Record<AgeWay, () => string> = {
  wallet: () => t`EU wallet`,
  provider: () => t`Age provider`,
  'stand-in': () => t`Stand-in`,
};

export const presetLabels: Record<AgePreset, () => string> = {
  'united-kingdom': () => t`United Kingdom`,
  'european-union': () => t`European Union`,
  germany: () => t`Germany`,
  'us-states': () => t`US states that demand proof`,
};

export const askLabels = {
  play: { label: () => t`At the first press on Play`, note: () => t`Pages show before; sound and transcripts do not.` },
  first: {
    label: () => t`Before anything`,
    note: () => t`A visitor sees the question first. Search engines see the pages as before.`,
  },
};

/** A country or state, and its name. */
export type Place = { value: string; label: string };

export const nameOfPlace = (places: readonly Place[]) => {
  const names = new Map(places.map(({ value, label }) => [value, label]));
  return (place: string) => (place === elsewhere ? t`Everywhere else` : (names.get(place) ?? place));
};
