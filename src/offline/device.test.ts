import { expect, test } from 'vitest';
import { type CallAnswer, type OfflineCalls, renew } from './device.ts';

const licence = { deviceId: 'd', userId: 'u', licence: 'x.y.z', skew: 0, latest: 0 };

function renewWith(status: number, code: string) {
  const answer: CallAnswer<never> = { ok: false, status, code, message: 'No.' };
  return renew({ renewLicence: async () => answer } as unknown as OfflineCalls, licence, []);
}

test.each([
  [401, 'auth/login-required', 'logged-out'],
  [402, 'subscription/required', 'no-subscription'],
  [404, 'request/not-found', 'device-removed'],
])('after %i %s from the site, the downloads end: %s', async (status, code, expected) => {
  expect(await renewWith(status, code)).toBe(expected);
});

// The client gives answers without an error code of the site this code.
test.each([200, 401, 402, 403, 404, 502])('an error page of a proxy with %i ends nothing', async (status) => {
  expect(await renewWith(status, 'server/failed')).toBe('unanswered');
});

test.each([
  [0, 'network'],
  [400, 'request/invalid'],
  [429, 'request/too-many'],
])('after %i %s the device asks again later', async (status, code) => {
  expect(await renewWith(status, code)).toBe('unanswered');
});
