import { expect, test } from 'vitest';
import { openLicenceKey } from '#domain/listening/licence-key.ts';
import { createLicenceCheck } from './licence-check.ts';
import { endOf, verdictOf } from './licence.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-11-23T20:00:00Z');
const end = now + 14 * dayMs;

test('a licence lasts until its end, by the site’s clock', () => {
  const fresh = { skew: 0, latest: now };
  expect(verdictOf(fresh, end, now)).toBe('valid');
  expect(verdictOf(fresh, end, end - 1)).toBe('valid');
  expect(verdictOf(fresh, end, end)).toBe('expired');
  expect(verdictOf(fresh, undefined, now)).toBe('none');
  // A device whose clock is three days slow.
  expect(verdictOf({ skew: 3 * dayMs, latest: now }, end, now - 3 * dayMs)).toBe('valid');
  expect(verdictOf({ skew: 3 * dayMs, latest: now }, end, end - 3 * dayMs)).toBe('expired');
});

test('a clock set back before a time that was seen ends the licence', () => {
  const used = { skew: 0, latest: now + 10 * dayMs };
  expect(verdictOf(used, end, now + 10 * dayMs)).toBe('valid');
  expect(verdictOf(used, end, now + 10 * dayMs - 60_000)).toBe('valid');
  expect(verdictOf(used, end, now + 9 * dayMs)).toBe('clock-set-back');
  // Not even within the tolerance, once its end was seen.
  expect(verdictOf({ skew: 0, latest: end }, end, end - 60_000)).toBe('expired');
});

test('only what the site signed counts, and whole', async () => {
  const key = openLicenceKey('a secret of this site');
  const licence = await key.sign({
    userId: 'user',
    deviceId: 'device',
    issuedAt: new Date(now),
    expiresAt: new Date(end),
  });
  expect(endOf(licence)).toBe(end);
  expect(await createLicenceCheck(key.publicJwk)(licence)).toBe(end);
  expect(await createLicenceCheck(openLicenceKey('another').publicJwk)(licence)).toBeUndefined();

  const check = createLicenceCheck(key.publicJwk);
  const [head = '', body = '', signature = ''] = licence.split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const longer = encode({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), exp: end / 1000 + 1 });
  const unsigned = encode({ alg: 'none' });
  for (const forged of [
    `${head}.${longer}.${signature}`,
    `${unsigned}.${longer}.`,
    `${unsigned}.${body}.${signature}`,
    `${head}.${body}`,
    'nothing',
    '',
    '..',
    '%.%.%',
  ])
    expect([forged, await check(forged)]).toEqual([forged, undefined]);
  expect(endOf('nothing')).toBeUndefined();
});
