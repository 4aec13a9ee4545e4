import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ChangeOutcome } from '#domain/membership/changes.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { takeAttempt } from './attempts.ts';
import { findMe } from './me.ts';
import { toJson } from '#api/membership-schemas.ts';
import * as contract from './subscription-contract.ts';

/** Spec §7, `POST /stripe/create-subscription`, and all later calls of a subscriber. */
export function subscriptionRoutes(parts: ApiParts) {
  const { membership, facts } = parts.site;

  /** The subscription after a change. @throws DomainError with the reason of the refusal */
  async function changed(userId: string, outcome: ChangeOutcome) {
    if (!outcome.ok) throw new DomainError(outcome.reason);
    const [subscription, user] = await Promise.all([membership.findSubscription(userId), findMe(parts, userId)]);
    return { subscription: toJson(subscription), action: outcome.action ?? null, user };
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.findOffer, async (context) =>
      context.json({ ...(await membership.findOffer()), testCards: facts.testCards, payments: facts.payments }, 200),
    )
    .openapi(contract.previewSubscription, async (context) => {
      const userId = context.get('loggedIn')?.viewer.id;
      const order = context.req.valid('json');
      if (order.promoCode !== undefined) await takeAttempt(parts, context, 'code', userId);
      const outcome = await membership.previewSubscription(userId, order);
      if (!outcome.ok) throw new DomainError(outcome.reason);
      return context.json(toJson(outcome.preview), 200);
    })
    .openapi(contract.createSubscription, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { subIsWeb: _web, promoCode, ...order } = context.req.valid('json');
      await takeAttempt(parts, context, 'card', viewer.id);
      const outcome = await membership.createSubscription(viewer.id, { ...order, promoCode });
      if (!outcome.ok) throw new DomainError(outcome.reason, outcome.message);
      return context.json(await changed(viewer.id, outcome), 200);
    })
    .openapi(contract.findSubscription, async (context) =>
      context.json(toJson(await membership.findSubscription(context.get('loggedIn').viewer.id)), 200),
    )
    .openapi(contract.refreshSubscription, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'refresh', viewer.id);
      const action = await membership.refreshSubscription(viewer.id);
      return context.json(await changed(viewer.id, { ok: true, action }), 200);
    })
    .openapi(contract.previewPeriodChange, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await membership.previewPeriodChange(viewer.id, context.req.valid('json').period);
      if (!outcome.ok) throw new DomainError(outcome.reason);
      return context.json(toJson(outcome.preview), 200);
    })
    .openapi(contract.changePeriod, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await membership.changePeriod(viewer.id, context.req.valid('json').period);
      return context.json(await changed(viewer.id, outcome), 200);
    })
    .openapi(contract.cancelSubscription, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await membership.cancelSubscription(viewer.id, context.req.valid('json').reason);
      return context.json(await changed(viewer.id, outcome), 200);
    })
    .openapi(contract.resumeSubscription, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await membership.resumeSubscription(viewer.id);
      return context.json(await changed(viewer.id, outcome), 200);
    })
    .openapi(contract.startCardChange, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'card', viewer.id);
      return context.json(await membership.startCardChange(viewer.id), 200);
    })
    .openapi(contract.finishCardChange, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await membership.finishCardChange(viewer.id, context.req.valid('json').setupId);
      return context.json(await changed(viewer.id, outcome), 200);
    })
    .openapi(contract.applyPromoCode, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'code', viewer.id);
      const outcome = await membership.applyPromoCode(viewer.id, context.req.valid('json').promoCode);
      return context.json(await changed(viewer.id, outcome), 200);
    })
    .openapi(contract.payOpenInvoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'card', viewer.id);
      const outcome = await membership.payOpenInvoice(viewer.id);
      return context.json(await changed(viewer.id, outcome), 200);
    });
}
