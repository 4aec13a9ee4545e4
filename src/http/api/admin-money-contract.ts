import { createRoute, z } from '@hono/zod-openapi';
import {
  CancelForm,
  GiftCardRefundForm,
  LockForm,
  PoolForm,
  PromoCodeForm,
  RefundForm,
  TrialsForm,
} from '#domain/admin/forms.ts';
import { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, freshAdminOnly, inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { sameSiteOnly } from './same-site.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, PageQuery, pageOf, refusals } from '#api/schemas.ts';

/** Payments in Admin. The domain checks rights and logs the acts. */

const acting = inOrder(personal, sameSiteOnly, adminOnly, limitAccount('admin', 120), limitBody(16 * 1024));
/** For acts that move money or cannot be undone. */
const strict = inOrder(personal, sameSiteOnly, freshAdminOnly, limitAccount('admin', 60), limitBody(16 * 1024));
const act = { middleware: acting, tags: ['Admin'] };
const strictRoute = { middleware: strict, tags: ['Admin'] };
const answers = { ...refusals, ...failures };
const done = { 204: { description: 'Done' }, ...answers };
/** Ids of the payment provider. */
const providerId = z.object({ id: z.string().min(1).max(200) });
const ofMonth = z.object({ month: z.string().max(20).openapi({ example: '2026-10' }) });
const promoCode = json(z.object({ id: z.string(), code: z.string() }), 'The promo code');
const ending = json(z.object({ endsAt: z.iso.datetime().nullable() }), 'When it ends');

export const createPromoCode = createRoute({
  ...act,
  method: 'post',
  path: '/admin/promo-codes',
  summary: 'Offers a promo code',
  request: { body: jsonBody(PromoCodeForm) },
  responses: { 201: promoCode, ...answers },
});

export const replacePromoCode = createRoute({
  ...act,
  method: 'put',
  path: '/admin/promo-codes/{id}',
  summary: 'Ends a promo code and creates a new one with these rules; its uses start at 0',
  request: { params: providerId, body: jsonBody(PromoCodeForm) },
  responses: { 200: promoCode, ...answers },
});

export const endPromoCode = createRoute({
  ...act,
  method: 'delete',
  path: '/admin/promo-codes/{id}',
  summary: 'Disables the code; existing discounts stay',
  request: { params: providerId },
  responses: done,
});

export const createGiftCard = createRoute({
  ...strictRoute,
  method: 'post',
  path: '/admin/gift-cards',
  summary: 'Makes a gift card that nobody pays for, and mails its code',
  request: { body: jsonBody(MadeGiftCardForm) },
  responses: { 201: json(z.object({ id: z.string() }), 'Made'), ...answers },
});

export const resendGiftCard = createRoute({
  ...act,
  method: 'post',
  path: '/admin/gift-cards/{id}/mail',
  summary: 'Mails a new code; the one before stops working',
  request: { params: ownId },
  responses: done,
});

export const refundGiftCard = createRoute({
  ...strictRoute,
  method: 'post',
  path: '/admin/gift-cards/{id}/refund',
  summary: 'Pays a gift card back, once; a redeemed one only when said',
  request: { params: ownId, body: jsonBody(GiftCardRefundForm) },
  responses: done,
});

export const refundPayment = createRoute({
  ...strictRoute,
  method: 'post',
  path: '/admin/payments/{id}/refund',
  summary: 'Refunds a payment, whole or in part; the same key refunds once',
  request: { params: ownId, body: jsonBody(RefundForm) },
  responses: { 200: json(z.object({ refunded: z.number().describe('Cents, in all') }), 'Refunded'), ...answers },
});

export const cancelSubscription = createRoute({
  ...strictRoute,
  method: 'post',
  path: '/admin/subscriptions/{id}/cancel',
  summary: 'Ends a user’s subscription now, or at the end of the paid time; pays nothing back',
  request: { params: ownId, body: jsonBody(CancelForm) },
  responses: { 200: ending, ...answers },
});

export const resumeSubscription = createRoute({
  ...act,
  method: 'post',
  path: '/admin/subscriptions/{id}/resume',
  summary: 'Takes a cancellation back before its time',
  request: { params: ownId, body: jsonBody(CancelForm.pick({ subscriptionId: true })) },
  responses: { 200: ending, ...answers },
});

export const replayPaymentEvent = createRoute({
  ...act,
  method: 'post',
  path: '/admin/webhook-events/{id}/replay',
  summary: 'Settles an event of the payment provider again; safe to repeat',
  request: { params: providerId },
  responses: {
    200: json(
      z.object({ status: z.enum(['received', 'done', 'ignored', 'failed']), error: z.string().nullable() }),
      'What became of it',
    ),
    ...answers,
  },
});

const difference = { atProvider: z.number(), here: z.number() };
const ofMonthly = { ...difference, month: z.string().openapi({ example: '2026-10' }), currency: z.string() };

const ReconciliationResponse = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable().describe('Null while it runs, or after an interruption'),
  customers: z.number(),
  mended: z.number(),
  abandoned: z.number(),
  atProvider: z.number().describe('Cents paid less cents refunded of the compared invoices'),
  hereBefore: z.number(),
  hereAfter: z.number(),
  corrections: z.array(z.object({ customerId: z.string(), before: z.number(), after: z.number() })),
  failures: z.array(z.object({ customerId: z.string(), reason: z.string() })),
  failed: z.number(),
  totals: z
    .array(
      z.discriminatedUnion('of', [
        z.object({ of: z.literal('paying'), ...difference }),
        z.object({ of: z.literal('paid'), ...ofMonthly }),
        z.object({ of: z.literal('refunded'), ...ofMonthly }),
      ]),
    )
    .describe(
      'Subscriptions that are paid for, and the cents paid and refunded of each month’s payments, within a year',
    ),
});

export const listReconciliations = createRoute({
  method: 'get',
  path: '/admin/reconciliations',
  middleware: inOrder(personal, loggedInOnly, adminOnly, limitAccount('admin', 120)),
  tags: ['Admin'],
  summary: 'What the comparisons with the payment provider found, newest first',
  request: { query: PageQuery },
  responses: { 200: json(pageOf(ReconciliationResponse), 'Runs'), ...answers },
});

export const requestReconciliation = createRoute({
  ...act,
  method: 'post',
  path: '/admin/reconciliations',
  summary: 'Compares all subscriptions with the payment provider, as a job',
  responses: { 202: { description: 'It begins within seconds' }, ...answers },
});

export const setCountsTrials = createRoute({
  ...strictRoute,
  method: 'put',
  path: '/admin/payouts/trials',
  summary: 'Whether listening in trials is paid for, in months that are not locked',
  request: { body: jsonBody(TrialsForm) },
  responses: { ...done, 409: json(ErrorResponse, 'Someone else changed it meanwhile') },
});

export const setPayoutPool = createRoute({
  ...strictRoute,
  method: 'put',
  path: '/admin/payouts/{month}/pool',
  summary: 'The cents that creators share for a month',
  request: { params: ofMonth, body: jsonBody(PoolForm) },
  responses: { ...done, 409: json(ErrorResponse, 'The month is locked, or someone else changed its pool meanwhile') },
});

export const lockPayouts = createRoute({
  ...strictRoute,
  method: 'post',
  path: '/admin/payouts/{month}/lock',
  summary: 'Writes a month’s payouts down for good, from the third day of the next month on',
  request: { params: ofMonth, body: jsonBody(LockForm) },
  responses: {
    ...done,
    409: json(
      ErrorResponse,
      'The month is locked already, has no pool, or is not over; or its pool was changed meanwhile',
    ),
  },
});
