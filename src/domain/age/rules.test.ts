import { describe, expect, test } from 'vitest';
import { countries, isPlace, placeName, regionOf } from './places.ts';
import { agePresets } from './presets.ts';
import { type PlaceRule, ageGate, ageGateOfAccount, endOf, mayEnter, ruleFor, weakenedPlaces } from './rules.ts';
import { openSeal } from './sealed.ts';
import { openAge } from './open-age.ts';
import { AgeSettings, withPreset } from './settings.ts';

const now = new Date('2026-11-30T12:00:00Z');
const days = (count: number) => new Date(now.getTime() + count * 24 * 60 * 60 * 1000);
const rule = (of: PlaceRule['rule'], again: PlaceRule['again'], place = 'FR'): PlaceRule => ({
  place,
  rule: of,
  again,
});
const device = (method: 'statement' | 'stand-in', again: PlaceRule['again'], until = endOf(again, now)) => ({
  device: { method, place: 'FR', again, until },
});

test.each([
  ['open', true, true, true],
  ['statement', true, true, false],
  ['proof', true, false, false],
] as const)('with %s missing, one may enter open addresses, pages and sound: %s, %s, %s', (gate, ...may) => {
  expect((['open', 'page', 'sound'] as const).map((of) => mayEnter(gate, of))).toEqual(may);
});

describe('an answer of a device', () => {
  test.each([
    ['none', 'device', {}, 'open'],
    ['statement', 'year', {}, 'statement'],
    ['proof', 'year', {}, 'proof'],
    ['statement', 'year', device('statement', 'year'), 'open'],
    ['statement', 'year', device('stand-in', 'year'), 'open'],
    ['proof', 'year', device('statement', 'year'), 'proof'],
    ['proof', 'year', device('stand-in', 'year'), 'open'],
    ['proof', 'year', device('stand-in', 'year', days(-1)), 'proof'],
    // It counts where the rule asks no more often than the one that it was given for.
    ['proof', 'quarter', device('stand-in', 'year'), 'proof'],
    ['proof', 'year', device('stand-in', 'quarter'), 'open'],
    ['proof', 'device', device('stand-in', 'year'), 'open'],
    ['statement', 'quarter', device('statement', 'device'), 'statement'],
  ] as const)('for %s, asked again after %s: %j is %s', (of, again, known, gate) => {
    expect(ageGate(rule(of, again), known, now)).toBe(gate);
  });
});

describe('an answer of an account', () => {
  test.each([
    ['statement', 'device', 'statement', -4000, 'open', 'open'],
    ['statement', 'year', 'statement', -364, 'open', 'open'],
    ['statement', 'year', 'statement', -366, 'statement', 'statement'],
    ['proof', 'year', 'statement', -1, 'proof', 'proof'],
    ['proof', 'quarter', 'stand-in', -89, 'open', 'open'],
    ['proof', 'quarter', 'stand-in', -91, 'proof', 'proof'],
    // Each device needs its own, which feeds are not.
    ['proof', 'device', 'stand-in', -1, 'proof', 'open'],
    ['proof', 'device', 'stand-in', -366, 'proof', 'proof'],
  ] as const)(
    'for %s, asked again after %s: %s of day %i is %s, for feeds %s',
    (of, again, method, day, gate, ofFeed) => {
      const account = { method, at: days(day) };
      expect(ageGate(rule(of, again), { account }, now)).toBe(gate);
      expect(ageGateOfAccount(rule(of, again), account, now)).toBe(ofFeed);
    },
  );
});

test('the strictest of a state and its country applies, and unknown regions have the rule for others', () => {
  const all = [rule('statement', 'year', 'US'), rule('proof', 'quarter', 'US-TX'), rule('none', 'year', 'US-CA')];
  const rules = new Map([...all, rule('none', 'year', 'FR')].map((one) => [one.place, one]));
  const others = rule('statement', 'device', 'elsewhere');
  const placeOf = (region: string | undefined) => ruleFor(rules, others, region).place;
  expect(['US-TX', 'US-CA', 'US-NY', 'US', 'FR', 'DE', undefined].map(placeOf)).toEqual(
    'US-TX US US US FR elsewhere elsewhere'.split(' '),
  );
});

