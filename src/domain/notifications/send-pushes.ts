import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { readNews } from './notification-lists.ts';
import { findPreferences } from './preferences.ts';
import type { NewsFacts } from './rules.ts';
import { canReceiveNews, discreetPush, sayNews } from './rules.ts';
import type { SendingParts } from './sending.ts';
import { claimDue, createPace, forEachOf, markOf, settle } from './sending.ts';
import { pushSubscriptions } from './tables.ts';

const atOnce = 40;
const claimedUsers = 500;
const pushesPerSecond = 1000;
/** Seconds until the next try; after the last one the subscription is given up. */
const retryAfter = [60, 300, 1800, 7200, 21_600];
/** A push that a device did not fetch in a day is dropped by the push service (RFC 8030 §5.2). */
const ttlSeconds = 86_400;

/** What the service worker shows. */
export type PushedNews = { title: string; body: string; path: string; tag: string };

export function pushOf(news: NewsFacts[], { showsTitles, tag }: { showsTitles: boolean; tag: string }): PushedNews {
  const [first] = news;
  const path = '/account/notifications';
  if (!showsTitles || first === undefined) return { title: discreetPush, body: '', path, tag };
  if (news.length > 1) return { title: `${news.length} new for you`, body: sayNews(first).text, path, tag };
  const said = sayNews(first);
  return { title: said.text, body: '', path: said.path, tag };
}

/** Pushes what is due: one push for each browser of a listener, however many news there are. */
export async function sendPushes(parts: SendingParts, signal?: AbortSignal): Promise<{ sent: number; gone: number }> {
  const { db } = parts;
  const pace = createPace(pushesPerSecond);
  const counts = { sent: 0, gone: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const claimed = await claimDue(db, 'push', claimedUsers);
    if (claimed.size === 0) return counts;
    const userIds = [...claimed.keys()];
    const [people, subscriptions] = await Promise.all([
      readNews(db, [...claimed.values()].flat()),
      db
        .select()
        .from(pushSubscriptions)
        .where(
          and(
            inArray(pushSubscriptions.userId, userIds),
            or(isNull(pushSubscriptions.notBefore), lte(pushSubscriptions.notBefore, sql`now()`)),
          ),
        )
        .orderBy(asc(pushSubscriptions.id)),
    ]);
    const byUser = Map.groupBy(subscriptions, ({ userId }) => userId);
    const reached = people.filter(({ userId }) => byUser.has(userId));
    const known = new Set(reached.map(({ userId }) => userId));
    await settle(
      db,
      'push',
      [...claimed].flatMap(([userId, ids]) => (known.has(userId) ? [] : ids)),
    );
    await forEachOf(reached, atOnce, async ({ userId, isDiscreet, news: all }) => {
      if (signal?.aborted === true) return;
      const ids = claimed.get(userId) ?? [];
      const preferences = await findPreferences(db, userId);
      const news = all.filter(({ kind }) => canReceiveNews(preferences, 'push', kind));
      const devices = news.length === 0 ? [] : (byUser.get(userId) ?? []);
      const tag = markOf(userId, ids);
      const payload = JSON.stringify(pushOf(news, { showsTitles: preferences.showsTitles && !isDiscreet, tag }));
      const outcomes: string[] = [];
      for (const device of devices) {
        await pace(1, signal);
        const outcome = await parts.push.send(device, { payload, topic: tag, ttlSeconds });
        outcomes.push(outcome);
        if (outcome === 'sent') counts.sent += 1;
        if ((await noteOutcome(parts, device, outcome)) === 'gone') counts.gone += 1;
      }
      // Once one device has it, the others that failed are not tried again: each person is told once.
      const failures = Math.max(0, ...devices.map((device) => device.failures));
      const seconds = retryAfter[failures];
      const mayRetry = !outcomes.includes('sent') && outcomes.includes('later') && seconds !== undefined;
      await settle(db, 'push', ids, mayRetry ? new Date(Date.now() + seconds * 1000) : null);
    });
  }
}

async function noteOutcome(
  { db }: SendingParts,
  device: typeof pushSubscriptions.$inferSelect,
  outcome: 'sent' | 'gone' | 'later',
): Promise<'kept' | 'gone'> {
  const isDevice = eq(pushSubscriptions.id, device.id);
  const seconds = retryAfter[device.failures];
  if (outcome === 'gone' || (outcome === 'later' && seconds === undefined)) {
    await db.delete(pushSubscriptions).where(isDevice);
    return 'gone';
  }
  const now = Date.now();
  await db
    .update(pushSubscriptions)
    .set(
      outcome === 'sent'
        ? { usedAt: new Date(now), failures: 0, notBefore: null }
        : { failures: sql`${pushSubscriptions.failures} + 1`, notBefore: new Date(now + (seconds ?? 0) * 1000) },
    )
    .where(isDevice);
  return 'kept';
}
