import { createRoute, z } from '@hono/zod-openapi';
import { CancelForm, PromoCode, PromoCodeField } from '#domain/membership/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, loggedInOnly, personal } from './guards.ts';
import { MeResponse } from './identity-schemas.ts';
import {
  ActionResponse,
  OfferResponse,
  Period,
  PeriodPreviewResponse,
  PreviewResponse,
  SubscriptionResponse,
} from '#api/membership-schemas.ts';
import { waitsForProvider } from './places.ts';
import { sameSiteOnly } from './same-site.ts';
import { ErrorResponse, failures, json, jsonBody, optionalSession, unauthorized } from '#api/schemas.ts';

const bodyLimit = limitBody(16 * 1024);
const own = inOrder(personal, sameSiteOnly, loggedInOnly, waitsForProvider, bodyLimit);

const ChangedResponse = z
  .object({ subscription: SubscriptionResponse, action: ActionResponse, user: MeResponse })
  .openapi('Changed');

/** Typed as never: in each call's type these answers would cost minutes of compile time. */
const refusals: Record<never, never> = {
  400: failures[400],
  401: unauthorized,
  402: json(ErrorResponse, 'The card was declined'),
  409: json(ErrorResponse, 'Not in this state'),
  429: json(ErrorResponse, 'Too many tries'),
  503: json(ErrorResponse, 'The payment provider cannot be reached'),
};

const PaymentMethodId = z.string().min(1).max(200);

const WithoutTrial = z.boolean().default(false);

const ShownCents = z.number().int().min(0).max(10_000_000).optional();

const CreateBody = z.object({
  paymentMethodId: PaymentMethodId.describe('Id of the card from the provider’s script'),
  subIsWeb: z.boolean().optional(),
  period: Period.default('year'),
  promoCode: PromoCodeField,
  withoutTrial: WithoutTrial.describe('The user has agreed to a charge without a free trial'),
  amount: ShownCents.describe(
    'Price of the plan that was shown, in cents; when it is another one now, 409 and no charge',
  ),
  firstCharge: ShownCents.describe('First charge that was shown, with the promo code; like `amount`'),
  thenAmount: ShownCents.describe('Charge after the discount that was shown; like `amount`'),
});

function change<Method extends 'post' | 'put', Path extends string, Schema extends z.ZodType>(
  method: Method,
  path: Path,
  summary: string,
  schema: Schema,
) {
  return createRoute({
    method,
    path,
    middleware: own,
    tags: ['Subscription'],
    summary,
    request: { body: jsonBody(schema) },
    responses: { 200: json(ChangedResponse, 'The current value'), ...refusals },
  });
}

function act<Path extends string>(path: Path, summary: string) {
  return createRoute({
    method: 'post',
    path,
    middleware: own,
    tags: ['Subscription'],
    summary,
    responses: { 200: json(ChangedResponse, 'The current value'), ...refusals },
  });
}

export const findOffer = createRoute({
  method: 'get',
  path: '/subscription/offer',
  tags: ['Subscription'],
  summary: 'Prices, trial and gift cards',
  responses: { 200: json(OfferResponse, 'Offer') },
});

export const previewSubscription = createRoute({
  method: 'post',
  path: '/subscription/preview',
  security: optionalSession,
  middleware: inOrder(personal, waitsForProvider, bodyLimit),
  tags: ['Subscription'],
  summary: 'What subscribing would cost, and when: shown before paying; to a visitor, as a new customer',
  request: {
    body: jsonBody(
      z.object({
        period: Period,
        promoCode: PromoCodeField,
        withoutTrial: WithoutTrial.describe('With a card that has had its trial'),
      }),
    ),
  },
  responses: { 200: json(PreviewResponse, 'Preview'), ...refusals },
});

export const createSubscription = change(
  'post',
  '/stripe/create-subscription',
  'Subscribes; sent twice, it makes one subscription',
  CreateBody,
);

export const findSubscription = createRoute({
  method: 'get',
  path: '/user/subscription',
  middleware: own,
  tags: ['Subscription'],
  summary: 'The subscription of whoever asks',
  responses: { 200: json(SubscriptionResponse, 'Subscription'), 401: unauthorized },
});

export const refreshSubscription = act('/user/subscription/refresh', 'Asks the provider now, after the bank’s step');

export const previewPeriodChange = createRoute({
  method: 'post',
  path: '/user/subscription/period/preview',
  middleware: own,
  tags: ['Subscription'],
  summary: 'What changing the period would cost, and from when it counts',
  request: { body: jsonBody(z.object({ period: Period })) },
  responses: { 200: json(PeriodPreviewResponse, 'Preview'), ...refusals },
});

export const changePeriod = change(
  'put',
  '/user/subscription/period',
  'Changes the period; the present one takes a planned change back',
  z.object({ period: Period }),
);

export const cancelSubscription = change(
  'post',
  '/user/subscription/cancel',
  'Cancels: usable until the paid time ends',
  CancelForm,
);

export const resumeSubscription = act('/user/subscription/resume', 'Takes a cancellation back');

export const startCardChange = createRoute({
  method: 'post',
  path: '/user/subscription/card',
  middleware: own,
  tags: ['Subscription'],
  summary: 'Begins a change of card',
  responses: { 200: json(z.object({ setupId: z.string(), clientSecret: z.string() }), 'Begun'), ...refusals },
});

export const finishCardChange = change(
  'put',
  '/user/subscription/card',
  'Charges go to the new card; what is open is charged to it at once',
  z.object({ setupId: z.string().min(1).max(200) }),
);

export const applyPromoCode = change(
  'post',
  '/user/subscription/promo-code',
  'Applies a promo code to the charges to come',
  z.object({ promoCode: PromoCode.refine((code) => code !== '', 'is missing') }),
);

export const payOpenInvoice = act('/user/subscription/pay', 'Tries the charge that failed again');
