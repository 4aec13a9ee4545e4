import type { Context, Hono } from 'hono';
import type { Mount } from '../provider.ts';
import { ActError, type Provider, type Sale } from '../sales/sale.ts';
import { type Page, pageHeaders, pageStyle, writePage } from './page.ts';

export const titles: Record<Provider, string> = { verotel: 'Verotel', ccbill: 'CCBill', btcpay: 'BTCPay Server' };

export function answerPage(
  context: Context,
  { prefix }: Mount,
  page: Page,
  backTo: string[] = [],
  status: 200 | 400 = 200,
) {
  return context.body(writePage(page, prefix), status, pageHeaders(backTo));
}

/** The page of an order, with its three buttons. */
export function answerOrder(context: Context, mount: Mount, sale: Sale) {
  const provider = titles[sale.provider];
  if (sale.status !== 'open') return answerDone(context, mount, sale);
  const { price, currency, period, first, kind, description } = sale;
  const every =
    period === undefined
      ? ''
      : ` for ${'months' in period ? countOf(period.months, 'month') : countOf(period.days, 'day')}`;
  return answerPage(
    context,
    mount,
    {
      provider,
      title: 'Payment',
      facts: [
        ['For', description],
        ...(first === undefined
          ? []
          : [['Now', `${first.price} ${currency} for ${countOf(first.days, 'day')}`] as [string, string]]),
        [
          first === undefined ? 'Price' : 'Then',
          `${price} ${currency}${every}${kind === 'recurring' ? ', renewed until it is canceled' : ''}`,
        ],
        ['Order', sale.reference],
      ],
      action: `${mount.prefix}/stand-in/${sale.secret}`,
      buttons: [
        { act: 'pay', label: 'Pay', isMain: true },
        { act: 'decline', label: 'Decline' },
        { act: 'close', label: 'Close' },
      ],
    },
    [sale.returnUrl, sale.closeUrl],
  );
}

function answerDone(context: Context, mount: Mount, sale: Sale) {
  return answerPage(context, mount, {
    provider: titles[sale.provider],
    title: 'Payment',
    text: `This order is ${sale.status === 'waiting' ? 'being confirmed' : sale.status}.`,
    link: { href: sale.returnUrl, label: 'Back to the site' },
  });
}

export type PageOptions = { isOff: (provider: Provider) => boolean; afterAct: () => Promise<void> };

/** Acts on these pages. */
export function addSalePages(app: Hono, mount: Mount, { isOff, afterAct }: PageOptions): void {
  const { prefix, engine, siteUrl } = mount;
  const path = `${prefix}/stand-in`;

  app.get(`${path}/page.css`, (context) =>
    context.body(pageStyle, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' }),
  );

  app.post(`${path}/:secret/:act`, async (context) => {
    const sale = await engine.findBySecret(context.req.param('secret'));
    if (sale === undefined) return context.notFound();
    if (isOff(sale.provider)) return context.text('Service Unavailable', 503);
    try {
      switch (context.req.param('act')) {
        case 'pay': {
          const { charges } = await engine.pay(sale.id);
          await afterAct();
          return context.redirect(charges.length === 0 ? sale.closeUrl : sale.returnUrl, 303);
        }
        case 'decline':
          await engine.decline(sale.id);
          await afterAct();
          return context.redirect(sale.closeUrl, 303);
        case 'close':
          return context.redirect(sale.closeUrl, 303);
        case 'cancel':
          await engine.cancel(sale.id);
          await afterAct();
          return answerPage(context, mount, {
            provider: titles[sale.provider],
            title: 'Subscription canceled',
            text: 'It will not be charged again.',
            link: { href: siteUrl, label: 'Back to the site' },
          });
        default:
          return context.notFound();
      }
    } catch (error) {
      if (error instanceof ActError) return answerDone(context, mount, sale);
      throw error;
    }
  });
}

const countOf = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;
