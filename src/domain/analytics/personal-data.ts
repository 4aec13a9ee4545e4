import { asc, eq } from 'drizzle-orm';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { analyticsConsents, analyticsEvents } from './tables.ts';

export const personalData: PersonalData = {
  tables: ['analytics_consents', 'analytics_events'],
  async exportOf(db, userId) {
    const [consent] = await db
      .select({ givenAt: analyticsConsents.givenAt })
      .from(analyticsConsents)
      .where(eq(analyticsConsents.userId, userId));
    const events = lazyRows(db, (on) =>
      on
        .select({
          name: analyticsEvents.name,
          source: analyticsEvents.source,
          subjectId: analyticsEvents.subjectId,
          properties: analyticsEvents.properties,
          at: analyticsEvents.createdAt,
        })
        .from(analyticsEvents)
        .where(eq(analyticsEvents.userId, userId))
        .orderBy(asc(analyticsEvents.createdAt), asc(analyticsEvents.id)),
    );
    return { figures: { consentGivenAt: consent?.givenAt ?? null, events } };
  },
  async erase(db, userId) {
    await db.update(analyticsEvents).set({ userId: null }).where(eq(analyticsEvents.userId, userId));
    await db.delete(analyticsConsents).where(eq(analyticsConsents.userId, userId));
  },
};
