/** `stripe` is also the sandbox, which answers as Stripe does. */
export const providerNames = ['stripe', 'verotel', 'ccbill', 'btcpay'] as const;
export type ProviderName = (typeof providerNames)[number];

/** As people read it. */
export const providerTitles: Record<ProviderName, string> = {
  stripe: 'Stripe',
  verotel: 'Verotel',
  ccbill: 'CCBill',
  btcpay: 'BTCPay Server',
};

/** Abilities of a provider. Others are not offered: in pages, Admin, CLI and API alike. */
export type Capabilities = {
  /** A card form on this site, or a page of the provider. */
  form: 'card' | 'redirect';
  /** A first time without a charge, of any length. */
  trial: boolean;
  /** From month to year and back, while a subscription runs. */
  periodChange: boolean;
  /** `price`: the site keeps the codes and sends the reduced price, so only for the first charge or for all of them. */
  promo: 'provider' | 'price';
  /** Through its API. */
  refund: 'partial' | 'full' | 'no';
  /** `page`: only the subscriber, on the provider's page. */
  cancel: 'api' | 'page' | 'none';
  /** Takes back a cancellation. */
  resume: boolean;
  /** The next charge can be moved, for gift time; without it gift time is the site's own. */
  movesCharge: boolean;
  /** The site can show and change the card. */
  cardOnFile: boolean;
  /** Time is paid once, and nothing renews. */
  prepaid: boolean;
  /** Issues its own receipts, so the site issues no invoice and owes no tax. */
  sellsInOwnName: boolean;
  /** Works out and charges the tax of subscriptions, under that name; absent: only the site's table does. */
  taxService?: 'Stripe Tax';
  /** Lower case, or any. */
  currencies: readonly string[] | 'any';
  /** A customer's first subscription decides the currency of all later ones. */
  oneCurrency: boolean;
  shortestPeriodDays: number;
};