test.each([
  ['fr', undefined, 'FR'],
  [' US ', 'tx', 'US-TX'],
  ['US-TX', undefined, 'US-TX'],
  ['US', 'ZZ', 'US'],
  ['DE', 'BY', 'DE'],
  ['XX', undefined, undefined],
  ['T1', undefined, undefined],
  ['', 'TX', undefined],
  [undefined, undefined, undefined],
])('country %j and state %j are %j', (country, state, region) => {
  expect(regionOf(country, state)).toBe(region);
});

test('presets name places that exist, each once, and change no rule that is there', () => {
  for (const preset of Object.values(agePresets)) expect(preset.filter(({ place }) => !isPlace(place))).toEqual([]);
  const before = AgeSettings.parse({ rules: [{ place: 'FR', rule: 'statement', again: 'device' }] });
  const after = AgeSettings.parse(withPreset(withPreset(before, 'european-union'), 'european-union'));
  expect(after.rules).toHaveLength(26);
  expect(after.rules[0]).toMatchObject({ place: 'FR', rule: 'statement', preset: null });
  expect(AgeSettings.safeParse({ rules: [...before.rules, ...before.rules] }).success).toBe(false);
});

test('places whose visitors are asked for less are found, also those that fall back to everywhere else', () => {
  const others = { place: 'elsewhere', rule: 'statement', again: 'device' } as const;
  const proofIn = (place: string) => ({ place, rule: 'proof', again: 'year' }) as const;
  const before = { rules: [proofIn('FR'), proofIn('US')], others };
  expect(weakenedPlaces(before, { rules: [proofIn('US')], others })).toEqual(['FR']);
  expect(weakenedPlaces(before, { ...before, others: { ...others, rule: 'none' } })).toEqual(['elsewhere']);
  const state = { place: 'US-TX', rule: 'none', again: 'year' } as const;
  expect(weakenedPlaces(before, { ...before, rules: [...before.rules, state, proofIn('DE')] })).toEqual([]);
});

test('operators look at the default of a site that others can open, until they set it', () => {
  const isUnseen = (isOnlyLocal: boolean, stored: object) => {
    const settings = AgeSettings.parse(stored);
    const siteUrl = 'https://sotto.example';
    const parts = { db: undefined as never, secret: 'a secret of this site, long enough', siteUrl };
    return openAge({ ...parts, settings: { read: () => settings as never }, isOnlyLocal }).isDefaultUnseen();
  };
  expect([isUnseen(false, {}), isUnseen(true, {})]).toEqual([true, false]);
  expect(isUnseen(false, { others: { rule: 'none', again: 'year' } })).toBe(false);
});

test('every country has a name, and a state its country’s, too', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const nameOf = (code: string) => names.of(code) ?? code;
  expect(countries.filter((code) => placeName(code, nameOf) === code)).toEqual([]);
  expect(placeName('US-TX', nameOf)).toBe('Texas, United States');
});

test('a sealed answer is read again, and no other', () => {
  const { seal, open } = openSeal('a secret of this site, long enough');
  const given = { method: 'statement', place: 'US-TX', again: 'quarter', until: days(90) } as const;
  const sealed = seal(given);
  expect(open(sealed)).toEqual(given);
  expect(open(seal({ ...given, until: undefined }))).toEqual({ ...given, until: undefined });
  expect(openSeal('another secret of the site, as long').open(sealed)).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
    expect([at, open(altered)]).toEqual([at, undefined]);
  }
  for (const rubbish of ['', '.', '...', 'statement', `${sealed}x`]) expect(open(rubbish)).toBeUndefined();
});
