export const providers = ['verotel', 'ccbill', 'btcpay'] as const;
export type Provider = (typeof providers)[number];

export type Charge = { id: string; price: string; at: number };

/** Amounts are decimals as text, as in all three protocols. Moments are milliseconds in the sale's own time. */
export type Sale = {
  id: string;
  provider: Provider;
  /** The site's own name of it. */
  reference: string;
  /** In the address of its page. */
  secret: string;
  kind: 'recurring' | 'once' | 'single';
  price: string;
  /** ISO 4217, upper case. */
  currency: string;
  period: Period | undefined;
  /** Another first charge, and the days until the next one. */
  first: { price: string; days: number } | undefined;
  description: string;
  returnUrl: string;
  closeUrl: string;
  /** Passed through, as the site sent it. */
  passed: Record<string, string>;
  status: 'open' | 'waiting' | 'active' | 'canceled' | 'ended' | 'settled' | 'closed' | 'invalid';
  createdAt: number;
  canceledAt?: number;
  /** Next charge, or end. */
  paidUntil?: number;
  /** Moment at which its state changes without anybody's act. */
  dueAt?: number;
  renewals: number;
  failures: number;
  refunds: number;
  chargebacks: number;
  charges: Charge[];
  /** Whether its card is declined from now on. */
  cardFails: boolean;
  /** Milliseconds that its time is ahead of the machine's clock. */
  ahead: number;
};

export type Period = { months: number } | { days: number };

/** Something that a provider may tell the site. */
export type Happening = {
  kind:
    | 'sold'
    | 'declined'
    | 'renewed'
    | 'renewal-failed'
    | 'extended'
    | 'canceled'
    | 'uncanceled'
    | 'expired'
    | 'refunded'
    | 'charged-back'
    | 'payment-seen'
    | 'processing'
    | 'settled'
    | 'invoice-expired'
    | 'invoice-invalid';
  at: number;
  /** Next charge or end, as of then. */
  until?: number | undefined;
  /** Next attempt after a failed one. */
  retryAt?: number;
  /** Made for it. */
  charge?: Charge;
  /** That went back. */
  of?: Charge;
};

const dayMs = 86_400_000;

/** In calendar months, the last day where the month is shorter. */
export function addPeriod(at: number, period: Period): number {
  if ('days' in period) return at + period.days * dayMs;
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + period.months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** `2027-01-15` */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

export class ActError extends Error {
  override name = 'ActError';
}
