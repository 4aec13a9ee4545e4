import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type ErrorCode, errorCodes } from '#domain/kernel/errors.ts';
import type { ChangeOutcome } from '#domain/membership/changes.ts';
import { CancelForm, PromoCode, PromoCodeField } from '#domain/membership/forms.ts';
import {
  ChosenCurrency,
  CheckoutOrder,
  CurrencyChoice,
  Order,
  PauseEnd,
  PauseForm,
  PeriodShape,
} from '#domain/membership/shapes.ts';
import type { Site } from '#domain/site.ts';
import { takeAttempt } from './attempts.ts';
import { call, userCall } from '../call.ts';
import { findMe, MeResponse } from './me.ts';
import {
  ActionResponse,
  CheckoutResponse,
  OfferResponse,
  PeriodPreviewResponse,
  PreviewResponse,
  SubscriptionResponse,
} from './membership-schemas.ts';

/** Spec §7, `POST /stripe/create-subscription`, and all later calls of a subscriber. */

const errors: readonly ErrorCode[] = errorCodes.filter((code) => /^(payment|promo-code|subscription)\//.test(code));

const own = { sameSite: true, place: 'payment-provider', errors } as const;

const ChangedResponse = z
  .object({ subscription: SubscriptionResponse, action: ActionResponse, user: MeResponse })
  .openapi('Changed');

const change = { ...own, output: ChangedResponse } as const;

/** The subscription after a change. */
async function changed(site: Site, userId: string, outcome: ChangeOutcome) {
  if (!outcome.ok) return outcome;
  const [subscription, user] = await Promise.all([site.membership.findSubscription(userId), findMe(site, userId)]);
  return { subscription, action: outcome.action ?? null, user };
}

/** As the gate of age knows it (`http/age/age-gate.ts`); undefined: unknown. */
function regionOf(context: Context): string | undefined {
  return (context.var as { findRegion?: () => string | undefined }).findRegion?.();
}

export const findOffer = call({
  get: '/subscription/offer',
  about: 'Prices, trial and gift cards',
  output: OfferResponse,
  async act({ site: { membership, facts } }) {
    const { testCards, payments, cardPayments = null } = facts;
    return { ...(await membership.findOffer()), testCards, payments, cardPayments };
  },
});

export const findCurrency = call({
  get: '/subscription/currency',
  about: 'The currency of the offer that is chosen for whoever asks, by their country or by their subscription',
  output: CurrencyChoice,
  cache: 'private, no-store',
  async act({ site, session, context, parts }) {
    const region = parts.ages.regionOf(context);
    const chosen = await site.membership.findCurrency(session?.viewer.id, region);
    return { ...chosen, country: region === undefined ? null : site.age.nameOf(region.slice(0, 2)) };
  },
});

export const previewSubscription = call({
  post: '/subscription/preview',
  about: 'What subscribing would cost, and when: shown before paying; to a visitor, as a new customer',
  input: z.object({
    period: PeriodShape,
    currency: ChosenCurrency,
    promoCode: PromoCodeField,
    withoutTrial: z.boolean().default(false).describe('With a card that has had its trial'),
  }),
  output: PreviewResponse,
  errors: [...errors, 'request/too-many'],
  cache: 'private, no-store',
  place: 'payment-provider',
  async act(given) {
    const { site, session, input } = given;
    const userId = session?.viewer.id;
    if (input.promoCode !== undefined) await takeAttempt(given, 'code', userId);
    const outcome = await site.membership.previewSubscription(userId, input);
    return outcome.ok ? outcome.preview : outcome;
  },
});

export const createSubscription = userCall({
  post: '/stripe/create-subscription',
  about: 'Subscribes; sent twice, it makes one subscription',
  input: Order.extend({ subIsWeb: z.boolean().optional() }),
  ...change,
  attempt: 'card',
  once: true,
  async act({ site, viewer, context, address, input: { subIsWeb: _web, ...order } }) {
    await site.membership.noteRegion(viewer.id, regionOf(context));
    return changed(site, viewer.id, await site.membership.createSubscription(viewer.id, order, address));
  },
});

export const startCheckout = userCall({
  post: '/user/subscription/checkout',
  about: 'Orders a subscription that is paid on the provider’s page, and returns its address',
  input: CheckoutOrder,
  output: z.object({ url: z.url(), reference: z.string() }),
  ...own,
  attempt: 'card',
  once: true,
  async act({ site, viewer, context, input }) {
    await site.membership.noteRegion(viewer.id, regionOf(context));
    const outcome = await site.membership.startCheckout(viewer.id, input);
    return outcome.ok ? { url: outcome.url, reference: outcome.reference } : outcome;
  },
});

export const refreshCheckout = userCall({
  post: '/user/subscription/checkouts/{reference}/refresh',
  about: 'Asks the provider how that order stands',
  params: z.object({ reference: z.string().max(64) }),
  output: CheckoutResponse,
  ...own,
  attempt: 'refresh',
  act: ({ site, viewer, reference }) => site.membership.findCheckout(viewer.id, reference, { isAsking: true }),
});

export const findSubscription = userCall({
  get: '/user/subscription',
  about: 'The subscription of whoever asks',
  output: SubscriptionResponse,
  place: 'payment-provider',
  act: ({ site, viewer }) => site.membership.findSubscription(viewer.id),
});

export const refreshSubscription = userCall({
  post: '/user/subscription/refresh',
  about: 'Asks the provider now, after the bank’s step',
  ...change,
  attempt: 'refresh',
  async act({ site, viewer }) {
    const action = await site.membership.refreshSubscription(viewer.id);
    return changed(site, viewer.id, { ok: true, action });
  },
});

export const previewPeriodChange = userCall({
  post: '/user/subscription/period/preview',
  about: 'What changing the period would cost, and from when it counts',
  input: z.object({ period: PeriodShape }),
  output: PeriodPreviewResponse,
  ...own,
  async act({ site, viewer, input }) {
    const outcome = await site.membership.previewPeriodChange(viewer.id, input.period);
    return outcome.ok ? outcome.preview : outcome;
  },
});

export const changePeriod = userCall({
  put: '/user/subscription/period',
  about: 'Changes the period; the present one takes a planned change back',
  input: z.object({ period: PeriodShape }),
  ...change,
  once: true,
  act: async ({ site, viewer, input }) =>
    changed(site, viewer.id, await site.membership.changePeriod(viewer.id, input.period)),
});

export const cancelSubscription = userCall({
  post: '/user/subscription/cancel',
  about: 'Cancels: usable until the paid time ends',
  input: CancelForm,
  ...change,
  once: true,
  act: async ({ site, viewer, input }) =>
    changed(site, viewer.id, await site.membership.cancelSubscription(viewer.id, input.reason)),
});

export const resumeSubscription = userCall({
  post: '/user/subscription/resume',
  about: 'Takes a cancellation back',
  ...change,
  once: true,
  act: async ({ site, viewer }) => changed(site, viewer.id, await site.membership.resumeSubscription(viewer.id)),
});

export const pauseSubscription = userCall({
  post: '/user/subscription/pause',
  about: 'Pauses for some months, from the end of the paid time',
  input: PauseForm,
  ...change,
  once: true,
  act: async ({ site, viewer, input }) =>
    changed(site, viewer.id, await site.membership.pauseSubscription(viewer.id, input.months)),
});

export const endPause = userCall({
  post: '/user/subscription/pause/end',
  about: 'Takes a pause back before it begins; ends a running one, which charges at once',
  input: PauseEnd,
  ...change,
  attempt: 'card',
  once: true,
  act: async ({ site, viewer, input }) => changed(site, viewer.id, await site.membership.endPause(viewer.id, input)),
});

export const acceptStayOffer = userCall({
  post: '/user/subscription/stay',
  about: 'Accepts the discount that is offered to whoever is about to cancel',
  input: z.object({
    percentOff: z.number().int().describe('As it was shown; when it is another one now, 409 and no effect'),
    months: z.number().int().describe('Like `percentOff`'),
  }),
  ...change,
  once: true,
  act: async ({ site, viewer, input }) =>
    changed(site, viewer.id, await site.membership.acceptStayOffer(viewer.id, input)),
});

export const startCardChange = userCall({
  post: '/user/subscription/card',
  about: 'Begins a change of card',
  output: z.object({ setupId: z.string(), clientSecret: z.string() }),
  ...own,
  attempt: 'card',
  act: ({ site, viewer }) => site.membership.startCardChange(viewer.id),
});

export const finishCardChange = userCall({
  put: '/user/subscription/card',
  about: 'Charges go to the new card; what is open is charged to it at once',
  input: z.object({ setupId: z.string().min(1).max(200) }),
  ...change,
  once: true,
  act: async ({ site, viewer, input }) =>
    changed(site, viewer.id, await site.membership.finishCardChange(viewer.id, input.setupId)),
});

export const applyPromoCode = userCall({
  post: '/user/subscription/promo-code',
  about: 'Applies a promo code to the charges to come',
  input: z.object({ promoCode: PromoCode.refine((code) => code !== '', 'is missing') }),
  ...change,
  attempt: 'code',
  once: true,
  act: async ({ site, viewer, input }) =>
    changed(site, viewer.id, await site.membership.applyPromoCode(viewer.id, input.promoCode)),
});

export const payOpenInvoice = userCall({
  post: '/user/subscription/pay',
  about: 'Tries the charge that failed again',
  ...change,
  attempt: 'card',
  once: true,
  act: async ({ site, viewer }) => changed(site, viewer.id, await site.membership.payOpenInvoice(viewer.id)),
});
