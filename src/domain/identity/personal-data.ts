import { asc, eq } from 'drizzle-orm';
import type { PersonalData } from '../kernel/personal-data.ts';
import { sessions, users } from './tables.ts';

export const personalData: PersonalData = {
  // `attempts`, `spent_id_tokens` and `deleted_identities` hold keyed hashes for an hour or so, no personal data.
  tables: ['users', 'sessions'],
  async exportOf(db, userId) {
    const [user] = await db
      .select({
        id: users.id,
        username: users.username,
        email: users.email,
        icon: users.icon,
        color: users.color,
        termsAcceptedAt: users.termsAcceptedAt,
        isDiscreet: users.isDiscreet,
        passwordChangedAt: users.passwordChangedAt,
        signedOutAt: users.signedOutAt,
        createdAt: users.createdAt,
      })
      .from(users)
      .where(eq(users.id, userId));
    const own = await db
      .select({
        device: sessions.device,
        createdAt: sessions.createdAt,
        lastUsedAt: sessions.lastUsedAt,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(asc(sessions.createdAt));
    return { profile: user, sessions: own };
  },
  async erase(db, userId) {
    await db.delete(sessions).where(eq(sessions.userId, userId));
    await db.delete(users).where(eq(users.id, userId));
  },
};
