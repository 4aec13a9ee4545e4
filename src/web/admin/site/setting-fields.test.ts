import { expect, test } from 'vitest';
import { MembershipSettings } from '#domain/membership/settings.ts';
import { inLanguage } from '../../../i18n/i18n.ts';
import { codesIn, membershipFields, readTyped, typedOf } from './setting-fields.ts';

const inEnglish = <Result>(act: () => Result) => inLanguage('en', act);
const stored = MembershipSettings.parse({});
const jpy = {
  countries: ['JP'],
  plans: { month: 1180, year: 11_800 },
  giftCards: { 1: 1180, 3: 3200, 6: 5900, 12: 11_800 },
};
const typedYen = {
  currencies: 'JPY',
  'currencies.jpy.plans.month': '1180',
  'currencies.jpy.plans.year': '11800',
  'currencies.jpy.giftCards.1': '1180',
  'currencies.jpy.giftCards.3': '3200',
  'currencies.jpy.giftCards.6': '5900',
  'currencies.jpy.giftCards.12': '11800',
};

test('a further currency has fields of its own, in its decimals, and suggests its countries', () =>
  inEnglish(() => {
    const typed = { ...typedOf(stored, membershipFields([])), ...typedYen };
    const fields = membershipFields(codesIn(typed.currencies));
    expect(readTyped(stored, fields, typed)).toEqual({ value: { ...stored, currencies: { jpy } } });
    expect(typedOf({ ...stored, currencies: { jpy } }, fields)).toEqual({
      ...typed,
      currencies: 'jpy',
      'currencies.jpy.countries': 'JP',
    });
    const wrong = readTyped(stored, fields, { ...typed, 'currencies.jpy.plans.month': '1180.50' });
    expect(wrong).toEqual({ faults: { 'currencies.jpy.plans.month': 'Enter an amount from ¥50 to ¥10,000,000' } });
  }));

test('a currency that is not listed any more loses its prices, and unknown ones are a fault', () =>
  inEnglish(() => {
    const before = { ...stored, currencies: { jpy } };
    const typed = { ...typedOf(before, membershipFields(['jpy'])), currencies: '' };
    expect(readTyped(before, membershipFields([]), typed)).toEqual({ value: stored });
    const faults = readTyped(stored, membershipFields([]), { ...typed, currencies: 'jpy, zzz' });
    expect(faults).toEqual({ faults: { currencies: 'Enter codes of currencies, such as eur, gbp' } });
  }));
