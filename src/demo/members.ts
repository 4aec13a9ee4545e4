import type { Period } from '#domain/membership/rules.ts';

/** A demo listener who subscribed. Times are days ago. */
export type DemoMember = {
  username: string;
  since: number;
  period: Period;
  hasTrial: boolean;
  /** The charge after the trial is declined. */
  hasFailingCard?: true;
  cancelledAt?: number;
  promoCode?: 'NIGHTOWL' | 'FIRSTMONTH';
  /** Their latest payment was refunded that many days ago. */
  refundedAt?: number;
};

const monthly = { period: 'month', hasTrial: true } as const;
const yearly = { period: 'year', hasTrial: true } as const;

/** Without email addresses, so that no mail is sent. */
export const demoMembers: DemoMember[] = [
  { username: 'wintering', since: 118, ...monthly },
  { username: 'lou_k', since: 115, ...yearly },
  { username: 'margit', since: 112, ...monthly, promoCode: 'NIGHTOWL' },
  { username: 'half.past.ten', since: 108, ...monthly },
  { username: 'anselm', since: 105, ...monthly, cancelledAt: 75 },
  { username: 'paper_boats', since: 101, ...monthly, hasTrial: false },
  { username: 'ines.r', since: 97, ...monthly, promoCode: 'NIGHTOWL' },
  { username: 'quietcar', since: 94, ...monthly, promoCode: 'FIRSTMONTH' },
  { username: 'tobias_h', since: 90, ...monthly, cancelledAt: 70 },
  { username: 'northwindow', since: 88, ...yearly, promoCode: 'NIGHTOWL' },
  { username: 'selma', since: 84, ...monthly },
  { username: 'vesper22', since: 80, ...monthly, promoCode: 'FIRSTMONTH' },
  { username: 'm.castellan', since: 76, ...monthly, hasFailingCard: true },
  { username: 'lamplight', since: 73, ...monthly },
  { username: 'rosa_b', since: 62, ...monthly, cancelledAt: 12 },
  { username: 'corduroy', since: 66, ...monthly, promoCode: 'NIGHTOWL' },
  { username: 'hannah.w', since: 61, ...monthly, cancelledAt: 58 },
  { username: 'slow_kettle', since: 57, ...yearly },
  { username: 'eleven_pm', since: 55, ...monthly, refundedAt: 16 },
  { username: 'jonas', since: 50, ...monthly, cancelledAt: 40 },
  { username: 'ivy.l', since: 45, ...monthly },
  { username: 'blue_hour', since: 46, ...monthly, cancelledAt: 5 },
  { username: 'priya.s', since: 38, ...monthly, promoCode: 'NIGHTOWL' },
  { username: 'oldharbour', since: 31, ...monthly },
  { username: 'fennimore', since: 29, ...yearly, hasTrial: false },
  { username: 'greta_m', since: 24, ...monthly },
  { username: 'dozing', since: 20, ...monthly, cancelledAt: 6 },
  { username: 'aurelia', since: 18, ...monthly, promoCode: 'NIGHTOWL' },
  { username: 'tin.roof', since: 15, ...yearly },
  { username: 'maren_fan', since: 12, ...monthly },
  { username: 'kit_o', since: 10.4, ...monthly, hasFailingCard: true },
  { username: 'late_shift', since: 9.6, ...monthly, hasFailingCard: true },
  { username: 'b_side', since: 8.7, ...monthly, hasFailingCard: true },
  { username: 'sofia.d', since: 5.2, ...yearly },
  { username: 'moss', since: 4.1, ...monthly },
  { username: 'fourth_floor', since: 2.8, ...monthly, promoCode: 'NIGHTOWL' },
  { username: 'yusuf', since: 1.3, ...monthly },
];

/** Gift cards with buyer and outcome. Times are days ago; `deliver` may be in the future. */
export type DemoGift = {
  months: 1 | 3 | 6 | 12;
  buyer: string;
  recipient: string;
  bought: number;
  deliver: number;
  message?: string;
  redeemed?: { by: string; at: number };
  refundedAt?: number;
};

/** Listeners with given months and no subscription. */
export const giftedUsers = [
  { username: 'clementine', since: 63 },
  { username: 'august_p', since: 33 },
  { username: 'nightjar', since: 11 },
];

export const demoGifts: DemoGift[] = [
  {
    months: 3,
    buyer: 'wintering',
    recipient: 'clementine@sotto.example',
    bought: 64,
    deliver: 63.5,
    message: 'For the trains home.',
    redeemed: { by: 'clementine', at: 63 },
  },
  {
    months: 12,
    buyer: 'lou_k',
    recipient: 'august@sotto.example',
    bought: 35,
    deliver: 33.6,
    redeemed: { by: 'august_p', at: 33 },
  },
  { months: 1, buyer: 'selma', recipient: 'vera@sotto.example', bought: 26, deliver: 26, refundedAt: 22 },
  { months: 6, buyer: 'slow_kettle', recipient: 'otto@sotto.example', bought: 19, deliver: 18, message: 'Sleep well.' },
  {
    months: 3,
    buyer: 'half.past.ten',
    recipient: 'nightjar@sotto.example',
    bought: 12,
    deliver: 11.5,
    redeemed: { by: 'nightjar', at: 11 },
  },
  { months: 1, buyer: 'paper_boats', recipient: 'emil@sotto.example', bought: 4, deliver: 3.5 },
  {
    months: 12,
    buyer: 'northwindow',
    recipient: 'lena@sotto.example',
    bought: 2,
    deliver: -24,
    message: 'Happy birthday. Start with the sonnets.',
  },
];

export const demoPromoCodes = [
  { code: 'NIGHTOWL', percentOff: 25, duration: 'months', months: 3, maxRedemptions: 200 },
  { code: 'FIRSTMONTH', amountOff: 300, duration: 'once', expires: 41 },
] as const;
