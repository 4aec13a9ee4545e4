import { z } from '@hono/zod-openapi';
import { GiftCardForm, RedeemForm } from '#domain/membership/forms.ts';
import { GiftCardMonthsShape } from '#domain/membership/shapes.ts';
import { takeAttempt } from './attempts.ts';
import { call, userCall } from '../call.ts';
import { findMe, MeResponse } from './me.ts';
import { GiftCardResponse, SubscriptionResponse } from './membership-schemas.ts';
import { Instant } from '#domain/kernel/shapes.ts';

/** Buying, refunding and redeeming gift cards (product.md, "Paying"). */

const open = { cache: 'private, no-store', place: 'payment-provider' } as const;
const own = { sameSite: true, place: 'payment-provider' } as const;

const errors = [
  'gift-card/unknown',
  'gift-card/already-redeemed',
  'gift-card/refunded',
  'payment/unavailable',
] as const;

export const buyGiftCard = call({
  post: '/gift-cards',
  about: 'Begins to buy a gift card, with or without an account; the browser pays with the secret',
  input: GiftCardForm.extend({ months: GiftCardMonthsShape }),
  output: z.object({
    giftCard: GiftCardResponse,
    clientSecret: z.string().describe('For the provider’s script; empty where `url` is set'),
    url: z.url().nullable().describe('Page of the provider on which the gift card is paid'),
  }),
  status: 201,
  errors: ['payment/unavailable', 'site/feature-off', 'subscription/currency-not-offered'],
  ...open,
  attempt: 'card',
  once: true,
  async act(given) {
    const { site, session, input } = given;
    if (session === undefined) await takeAttempt(given, 'unpaid-gift-card', undefined);
    const me = session && (await site.identity.findMe(session.viewer.id));
    const { url = null, ...bought } = await site.membership.buyGiftCard(me, input);
    return { ...bought, url };
  },
});

export const refreshGiftCard = call({
  post: '/gift-cards/{id}/refresh',
  about: 'Checks the state of the payment at the provider',
  output: z.object({ giftCard: GiftCardResponse }),
  errors: ['payment/unavailable'],
  ...open,
  attempt: 'refresh',
  async act({ site, session, address, id }) {
    const giftCard = await site.membership.refreshGiftCard(id, session?.viewer.id, () =>
      site.identity.attempts.succeeded('unpaid-gift-card', { address }),
    );
    return giftCard && { giftCard };
  },
});

export const listGiftCards = userCall({
  get: '/user/gift-cards',
  about: 'Gift cards that this user bought, newest first',
  output: z.object({ items: z.array(GiftCardResponse) }),
  place: 'payment-provider',
  act: async ({ site, viewer }) => ({ items: await site.membership.listGiftCards(viewer.id) }),
});

export const refundGiftCard = userCall({
  post: '/user/gift-cards/{id}/refund',
  about: 'Gives a gift card back, as long as nobody has redeemed it',
  output: z.object({ giftCard: GiftCardResponse }),
  errors,
  ...own,
  once: true,
  act: ({ site, viewer, id }) => site.membership.refundGiftCard(viewer.id, id),
});

export const redeemGiftCard = userCall({
  post: '/user/gift-card/redeem',
  about: 'Adds the months of a gift card to the existing time',
  input: RedeemForm,
  output: z.object({
    months: z.number(),
    giftUntil: Instant.nullable(),
    nextChargeAt: Instant.nullable().describe('With a running subscription: the next charge'),
    subscription: SubscriptionResponse,
    user: MeResponse,
  }),
  errors,
  ...own,
  attempt: 'code',
  once: true,
  async act({ site, viewer, input, context, parts }) {
    await site.membership.noteRegion(viewer.id, parts.ages.regionOf(context));
    const outcome = await site.membership.redeemGiftCard(viewer.id, input.code);
    if (!outcome.ok) return outcome;
    const [subscription, user] = await Promise.all([
      site.membership.findSubscription(viewer.id),
      findMe(site, viewer.id),
    ]);
    return { ...outcome, subscription, user };
  },
});
