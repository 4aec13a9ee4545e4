import { eq } from 'drizzle-orm';
import type { PersonalData } from '../personal-data.ts';
import { memberships } from './tables.ts';

export const personalData: PersonalData = {
  tables: ['memberships'],
  async exportOf(db, userId) {
    const [membership] = await db
      .select({ giftUntil: memberships.giftUntil })
      .from(memberships)
      .where(eq(memberships.userId, userId));
    return { membership: membership ?? null };
  },
  async erase(db, userId) {
    await db.delete(memberships).where(eq(memberships.userId, userId));
  },
};
