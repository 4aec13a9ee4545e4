import { z } from 'zod';
import type { Condition, Paging } from '../store/store.ts';

/** Schemas for the parameters of endpoints. Every value arrives as text. */
export const text = z.string().min(1).max(5000);
export const integer = z
  .string()
  .regex(/^-?\d{1,12}$/, 'Invalid integer')
  .transform(Number);
export const natural = z
  .string()
  .regex(/^\d{1,12}$/, 'Invalid integer')
  .transform(Number);
export const decimalNumber = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,12})?$/, 'Invalid decimal')
  .transform(Number);
export const flag = z.enum(['true', 'false'], 'Invalid boolean').transform((value) => value === 'true');
export const currency = z
  .string()
  .regex(/^[a-zA-Z]{3}$/, 'Invalid currency')
  .transform((value) => value.toLowerCase());

/** Amounts in further currencies. */
export const currencyOptions = <Field extends string>(field: Field) =>
  z.record(
    z.string().regex(/^[a-z]{3}$/, 'Invalid currency'),
    z.strictObject({ [field]: natural } as Record<Field, typeof natural>),
  );

/** An empty text clears the value. */
export function clearable<T extends z.ZodType>(schema: T) {
  return z.union([z.literal('').transform(() => null), schema]);
}

const MetadataValues = z.record(z.string().min(1).max(40), z.string().max(500));
export const metadata = z.union([z.literal('').transform(() => null), MetadataValues]);
export type MetadataInput = z.output<typeof metadata>;

/** Removes keys sent empty, sets the others, and keeps the rest. */
export function mergeMetadata(
  before: Record<string, string> | null | undefined,
  input: MetadataInput | undefined,
): Record<string, string> {
  if (input === undefined) return before ?? {};
  if (input === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...input }).filter(([, value]) => value !== ''));
}

const limit = natural.pipe(z.number().min(1).max(100)).default(10);
export const paging = { limit, starting_after: text.optional(), ending_before: text.optional() };

export function pagingOf(input: { limit: number; starting_after?: string; ending_before?: string }): Paging {
  return { limit: input.limit, startingAfter: input.starting_after, endingBefore: input.ending_before };
}

export const createdRange = z
  .union([
    integer,
    z.strictObject({
      gt: integer.optional(),
      gte: integer.optional(),
      lt: integer.optional(),
      lte: integer.optional(),
    }),
  ])
  .optional();

export function createdWithin(input: z.output<typeof createdRange>): Condition[] {
  if (input === undefined) return [];
  if (typeof input === 'number') return [{ path: 'created', atLeast: input, atMost: input }];
  return [{ path: 'created', above: input.gt, atLeast: input.gte, below: input.lt, atMost: input.lte }];
}

/** Conditions for the given fields; skips undefined and null. */
export function equal(fields: Record<string, string | boolean | null | undefined>): Condition[] {
  return Object.entries(fields).flatMap(([path, is]) => (is === undefined || is === null ? [] : [{ path, is }]));
}

export const address = z.strictObject({
  city: z.string().max(500).optional(),
  country: z.string().max(500).optional(),
  line1: z.string().max(500).optional(),
  line2: z.string().max(500).optional(),
  postal_code: z.string().max(500).optional(),
  state: z.string().max(500).optional(),
});

export const billingDetails = z.strictObject({
  address: clearable(address).optional(),
  email: clearable(text).optional(),
  name: clearable(text).optional(),
  phone: clearable(text).optional(),
});
