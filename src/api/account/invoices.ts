import { inLanguage } from '#i18n';
import { attachment } from '../attachment.ts';
import { userCall } from '../call.ts';
import { InvoiceDetailResponse, InvoiceResponse } from './membership-schemas.ts';
import { z } from '@hono/zod-openapi';
import { pageOf, PageQuery } from '../schemas.ts';

export const listInvoices = userCall({
  get: '/user/invoices',
  about: 'Invoices, newest first',
  query: PageQuery,
  output: pageOf(InvoiceResponse),
  act: ({ site, viewer, query }) => site.membership.listInvoices(viewer.id, query),
});

export const findInvoice = userCall({
  get: '/user/invoices/{id}',
  about: 'One invoice, with the data for a printed one',
  output: InvoiceDetailResponse,
  act: ({ site, viewer, id }) => site.membership.findInvoice(viewer.id, id),
});

export const printInvoice = userCall({
  get: '/user/invoices/{id}/pdf',
  about: 'One invoice as a PDF',
  file: 'application/pdf',
  async act({ site, viewer, id }) {
    // Its fonts are loaded with the first PDF.
    const { invoiceFileName, invoicePdf, pdfLanguage } = await import('./invoice-pdf.ts');
    const invoice = await inLanguage(pdfLanguage(), () => site.membership.findInvoice(viewer.id, id));
    if (invoice === undefined) return undefined;
    return attachment(new Uint8Array(await invoicePdf(invoice)), 'application/pdf', invoiceFileName(invoice));
  },
});

export const findVatId = userCall({
  get: '/user/vat-id',
  about: 'The VAT ID that new invoices have',
  output: z.object({ vatId: z.string().nullable() }),
  act: async ({ site, viewer }) => ({ vatId: await site.membership.findVatId(viewer.id) }),
});

export const setVatId = userCall({
  put: '/user/vat-id',
  about: 'Sets the VAT ID for new invoices; only its form is checked, and tax is charged nevertheless',
  input: z.strictObject({ vatId: z.string().trim().max(30).nullable().describe('Null removes it') }),
  errors: ['invoice/no-vat-id'],
  sameSite: true,
  async act({ site, viewer, input: { vatId } }) {
    if (!(await site.membership.setVatId(viewer.id, vatId === '' ? null : vatId)))
      return { ok: false, reason: 'invoice/no-vat-id' };
    return { ok: true };
  },
});
