import type { CustomerFacts, SubscriptionFacts } from '../payment-provider.ts';
import type { SubscriptionStatus } from '../tables.ts';

/** Order of preference. */
const rank: Record<SubscriptionStatus, number> = { active: 0, trialing: 0, 'past-due': 1, confirming: 2, ended: 3 };

/** The customer's relevant subscription: the most usable one by `rank`, and of equals the newest. */
export function currentOf({ subscriptions: all }: CustomerFacts): SubscriptionFacts | undefined {
  return all.toSorted(
    (one, other) =>
      rank[one.status] - rank[other.status] ||
      other.startedAt.getTime() - one.startedAt.getTime() ||
      (one.id < other.id ? 1 : -1),
  )[0];
}
