import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/**
 * Subquery: whether this user has an authenticator app or a passkey.
 * @param userId a column only in a query with joins: Drizzle leaves out the table's name in others
 */
export function hasSecondFactorSql(userId: AnyColumn | SQL): SQL<boolean> {
  return sql<boolean>`(exists (select from second_factors f where f.user_id = ${userId} and f.confirmed_at is not null)
    or exists (select from passkeys k where k.user_id = ${userId}))`;
}
