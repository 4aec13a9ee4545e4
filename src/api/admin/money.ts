import { z } from '@hono/zod-openapi';
import {
  CancelForm,
  GiftCardRefundForm,
  LockForm,
  PoolForm,
  PromoCodeForm,
  RefundForm,
  TipRefundForm,
  TrialsForm,
} from '#domain/admin/forms.ts';
import { overviewPeriods } from '#domain/admin/rules.ts';
import type { PromoCodeChange } from '#domain/admin/money/promo-codes.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { User } from '#domain/kernel/viewer.ts';
import { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { providerNames } from '#domain/membership/capabilities.ts';
import { movedKinds } from '#domain/membership/moving/tables.ts';
import { Correction, PauseEnd, ReconciliationFailure, Total } from '#domain/membership/shapes.ts';
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
  errors: [
    'request/not-found',
    'payout/changed',
    'payout/locked',
    'payout/too-early',
    'payout/no-pool',
    'payout/other-currency',
  ],
  ...strict,
} as const;
/** The path has the id of the user. */
const findSubscriptionId = async ({ site, viewer, id }: { site: Site; viewer: User; id: string }) =>
  (await site.admin.money.findSubscriptionDetail(viewer, id))?.subscriptionId;
const endChargesNow = async ({ site, viewer, id }: { site: Site; viewer: User; id: string }) => {
  const subscription = (await site.admin.money.findSubscriptionDetail(viewer, id))?.subscription;
  return subscription?.state === 'paused' && subscription.giftUntil === null;
};
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

