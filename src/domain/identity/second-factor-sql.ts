import type { AnyColumn, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';

/** Subquery: whether this user has an authenticator app or a passkey. */
export function hasSecondFactorSql(userId: AnyColumn | string): SQL<boolean> {
  return sql<boolean>`(exists (select from second_factors f where f.user_id = ${userId} and f.confirmed_at is not null)
    or exists (select from passkeys k where k.user_id = ${userId}))`;
}
