import { createHmac } from 'node:crypto';

/** Value of the `stripe-signature` header, in the format that the SDK's `webhooks.constructEvent` verifies. */
export function signPayload(payload: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}
