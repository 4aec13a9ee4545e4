import { createRoute, z } from '@hono/zod-openapi';
import { inOrder, loggedInOnly, personal } from './guards.ts';
import { InvoiceDetailResponse, InvoiceResponse } from '#api/membership-schemas.ts';
import { failures, json, pageOf, PageQuery, unauthorized } from '#api/schemas.ts';

const own = inOrder(personal, loggedInOnly);

export const listInvoices = createRoute({
  method: 'get',
  path: '/user/invoices',
  middleware: own,
  tags: ['Subscription'],
  summary: 'Invoices, newest first',
  request: { query: PageQuery },
  responses: { 200: json(pageOf(InvoiceResponse), 'A page'), 400: failures[400], 401: unauthorized },
});

export const findInvoice = createRoute({
  method: 'get',
  path: '/user/invoices/{id}',
  middleware: own,
  tags: ['Subscription'],
  summary: 'One invoice, with the data for a printed one',
  request: { params: z.object({ id: z.uuid() }) },
  responses: { 200: json(InvoiceDetailResponse, 'Invoice'), 401: unauthorized, ...failures },
});

export const printInvoice = createRoute({
  method: 'get',
  path: '/user/invoices/{id}/pdf',
  middleware: own,
  tags: ['Subscription'],
  summary: 'One invoice as a PDF',
  request: { params: z.object({ id: z.uuid() }) },
  responses: {
    200: {
      description: 'PDF',
      content: { 'application/pdf': { schema: z.string().openapi({ format: 'binary' }) } },
    },
    401: unauthorized,
    ...failures,
  },
});
