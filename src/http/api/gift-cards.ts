import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import { GiftCardForm, RedeemForm } from '#domain/membership/forms.ts';
import { limitBody } from '../limit-body.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { MeAnswer } from './identity.ts';
import { refuseInvalid } from './invalid.ts';
import type { MembershipRoutesOptions } from './membership.ts';
import { takeTry } from './membership.ts';
import { GiftCardAnswer, SubscriptionAnswer, Time, written } from './membership-schemas.ts';
import { ErrorAnswer, failures, json } from './schemas.ts';

const unauthorized = json(ErrorAnswer, 'Log in first');
const conflict = json(ErrorAnswer, 'It was redeemed or given back');
const tooMany = json(ErrorAnswer, 'Too many tries');
const unavailable = json(ErrorAnswer, 'The payment provider cannot be reached');
const ById = z.object({ id: z.uuid() });

/** Buying, giving back and redeeming gift cards (product.md, "Paying"). */
export function giftCardRoutes(options: MembershipRoutesOptions) {
  const { membership, identity } = options.site;
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  for (const path of ['/gift-cards', '/gift-cards/*', '/user/gift-cards', '/user/gift-cards/*', '/user/gift-card/*'])
    app.use(path, limitBody(16 * 1024), personal);

  return app
    .openapi(
      createRoute({
        method: 'post',
        path: '/gift-cards',
        tags: ['Gift cards'],
        summary: 'Begins to buy a gift card, with or without an account; the browser pays with the secret',
        request: { body: { required: true, content: { 'application/json': { schema: GiftCardForm } } } },
        responses: {
          201: json(z.object({ giftCard: GiftCardAnswer, clientSecret: z.string() }), 'Waits for its payment'),
          400: failures[400],
          429: tooMany,
          503: unavailable,
        },
      }),
      async (context) => {
        const viewer = context.get('viewer');
        await takeTry(options, context, 'card');
        const me = viewer.kind === 'user' ? await identity.findMe(viewer.id) : undefined;
        const bought = await membership.buyGiftCard(me, context.req.valid('json'));
        return context.json(written(bought), 201);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/gift-cards/{id}/refresh',
        tags: ['Gift cards'],
        summary: 'Asks the provider what became of the payment',
        request: { params: ById },
        responses: { 200: json(z.object({ giftCard: GiftCardAnswer }), 'Gift card'), ...failures, 503: unavailable },
      }),
      async (context) => {
        const viewer = context.get('viewer');
        const viewerId = viewer.kind === 'user' ? viewer.id : undefined;
        const giftCard = await membership.refreshGiftCard(context.req.valid('param').id, viewerId);
        if (giftCard === undefined) throw new DomainError('request/not-found');
        return context.json(written({ giftCard }), 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/gift-cards',
        tags: ['Gift cards'],
        summary: 'Gift cards that this user bought, newest first',
        responses: { 200: json(z.object({ items: z.array(GiftCardAnswer) }), 'Gift cards'), 401: unauthorized },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        return context.json(written({ items: await membership.listGiftCards(viewer.id) }), 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/gift-cards/{id}/refund',
        tags: ['Gift cards'],
        summary: 'Gives a gift card back, as long as nobody has redeemed it',
        request: { params: ById },
        responses: {
          200: json(z.object({ giftCard: GiftCardAnswer }), 'Given back'),
          ...failures,
          401: unauthorized,
          409: conflict,
          503: unavailable,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const outcome = await membership.refundGiftCard(viewer.id, context.req.valid('param').id);
        if (!outcome.ok) throw new DomainError(outcome.reason);
        return context.json(written({ giftCard: outcome.giftCard }), 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/gift-card/redeem',
        tags: ['Gift cards'],
        summary: 'Adds the months of a gift card to what is there',
        request: { body: { required: true, content: { 'application/json': { schema: RedeemForm } } } },
        responses: {
          200: json(
            z.object({
              months: z.number(),
              giftUntil: Time.nullable(),
              nextChargeAt: Time.nullable().describe('Where a subscription goes on: nothing is charged before then'),
              subscription: SubscriptionAnswer,
              user: MeAnswer,
            }),
            'Redeemed',
          ),
          400: failures[400],
          401: unauthorized,
          404: failures[404],
          409: conflict,
          429: tooMany,
          503: unavailable,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        await takeTry(options, context, 'code');
        const outcome = await membership.redeemGiftCard(viewer.id, context.req.valid('json').code);
        if (!outcome.ok) throw new DomainError(outcome.reason);
        const { months, giftUntil, nextChargeAt } = outcome;
        const [subscription, user] = await Promise.all([
          membership.findSubscription(viewer.id),
          identity.findMe(viewer.id),
        ]);
        if (user === undefined) throw new DomainError('auth/login-required');
        return context.json({ ...written({ months, giftUntil, nextChargeAt, subscription }), user }, 200);
      },
    );
}
