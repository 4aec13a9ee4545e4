import { asc, eq, isNotNull, and } from 'drizzle-orm';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { allPreferences } from './accounts.ts';
import { accountDeletions, passkeys, recoveryCodes, repeatedCalls, secondFactors, sessions, users } from './tables.ts';

export const personalData: PersonalData = {
  // `attempts`, `spent_id_tokens` and `deleted_identities` hold keyed hashes for an hour or so, no personal data;
  // `sign_up_days` are sums.
  tables: ['users', 'sessions', 'second_factors', 'recovery_codes', 'passkeys', 'account_deletions', 'repeated_calls'],
  async exportOf(db, userId) {
    const [profile] = await db
      .select({
        id: users.id,
        username: users.username,
        email: users.email,
        icon: users.icon,
        color: users.color,
        termsAcceptedAt: users.termsAcceptedAt,
        preferences: users.preferences,
        passwordChangedAt: users.passwordChangedAt,
        signedOutAt: users.signedOutAt,
        createdAt: users.createdAt,
      })
      .from(users)
      .where(eq(users.id, userId))
      .then((rows) =>
        rows.map(({ preferences, ...row }) => ({
          ...row,
          ...allPreferences(preferences),
          language: preferences.language ?? null,
          listensTo: preferences.listensTo ?? null,
          hidesOtherComments: preferences.hidesOtherComments ?? false,
        })),
      );
    const own = lazyRows(db, (on) =>
      on
        .select({
          device: sessions.device,
          createdAt: sessions.createdAt,
          lastUsedAt: sessions.lastUsedAt,
          expiresAt: sessions.expiresAt,
        })
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(asc(sessions.createdAt)),
    );
    const [app] = await db
      .select({ setUpAt: secondFactors.confirmedAt })
      .from(secondFactors)
      .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
    const ownPasskeys = lazyRows(db, (on) =>
      on
        .select({ name: passkeys.name, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
        .from(passkeys)
        .where(eq(passkeys.userId, userId))
        .orderBy(asc(passkeys.id)),
    );
    const usedCodes = lazyRows(db, (on) =>
      on
        .select({ usedAt: recoveryCodes.usedAt })
        .from(recoveryCodes)
        .where(and(eq(recoveryCodes.userId, userId), isNotNull(recoveryCodes.usedAt)))
        .orderBy(asc(recoveryCodes.usedAt)),
    );
    const [deletion] = await db
      .select({ requestedAt: accountDeletions.createdAt, dueAt: accountDeletions.dueAt })
      .from(accountDeletions)
      .where(eq(accountDeletions.userId, userId));
    const calls = lazyRows(db, (on) =>
      on
        .select({ sentAt: repeatedCalls.createdAt, status: repeatedCalls.status })
        .from(repeatedCalls)
        .where(eq(repeatedCalls.userId, userId))
        .orderBy(asc(repeatedCalls.createdAt)),
    );
    return {
      profile,
      sessions: own,
      secondFactor: { app: app ?? null, passkeys: ownPasskeys, usedRecoveryCodes: usedCodes },
      plannedDeletion: deletion ?? null,
      keptAnswers: calls,
    };
  },
  async erase(db, userId) {
    for (const table of [sessions, secondFactors, recoveryCodes, passkeys, accountDeletions, repeatedCalls])
      await db.delete(table).where(eq(table.userId, userId));
    await db.delete(users).where(eq(users.id, userId));
  },
};
