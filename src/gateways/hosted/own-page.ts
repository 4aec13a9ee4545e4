import type { Capabilities } from '#domain/membership/capabilities.ts';

/** Abilities of all providers with a page of their own, as far as they are here. */
export const ownPage = {
  form: 'redirect',
  periodChange: false,
  promo: 'price',
  refund: 'no',
  resume: false,
  movesCharge: false,
  cardOnFile: false,
} satisfies Partial<Capabilities>;
