import type { GiftCardMonths } from '#domain/membership/rules.ts';

/** Text of the form’s fields, as typed. */
export type GiftCardDraft = {
  months: GiftCardMonths;
  recipientEmail: string;
  senderName: string;
  message: string;
  /** `2027-02-14` in the buyer’s time zone; empty: deliver at once. */
  deliverOn: string;
  buyerEmail: string;
};

const empty: GiftCardDraft = {
  months: 3,
  recipientEmail: '',
  senderName: '',
  message: '',
  deliverOn: '',
  buyerEmail: '',
};

// In memory only: visiting another page keeps the draft, but nothing is stored on the device.
let draft = empty;

export const giftCardDraft = {
  get: () => draft,
  update(changed: Partial<GiftCardDraft>): void {
    draft = { ...draft, ...changed };
  },
  clear(): void {
    draft = empty;
  },
};