export const refundTip = freshAdminCall({
  post: '/admin/tips/{id}/refund',
  about: 'Pays a tip back, once and whole; the creator’s part is taken off the month that runs',
  input: TipRefundForm,
  errors: ['request/not-found', 'tip/refunded', 'tip/unknown', 'payment/unavailable'],
  ...strict,
  once: true,
  act: ({ site, viewer, id, input }) => site.admin.money.refundTip(viewer, id, input),
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

export const endPause = adminCall({
  post: '/admin/subscriptions/{id}/pause/end',
  command: 'subscriptions end-pause',
  seen: { subscriptionId: findSubscriptionId, chargesNow: endChargesNow },
  about: 'Takes a user’s pause back before it begins; ends a running one, which charges at once',
  input: CancelForm.pick({ subscriptionId: true }).extend(PauseEnd.shape),
  output: z.object({ renewsAt: Instant.nullable() }),
  errors: [
    'request/not-found',
    'subscription/changed',
    'payment/card-declined',
    'payment/not-offered',
    'payment/unavailable',
  ],
  ...acting,
  once: true,
  act: ({ site, viewer, id, input }) => site.admin.money.endPause(viewer, id, input),
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

const amount = z.number().int().describe('In the smallest unit');
const Income = z.object({ count: z.number().int(), amount });

export const findRevenue = adminCall({
  get: '/admin/revenue',
  about: 'The overview’s money in each currency, the site’s own first; sums never mix currencies',
  query: z.object({
    period: z.enum(overviewPeriods).optional().describe('Days, 28 when none is given; or this month'),
  }),
  output: z.object({
    asOf: Instant,
    period: z.enum(overviewPeriods),
    month: z.string(),
    currencies: z.array(
      z.object({
        currency: z.string(),
        monthlyRevenue: amount.describe('Of running subscriptions, before discounts; a yearly one counts a twelfth'),
        monthlyRevenues: z.array(amount).describe('At the end of each day of the period, oldest first'),
        unpaid: amount.describe('Due after failed payments'),
        income: z.object({
          days: z.array(amount).describe('Less refunds, on each day of the period, oldest first'),
          before: amount.describe('In as many days before'),
        }),
        revenue: z
          .object({ monthly: Income, yearly: Income, giftCards: Income, refunds: Income, total: amount })
          .describe('This month so far'),
      }),
    ),
  }),
  ...reading,
  async act({ site, viewer, query }) {
    const { asOf, period, month, money } = await site.admin.site.findOverview(viewer, query.period);
    return { asOf, period, month, currencies: money };
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
  about: 'What creators share for a month, in one of its currencies',
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

const Provider = z.enum(providerNames);
const Pair = z.object({ from: Provider, to: Provider });

const ProviderShape = z.object({
  name: Provider,
  title: z.string(),
  isMain: z.boolean().describe('New subscriptions, gift cards and promo codes are made there'),
  isGone: z.boolean().describe('The site has no settings of it any more; it still has customers'),
  can: z
    .object({
      form: z.enum(['card', 'redirect']),
      trial: z.boolean(),
      periodChange: z.boolean(),
      promo: z.enum(['provider', 'price']),
      refund: z.enum(['partial', 'full', 'no']),
      cancel: z.enum(['api', 'page', 'none']),
      movesCharge: z.boolean(),
      prepaid: z.boolean(),
      sellsInOwnName: z.boolean(),
    })
    .nullable(),
  running: z.number().describe('Subscriptions that still unlock something or renew'),
  customers: z.number(),
});

export const listPaymentProviders = adminCall({
  get: '/admin/payment-providers',
  command: 'payments providers',
  about: 'The payment providers of the site, what they can do, and how many subscriptions run there',
  output: z.object({ items: z.array(ProviderShape) }),
  ...reading,
  async act({ site, viewer }) {
    const items = await site.admin.money.listProviders(viewer);
    return {
      items: items.map(({ capabilities, ...one }) => ({ ...one, isGone: capabilities === null, can: capabilities })),
    };
  },
});

export const makeMainProvider = freshAdminCall({
  put: '/admin/payment-providers/{name}/main',
  command: 'payments main',
  about: 'Makes new subscriptions, gift cards and promo codes at this provider from now on',
  params: z.object({ name: Provider }),
  errors: ['payment/provider-gone', 'payment/unavailable', 'settings/changed'],
  ...strict,
  async act({ site, viewer, name }) {
    await site.admin.money.makeMainProvider(viewer, name);
    await site.settings.refresh();
  },
});

export const planProviderMove = adminCall({
  get: '/admin/provider-moves/plan',
  command: { none: 'payments move has --dry-run' },
  about: 'What a move of all subscriptions from one provider to another would do; changes nothing',
  query: Pair,
  output: z.object({
    from: Provider,
    to: Provider,
    stoppedBy: z.enum(['site', 'subscriber', 'none', 'gone']).describe('Who stops the renewals at the former one'),
    kinds: z.array(z.object({ kind: z.enum(movedKinds), count: z.number(), paidDays: z.number() })),
    withGiftTime: z.number().describe('With gift time behind the paid time'),
    confirming: z.number().describe('They wait for their bank, and are left'),
    paidDays: z.number().describe('Whole days of access that are kept'),
  }),
  ...reading,
  act: ({ site, viewer, query }) => site.admin.money.planProviderMove(viewer, query),
});

export const startProviderMove = freshAdminCall({
  post: '/admin/provider-moves',
  command: { none: 'payments move does it at once' },
  about: 'Moves all subscriptions from one provider to another, as a job, and makes the other the main one',
  details: 'Paid time is kept to the day, renewals are stopped, and subscribers are mailed once',
  input: Pair,
  output: z.object({ id: z.uuid(), total: z.number() }),
  status: 202,
  errors: ['provider-move/running', 'payment/provider-gone', 'payment/unavailable', 'settings/changed'],
  ...strict,
  async act({ site, viewer, input }) {
    const started = await site.admin.money.startProviderMove(viewer, input);
    await site.settings.refresh();
    return started;
  },
});

const Move = z.object({
  id: z.uuid(),
  from: Provider,
  to: Provider,
  state: z.enum(['running', 'paused', 'done']),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  total: z.number(),
  waiting: z.number(),
  moved: z.number(),
  unstopped: z.number().describe('Moved, but the former provider has not said that it stops'),
  asked: z.number().describe('Only the subscriber can cancel there, and has not yet'),
  left: z.number().describe('Had ended when their turn came'),
  failed: z.number(),
  livedOn: z.number().describe('Went on at the former provider, and were stopped again'),
  charged: z.number().describe('Charged there after the move; the time was added'),
  problems: z.array(
    z.object({
      userId: z.uuid().nullable(),
      username: z.string().nullable(),
      is: z.enum(['failed', 'unstopped', 'asked', 'lived-on']),
      charged: z.boolean(),
      error: z.string().nullable(),
    }),
  ),
});

export const listProviderMoves = adminCall({
  get: '/admin/provider-moves',
  command: 'payments moves',
  about: 'The last moves between payment providers with their progress, newest first',
  output: z.object({ items: z.array(Move) }),
  ...reading,
  act: async ({ site, viewer }) => ({ items: await site.admin.money.listProviderMoves(viewer) }),
});

export const actOnProviderMove = adminCall({
  post: '/admin/provider-moves/{id}/act',
  command: 'payments act-on-move',
  about: 'Pauses a move, goes on with it, or tries again what failed and what the former provider has not stopped',
  input: z.object({ act: z.enum(['pause', 'resume', 'retry']) }),
  output: z.object({ changed: z.number() }),
  errors: ['request/not-found', 'provider-move/running'],
  ...acting,
  act: ({ site, viewer, id, input }) => site.admin.money.actOnProviderMove(viewer, id, input.act),
});
