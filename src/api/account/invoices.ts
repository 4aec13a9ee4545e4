import { attachment } from '../attachment.ts';
import { userCall } from '../call.ts';
import { InvoiceDetailResponse, InvoiceResponse } from './membership-schemas.ts';
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
    const invoice = await site.membership.findInvoice(viewer.id, id);
    if (invoice === undefined) return undefined;
    // Its fonts are loaded with the first PDF.
    const { invoiceFileName, invoicePdf } = await import('./invoice-pdf.ts');
    return attachment(new Uint8Array(await invoicePdf(invoice)), 'application/pdf', invoiceFileName(invoice));
  },
});
