import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two hexadecimal digests in constant time. */
export function isSameDigest(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given.toLowerCase()), Buffer.from(expected.toLowerCase())];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function hexHash(algorithm: 'sha256' | 'md5', text: string): string {
  return createHash(algorithm).update(text, 'utf8').digest('hex');
}
