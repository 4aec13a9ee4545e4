import { asc, eq } from 'drizzle-orm';
import type { PersonalData } from '../personal-data.ts';
import { insightConsents, insightEvents } from './tables.ts';

export const personalData: PersonalData = {
  tables: ['insight_consents', 'insight_events'],
  async exportOf(db, userId) {
    const [consent] = await db
      .select({ givenAt: insightConsents.givenAt })
      .from(insightConsents)
      .where(eq(insightConsents.userId, userId));
    const events = await db
      .select({
        name: insightEvents.name,
        source: insightEvents.source,
        subjectId: insightEvents.subjectId,
        properties: insightEvents.properties,
        at: insightEvents.createdAt,
      })
      .from(insightEvents)
      .where(eq(insightEvents.userId, userId))
      .orderBy(asc(insightEvents.createdAt), asc(insightEvents.id));
    return { figures: { consentGivenAt: consent?.givenAt ?? null, events } };
  },
  async erase(db, userId) {
    await db.update(insightEvents).set({ userId: null }).where(eq(insightEvents.userId, userId));
    await db.delete(insightConsents).where(eq(insightConsents.userId, userId));
  },
};
