import { t } from '@lingui/core/macro';
import type { TaxRate } from '#domain/membership/tax/rules.ts';
import { formatDecimal } from '#formats/decimals.ts';

/** A line each, such as `FI 2024-09-01 25.5`. */
export function typedRates(rates: readonly TaxRate[]): string {
  return rates
    .map(({ country, from, permille }) => {
      const percent = permille % 10 === 0 ? String(permille / 10) : formatDecimal(permille / 10);
      return `${country} ${from} ${percent}`;
    })
    .join('\n');
}

/** @returns `fault`: the first line that is none */
export function readRates(text: string): { rates: TaxRate[]; fault: string | undefined } {
  const rates: TaxRate[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, country = '', from = '', whole, tenth = '0'] =
      /^([A-Za-z]{2})\s+(\d{4}-\d\d-\d\d)\s+(\d\d?)(?:[.,](\d))?\s*%?$/.exec(line) ?? [];
    if (whole === undefined || Number.isNaN(Date.parse(from)))
      return { rates, fault: t`“${line}” is not a country, a day and a percentage` };
    rates.push({ country: country.toUpperCase(), from, permille: Number(whole) * 10 + Number(tenth) });
  }
  return { rates, fault: undefined };
}
