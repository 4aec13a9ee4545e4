import type { Context, Hono } from 'hono';
import { answerOrder, answerPage } from '../pages/sale-pages.ts';
import { type Mount, RequestError, type StandIn } from '../provider.ts';
import { type Happening, type Period, type Sale, dayOf } from '../sales/sale.ts';
import { isRequestSigned, signPostback } from './signature.ts';

export type VerotelAccount = { shopId: string; signatureKey: string };

const currencies = new Set(['USD', 'EUR', 'GBP', 'AUD', 'CAD', 'CHF', 'DKK', 'NOK', 'SEK']);

/** FlexPay 4: the page of orders, the status of a sale, the page of a cancellation, and postbacks. */
export function openVerotelStandIn({ shopId, signatureKey }: VerotelAccount): StandIn {
  function readSigned(context: Context): Record<string, string> {
    const parameters = context.req.query();
    if (parameters['shopID'] !== shopId) throw wrong('There is no such shop.');
    if (parameters['version'] !== '4') throw wrong('The version has to be 4.');
    if (!isRequestSigned(signatureKey, parameters)) throw wrong('The signature is not right.');
    return parameters;
  }

  async function findSale(
    { engine }: Mount,
    { saleID, referenceID }: Record<string, string>,
  ): Promise<Sale | undefined> {
    const sale =
      saleID === undefined ? await engine.findByReference('verotel', referenceID ?? '') : await engine.find(saleID);
    return sale?.provider === 'verotel' ? sale : undefined;
  }

  return {
    routes(app: Hono, mount) {
      const { prefix, engine } = mount;

      app.get(`${prefix}/startorder`, async (context) => {
        const parameters = readSigned(context);
        const asked = readOrder(parameters);
        const before = await engine.findByReference('verotel', asked.reference);
        return answerOrder(context, mount, before ?? (await engine.begin((number) => `26${number}`, asked)));
      });

      app.get(`${prefix}/salestatus`, async (context) => {
        const sale = await findSale(mount, readSigned(context));
        return context.text(
          sale === undefined || sale.charges.length === 0 ? 'response: NOTFOUND\n' : writeStatus(sale, shopId),
        );
      });

      app.get(`${prefix}/cancel-subscription`, async (context) => {
        const sale = await findSale(mount, readSigned(context));
        if (sale === undefined) throw wrong('There is no such sale.');
        return answerPage(context, mount, {
          provider: 'Verotel',
          title: 'Cancel the subscription',
          facts: [
            ['Sale', sale.id],
            ['State', sale.status],
          ],
          ...(sale.status === 'active' && {
            action: `${prefix}/stand-in/${sale.secret}`,
            buttons: [{ act: 'cancel', label: 'Cancel the subscription', isMain: true }],
          }),
          link: { href: mount.siteUrl, label: 'Back to the site' },
        });
      });
    },

    contentOf: (sale, happening) => contentOf(sale, happening, shopId),

    messageOf(content, wrongly) {
      const parameters = content as Record<string, string>;
      const signature = signPostback(wrongly ? `${signatureKey}0` : signatureKey, parameters);
      return { method: 'GET', query: new URLSearchParams({ ...parameters, signature }).toString(), expects: 'OK' };
    },
  };
}

const wrong = (message: string) => new RequestError('verotel', message);

function readOrder(parameters: Record<string, string>) {
  const { type, priceAmount = '', priceCurrency = '', referenceID = '', subscriptionType, period = '' } = parameters;
  const { trialAmount, trialPeriod } = parameters;
  const isAmount = (text: string) => /^\d+\.\d\d$/.test(text);
  if (!isAmount(priceAmount) || Number(priceAmount) <= 0) throw wrong('The price is not right.');
  if (!currencies.has(priceCurrency)) throw wrong('The currency is not one of those taken.');
  if (referenceID === '') throw wrong('A reference is missing.');
  const common = {
    provider: 'verotel' as const,
    reference: referenceID,
    price: priceAmount,
    currency: priceCurrency,
    description: parameters['name'] ?? parameters['description'] ?? '',
    returnUrl: parameters['successURL'] ?? '',
    closeUrl: parameters['declineURL'] ?? '',
    passed: Object.fromEntries(Object.entries(parameters).filter(([name]) => /^custom[123]$/.test(name))),
  };
  if (type === 'purchase') return { ...common, kind: 'single' as const, period: undefined, first: undefined };
  if (type !== 'subscription') throw wrong('The type is not known.');
  if (subscriptionType !== 'recurring' && subscriptionType !== 'one-time')
    throw wrong('The type of subscription is not known.');
  if ((trialAmount === undefined) !== (trialPeriod === undefined)) throw wrong('The trial is not whole.');
  if (trialAmount !== undefined && !isAmount(trialAmount)) throw wrong('The price of the trial is not right.');
  const trial = trialPeriod === undefined ? undefined : readPeriod(trialPeriod);
  if (trial !== undefined && !('days' in trial)) throw wrong('This stand-in takes trials of days only.');
  return {
    ...common,
    kind: subscriptionType === 'recurring' ? ('recurring' as const) : ('once' as const),
    period: readPeriod(period),
    first: trial === undefined ? undefined : { price: trialAmount ?? '', days: trial.days },
  };
}

