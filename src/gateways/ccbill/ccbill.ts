import type { HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import { ownPage } from '../hosted/own-page.ts';
import { numberIn } from '../hosted/read-parameters.ts';
import { type DataLinkOptions, openDataLink } from './data-link.ts';
import { currencyCodes, digestOf, pricesOf } from './form.ts';
import { eventsOf, readEvents, readFailedSale } from './read-events.ts';
import { ccbillNetworks, openNetworks, readWebhook } from './webhook.ts';

export type CcbillOptions = DataLinkOptions & {
  flexId: string;
  /** For digests of forms. */
  salt: string;
  formUrl?: string | undefined;
  /** Page on which buyers find their purchases and change their card. */
  supportUrl?: string | undefined;
  /** Networks of webhooks' senders, such as `64.38.212.0/24`; others only for stand-ins. */
  networks?: readonly string[] | undefined;
  now?: (() => Date) | undefined;
};

/** Subscriptions have many more digits. */
const unknownSale = '1';

export function openCcbill(options: CcbillOptions): HostedProvider {
  const { clientAccnum, clientSubacc, flexId, salt, now = () => new Date() } = options;
  const { formUrl = 'https://api.ccbill.com', supportUrl = 'https://support.ccbill.com/' } = options;
  const dataLink = openDataLink(options);
  const isSender = openNetworks(options.networks ?? ccbillNetworks);

  return {
    name: 'ccbill',
    capabilities: {
      ...ownPage,
      trial: true,
      cancel: 'api',
      prepaid: false,
      sellsInOwnName: true,
      currencies: Object.keys(currencyCodes),
      oneCurrency: false,
      shortestPeriodDays: 30,
    },
    received: 'OK',

    /** The pages to which buyers come back are a setting at CCBill; the reference is passed through to them. */
    async startCheckout(order) {
      const prices = pricesOf(order);
      const parameters = { clientAccnum, clientSubacc, ...prices, formDigest: digestOf(prices, salt) };
      const query = new URLSearchParams({ ...parameters, reference: order.reference });
      return { url: `${formUrl}/wap-frontflex/flexforms/${encodeURIComponent(flexId)}?${query.toString()}` };
    },

    async readPostback({ query, body, address }) {
      if (!isSender(address)) return undefined;
      const webhook = readWebhook(query, body);
      if (webhook?.['clientAccnum'] !== clientAccnum) return undefined;
      if ((webhook['clientSubacc'] ?? clientSubacc).padStart(4, '0') !== clientSubacc.padStart(4, '0'))
        return undefined;
      const { eventType, subscriptionId } = webhook;
      if (eventType === 'NewSaleFailure') return readFailedSale(webhook, now());
      const saleId = numberIn(subscriptionId);
      if (eventType === undefined || saleId === undefined) return undefined;
      const status = await dataLink.view(saleId);
      return status && readEvents(webhook, status, now());
    },

    async askAbout({ saleId }) {
      // DataLink does not know our references.
      if (saleId === undefined) return undefined;
      const status = await dataLink.view(saleId);
      return status && eventsOf(saleId, status, now());
    },

    check: async () => void (await dataLink.view(unknownSale)),

    async cancel({ saleId }) {
      if (await dataLink.cancel(saleId)) return { ok: true };
      // It may have been canceled before, by the buyer or by an attempt whose answer was lost.
      const status = await dataLink.view(saleId);
      return status !== undefined && status.subscriptionStatus !== '2' ? { ok: true } : { ok: false, url: supportUrl };
    },

    accountUrl: () => supportUrl,
  };
}
