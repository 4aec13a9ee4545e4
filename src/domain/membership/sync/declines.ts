import { and, eq } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { paymentEvents } from '../tables.ts';

/** Cards that one payment may try; stolen ones are tested by the hundred. */
const maxDeclines = 5;
/** The event's type at Stripe. */
const declineEvent = 'payment_intent.payment_failed';

/** By distinct events, of which the provider may repeat each. */
export async function isDeclinedTooOften(db: Db, paymentId: string): Promise<boolean> {
  const isDecline = and(eq(paymentEvents.paymentId, paymentId), eq(paymentEvents.type, declineEvent));
  return (await db.$count(paymentEvents, isDecline)) >= maxDeclines;
}
