import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import * as contract from './admin-money-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { orRefuse } from './or-refuse.ts';
import { toPageResponse } from '#api/schemas.ts';

/** Payments in Admin. */
export function adminMoneyRoutes({ site, addJobs }: ApiParts) {
  const { money } = site.admin;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.createPromoCode, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { promoCode } = orRefuse(await money.createPromoCode(viewer, context.req.valid('json')));
      return context.json({ id: promoCode.id, code: promoCode.code }, 201);
    })
    .openapi(contract.replacePromoCode, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const { promoCode } = orRefuse(await money.replacePromoCode(viewer, id, context.req.valid('json')));
      return context.json({ id: promoCode.id, code: promoCode.code }, 200);
    })
    .openapi(contract.endPromoCode, async (context) => {
      orRefuse(await money.endPromoCode(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.createGiftCard, async (context) => {
      const { id } = await money.createGiftCard(context.get('loggedIn').viewer, context.req.valid('json'));
      return context.json({ id }, 201);
    })
    .openapi(contract.resendGiftCard, async (context) => {
      orRefuse(await money.resendGiftCard(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.refundGiftCard, async (context) => {
      const { viewer } = context.get('loggedIn');
      orRefuse(await money.refundGiftCard(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.refundPayment, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id: invoiceId } = context.req.valid('param');
      const { refunded } = orRefuse(await money.refundPayment(viewer, { invoiceId, ...context.req.valid('json') }));
      return context.json({ refunded }, 200);
    })
    .openapi(contract.cancelSubscription, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const { endsAt } = orRefuse(await money.cancelSubscription(viewer, id, context.req.valid('json')));
      return context.json({ endsAt: endsAt?.toISOString() ?? null }, 200);
    })
    .openapi(contract.resumeSubscription, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const { endsAt } = orRefuse(await money.resumeSubscription(viewer, id, context.req.valid('json')));
      return context.json({ endsAt: endsAt?.toISOString() ?? null }, 200);
    })
    .openapi(contract.replayPaymentEvent, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { event } = orRefuse(await money.replayPaymentEvent(viewer, context.req.valid('param').id));
      return context.json({ status: event.status, error: event.error }, 200);
    })
    .openapi(contract.listReconciliations, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { items, nextCursor } = await money.listReconciliations(viewer, context.req.valid('query'));
      const runs = items.map(({ position: _position, startedAt, endedAt, ...run }) => ({
        ...run,
        startedAt: startedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      }));
      return context.json(toPageResponse({ items: runs, nextCursor }), 200);
    })
    .openapi(contract.requestReconciliation, async (context) => {
      const { viewer } = context.get('loggedIn');
      const isAdded = await money.requestReconciliation(viewer, () => addJobs('reconcile-now', ['now']));
      if (!isAdded) throw new DomainError('reconciliation/running');
      return context.body(null, 202);
    })
    .openapi(contract.setCountsTrials, async (context) => {
      await money.setCountsTrials(context.get('loggedIn').viewer, context.req.valid('json'));
      await site.settings.refresh();
      return context.body(null, 204);
    })
    .openapi(contract.setPayoutPool, async (context) => {
      const { viewer } = context.get('loggedIn');
      orRefuse(await money.setPayoutPool(viewer, context.req.valid('param').month, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.lockPayouts, async (context) => {
      const { viewer } = context.get('loggedIn');
      orRefuse(await money.lockPayouts(viewer, context.req.valid('param').month, context.req.valid('json')));
      return context.body(null, 204);
    });
}
