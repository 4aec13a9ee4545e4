import { asc, desc, eq } from 'drizzle-orm';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { listFollowedSeries, listFollowedVoices } from './followed.ts';
import { selectNews, toFacts } from './notification-lists.ts';
import { findPreferences } from './preferences.ts';
import { describeNews } from './rules.ts';
import { notificationPreferences, notifications, pushSubscriptions, seriesFollows, voiceMutes } from './tables.ts';

export const personalData: PersonalData = {
  tables: ['notifications', 'notification_preferences', 'voice_mutes', 'series_follows', 'push_subscriptions'],
  async exportOf(db, userId) {
    const news = lazyRows(db, (on) =>
      selectNews(on)
        .where(eq(notifications.userId, userId))
        .orderBy(desc(notifications.createdAt), desc(notifications.id)),
    );
    const { device, endpoint, createdAt, usedAt } = pushSubscriptions;
    const browsers = await db
      .select({ device, endpoint, createdAt, usedAt })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(asc(createdAt));
    const voices = await listFollowedVoices(db, userId);
    return {
      news: {
        preferences: await findPreferences(db, userId),
        mutedCreators: voices.filter(({ isOn }) => !isOn).map(({ id, name }) => ({ id, name })),
        series: (await listFollowedSeries(db, userId)).map(({ id, title }) => ({ id, title })),
        browsers,
        // Without the names of the people who wrote replies.
        notifications: news.map((row) => ({
          text: describeNews({ ...toFacts(row), by: null }).text,
          at: row.createdAt,
          readAt: row.readAt,
        })),
      },
    };
  },
  async erase(db, userId) {
    for (const table of [notifications, notificationPreferences, voiceMutes, seriesFollows, pushSubscriptions])
      await db.delete(table).where(eq(table.userId, userId));
  },
};
