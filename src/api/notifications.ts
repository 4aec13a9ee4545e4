import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { NewsPreferencesForm, PushSubscriptionForm } from '#domain/notifications/forms.ts';
import { newsKinds } from '#domain/notifications/rules.ts';
import { callBy } from './call.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { pageOf, PageQuery } from './schemas.ts';

const NotificationResponse = z
  .object({
    id: z.uuid(),
    kind: z.enum(newsKinds),
    text: z.string().openapi({ example: 'Iris published “Rain on the roof”' }),
    path: z.string().openapi({ description: 'Where it leads, on this site' }),
    createdAt: Instant,
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

const Switch = z.object({ isOn: z.boolean() });
const Switched = z.object({ id: z.uuid(), isOn: z.boolean() });

const PushDevice = z
  .object({
    id: z.uuid(),
    device: z.string(),
    createdAt: Instant,
    endpointHash: z.string().openapi({ description: 'SHA-256 in hex, by which a browser finds its own subscription' }),
  })
  .openapi('PushDevice');
const userCall = callBy('user', { limit: { kind: 'notifications', perMinute: 240 } });

export const listNotifications = userCall({
  get: '/user/notifications',
  about: 'News of this user, the newest first',
  query: PageQuery,
  output: pageOf(NotificationResponse),
  act: ({ site, viewer, query }) => site.notifications.listNotifications(viewer, query),
});

export const countUnread = userCall({
  get: '/user/notifications/unread',
  about: 'How many news are unread',
  output: Unread,
  act: async ({ site, viewer }) => ({ unread: await site.notifications.countUnread(viewer) }),
});

export const markRead = userCall({
  post: '/user/notifications/read',
  about: 'Marks news as read, on all devices; without ids all that there are now',
  input: z.object({ ids: z.array(z.uuid()).max(100).optional() }),
  output: Unread,
  async act({ site: { notifications }, viewer, input }) {
    await notifications.markRead(viewer.id, input.ids);
    return { unread: await notifications.countUnread(viewer) };
  },
});

export const findNewsPreferences = userCall({
  get: '/user/notification-preferences',
  about: 'Where and when this user gets news',
  output: Preferences,
  act: ({ site, viewer }) => site.notifications.findPreferences(viewer.id),
});

export const saveNewsPreferences = userCall({
  put: '/user/notification-preferences',
  about: 'Sets where and when this user gets news',
  input: NewsPreferencesForm,
  output: Preferences,
  errors: ['site/feature-off'],
  async act({ site: { notifications }, viewer, input }) {
    await notifications.savePreferences(viewer.id, input);
    return notifications.findPreferences(viewer.id);
  },
});

export const setVoiceNews = userCall({
  put: '/user/notification-voices/{id}',
  about: 'Turns news of a favorite creator off, or on again; twice is the same as once',
  input: Switch,
  output: Switched,
  act: async ({ site, viewer, id, input: { isOn } }) =>
    (await site.notifications.setVoiceNews(viewer.id, id, isOn)) ? { id, isOn } : undefined,
});

export const setSeriesFollowed = userCall({
  put: '/user/notification-series/{id}',
  about: 'Follows a series for its news, or no longer; twice is the same as once',
  input: Switch,
  output: Switched,
  refuses: { full: 'library/full' },
  async act({ site, viewer, id, input: { isOn } }) {
    const outcome = await site.notifications.setSeriesFollowed(viewer.id, id, isOn);
    return outcome.ok ? { id, isOn } : outcome;
  },
});

export const listPushDevices = userCall({
  get: '/user/push-subscriptions',
  about: 'Browsers that get pushes, and the key with which a browser subscribes',
  output: z.object({
    key: z.string().openapi({ description: 'VAPID public key in base64url; empty: pushes are not set up' }),
    items: z.array(PushDevice),
  }),
  async act({ site: { notifications }, viewer }) {
    const devices = await notifications.listPushDevices(viewer.id);
    const items = devices.map(({ id, device, createdAt, endpoint }) => ({
      id,
      device,
      createdAt,
      endpointHash: createHash('sha256').update(endpoint).digest('hex'),
    }));
    return { key: notifications.pushKey, items };
  },
});

export const addPushSubscription = userCall({
  post: '/user/push-subscriptions',
  about: 'Stores the subscription of this browser’s PushManager; idempotent',
  input: PushSubscriptionForm,
  output: z.object({ id: z.uuid() }),
  status: 201,
  refuses: { 'not-found': 'auth/login-required', 'unknown-service': 'request/invalid' },
  errors: ['site/feature-off'],
  act: ({ site, viewer, session: { sessionId }, input, device }) =>
    site.notifications.addPushSubscription(viewer.id, input, { device, sessionId }),
});

export const removePushSubscription = userCall({
  delete: '/user/push-subscriptions/{id}',
  about: 'Ends the pushes to a browser',
  act: ({ site, viewer, id }) => site.notifications.removePushSubscription(viewer.id, id),
});
