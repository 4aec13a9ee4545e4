import type { Context, Hono } from 'hono';
import type { Credentials } from '../credentials.ts';
import { answerOrder } from '../pages/sale-pages.ts';
import { type Mount, RequestError, type StandIn } from '../provider.ts';
import type { NewSale } from '../engine.ts';
import type { Sale } from '../sales/sale.ts';
import { currencyCodes, digestOfForm } from './digest.ts';
import { contentOf } from './webhooks.ts';

export type CcbillStandInOptions = {
  account: Credentials['ccbill'];
  /** Pages that the operator would set at CCBill; `%%name%%` is what the form was given under this name. */
  approvedUrl: string;
  deniedUrl: string;
};

/** FlexForms, DataLink's subscription management, and webhooks. */
export function openCcbillStandIn({ account, approvedUrl, deniedUrl }: CcbillStandInOptions): StandIn {
  function readForm(parameters: Record<string, string>): NewSale {
    const { clientAccnum, clientSubacc, currencyCode = '', initialPrice = '', initialPeriod = '' } = parameters;
    const { recurringPrice, recurringPeriod, numRebills } = parameters;
    if (clientAccnum !== account.clientAccnum || clientSubacc !== account.clientSubacc)
      throw wrong('There is no such account.');
    if (parameters['formDigest'] !== digestOfForm(parameters, account.salt)) throw wrong('The digest is not right.');
    const currency = currencyCodes[currencyCode];
    if (currency === undefined) throw wrong('The currency is not one of those taken.');
    const isPrice = (text: string | undefined) => text !== undefined && /^\d+(?:\.\d\d)?$/.test(text);
    const isPeriod = (text: string | undefined) => text !== undefined && Number(text) >= 2 && Number(text) <= 365;
    if (!isPrice(initialPrice) || !isPeriod(initialPeriod)) throw wrong('The price or its period is not right.');
    const renews = recurringPrice !== undefined;
    if (renews && !(isPrice(recurringPrice) && isPeriod(recurringPeriod) && Number(numRebills) > 0))
      throw wrong('The recurring price or its period is not right.');
    const passed = Object.fromEntries(Object.entries(parameters).filter(([name]) => !formNames.has(name)));
    const fill = (url: string) =>
      url.replaceAll(/%%(\w+)%%/g, (_all, name: string) => encodeURIComponent(passed[name] ?? ''));
    const days = Number(recurringPeriod ?? initialPeriod);
    const isOther = renews && (initialPrice !== recurringPrice || initialPeriod !== recurringPeriod);
    return {
      provider: 'ccbill',
      reference: passed['reference'] ?? '',
      kind: renews ? 'recurring' : 'once',
      price: recurringPrice ?? initialPrice,
      currency,
      period: { days },
      first: isOther ? { price: initialPrice, days: Number(initialPeriod) } : undefined,
      description: 'CCBill FlexForm',
      returnUrl: fill(approvedUrl),
      closeUrl: fill(deniedUrl),
      passed: { ...passed, currencyCode, formDigest: parameters['formDigest'] ?? '' },
    };
  }

  async function answerDataLink(context: Context, { engine, deliverLater }: Mount) {
    const parameters: Record<string, string> =
      context.req.method === 'POST'
        ? Object.fromEntries(new URLSearchParams(await context.req.text()))
        : context.req.query();
    const { username, password, clientAccnum, action, subscriptionId = '' } = parameters;
    const answer = (results: string) =>
      context.body(`<?xml version='1.0' standalone='yes'?>\n<results>${results}</results>`, 200, {
        'content-type': 'text/xml',
      });
    if (username !== account.dataLinkUser || password !== account.dataLinkPassword) return answer('-1');
    if (clientAccnum !== account.clientAccnum) return answer('-4');
    const sale = await engine.find(subscriptionId);
    if (sale?.provider !== 'ccbill' || sale.charges.length === 0) return answer('-3');
    if (action === 'viewSubscriptionStatus') return answer(writeStatus(sale));
    if (action !== 'cancelSubscription') return answer('-6');
    if (sale.status !== 'active' || sale.kind !== 'recurring') return answer('0');
    await engine.cancel(sale.id);
    deliverLater();
    return answer('1');
  }

  return {
    routes(app: Hono, mount) {
      const { prefix, engine } = mount;
      app.get(`${prefix}/wap-frontflex/flexforms/:flexId`, async (context) => {
        if (context.req.param('flexId') !== account.flexId) throw wrong('There is no such form.');
        const asked = readForm(context.req.query());
        const before = asked.reference === '' ? undefined : await engine.findByReference('ccbill', asked.reference);
        // Longer than numbers are exact, and with zeros in front, as the real ones are.
        const sale = before ?? (await engine.begin((number) => `0126015${number.padStart(12, '0')}`, asked));
        return answerOrder(context, mount, sale);
      });
      app.on(['GET', 'POST'], `${prefix}/utils/subscriptionManagement.cgi`, (context) =>
        answerDataLink(context, mount),
      );
    },

    contentOf: (sale, happening) => contentOf(sale, happening, account),

    messageOf(content, wrongly) {
      const { eventType, ...fields } = content as Record<string, string>;
      // Nothing is signed: another account's webhook is what can be wrong.
      const clientAccnum = wrongly ? '999999' : account.clientAccnum;
      const query = {
        clientAccnum,
        clientSubacc: account.clientSubacc,
        eventType: eventType ?? '',
        eventGroupType: 'Subscription',
      };
      return {
        method: 'POST',
        query: new URLSearchParams(query).toString(),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, clientAccnum }),
      };
    },
  };
}

const wrong = (message: string) => new RequestError('ccbill', message);

const formNames = new Set([
  'clientAccnum',
  'clientSubacc',
  'currencyCode',
  'initialPrice',
  'initialPeriod',
  'recurringPrice',
  'recurringPeriod',
  'numRebills',
  'formDigest',
]);

/** `20270115123000`, in Arizona's time, which CCBill has. */
function stampOf(at: number | undefined): string {
  if (at === undefined) return '';
  return new Date(at - 7 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

function writeStatus(sale: Sale): string {
  const isDead = sale.status === 'ended';
  const renews = sale.status === 'active' && sale.kind === 'recurring';
  const status = {
    subscriptionStatus: isDead ? '0' : renews ? '2' : '1',
    recurringSubscription: sale.kind === 'recurring' ? '1' : '0',
    signupDate: stampOf(sale.charges[0]?.at),
    cancelDate: stampOf(sale.canceledAt),
    expirationDate: renews ? '' : stampOf(sale.paidUntil),
    nextBillingDate: renews ? stampOf(sale.paidUntil).slice(0, 8) : '',
    timesRebilled: String(sale.renewals),
    refundsIssued: String(sale.refunds),
    returnsIssued: '0',
    voidsIssued: '0',
    chargebacksIssued: String(sale.chargebacks),
  };
  return Object.entries(status)
    .map(([name, value]) => `\n  <${name}>${value}</${name}>`)
    .join('')
    .concat('\n');
}
