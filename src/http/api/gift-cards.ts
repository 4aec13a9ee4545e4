import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { takeAttempt } from './attempts.ts';
import { found } from '#api/found.ts';
import * as contract from './gift-cards-contract.ts';
import { findMe } from './me.ts';
import { toJson } from '#api/membership-schemas.ts';

/** Buying, refunding and redeeming gift cards (product.md, "Paying"). */
export function giftCardRoutes(parts: ApiParts) {
  const { membership, identity } = parts.site;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.buyGiftCard, async (context) => {
      const userId = context.get('loggedIn')?.viewer.id;
      await takeAttempt(parts, context, 'card', userId);
      if (userId === undefined) await takeAttempt(parts, context, 'unpaid-gift-card', undefined);
      const me = userId === undefined ? undefined : await identity.findMe(userId);
      const bought = await membership.buyGiftCard(me, context.req.valid('json'));
      return context.json(toJson(bought), 201);
    })
    .openapi(contract.refreshGiftCard, async (context) => {
      const userId = context.get('loggedIn')?.viewer.id;
      await takeAttempt(parts, context, 'refresh', userId);
      const giftCard = found(
        await membership.refreshGiftCard(context.req.valid('param').id, userId, () =>
          identity.attempts.succeeded('unpaid-gift-card', { address: clientAddress(context, parts.trustProxy) }),
        ),
      );
      return context.json(toJson({ giftCard }), 200);
    })
    .openapi(contract.listGiftCards, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json(toJson({ items: await membership.listGiftCards(viewer.id) }), 200);
    })
    .openapi(contract.refundGiftCard, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await membership.refundGiftCard(viewer.id, context.req.valid('param').id);
      if (!outcome.ok) throw new DomainError(outcome.reason);
      return context.json(toJson({ giftCard: outcome.giftCard }), 200);
    })
    .openapi(contract.redeemGiftCard, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'code', viewer.id);
      const outcome = await membership.redeemGiftCard(viewer.id, context.req.valid('json').code);
      if (!outcome.ok) throw new DomainError(outcome.reason);
      const { months, giftUntil, nextChargeAt } = outcome;
      const [subscription, user] = await Promise.all([
        membership.findSubscription(viewer.id),
        findMe(parts, viewer.id),
      ]);
      return context.json({ ...toJson({ months, giftUntil, nextChargeAt, subscription }), user }, 200);
    });
}
