import { randomBytes, timingSafeEqual } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';

/** One-time codes of an authenticator app (RFC 6238): six digits, 30 s, HMAC-SHA-1, which every app understands. */

const stepSeconds = 30;
/** Clocks may differ by one step (RFC 6238 §5.2). */
const window = 1;

/** 192 bits; RFC 4226 §4 recommends 160. */
export function newTotpSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** For manual entry. */
export function totpKey(secret: string): string {
  return base32.encode(secret, { padding: false });
}

/** For the QR code. https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(secret: string, issuer: string, account: string): string {
  return createOTP(secret).url(issuer, account);
}

/** @param now milliseconds. @returns the step that the code belongs to; undefined for a wrong code */
export async function findTotpStep(secret: string, code: string, now: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const otp = createOTP(secret);
  const current = Math.floor(now / 1000 / stepSeconds);
  const steps = Array.from({ length: 2 * window + 1 }, (_, index) => current - window + index);
  const codes = await Promise.all(steps.map((step) => otp.hotp(step)));
  return steps.find((_, index) => timingSafeEqual(Buffer.from(codes[index] ?? ''), Buffer.from(code)));
}
