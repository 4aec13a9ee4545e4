import { type Context, Hono } from 'hono';
import type pg from 'pg';
import type Stripe from 'stripe';
import { readClientScript } from './client-script.ts';
import { invoicePage, invoiceStyle } from './invoice-page.ts';
import { invoicePdf } from './invoice-pdf.ts';

const base = '/stripe-sandbox';
const scriptHeaders = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' };
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** The sandbox's routes for browsers. */
export function openBrowserSide({ api, pool }: { api: Hono; pool: pg.Pool }): Hono {
  const app = new Hono();

  /** The invoice's URL holds a secret that grants access, as with Stripe's hosted page. */
  async function findInvoice(context: Context): Promise<Stripe.Invoice | undefined> {
    const secret = context.req.param('secret') ?? '';
    if (!/^\w{1,200}$/.test(secret)) return undefined;
    const { rows } = await pool.query<{ document: Stripe.Invoice }>(
      `select document from stripe_sandbox.objects
       where kind = 'invoice' and not deleted and hidden #>> '{pageSecret}' = $1 and document #>> '{status}' <> 'draft'`,
      [secret],
    );
    return rows[0]?.document;
  }

  app.get(`${base}/v3.js`, (context) =>
    context.body("import './script/browser/client/main.ts';\n", 200, scriptHeaders),
  );
  app.get(`${base}/script/*`, async (context) => {
    const script = await readClientScript(context.req.path.slice(`${base}/script/`.length));
    return script === undefined ? context.notFound() : context.body(script, 200, scriptHeaders);
  });
  app.get(`${base}/invoice.css`, (context) =>
    context.body(invoiceStyle, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' }),
  );
  app.get(`${base}/invoices/:secret`, async (context) => {
    const invoice = await findInvoice(context);
    return invoice === undefined ? context.notFound() : context.body(invoicePage(invoice), 200, pageHeaders);
  });
  app.get(`${base}/invoices/:secret/pdf`, async (context) => {
    const invoice = await findInvoice(context);
    if (invoice === undefined) return context.notFound();
    return context.body(invoicePdf(invoice), 200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${invoice.number ?? 'invoice'}.pdf"`,
      'cache-control': 'private, no-store',
    });
  });
  app.route(base, api);
  return app;
}
