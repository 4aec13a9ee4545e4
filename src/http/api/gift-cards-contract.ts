import { createRoute, z } from '@hono/zod-openapi';
import { GiftCardForm, RedeemForm } from '#domain/membership/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, loggedInOnly, personal } from './guards.ts';
import { MeResponse } from './identity-schemas.ts';
import { GiftCardResponse, GiftCardMonths, SubscriptionResponse, Time } from '#api/membership-schemas.ts';
import { waitsForProvider } from './places.ts';
import { sameSiteOnly } from './same-site.ts';
import { ErrorResponse, failures, json, jsonBody, tooManyTries, unauthorized } from '#api/schemas.ts';

const bodyLimit = limitBody(16 * 1024);
const open = inOrder(personal, waitsForProvider, bodyLimit);
const own = inOrder(personal, sameSiteOnly, loggedInOnly, waitsForProvider, bodyLimit);

const conflict = json(ErrorResponse, 'It was redeemed or given back');
const unavailable = json(ErrorResponse, 'The payment provider cannot be reached');
const DescribedGiftCardForm = GiftCardForm.extend({ months: GiftCardMonths });
const ById = z.object({ id: z.uuid() });

export const buyGiftCard = createRoute({
  method: 'post',
  path: '/gift-cards',
  middleware: open,
  tags: ['Gift cards'],
  summary: 'Begins to buy a gift card, with or without an account; the browser pays with the secret',
  request: { body: jsonBody(DescribedGiftCardForm) },
  responses: {
    201: json(z.object({ giftCard: GiftCardResponse, clientSecret: z.string() }), 'Waits for its payment'),
    400: failures[400],
    429: tooManyTries,
    503: unavailable,
  },
});

export const refreshGiftCard = createRoute({
  method: 'post',
  path: '/gift-cards/{id}/refresh',
  middleware: open,
  tags: ['Gift cards'],
  summary: 'Checks the state of the payment at the provider',
  request: { params: ById },
  responses: {
    200: json(z.object({ giftCard: GiftCardResponse }), 'Gift card'),
    ...failures,
    429: tooManyTries,
    503: unavailable,
  },
});

export const listGiftCards = createRoute({
  method: 'get',
  path: '/user/gift-cards',
  middleware: own,
  tags: ['Gift cards'],
  summary: 'Gift cards that this user bought, newest first',
  responses: { 200: json(z.object({ items: z.array(GiftCardResponse) }), 'Gift cards'), 401: unauthorized },
});

export const refundGiftCard = createRoute({
  method: 'post',
  path: '/user/gift-cards/{id}/refund',
  middleware: own,
  tags: ['Gift cards'],
  summary: 'Gives a gift card back, as long as nobody has redeemed it',
  request: { params: ById },
  responses: {
    200: json(z.object({ giftCard: GiftCardResponse }), 'Given back'),
    ...failures,
    401: unauthorized,
    409: conflict,
    503: unavailable,
  },
});

export const redeemGiftCard = createRoute({
  method: 'post',
  path: '/user/gift-card/redeem',
  middleware: own,
  tags: ['Gift cards'],
  summary: 'Adds the months of a gift card to the existing time',
  request: { body: jsonBody(RedeemForm) },
  responses: {
    200: json(
      z.object({
        months: z.number(),
        giftUntil: Time.nullable(),
        nextChargeAt: Time.nullable().describe('With a running subscription: the next charge'),
        subscription: SubscriptionResponse,
        user: MeResponse,
      }),
      'Redeemed',
    ),
    400: failures[400],
    401: unauthorized,
    404: failures[404],
    409: conflict,
    429: tooManyTries,
    503: unavailable,
  },
});
