import type { Capabilities, ProviderName } from '../capabilities.ts';
import type { Period } from '../rules.ts';

/**
 * Protocol of a payment provider with a page of its own, on which buyers pay. It keeps no state: what the provider said
 * is stored and folded by `hosted-payments.ts`, which makes a `PaymentProvider` of it. Amounts are in the smallest unit
 * of the currency, which is in lower case, as everywhere; the gateway writes them as the provider wants.
 */
export type HostedProvider = {
  name: Exclude<ProviderName, 'stripe'>;
  capabilities: Capabilities;
  /**
   * Address of the page on which this order is paid. It names no person: `reference` is random.
   * @throws DomainError `payment/unavailable` when the provider has to be asked and gives no answer
   */
  startCheckout(order: HostedOrder): Promise<{ url: string }>;
  /**
   * @returns undefined unless it is proven to come from the provider and is about this site's account
   * @throws DomainError `payment/unavailable` when the provider has to be asked and gives no answer: it comes again
   */
  readPostback(postback: Postback): Promise<HostedEvent[] | undefined>;
  /** Body of the answer, status 200, that the provider takes as received. */
  received: string;
  /**
   * The provider's knowledge of a sale, as events; asked when one may be missing. Each has the same id as its postback,
   * or a made one that says the same.
   * @returns undefined for a sale that it does not know
   * @throws DomainError `payment/unavailable`
   */
  askAbout(sale: { reference: string; saleId: string | undefined }): Promise<HostedEvent[] | undefined>;
  /** Asks for something that changes nothing. @throws DomainError `payment/unavailable` unless it answers with these keys */
  check: () => Promise<void>;
  /**
   * Stops renewals. `url`: the buyer has to do it there.
   * @throws DomainError `payment/unavailable`
   */
  cancel(sale: { saleId: string; returnUrl: string }): Promise<{ ok: true } | { ok: false; url: string | undefined }>;
  /** Page of the provider on which buyers change their card and find receipts, if there is one. */
  accountUrl(sale: { saleId: string }): string | undefined;
  /** Only with the capability; idempotent by key. @throws DomainError `payment/unavailable` */
  refund?(refund: { transactionId: string; amount: number; currency: string; key: string }): Promise<{ ok: boolean }>;
};

export type HostedOrder = {
  /** 32 hexadecimal digits. The only thing by which the provider's word is matched with the order. */
  reference: string;
  /** `prepaid`: the whole period is paid once. `single`: nothing is unlocked by it, such as a gift card. */
  kind: 'subscription' | 'prepaid' | 'single';
  period: Period;
  amount: number;
  currency: string;
  /** Another first charge: a trial (0) or a reduced price, and the days until the next one. */
  first: { amount: number; days: number } | undefined;
  /** Fixed words, such as the site's name; never a title or a person. */
  description: string;
  /** Pages of this site to which the buyer comes back after paying, and without. */
  returnUrl: string;
  closeUrl: string;
};

/** A request at the webhook's address. */
export type Postback = {
  method: string;
  /** Raw, without the question mark. */
  query: string;
  /** Raw bytes as text. */
  body: string;
  header: (name: string) => string | undefined;
  /** Address of the sender, as trusted proxies tell it. */
  address: string | undefined;
};

/**
 * A provider's word, once. The set of a sale's events is its state, in whichever order they came.
 *
 * - `paid`: a charge of `amount`, 0 for the start of a free trial and for time without a charge that is known, absent
 *   for the first charge of the order; paid until `until`, absent for single payments and for prepaid ones whose
 *   provider knows no period
 * - `waits`: a payment was begun and is not certain yet
 * - `declined`: a charge failed; the provider may try again
 * - `closed`: the order was never paid and cannot be any more
 * - `canceled`: no further charge; access until `until`. `resumed`: renews again
 * - `ended`: no access any more
 * - `refunded`, `charged-back`: `amount` (absent: all) of the charge `ofTransaction` (absent: the newest) went back
 * - `unknown`: a kind that this version does not know; stored and shown to operators
 */
export type HostedEvent = {
  /** Unique with the provider's name: its event or transaction, and the kind. */
  id: string;
  /** The provider's own word. */
  type: string;
  means:
    | 'paid'
    | 'waits'
    | 'declined'
    | 'closed'
    | 'canceled'
    | 'resumed'
    | 'ended'
    | 'refunded'
    | 'charged-back'
    | 'unknown';
  /** At least one of both is known; an early event may have only the sale. */
  reference: string | undefined;
  saleId: string | undefined;
  at: Date;
  until?: Date | undefined;
  amount?: number | undefined;
  currency?: string | undefined;
  transactionId?: string | undefined;
  ofTransaction?: string | undefined;
  /** Such as the bank's reason, in the provider's word. */
  reason?: string | undefined;
  card?: { brand: string; last4: string } | undefined;
  /** ISO 3166 country of the card or of the billing address. */
  country?: string | undefined;
  /** For payments that wait, such as confirmations of a chain. */
  confirmations?: number | undefined;
};
