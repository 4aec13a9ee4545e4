import type { TaxRate } from './rules.ts';

/** The day on which the presets were written. */
export const ratesWrittenOn = '2026-11-30';

/**
 * Standard rates, which apply to electronic services, and the day since which each counts. From the tables of the
 * European Commission (Taxes in Europe Database) and GOV.UK. Not legal advice.
 */
const standardRates = `
AT 1984-01-01 200
BE 1996-01-01 210
BG 1999-01-01 200
CY 2014-01-13 190
CZ 2013-01-01 210
DE 2021-01-01 190
DK 1992-01-01 250
EE 2024-01-01 220
EE 2025-07-01 240
ES 2012-09-01 210
FI 2013-01-01 240
FI 2024-09-01 255
FR 2014-01-01 200
GB 2011-01-04 200
GR 2016-06-01 240
HR 2012-03-01 250
HU 2012-01-01 270
IE 2021-03-01 230
IT 2013-10-01 220
LT 2009-09-01 210
LU 2024-01-01 170
LV 2012-07-01 210
MT 2004-01-01 180
NL 2012-10-01 210
PL 2011-01-01 230
PT 2011-01-01 230
RO 2017-01-01 190
RO 2025-08-01 210
SE 1990-07-01 250
SI 2013-07-01 220
SK 2011-01-01 200
SK 2025-01-01 230
`;

export const presetRates: readonly TaxRate[] = standardRates
  .trim()
  .split('\n')
  .map((line) => {
    const [country = '', from = '', permille] = line.split(' ');
    return { country, from, permille: Number(permille) };
  });

/** With the presets, except for countries that have a rate. */
export function withPresets(rates: readonly TaxRate[]): TaxRate[] {
  const has = new Set(rates.map(({ country }) => country));
  return [...rates, ...presetRates.filter(({ country }) => !has.has(country))];
}
