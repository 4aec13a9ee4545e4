import { createHmac } from 'node:crypto';

/** The header `stripe-signature`, as `webhooks.constructEvent` of the SDK checks it. */
export function signPayload(payload: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}
