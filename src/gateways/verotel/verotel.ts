import type { HostedOrder, HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import { toDecimalText } from '#formats/currency-decimals.ts';
import { askProvider } from '../hosted/ask-provider.ts';
import { ownPage } from '../hosted/own-page.ts';
import { readParameters } from '../hosted/read-parameters.ts';
import { readEvents } from './read-events.ts';
import { readSale } from './read-sale.ts';
import { isSigned, signedAddress } from './signature.ts';

export type VerotelOptions = {
  shopId: string;
  signatureKey: string;
  /** Pages; each brand of Verotel has its own host. */
  baseUrl?: string | undefined;
  /** Answers for the site's server. Default: `baseUrl` */
  askUrl?: string | undefined;
  /** Page on which buyers find their purchases and change their card. */
  supportUrl?: string | undefined;
  /** Parameters that our own address of postbacks has; Verotel did not sign them. */
  ownParameters?: readonly string[] | undefined;
  now?: (() => Date) | undefined;
};

export function openVerotel(options: VerotelOptions): HostedProvider {
  const { shopId, ownParameters = [], now = () => new Date() } = options;
  const account = { shopId, signatureKey: options.signatureKey };
  const baseUrl = options.baseUrl ?? 'https://secure.verotel.com';
  const askUrl = options.askUrl ?? baseUrl;

  async function askAbout({ reference, saleId }: Parameters<HostedProvider['askAbout']>[0]) {
    const sale = saleId === undefined ? { referenceID: reference } : { saleID: saleId };
    const response = await askProvider('Verotel', signedAddress(account, `${askUrl}/salestatus`, sale));
    return response && readSale(await response.text(), shopId, now());
  }

  return {
    name: 'verotel',
    capabilities: {
      ...ownPage,
      trial: true,
      cancel: 'page',
      prepaid: false,
      sellsInOwnName: true,
      currencies: ['usd', 'eur', 'gbp', 'aud', 'cad', 'chf', 'dkk', 'nok', 'sek'],
      oneCurrency: false,
      shortestPeriodDays: 7,
    },
    received: 'OK',

    startCheckout: async (order) => ({ url: signedAddress(account, `${baseUrl}/startorder`, parametersOf(order)) }),

    async readPostback({ method, query, body }) {
      const parameters = readParameters(method === 'GET' || body === '' ? query : body);
      if (parameters === undefined) return undefined;
      for (const name of ownParameters) delete parameters[name];
      if (!isSigned(account, parameters) || (parameters['shopID'] ?? shopId) !== shopId) return undefined;
      return readEvents(parameters, now());
    },

    askAbout,
    check: async () => void (await askAbout({ reference: unknownSale, saleId: undefined })),

    // Nothing says that a server may call this address.
    cancel: async ({ saleId }) => ({
      ok: false,
      url: signedAddress(account, `${baseUrl}/cancel-subscription`, { saleID: saleId }),
    }),

    accountUrl: () => options.supportUrl ?? 'https://vtsup.com/',
  };
}

/** No order has it. */
const unknownSale = '0'.repeat(32);

function parametersOf({ kind, period, amount, currency, first, description, ...order }: HostedOrder) {
  const common = {
    priceAmount: toDecimalText(amount, currency),
    priceCurrency: currency.toUpperCase(),
    referenceID: order.reference,
    successURL: order.returnUrl,
    declineURL: order.closeUrl,
  };
  if (kind === 'single') return { ...common, type: 'purchase', description };
  return {
    ...common,
    type: 'subscription',
    subscriptionType: kind === 'prepaid' ? 'one-time' : 'recurring',
    name: description,
    period: period === 'year' ? 'P1Y' : 'P1M',
    trialAmount: first && toDecimalText(first.amount, currency),
    trialPeriod: first && `P${first.days}D`,
  };
}
