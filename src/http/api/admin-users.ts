import { OpenAPIHono } from '@hono/zod-openapi';
import * as contract from './admin-users-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { takeAttempt } from './attempts.ts';
import { orRefuse } from './or-refuse.ts';

/** Calls for operators about accounts. */
export function adminUserRoutes(parts: ApiParts) {
  const { people: admin, findAnything } = parts.site.admin;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.findAnything, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json({ items: await findAnything(viewer, context.req.valid('query').query) }, 200);
    })
    .openapi(contract.giveMonths, async (context) => {
      const { viewer } = context.get('loggedIn');
      const given = orRefuse(await admin.giveMonths(viewer, context.req.valid('param').id, context.req.valid('json')));
      const until = 'giftUntil' in given ? given.giftUntil : given.nextChargeAt;
      return context.json({ until: until.toISOString() }, 200);
    })
    .openapi(contract.takeMonthsBack, async (context) => {
      orRefuse(await admin.takeMonthsBack(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.suspend, async (context) => {
      const { renewal, refunded } = orRefuse(
        await admin.suspendUser(
          context.get('loggedIn').viewer,
          context.req.valid('param').id,
          context.req.valid('json'),
        ),
      );
      return context.json({ renewal, refunded }, 200);
    })
    .openapi(contract.liftSuspension, async (context) => {
      orRefuse(await admin.liftSuspension(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.makeAdmin, async (context) => {
      orRefuse(await admin.setAdminRole(context.get('loggedIn').viewer, context.req.valid('param').id, true));
      return context.body(null, 204);
    })
    .openapi(contract.takeAdmin, async (context) => {
      orRefuse(await admin.setAdminRole(context.get('loggedIn').viewer, context.req.valid('param').id, false));
      return context.body(null, 204);
    })
    .openapi(contract.resetSecondFactor, async (context) => {
      orRefuse(await admin.resetSecondFactorOf(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.giveVoice, async (context) => {
      const { id, voice } = context.req.valid('param');
      const { role } = context.req.valid('json');
      orRefuse(await admin.setVoiceRole(context.get('loggedIn').viewer, id, voice, role));
      return context.body(null, 204);
    })
    .openapi(contract.takeVoice, async (context) => {
      const { id, voice } = context.req.valid('param');
      orRefuse(await admin.setVoiceRole(context.get('loggedIn').viewer, id, voice, null));
      return context.body(null, 204);
    })
    .openapi(contract.endSessions, async (context) => {
      const { ended } = orRefuse(
        await admin.endSessionsOf(context.get('loggedIn').viewer, context.req.valid('param').id),
      );
      return context.json({ ended }, 200);
    })
    .openapi(contract.sendPasswordReset, async (context) => {
      const { id } = context.req.valid('param');
      await takeAttempt(parts, context, 'reset', id);
      orRefuse(await admin.sendPasswordReset(context.get('loggedIn').viewer, id));
      return context.body(null, 204);
    })
    .openapi(contract.sendExport, async (context) => {
      const { id } = context.req.valid('param');
      await takeAttempt(parts, context, 'export', id);
      orRefuse(await admin.sendExport(context.get('loggedIn').viewer, id));
      return context.body(null, 204);
    })
    .openapi(contract.planDeletion, async (context) => {
      const { dueAt } = orRefuse(
        await admin.planDeletion(
          context.get('loggedIn').viewer,
          context.req.valid('param').id,
          context.req.valid('json'),
        ),
      );
      return context.json({ dueAt: dueAt.toISOString() }, 200);
    })
    .openapi(contract.takeDeletionBack, async (context) => {
      orRefuse(await admin.takeDeletionBack(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    });
}
