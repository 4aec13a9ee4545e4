import { z } from 'zod';
import { i18n } from '#i18n';
import { newEmail } from '../identity/forms.ts';
import { isPlain, notPlain, toCode, tooLong } from '../kernel/forms.ts';
import { giftCardMonths } from './rules.ts';

const noCode = { error: () => i18n._(/*i18n*/ { id: 'gift-card.no-code', message: 'Please enter the code' }) };

/** As typed or copied. */
export const PromoCode = z
  .string(notPlain)
  .trim()
  .max(100, tooLong(100))
  .refine(isPlain, notPlain)
  // A text without letters and digits is an unknown code, not a missing one.
  .transform((text) => toCode(text) || text);

/** Optional, trimmed; empty becomes undefined (spec §5). */
export const PromoCodeField = PromoCode.nullish().transform((code) => code || undefined);

/** Optional, trimmed; empty becomes undefined. */
export const plainText = (max: number) =>
  z
    .string(notPlain)
    .trim()
    .max(max, tooLong(max))
    .refine(isPlain, notPlain)
    .optional()
    .transform((text) => (text === '' ? undefined : text));

/** At most a year ahead, plus a day so that every time zone can pick its own date. */
const latestDelivery = () => Date.now() + 367 * 24 * 60 * 60 * 1000;

const noCurrency = {
  error: () => i18n._(/*i18n*/ { id: 'gift-card.no-currency', message: 'Choose a currency' }),
};

export const GiftCardForm = z.object({
  months: z.literal(giftCardMonths, {
    error: () => i18n._(/*i18n*/ { id: 'gift-card.no-months', message: 'Choose how many months' }),
  }),
  currency: z
    .string(noCurrency)
    .regex(/^[a-z]{3}$/, noCurrency)
    .optional()
    .describe('One of the offer'),
  recipientEmail: newEmail,
  /** One line: used in a subject and a sentence. */
  senderName: plainText(60).transform((name) => name?.replaceAll(/\s+/g, ' ')),
  message: plainText(500),
  /** ISO 8601; absent or past means now. */
  deliverAt: z.iso
    .datetime({
      offset: true,
      error: () => i18n._(/*i18n*/ { id: 'gift-card.not-future', message: 'Pick a future date' }),
    })
    .refine((at) => Date.parse(at) < latestDelivery(), {
      error: () => i18n._(/*i18n*/ { id: 'gift-card.too-far', message: 'At most a year ahead' }),
    })
    .transform((at) => (Date.parse(at) > Date.now() ? at : undefined))
    .optional(),
  /** Required without an account: the receipt goes there. */
  buyerEmail: newEmail.optional(),
});
export type GiftCardForm = z.infer<typeof GiftCardForm>;

/** A gift card that an operator makes; without a sender's name it comes from the site. */
export const MadeGiftCardForm = GiftCardForm.omit({ buyerEmail: true, currency: true });
export type MadeGiftCardForm = z.infer<typeof MadeGiftCardForm>;

export const RedeemForm = z.object({
  code: z
    .string(noCode)
    .trim()
    .min(1, noCode)
    .max(40, {
      error: () => i18n._(/*i18n*/ { id: 'gift-card.long-code', message: 'Enter the code exactly as in the email' }),
    }),
});
export type RedeemForm = z.infer<typeof RedeemForm>;

export const CancelForm = z.object({ reason: plainText(500) });
export type CancelForm = z.infer<typeof CancelForm>;
