import type { StripeElementChangeEvent } from '@stripe/stripe-js';
import { type Brand, brandRuleOf, groupDigits, hasValidCheckDigit } from '../../cards/card-number.ts';

export type FieldType = 'cardNumber' | 'cardExpiry' | 'cardCvc';

export type FieldError = NonNullable<Extract<StripeElementChangeEvent['error'], object>>;

export type FieldState = { empty: boolean; complete: boolean; error: FieldError | undefined };

/** Format and validation of one field, with Stripe's messages. */
export type FieldFormat = {
  label: string;
  placeholder: string;
  autocomplete: AutoFill;
  /** `name` attribute, for autofill. */
  name: string;
  format(raw: string, isErasing: boolean): string;
  /** @param isLeft whether the field has lost the focus: only then an incomplete value is an error */
  check(value: string, isLeft: boolean): FieldState;
};

export function digitsOf(value: string): string {
  return value.replaceAll(/\D/g, '');
}

function problem(code: string, message: string): FieldError {
  return { type: 'validation_error', code, message };
}

const number: FieldFormat = {
  label: 'Credit or debit card number',
  placeholder: '1234 1234 1234 1234',
  autocomplete: 'cc-number',
  name: 'cardnumber',
  format(raw) {
    const digits = digitsOf(raw);
    return groupDigits(digits.slice(0, Math.max(...brandRuleOf(digits).lengths)));
  },
  check(value, isLeft) {
    const digits = digitsOf(value);
    const { lengths } = brandRuleOf(digits);
    const isFull = lengths.includes(digits.length);
    const isWrong = digits.length === Math.max(...lengths) && !hasValidCheckDigit(digits);
    const complete = isFull && hasValidCheckDigit(digits);
    const error = isWrong
      ? problem('invalid_number', 'Your card number is invalid.')
      : isLeft && digits !== '' && !complete
        ? problem('incomplete_number', 'Your card number is incomplete.')
        : undefined;
    return { empty: digits === '', complete, error };
  },
};

/** @returns month from 1 and full year, if complete */
export function readExpiry(value: string): { month: number; year: number } | undefined {
  const digits = digitsOf(value);
  if (digits.length !== 4) return undefined;
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

function expiryProblem(value: string): FieldError | undefined {
  const expiry = readExpiry(value);
  if (expiry === undefined) return undefined;
  const today = new Date();
  const years = expiry.year - today.getFullYear();
  if (years < 0) return problem('invalid_expiry_year_past', "Your card's expiration year is in the past.");
  if (years === 0 && expiry.month < today.getMonth() + 1)
    return problem('invalid_expiry_month_past', "Your card's expiration date is in the past.");
  return years > 50 ? problem('invalid_expiry_year', "Your card's expiration year is invalid.") : undefined;
}

const expiry: FieldFormat = {
  label: 'Credit or debit card expiration date',
  placeholder: 'MM / YY',
  autocomplete: 'cc-exp',
  name: 'exp-date',
  format(raw, isErasing) {
    // Autofill writes 12/2034 or 2034-12.
    const filled = /^(\d{4})-(\d{2})$/.exec(raw) ?? /^(\d{1,2})\s*\/\s*20(\d{2})$/.exec(raw);
    let digits = digitsOf(raw);
    if (filled?.[1] !== undefined && filled[2] !== undefined)
      digits = filled[1].length === 4 ? filled[2] + filled[1].slice(2) : filled[1].padStart(2, '0') + filled[2];
    if (/^[2-9]/.test(digits) || /^\d\s*\//.test(raw)) digits = `0${digits}`;
    if (/^(?:00|1[3-9])/.test(digits)) digits = digits.slice(0, 1);
    digits = digits.slice(0, 4);
    if (digits.length < 2 || (digits.length === 2 && isErasing)) return digits;
    return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
  },
  check(value, isLeft) {
    const digits = digitsOf(value);
    const past = expiryProblem(value);
    const incomplete =
      isLeft && digits !== '' && digits.length < 4
        ? problem('incomplete_expiry', "Your card's expiration date is incomplete.")
        : undefined;
    return {
      empty: digits === '',
      complete: digits.length === 4 && past === undefined,
      error: past ?? incomplete,
    };
  },
};

/** The security code depends on the number beside it. */
function cvc(brand: () => Brand): FieldFormat {
  const length = () => (brand() === 'amex' ? 4 : 3);
  return {
    label: 'Credit or debit card CVC/CVV',
    placeholder: 'CVC',
    autocomplete: 'cc-csc',
    name: 'cvc',
    format: (raw) => digitsOf(raw).slice(0, brand() === 'unknown' ? 4 : length()),
    check(value, isLeft) {
      const digits = digitsOf(value);
      const complete = digits.length >= length();
      return {
        empty: digits === '',
        complete,
        error:
          isLeft && digits !== '' && !complete
            ? problem('incomplete_cvc', "Your card's security code is incomplete.")
            : undefined,
      };
    },
  };
}

export function formatOf(type: FieldType, brand: () => Brand): FieldFormat {
  if (type === 'cardNumber') return number;
  return type === 'cardExpiry' ? expiry : cvc(brand);
}
