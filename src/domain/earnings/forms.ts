import { z } from 'zod';
import { lastPool, maxTermDays } from '../admin/rules.ts';
import { lineOfWords } from '../kernel/forms.ts';

const Currency = z
  .string()
  .toLowerCase()
  .regex(/^[a-z]{3}$/);

export const CorrectionForm = z.strictObject({
  voice: z.string().min(1).max(120).describe('Id or slug of the creator'),
  currency: Currency.describe('One with a pool in the month, or the month’s own'),
  amount: z
    .number()
    .int()
    .min(-lastPool)
    .max(lastPool)
    .refine((amount) => amount !== 0)
    .describe('In the smallest unit; negative takes back'),
  reason: lineOfWords(500).describe('The creator reads it'),
});
export type CorrectionForm = z.output<typeof CorrectionForm>;

export const PaymentForm = z.strictObject({
  voiceId: z.uuid().toLowerCase().describe('The creator'),
  currency: Currency,
  amount: z.number().int().min(1).describe('What was due when it was read, in the smallest unit'),
  reference: lineOfWords(120).describe('That the bank or the payment service gave it; the creator reads it'),
  withoutPayee: z
    .boolean()
    .optional()
    .describe('Needed where nobody entered who is paid: your own books say who it was'),
});
export type PaymentForm = z.output<typeof PaymentForm>;

export const TermForm = z.strictObject({
  days: z
    .number()
    .int()
    .min(0)
    .max(maxTermDays)
    .describe('From the lock of a month; counts for months locked from now on'),
  revision: z.number().int().min(0).max(2_147_483_647),
});
export type TermForm = z.output<typeof TermForm>;

export const MinimumForm = z.strictObject({
  currency: Currency,
  minimum: z.number().int().min(0).max(lastPool).describe('In the smallest unit; 0: every amount is paid'),
  revision: z.number().int().min(0).max(2_147_483_647),
});
export type MinimumForm = z.output<typeof MinimumForm>;
