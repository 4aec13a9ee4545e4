import type { PromoCode } from '#domain/membership/payment-provider.ts';

/** A running code of the provider, for half of the first payment. */
export function promoCodeOf(terms: Partial<PromoCode> = {}): PromoCode {
  return {
    id: 'promo_half',
    code: 'HALF',
    discount: { percentOff: 50, amountOff: null, duration: 'once' },
    months: undefined,
    currency: undefined,
    amounts: {},
    minimumAmount: undefined,
    isFirstTimeOnly: false,
    isActive: true,
    expiresAt: undefined,
    maxRedemptions: undefined,
    redemptions: 0,
    ...terms,
  };
}
