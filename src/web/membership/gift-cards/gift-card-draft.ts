import type { GiftCardMonths } from '#domain/membership/rules.ts';
import type { Instant } from '#formats/times.ts';
import { addDays, browserTimeZone, dayAt, readLocal } from '#formats/zones.ts';

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

const timeOfDelivery = '09:00';

/** A day in the format of a date field, in the browser’s time zone. @param now the day from which to count */
export function dayAfter(days: number, now: Instant = Date.now(), zone = browserTimeZone()): string {
  return addDays(dayAt(now, zone), days);
}

/** Delivery time in the morning of that day, ISO 8601; undefined for no day. */
export function deliveryAt(day: string, zone = browserTimeZone()): string | undefined {
  const read = readLocal(day, timeOfDelivery, zone);
  return read.ok ? read.at.toISOString() : undefined;
}