function readPeriod(text: string): Period {
  const [, count = '', unit] = /^P(\d{1,3})([DMY])$/.exec(text) ?? [];
  if (unit === undefined || Number(count) === 0) throw wrong('The period is not right.');
  if (unit === 'D') return { days: Number(count) };
  return { months: Number(count) * (unit === 'Y' ? 12 : 1) };
}

function writePeriod(period: Period | undefined): string {
  if (period === undefined) return '';
  return 'days' in period ? `P${period.days}D` : `P${period.months}M`;
}

/** Facts of a sale as all postbacks and the status have them. */
function factsOf(sale: Sale, shopId: string): Record<string, string> {
  const common = {
    shopID: shopId,
    saleID: sale.id,
    referenceID: sale.reference,
    ...sale.passed,
    paymentMethod: 'CC',
    priceAmount: sale.price,
    priceCurrency: sale.currency,
  };
  if (sale.kind === 'single') return { ...common, type: 'purchase', description: sale.description };
  return {
    ...common,
    type: 'subscription',
    name: sale.description,
    subscriptionType: sale.kind === 'recurring' ? 'recurring' : 'one-time',
    subscriptionPhase: sale.first !== undefined && sale.renewals === 0 ? 'trial' : 'normal',
    period: writePeriod(sale.period),
    ...(sale.first !== undefined && { trialAmount: sale.first.price, trialPeriod: `P${sale.first.days}D` }),
  };
}

const card = { CCBrand: 'VISA', truncatedPAN: '400000xxxxxx1111' };

function contentOf(
  sale: Sale,
  { kind, charge, of, until }: Happening,
  shopId: string,
): Record<string, string> | undefined {
  const facts = factsOf(sale, shopId);
  const end = until === undefined ? '' : dayOf(until);
  const renews = sale.kind === 'recurring';
  const charged = { amount: charge?.price ?? '', transactionID: charge?.id ?? '', ...card };
  const event = (name: string, more: Record<string, string>) => ({ ...facts, event: name, ...more });
  switch (kind) {
    case 'sold':
      if (sale.kind === 'single') return { ...facts, transactionID: charge?.id ?? '', ...card };
      return event('initial', { ...charged, [renews ? 'nextChargeOn' : 'expiresOn']: end });
    case 'renewed':
      return event('rebill', { ...charged, subscriptionPhase: 'normal', nextChargeOn: end });
    case 'extended':
      return event('extend', { nextChargeOn: end });
    case 'canceled':
      return event('cancel', { cancelledBy: 'user', expiresOn: end });
    case 'uncanceled':
      return event('uncancel', { nextChargeOn: end });
    case 'expired':
      return event('expiry', {});
    case 'refunded':
    case 'charged-back':
      return event(kind === 'refunded' ? 'credit' : 'chargeback', {
        amount: charge?.price ?? '',
        currency: sale.currency,
        transactionID: charge?.id ?? '',
        parentID: of?.id ?? '',
      });
    default:
      // A declined buyer only comes back, and a failed renewal is tried again in silence.
      return undefined;
  }
}

function writeStatus(sale: Sale, shopId: string): string {
  const end = sale.paidUntil === undefined ? '' : dayOf(sale.paidUntil);
  const renews = sale.status === 'active' && sale.kind === 'recurring';
  const lines = {
    response: 'FOUND',
    ...factsOf(sale, shopId),
    saleResult: 'APPROVED',
    ...(sale.kind !== 'single' && { nextChargeOn: renews ? end : '', expiresOn: renews ? '' : end }),
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
