import { createRoute, z } from '@hono/zod-openapi';
import { NewsPreferencesForm, PushSubscriptionForm } from '#domain/notifications/forms.ts';
import { newsKinds } from '#domain/notifications/rules.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import {
  ErrorResponse,
  failures,
  json,
  jsonBody,
  ownId,
  pageOf,
  PageQuery,
  refusals,
  writeRefusals,
} from '#api/schemas.ts';

const own = inOrder(personal, loggedInOnly, limitAccount('notifications', 240));
const ownWrite = inOrder(...own, limitBody(16 * 1024));

const off = json(ErrorResponse, 'An operator turned news off');

const NotificationResponse = z
  .object({
    id: z.uuid(),
    kind: z.enum(newsKinds),
    text: z.string().openapi({ example: 'Iris published “Rain on the roof”' }),
    path: z.string().openapi({ description: 'Where it leads, on this site' }),
    createdAt: z.iso.datetime(),
    isRead: z.boolean(),
    audio: z
      .object({ id: z.uuid(), imageUrl: z.string().nullable(), color: z.string().nullable(), isFree: z.boolean() })
      .nullable(),
  })
  .openapi('Notification');

const Unread = z.object({
  unread: z.number().int().openapi({ description: 'At most 100, which means “more than 99”' }),
});

const Preferences = z.object({ ...NewsPreferencesForm.shape }).openapi('NewsPreferences');

export const listNotifications = createRoute({
  method: 'get',
  path: '/user/notifications',
  middleware: own,
  tags: ['News'],
  summary: 'News of this user, the newest first',
  request: { query: PageQuery },
  responses: { 200: json(pageOf(NotificationResponse), 'A page'), ...refusals, 400: failures[400] },
});

export const countUnread = createRoute({
  method: 'get',
  path: '/user/notifications/unread',
  middleware: own,
  tags: ['News'],
  summary: 'How many news are unread',
  responses: { 200: json(Unread, 'The number'), ...refusals },
});

export const markRead = createRoute({
  method: 'post',
  path: '/user/notifications/read',
  middleware: ownWrite,
  tags: ['News'],
  summary: 'Marks news as read, on all devices; without ids all that there are now',
  request: { body: jsonBody(z.object({ ids: z.array(z.uuid()).max(100).optional() })) },
  responses: { 200: json(Unread, 'How many are left'), ...writeRefusals, 400: failures[400] },
});

export const findNewsPreferences = createRoute({
  method: 'get',
  path: '/user/notification-preferences',
  middleware: own,
  tags: ['News'],
  summary: 'Where and when this user gets news',
  responses: { 200: json(Preferences, 'Preferences'), ...refusals },
});

export const saveNewsPreferences = createRoute({
  method: 'put',
  path: '/user/notification-preferences',
  middleware: ownWrite,
  tags: ['News'],
  summary: 'Sets where and when this user gets news',
  request: { body: jsonBody(NewsPreferencesForm) },
  responses: { 200: json(Preferences, 'As they are now'), ...writeRefusals, 400: failures[400], 403: off },
});

const Switch = jsonBody(z.object({ isOn: z.boolean() }));

export const setVoiceNews = createRoute({
  method: 'put',
  path: '/user/notification-voices/{id}',
  middleware: ownWrite,
  tags: ['News'],
  summary: 'Turns news of a favorite creator off, or on again; twice is the same as once',
  request: { params: ownId, body: Switch },
  responses: { 200: json(z.object({ id: z.uuid(), isOn: z.boolean() }), 'Done'), ...writeRefusals, ...failures },
});

export const setSeriesFollowed = createRoute({
  method: 'put',
  path: '/user/notification-series/{id}',
  middleware: ownWrite,
  tags: ['News'],
  summary: 'Follows a series for its news, or no longer; twice is the same as once',
  request: { params: ownId, body: Switch },
  responses: {
    200: json(z.object({ id: z.uuid(), isOn: z.boolean() }), 'Done'),
    ...writeRefusals,
    ...failures,
    409: json(ErrorResponse, 'There is no room for more'),
  },
});

const PushDevice = z
  .object({
    id: z.uuid(),
    device: z.string(),
    createdAt: z.iso.datetime(),
    endpointHash: z.string().openapi({ description: 'SHA-256 in hex, by which a browser finds its own subscription' }),
  })
  .openapi('PushDevice');

export const listPushDevices = createRoute({
  method: 'get',
  path: '/user/push-subscriptions',
  middleware: own,
  tags: ['News'],
  summary: 'Browsers that get pushes, and the key with which a browser subscribes',
  responses: {
    200: json(
      z.object({
        key: z.string().openapi({ description: 'VAPID public key in base64url; empty: pushes are not set up' }),
        items: z.array(PushDevice),
      }),
      'Browsers',
    ),
    ...refusals,
  },
});

export const addPushSubscription = createRoute({
  method: 'post',
  path: '/user/push-subscriptions',
  middleware: ownWrite,
  tags: ['News'],
  summary: 'Stores the subscription of this browser’s PushManager; idempotent',
  request: { body: jsonBody(PushSubscriptionForm) },
  responses: { 201: json(z.object({ id: z.uuid() }), 'Kept'), ...writeRefusals, 400: failures[400], 403: off },
});

export const removePushSubscription = createRoute({
  method: 'delete',
  path: '/user/push-subscriptions/{id}',
  middleware: own,
  tags: ['News'],
  summary: 'Ends the pushes to a browser',
  request: { params: ownId },
  responses: { 204: { description: 'Ended' }, ...refusals, ...failures },
});
