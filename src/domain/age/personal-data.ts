import { eq, getTableName } from 'drizzle-orm';
import type { PersonalData } from '../kernel/personal-data.ts';
import { ageConfirmations } from './tables.ts';

export const personalData: PersonalData = {
  tables: [getTableName(ageConfirmations)],
  async exportOf(db, userId) {
    const [age] = await db
      .select({
        method: ageConfirmations.method,
        rule: ageConfirmations.place,
        confirmedAt: ageConfirmations.confirmedAt,
        until: ageConfirmations.until,
      })
      .from(ageConfirmations)
      .where(eq(ageConfirmations.userId, userId));
    return { age: age ?? null };
  },
  async erase(db, userId) {
    await db.delete(ageConfirmations).where(eq(ageConfirmations.userId, userId));
  },
};
