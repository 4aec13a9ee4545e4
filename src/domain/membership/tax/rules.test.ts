import { expect, test } from 'vitest';
import { presetRates, withPresets } from './presets.ts';
import { isVatId, plainVatId, quarterAt, quarterOf, rateOn, taxCountry, taxIn, taxOfPart } from './rules.ts';

test('net and tax of 220,000 prices and rates add up, and the net at that rate is the price to a cent', () => {
  const rates = Array.from({ length: 22 }, (_, index) => 50 + index * 11);
  let wrong = 0;
  for (const permille of rates)
    for (let gross = 1; gross <= 10_000; gross++) {
      const tax = taxIn(gross, permille);
      const net = gross - tax;
      if (Math.abs((net * (1000 + permille)) / 1000 - gross) > 0.5 * (1 + permille / 1000) + 1e-9) wrong++;
      if (tax < 0 || taxIn(-gross, permille) !== (tax === 0 ? 0 : -tax)) wrong++;
    }
  expect(wrong).toBe(0);
  // The figures of the mockup, in cents.
  expect([taxIn(5988, 200), taxIn(-1198, 200)]).toEqual([998, -200]);
  expect([taxIn(799, 0), taxIn(0, 200), taxIn(1000, 255)]).toEqual([0, 0, 203]);
});

test('parts that are given back add up to the tax of the whole', () => {
  let wrong = 0;
  for (let gross = 1; gross < 400; gross++) {
    const whole = { gross, tax: taxIn(gross, 255) };
    for (const size of [1, 7, gross]) {
      let [sum, tax] = [0, 0];
      while (sum < gross) {
        const part = Math.min(size, gross - sum);
        const own = taxOfPart(whole, sum, part);
        if (own < 0 || own > part) wrong++;
        [sum, tax] = [sum + part, tax + own];
      }
      if (tax !== whole.tax) wrong++;
    }
  }
  expect(wrong).toBe(0);
});

test('a rate counts from midnight UTC of its day until the next one', () => {
  const at = (text: string) => rateOn(presetRates, 'EE', new Date(text));
  expect(at('2025-06-30T23:59:59.999Z')).toBe(220);
  expect(at('2025-07-01T00:00:00Z')).toBe(240);
  // Already July in Tallinn, whose summer time is three hours ahead.
  expect(at('2025-07-01T01:00:00+03:00')).toBe(220);
  expect(at('2023-12-31T23:59:59Z')).toBeUndefined();
  expect(rateOn(presetRates, 'US', new Date())).toBeUndefined();
});

test('quarters begin and end at midnight UTC, whatever the time of the year elsewhere', () => {
  const quarter = quarterOf('2026-Q1');
  expect(quarter).toEqual({ from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-04-01T00:00:00Z') });
  expect(quarterOf('2026-Q4')?.until).toEqual(new Date('2027-01-01T00:00:00Z'));
  // Summer time began on 29 March in Europe.
  expect(quarterAt(new Date('2026-04-01T01:30:00+02:00'))).toBe('2026-Q1');
  expect(quarterAt(new Date('2026-03-31T23:30:00-01:00'))).toBe('2026-Q2');
  for (const text of ['2026-Q5', '2026-Q0', '2026-4', '1999-Q1', '2026-Q1 ']) expect(quarterOf(text)).toBeUndefined();
});

test('the payment’s country is taken before the network’s, and the seller’s when there is none', () => {
  expect(taxCountry({ region: 'FR', payment: 'FR' }, 'DE')).toBe('FR');
  expect(taxCountry({ region: 'NL', payment: 'FR' }, 'DE')).toBe('FR');
  expect(taxCountry({ region: 'NL', payment: null }, 'DE')).toBe('NL');
  expect(taxCountry({ region: null, payment: null }, 'DE')).toBe('DE');
  expect(taxCountry({ region: null, payment: null }, null)).toBe('');
});

test('presets have each state of the European Union and Great Britain, and leave rates that are there', () => {
  const countries = new Set(presetRates.map(({ country }) => country));
  expect(countries.size).toBe(28);
  expect(presetRates.every(({ permille }) => permille >= 170 && permille <= 270)).toBe(true);
  const own = { country: 'FI', from: '2020-01-01', permille: 240 };
  expect(withPresets([own]).filter(({ country }) => country === 'FI')).toEqual([own]);
});

test.each(['FR 12 345678901', 'de123456789', 'NL123456789B01', 'EL123456789', 'GB 123 4567 89', 'ATU12345678'])(
  '%s has the form of a VAT id',
  (text) => expect(isVatId(plainVatId(text))).toBe(true),
);

test.each(['', 'FR', 'FR123', 'US123456789', 'DE12345678', 'ATX12345678', 'DE1234567890', 'GR123456789'])(
  '%s has not',
  (text) => expect(isVatId(plainVatId(text))).toBe(false),
);
