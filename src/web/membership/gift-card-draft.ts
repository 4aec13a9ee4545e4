import type { GiftCardMonths } from '#domain/membership/rules.ts';

/** What is typed, as it is typed. */
export type GiftCardDraft = {
  months: GiftCardMonths;
  recipientEmail: string;
  senderName: string;
  message: string;
  /** `2027-02-14` in the buyer's own time; empty: at once. */
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

// In memory alone: a look at another page loses nothing, and nothing of it is left on the device.
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
