/** Rules of tax, in whole cents. Prices are what buyers pay: tax is taken out of them, never added. */

export type TaxRate = {
  /** ISO 3166. */
  country: string;
  /** First day (UTC) on which it counts, such as `2025-07-01`. */
  from: string;
  permille: number;
};

/** Cents of tax in a price. Rounded once, in the net amount, so net and tax always add up to the price. */
export function taxIn(gross: number, permille: number): number {
  const net = Math.round((Math.abs(gross) * 1000) / (1000 + permille));
  const tax = Math.abs(gross) - net;
  return gross < 0 && tax !== 0 ? -tax : tax;
}

/**
 * The tax of a part of a payment that is given back. Parts of one payment add up to its tax, to the cent.
 * @param before what was given back earlier. @param part what is given back now
 */
export function taxOfPart(whole: { gross: number; tax: number }, before: number, part: number): number {
  const until = (sum: number) => Math.round((whole.tax * sum) / whole.gross);
  const tax = until(before + part) - until(before);
  return tax === 0 ? 0 : tax;
}

/** The same taxes, whose amounts add up to another sum: of a part that was given back, or that a credit did not pay. */
export function shareTaxes<Tax extends { amount: number }>(taxes: Tax[], tax: number): Tax[] {
  const whole = { gross: taxes.reduce((sum, { amount }) => sum + amount, 0), tax };
  if (whole.gross === 0) return taxes;
  let before = 0;
  return taxes.map((one) => {
    const amount = taxOfPart(whole, before, one.amount);
    before += one.amount;
    return { ...one, amount };
  });
}

/** The rate of a country at a time. @returns undefined where the table has none */
export function rateOn(rates: readonly TaxRate[], country: string, at: Date): number | undefined {
  const day = at.toISOString().slice(0, 10);
  return rates
    .filter((rate) => rate.country === country && rate.from <= day)
    .reduce<TaxRate | undefined>((newest, rate) => (newest && newest.from > rate.from ? newest : rate), undefined)
    ?.permille;
}

/** Countries that two independent sources name; null: unknown. */
export type TaxEvidence = {
  /** The visitor's network, when the subscription was ordered. */
  region: string | null;
  /** The card, or the billing address at the provider. */
  payment: string | null;
};

/**
 * The country whose tax applies. The provider's word about the payment is taken before the network's: networks are
 * easily those of another country, by travel or by choice. Without either, the seller's own country applies, so that no
 * payment is left without tax.
 */
export function taxCountry({ region, payment }: TaxEvidence, home: string | null): string {
  return payment ?? region ?? home ?? '';
}

const unionCountries = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Whether tax belongs into the one-stop shop of the European Union: that of another of its countries. */
export function isOfOneStopShop(country: string, home: string | null): boolean {
  return country !== home && unionCountries.has(country) && unionCountries.has(home ?? '');
}

/** @param quarter such as `2026-Q4`; days are UTC. @returns undefined for another text */
export function quarterOf(quarter: string): { from: Date; until: Date } | undefined {
  const [, year, number] = /^(20\d\d)-Q([1-4])$/.exec(quarter) ?? [];
  if (year === undefined) return undefined;
  const month = (Number(number) - 1) * 3;
  return { from: new Date(Date.UTC(Number(year), month)), until: new Date(Date.UTC(Number(year), month + 3)) };
}

export function quarterAt(at: Date): string {
  return `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`;
}

/**
 * Forms of VAT ids by their first two letters (https://ec.europa.eu/taxation_customs/vies/#/faq, GOV.UK). Greece has EL,
 * Northern Ireland XI.
 */
const vatIdForms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
};

/** Without spaces, dots and hyphens, in capitals, as it is stored. */
export function plainVatId(text: string): string {
  return text.replaceAll(/[\s.-]/g, '').toUpperCase();
}

/** Checks the form only: whether an id exists is known to its country. @param id as `plainVatId` returns it */
export function isVatId(id: string): boolean {
  return vatIdForms[id.slice(0, 2)]?.test(id.slice(2)) ?? false;
}
