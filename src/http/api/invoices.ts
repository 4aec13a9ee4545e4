import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import * as contract from './invoices-contract.ts';
import { toJson } from '#api/membership-schemas.ts';
import { toPageResponse } from '#api/schemas.ts';

/** A subscriber's invoices. */
export function invoiceRoutes({ site: { membership } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listInvoices, async (context) => {
      const { viewer } = context.get('loggedIn');
      const page = await membership.listInvoices(viewer.id, context.req.valid('query'));
      return context.json(toPageResponse(toJson(page)), 200);
    })
    .openapi(contract.findInvoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      const invoice = found(await membership.findInvoice(viewer.id, context.req.valid('param').id));
      return context.json(toJson(invoice), 200);
    })
    .openapi(contract.printInvoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      const invoice = found(await membership.findInvoice(viewer.id, context.req.valid('param').id));
      // Its fonts are loaded with the first PDF.
      const { invoiceFileName, invoicePdf } = await import('../files/invoice-pdf.ts');
      return new Response(new Uint8Array(await invoicePdf(invoice)), {
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${invoiceFileName(invoice)}"`,
        },
      }) as never;
    });
}
