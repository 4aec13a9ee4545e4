const known = new Map<string, number>();

/** Digits of the smallest unit: 2 for EUR, 0 for JPY, 3 for KWD. @param currency ISO 4217, upper or lower case */
export function decimalsOf(currency: string): number {
  const code = currency.toUpperCase();
  const before = known.get(code);
  if (before !== undefined) return before;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  known.set(code, decimals);
  return decimals;
}

/** ISO 4217, lower case. */
export const allCurrencies: readonly string[] = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase());

/** Whether it is the code of a currency. @param code lower case */
export function isCurrency(code: string): boolean {
  return allCurrencies.includes(code);
}

/** An amount in the smallest unit as providers read it: `7.99`, `800` of JPY, `2.500` of KWD. */
export function toDecimalText(amount: number, currency: string): string {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new Error(`${amount} is not an amount`);
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(amount);
  const digits = String(amount).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The same for amounts that may be negative. */
export function toSignedDecimalText(amount: number, currency: string): string {
  return `${amount < 0 ? '-' : ''}${toDecimalText(Math.abs(amount), currency)}`;
}

/** @returns undefined for what is not an amount of the currency, such as `7.995` of EUR */
export function fromDecimalText(text: string, currency: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || !/^[a-z]{3}$/i.test(currency)) return undefined;
  const decimals = decimalsOf(currency);
  if (/[^0]/.test(fraction.slice(decimals))) return undefined;
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}
