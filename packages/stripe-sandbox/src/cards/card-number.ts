/** Shared by the server and the browser script. */

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown';

type BrandRule = { brand: Brand; starts: RegExp; lengths: number[]; gaps: number[]; cvcLength: number };

const fours = [4, 8, 12];

const rules: BrandRule[] = [
  { brand: 'visa', starts: /^4/, lengths: [16], gaps: fours, cvcLength: 3 },
  { brand: 'mastercard', starts: /^(?:5[1-5]|2[2-7])/, lengths: [16], gaps: fours, cvcLength: 3 },
  { brand: 'amex', starts: /^3[47]/, lengths: [15], gaps: [4, 10], cvcLength: 4 },
  { brand: 'discover', starts: /^(?:6011|64[4-9]|65)/, lengths: [16], gaps: fours, cvcLength: 3 },
  { brand: 'diners', starts: /^3(?:0[0-5]|[68])/, lengths: [14, 16], gaps: [4, 10], cvcLength: 3 },
  { brand: 'jcb', starts: /^35/, lengths: [16], gaps: fours, cvcLength: 3 },
  { brand: 'unionpay', starts: /^62/, lengths: [16, 17, 18, 19], gaps: fours, cvcLength: 3 },
];

const unknown: BrandRule = { brand: 'unknown', starts: /^/, lengths: [16], gaps: fours, cvcLength: 3 };

export function brandRuleOf(digits: string): BrandRule {
  return rules.find(({ starts }) => starts.test(digits)) ?? unknown;
}

/** The check digit that detects a mistyped digit (ISO/IEC 7812-1). */
export function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return digits.length > 0 && sum % 10 === 0;
}

export function groupDigits(digits: string): string {
  const { gaps } = brandRuleOf(digits);
  return [...digits].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}
