import type { PlaceRule } from './rules.ts';

/** Rules that laws are read to ask for. They are a start for operators, and no legal advice. */
export const presetsWrittenOn = '2026-11-01';

const proof = (places: string, again: PlaceRule['again']): PlaceRule[] =>
  places.split(' ').map((place) => ({ place, rule: 'proof', again }));

export const agePresets = {
  /** Online Safety Act 2023, part 5. */
  'united-kingdom': proof('GB', 'year'),
  /** Directive 2010/13/EU, article 28b, and the guidelines on article 28 of Regulation (EU) 2022/2065. */
  'european-union': proof('AT BE BG CY CZ DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK', 'year'),
  /** JMStV, section 4 (2): closed user groups. */
  germany: proof('DE', 'device'),
  /** States with a law on age verification for adult material in force. */
  'us-states': proof(
    'US-AL US-AR US-AZ US-FL US-GA US-ID US-IN US-KS US-KY US-LA US-MO US-MS US-MT US-NC US-ND US-NE US-OH US-OK US-SC US-SD US-TN US-TX US-UT US-VA US-WY',
    'quarter',
  ),
} as const satisfies Record<string, readonly PlaceRule[]>;

export type AgePreset = keyof typeof agePresets;
export const agePresetNames = Object.keys(agePresets) as AgePreset[];
