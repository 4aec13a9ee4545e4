import { expect, test } from 'vitest';
import { findTotpStep } from './totp.ts';

const stepMs = 30_000;
/** A test vector of RFC 6238 (appendix B), whose codes have eight digits. */
const secret = '12345678901234567890';
const [step, code] = [37_037_037, '050471'];

test('a code is good from the step before its own until the end of the one after', async () => {
  const [first, last] = [(step - 1) * stepMs, (step + 2) * stepMs - 1];
  for (const at of [first, step * stepMs, last]) expect([at, await findTotpStep(secret, code, at)]).toEqual([at, step]);
  for (const at of [first - 1, last + 1]) expect([at, await findTotpStep(secret, code, at)]).toEqual([at, undefined]);
});

test.each(['05047', '0050471', '05047a', ' 050471', ''])('“%s” is no code', async (text) => {
  expect(await findTotpStep(secret, text, step * stepMs)).toBeUndefined();
});
