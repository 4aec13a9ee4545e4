import { createHash } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import { deviceOf } from '../device.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './notifications-contract.ts';
import { toPageResponse } from '#api/schemas.ts';

/** News of the user: the list, delivery preferences, and followed creators and series. */
export function notificationRoutes({ site: { notifications } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listNotifications, async (context) => {
      const page = await notifications.listNotifications(context.get('loggedIn').viewer, context.req.valid('query'));
      const items = page.items.map((one) => ({ ...one, createdAt: one.createdAt.toISOString() }));
      return context.json(toPageResponse({ items, nextCursor: page.nextCursor }), 200);
    })
    .openapi(contract.countUnread, async (context) =>
      context.json({ unread: await notifications.countUnread(context.get('loggedIn').viewer) }, 200),
    )
    .openapi(contract.markRead, async (context) => {
      const { viewer } = context.get('loggedIn');
      await notifications.markRead(viewer.id, context.req.valid('json').ids);
      return context.json({ unread: await notifications.countUnread(viewer) }, 200);
    })
    .openapi(contract.findNewsPreferences, async (context) =>
      context.json(await notifications.findPreferences(context.get('loggedIn').viewer.id), 200),
    )
    .openapi(contract.saveNewsPreferences, async (context) => {
      const { id } = context.get('loggedIn').viewer;
      await notifications.savePreferences(id, context.req.valid('json'));
      return context.json(await notifications.findPreferences(id), 200);
    })
    .openapi(contract.setVoiceNews, async (context) => {
      const { id } = context.req.valid('param');
      const { isOn } = context.req.valid('json');
      const isThere = await notifications.setVoiceNews(context.get('loggedIn').viewer.id, id, isOn);
      if (!isThere) throw new DomainError('request/not-found');
      return context.json({ id, isOn }, 200);
    })
    .openapi(contract.setSeriesFollowed, async (context) => {
      const { id } = context.req.valid('param');
      const { isOn } = context.req.valid('json');
      const outcome = await notifications.setSeriesFollowed(context.get('loggedIn').viewer.id, id, isOn);
      if (!outcome.ok) throw new DomainError(outcome.reason === 'full' ? 'library/full' : 'request/not-found');
      return context.json({ id, isOn }, 200);
    })
    .openapi(contract.listPushDevices, async (context) => {
      const devices = await notifications.listPushDevices(context.get('loggedIn').viewer.id);
      const items = devices.map(({ id, device, createdAt, endpoint }) => ({
        id,
        device,
        createdAt: createdAt.toISOString(),
        endpointHash: createHash('sha256').update(endpoint).digest('hex'),
      }));
      return context.json({ key: notifications.pushKey, items }, 200);
    })
    .openapi(contract.addPushSubscription, async (context) => {
      const device = deviceOf(context.req.header('user-agent'));
      const { viewer, sessionId } = context.get('loggedIn');
      const form = context.req.valid('json');
      const outcome = await notifications.addPushSubscription(viewer.id, form, { device, sessionId });
      if (!outcome.ok)
        throw new DomainError(outcome.reason === 'not-found' ? 'auth/login-required' : 'request/invalid');
      return context.json({ id: outcome.id }, 201);
    })
    .openapi(contract.removePushSubscription, async (context) => {
      const { id } = context.req.valid('param');
      if (!(await notifications.removePushSubscription(context.get('loggedIn').viewer.id, id)))
        throw new DomainError('request/not-found');
      return context.body(null, 204);
    });
}
