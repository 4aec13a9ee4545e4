import { createHash, createHmac } from 'node:crypto';
import type { NoticeSide } from './rules.ts';

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Address of a private page: `5d7c-q2wm-80fe-…`, 100 bits. Made from the notice again for each mail; the database has its
 * hash alone.
 */
export function tokenOf(secret: string, noticeId: string, side: NoticeSide): string {
  const bytes = createHmac('sha256', secret).update(`notice ${noticeId} ${side}`).digest();
  const text = Array.from(bytes.subarray(0, 20), (byte) => letters[byte % 32]).join('');
  return text.replaceAll(/.{4}(?=.)/g, '$&-');
}

/** Mark of a client’s network, which cannot be found without the key. @param address as `networkOf` writes it */
export function networkMark(secret: string, address: string): string {
  return createHmac('sha256', secret).update(`notice from ${address}`).digest('base64url');
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
