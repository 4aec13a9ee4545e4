import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { LicenceOutcome } from '#domain/listening/offline-devices.ts';
import { maxOfflineDevices } from '#domain/listening/rules.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './offline-contract.ts';

const refusals = {
  'too-many-devices': 'offline/too-many-devices',
  'not-found': 'request/not-found',
  'subscription-required': 'subscription/required',
} as const satisfies Record<string, ErrorCode>;

/** Devices with downloads, and their licences. */
export function offlineRoutes({ site: { listening } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listOfflineDevices, async (context) => {
      const { viewer, sessionId } = context.get('loggedIn');
      const devices = await listening.listOfflineDevices(viewer.id, sessionId);
      return context.json(
        {
          limit: maxOfflineDevices,
          items: devices.map((device) => ({
            ...device,
            createdAt: device.createdAt.toISOString(),
            renewedAt: device.renewedAt.toISOString(),
          })),
        },
        200,
      );
    })
    .openapi(contract.addOfflineDevice, async (context) => {
      const { viewer, sessionId } = context.get('loggedIn');
      return context.json(answerOf(await listening.addOfflineDevice(viewer.id, sessionId)), 200);
    })
    .openapi(contract.renewLicence, async (context) => {
      const { viewer, sessionId } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const { audioIds = [] } = context.req.valid('json');
      const renewed = answerOf(await listening.renewLicence(viewer.id, sessionId, id));
      return context.json({ ...renewed, gone: await listening.findGoneAudios(audioIds) }, 200);
    })
    .openapi(contract.removeOfflineDevice, async (context) => {
      const { viewer } = context.get('loggedIn');
      if (!(await listening.removeOfflineDevice(viewer.id, context.req.valid('param').id)))
        throw new DomainError('request/not-found');
      return context.body(null, 204);
    });
}

/** @throws DomainError without a licence */
function answerOf(outcome: LicenceOutcome) {
  if (!outcome.ok) throw new DomainError(refusals[outcome.reason]);
  const { expiresAt, ...licence } = outcome.licence;
  return { ...licence, expiresAt: expiresAt.toISOString(), serverTime: new Date().toISOString() };
}
