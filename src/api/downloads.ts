import { z } from '@hono/zod-openapi';
import { maxOfflineDevices } from '#domain/listening/rules.ts';
import { callBy } from './call.ts';
import { Instant } from '#domain/kernel/shapes.ts';

const LicenceResponse = z
  .object({
    deviceId: z.uuid(),
    userId: z.uuid(),
    licence: z.string().describe('JWT (ES256) with user, device and end; the device’s right to play its downloads'),
    expiresAt: Instant.describe('In 14 days at most, or when access ends'),
    serverTime: Instant.describe('Against device clocks that were set back'),
  })
  .openapi('OfflineLicence');
const userCall = callBy('user', { limit: { kind: 'offline', perMinute: 60 }, maxBytes: 64 * 1024 });

export const listOfflineDevices = userCall({
  get: '/user/offline-devices',
  about: 'Devices of this user that keep audios, renewed last first',
  output: z.object({
    limit: z.number(),
    items: z.array(
      z
        .object({
          id: z.uuid(),
          device: z.string(),
          createdAt: Instant,
          renewedAt: Instant,
          isCurrent: z.boolean(),
        })
        .openapi('OfflineDevice'),
    ),
  }),
  act: async ({ site, viewer, session: { sessionId } }) => ({
    limit: maxOfflineDevices,
    items: await site.listening.listOfflineDevices(viewer.id, sessionId),
  }),
});

export const addOfflineDevice = userCall({
  post: '/user/offline-devices',
  about: 'Lets the device of this session keep audios; repeated, it renews the licence',
  output: LicenceResponse,
  refuses: { 'too-many-devices': 'offline/too-many-devices', 'subscription-required': 'subscription/required' },
  errors: ['request/not-found'],
  act: ({ site, viewer, session }) => site.listening.addOfflineDevice(viewer.id, session.sessionId),
});

export const renewLicence = userCall({
  post: '/user/offline-devices/{id}/licence',
  about: 'Renews the licence; after 401, 402 or 404 the device deletes its downloads',
  input: z.object({ audioIds: z.array(z.uuid()).max(1000).default([]).describe('Audios on the device') }).optional(),
  output: LicenceResponse.extend({
    gone: z.array(z.uuid()).describe('Audios on the device that it may not keep; it deletes their files'),
    streamOnly: z.array(z.uuid()).describe('Those of them that can be heard, but not downloaded'),
  }).openapi('OfflineRenewal'),
  refuses: { 'subscription-required': 'subscription/required' },
  async act({ site: { listening }, viewer, session: { sessionId }, id, input }) {
    const renewed = await listening.renewLicence(viewer.id, sessionId, id);
    return renewed.ok ? { ...renewed, ...(await listening.findGoneAudios(input?.audioIds ?? [])) } : renewed;
  },
});

export const removeOfflineDevice = userCall({
  delete: '/user/offline-devices/{id}',
  about: 'Revokes a device’s right to play its downloads',
  act: ({ site, viewer, id }) => site.listening.removeOfflineDevice(viewer.id, id),
});
