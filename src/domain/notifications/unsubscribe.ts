import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';

const markBytes = 16;

function markOf(secret: string, userId: string): Buffer {
  return createHmac('sha256', secret).update(`news mails off ${userId}`).digest().subarray(0, markBytes);
}

/** Part of the unsubscribe link in mails of news. It only turns these mails off, so it does not expire. */
export function unsubscribeToken(secret: string, userId: string): string {
  return Buffer.concat([parse(userId), markOf(secret, userId)]).toString('base64url');
}

/** @returns the user’s id; undefined for a token that this site did not make */
export function readUnsubscribeToken(secret: string, token: string): string | undefined {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 16 + markBytes) return undefined;
  try {
    const userId = stringify(bytes.subarray(0, 16));
    return timingSafeEqual(bytes.subarray(16), markOf(secret, userId)) ? userId : undefined;
  } catch {
    return undefined;
  }
}
