import { createRoute, z } from '@hono/zod-openapi';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, unauthorized } from '#api/schemas.ts';

const own = inOrder(personal, loggedInOnly, limitAccount('offline', 60), limitBody(64 * 1024));

const LicenceResponse = z
  .object({
    deviceId: z.uuid(),
    userId: z.uuid(),
    licence: z.string().describe('JWT (ES256) with user, device and end; the device’s right to play its downloads'),
    expiresAt: z.iso.datetime().describe('In 14 days at most, or when access ends'),
    serverTime: z.iso.datetime().describe('Against device clocks that were set back'),
  })
  .openapi('OfflineLicence');

const RenewalBody = z.object({
  audioIds: z.array(z.uuid()).max(1000).default([]).describe('Audios on the device'),
});

const RenewalResponse = LicenceResponse.extend({
  gone: z.array(z.uuid()).describe('Audios on the device that are no longer published; it deletes their files'),
}).openapi('OfflineRenewal');

const refusals = {
  401: unauthorized,
  402: json(ErrorResponse, 'No subscription'),
  429: json(ErrorResponse, 'Too many'),
};

export const listOfflineDevices = createRoute({
  method: 'get',
  path: '/user/offline-devices',
  middleware: own,
  tags: ['Listening'],
  summary: 'Devices of this user that keep audios, renewed last first',
  responses: {
    200: json(
      z.object({
        limit: z.number(),
        items: z.array(
          z
            .object({
              id: z.uuid(),
              device: z.string(),
              createdAt: z.iso.datetime(),
              renewedAt: z.iso.datetime(),
              isCurrent: z.boolean(),
            })
            .openapi('OfflineDevice'),
        ),
      }),
      'Devices',
    ),
    401: unauthorized,
    429: json(ErrorResponse, 'Too many'),
  },
});

export const addOfflineDevice = createRoute({
  method: 'post',
  path: '/user/offline-devices',
  middleware: own,
  tags: ['Listening'],
  summary: 'Lets the device of this session keep audios; repeated, it renews the licence',
  responses: { 200: json(LicenceResponse, 'Licence'), 409: json(ErrorResponse, 'Five devices already'), ...refusals },
});

export const renewLicence = createRoute({
  method: 'post',
  path: '/user/offline-devices/{id}/licence',
  middleware: own,
  tags: ['Listening'],
  summary: 'Renews the licence; after 401, 402 or 404 the device deletes its downloads',
  request: {
    params: z.object({ id: z.uuid() }),
    body: { ...jsonBody(RenewalBody), required: false },
  },
  responses: { 200: json(RenewalResponse, 'Licence'), ...failures, ...refusals },
});

export const removeOfflineDevice = createRoute({
  method: 'delete',
  path: '/user/offline-devices/{id}',
  middleware: own,
  tags: ['Listening'],
  summary: 'Revokes a device’s right to play its downloads',
  request: { params: z.object({ id: z.uuid() }) },
  responses: {
    204: { description: 'Removed' },
    401: unauthorized,
    429: json(ErrorResponse, 'Too many'),
    ...failures,
  },
});
