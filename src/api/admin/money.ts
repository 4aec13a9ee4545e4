import { z } from '@hono/zod-openapi';
import {
  CancelForm,
  GiftCardRefundForm,
  LockForm,
  PoolForm,
  PromoCodeForm,
  RefundForm,
  TrialsForm,
} from '#domain/admin/forms.ts';
import type { PromoCodeChange } from '#domain/admin/money/promo-codes.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { User } from '#domain/kernel/viewer.ts';
import { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { Correction, ReconciliationFailure, Total } from '#domain/membership/shapes.ts';
import type { Site } from '#domain/site.ts';
import { adminCall, freshAdminCall } from '../call.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { pageOf, PageQuery } from '../schemas.ts';

/** Payments, for operators. The domain checks rights and logs the acts. */

const reading = { limit: { kind: 'admin', perMinute: 120 } } as const;
const acting = { ...reading, sameSite: true } as const;
/** For acts that move money or cannot be undone. */
const strict = { limit: { kind: 'admin', perMinute: 60 }, sameSite: true } as const;
/** Ids of the payment provider. */
const providerId = z.object({ id: z.string().min(1).max(200) });
const ofMonth = z.object({ month: z.string().max(20).openapi({ example: '2026-10' }) });
/** A change of a month's payouts. */
const changeOfMonth = {
  params: ofMonth,
  errors: ['request/not-found', 'payout/changed', 'payout/locked', 'payout/too-early', 'payout/no-pool'],
  ...strict,
} as const;
/** The path has the id of the user. */
const findSubscriptionId = async ({ site, viewer, id }: { site: Site; viewer: User; id: string }) =>
  (await site.admin.money.findSubscriptionDetail(viewer, id))?.subscriptionId;
const thisMonth = () => new Date().toISOString().slice(0, 7);
const PromoCode = z.object({ id: z.string(), code: z.string() });
const Ending = z.object({ endsAt: Instant.nullable() });

export const createPromoCode = adminCall({
  post: '/admin/promo-codes',
  about: 'Offers a promo code',
  input: PromoCodeForm,
  output: PromoCode,
  status: 201,
  errors: [
    'request/not-found',
    'promo-code/exists',
    'promo-code/above-price',
    'subscription/currency-not-offered',
    'payment/unavailable',
  ],
  ...acting,
  once: true,
  act: async ({ site, viewer, input }) => promoCodeOf(await site.admin.money.createPromoCode(viewer, input)),
});

export const replacePromoCode = adminCall({
  put: '/admin/promo-codes/{id}',
  about: 'Ends a promo code and creates a new one with these rules; its uses start at 0',
  params: providerId,
  input: PromoCodeForm,
  output: PromoCode,
  errors: [
    'request/not-found',
    'promo-code/exists',
    'promo-code/changed',
    'promo-code/above-price',
    'subscription/currency-not-offered',
    'payment/unavailable',
  ],
  ...acting,
  once: true,
  act: async ({ site, viewer, id, input }) => promoCodeOf(await site.admin.money.replacePromoCode(viewer, id, input)),
});

function promoCodeOf(change: PromoCodeChange) {
  if (!change.ok) return change;
  const { id, code } = change.promoCode;
  return { id, code };
}

export const endPromoCode = adminCall({
  delete: '/admin/promo-codes/{id}',
  about: 'Disables the code; existing discounts stay',
  params: providerId,
  errors: ['request/not-found', 'promo-code/exists', 'promo-code/changed', 'payment/unavailable'],
  ...acting,
  act: ({ site, viewer, id }) => site.admin.money.endPromoCode(viewer, id),
});

export const createGiftCard = freshAdminCall({
  post: '/admin/gift-cards',
  about: 'Makes a gift card that nobody pays for, and mails its code',
  input: MadeGiftCardForm,
  output: z.object({ id: z.string() }),
  status: 201,
  ...strict,
  once: true,
  async act({ site, viewer, input }) {
    const { id } = await site.admin.money.createGiftCard(viewer, input);
    return { id };
  },
});

export const resendGiftCard = adminCall({
  post: '/admin/gift-cards/{id}/mail',
  about: 'Mails a new code; the one before stops working',
  errors: ['request/not-found', 'gift-card/already-redeemed', 'gift-card/refunded', 'gift-card/unknown'],
  ...acting,
  once: true,
  act: ({ site, viewer, id }) => site.admin.money.resendGiftCard(viewer, id),
});

export const refundGiftCard = freshAdminCall({
  post: '/admin/gift-cards/{id}/refund',
  about: 'Pays a gift card back, once; a redeemed one only when said',
  input: GiftCardRefundForm,
  errors: ['request/not-found', 'gift-card/already-redeemed', 'gift-card/refunded', 'gift-card/unknown'],
  ...strict,
  once: true,
  act: ({ site, viewer, id, input }) => site.admin.money.refundGiftCard(viewer, id, input),
});

export const refundPayment = freshAdminCall({
  post: '/admin/payments/{id}/refund',
  seen: { key: newId },
  about: 'Refunds a payment, whole or in part; the same key refunds once',
  input: RefundForm,
  output: z.object({ refunded: z.number().describe('Cents, in all') }),
  errors: ['request/not-found', 'refund/changed', 'refund/too-much', 'refund/not-possible', 'payment/unavailable'],
  ...strict,
  once: true,
  act: ({ site, viewer, id, input }) => site.admin.money.refundPayment(viewer, { invoiceId: id, ...input }),
});

export const cancelSubscription = freshAdminCall({
  post: '/admin/subscriptions/{id}/cancel',
  seen: { subscriptionId: findSubscriptionId },
  about: 'Ends a user’s subscription now, or at the end of the paid time; pays nothing back',
  input: CancelForm,
  output: Ending,
  errors: ['request/not-found', 'subscription/changed', 'payment/unavailable'],
  ...strict,
  once: true,
  act: ({ site, viewer, id, input }) => site.admin.money.cancelSubscription(viewer, id, input),
});

export const resumeSubscription = adminCall({
  post: '/admin/subscriptions/{id}/resume',
  seen: { subscriptionId: findSubscriptionId },
  about: 'Takes a cancellation back before its time',
  input: CancelForm.pick({ subscriptionId: true }),
  output: Ending,
  errors: ['request/not-found', 'subscription/changed', 'payment/unavailable'],
  ...acting,
  once: true,
  act: ({ site, viewer, id, input }) => site.admin.money.resumeSubscription(viewer, id, input),
});

export const replayPaymentEvent = adminCall({
  post: '/admin/webhook-events/{id}/replay',
  command: 'webhook-events replay',
  about: 'Settles an event of the payment provider again; safe to repeat',
  params: providerId,
  output: z.object({ status: z.enum(['received', 'done', 'ignored', 'failed']), error: z.string().nullable() }),
  errors: ['request/not-found'],
  ...acting,
  async act({ site, viewer, id }) {
    const outcome = await site.admin.money.replayPaymentEvent(viewer, id);
    return outcome.ok ? { status: outcome.event.status, error: outcome.event.error } : outcome;
  },
});

const Reconciliation = z.object({
  id: z.uuid(),
  startedAt: Instant,
  endedAt: Instant.nullable().describe('Null while it runs, or after an interruption'),
  customers: z.number(),
  mended: z.number(),
  abandoned: z.number(),
  atProvider: z.number().describe('Cents paid less cents refunded of the compared invoices'),
  hereBefore: z.number(),
  hereAfter: z.number(),
  corrections: z.array(Correction),
  failures: z.array(ReconciliationFailure),
  failed: z.number(),
  totals: z
    .array(Total)
    .describe(
      'Subscriptions that are paid for, and the cents paid and refunded of each month’s payments, within a year',
    ),
});

export const listReconciliations = adminCall({
  get: '/admin/reconciliations',
  about: 'What the comparisons with the payment provider found, newest first',
  query: PageQuery,
  output: pageOf(Reconciliation),
  ...reading,
  async act({ site, viewer, query }) {
    const { items, nextCursor } = await site.admin.money.listReconciliations(viewer, query);
    return { items: items.map(({ position: _position, ...run }) => run), nextCursor };
  },
});

export const requestReconciliation = adminCall({
  post: '/admin/reconciliations',
  command: { none: 'payments reconcile compares at once' },
  about: 'Compares all subscriptions with the payment provider, as a job',
  status: 202,
  errors: ['reconciliation/running'],
  ...acting,
  async act({ site, viewer }) {
    if (!(await site.admin.money.requestReconciliation(viewer))) throw new DomainError('reconciliation/running');
  },
});

const TaxTotal = z.object({
  country: z.string().describe('Empty: unknown'),
  permille: z.number().int().nullable().describe('200 is 20%; null: without tax'),
  currency: z.string(),
  invoices: z.number().int(),
  creditNotes: z.number().int(),
  net: z.number().int(),
  tax: z.number().int(),
  gross: z.number().int(),
});

export const findTax = adminCall({
  get: '/admin/tax/{quarter}',
  command: 'payments tax-totals',
  about: 'A quarter’s invoices less its credit notes, by country, rate and currency, in whole cents',
  params: z.object({ quarter: z.string().max(20).openapi({ example: '2026-Q4' }) }),
  output: z.object({ totals: z.array(TaxTotal) }),
  ...reading,
  async act({ site, viewer, quarter }) {
    const totals = await site.admin.money.findTax(viewer, quarter);
    return totals && { totals };
  },
});

export const setCountsTrials = freshAdminCall({
  put: '/admin/payouts/trials',
  command: 'payouts set-trials',
  seen: {
    revision: async ({ site, viewer }) => (await site.admin.money.findPayouts(viewer, thisMonth()))?.settingRevision,
  },
  about: 'Whether listening in trials is paid for, in months that are not locked',
  input: TrialsForm,
  errors: ['payout/changed'],
  ...strict,
  async act({ site, viewer, input }) {
    await site.admin.money.setCountsTrials(viewer, input);
    await site.settings.refresh();
  },
});

export const setPayoutPool = freshAdminCall({
  put: '/admin/payouts/{month}/pool',
  seen: {
    revision: async ({ site, viewer, month }) => (await site.admin.money.findPayouts(viewer, month))?.revision ?? 0,
  },
  about: 'The cents that creators share for a month',
  ...changeOfMonth,
  input: PoolForm,
  act: ({ site, viewer, month, input }) => site.admin.money.setPayoutPool(viewer, month, input),
});

export const lockPayouts = freshAdminCall({
  post: '/admin/payouts/{month}/lock',
  seen: {
    checksum: async ({ site, viewer, month }) => (await site.admin.money.findPayouts(viewer, month))?.checksum,
  },
  about: 'Writes a month’s payouts down for good, from the third day of the next month on',
  ...changeOfMonth,
  input: LockForm,
  act: ({ site, viewer, month, input }) => site.admin.money.lockPayouts(viewer, month, input),
});
