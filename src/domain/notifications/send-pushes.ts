import { asc, eq, inArray, sql } from 'drizzle-orm';
import { readNews } from './notification-lists.ts';
import { findPreferencesOf } from './preferences.ts';
import type { NewsFacts } from './rules.ts';
import { canReceiveNews, defaultPreferences, discreetPush, sayNews } from './rules.ts';
import type { SendingParts } from './sending.ts';
import { claimDue, createPace, forEachOf, markOf, settle } from './sending.ts';
import { pushSubscriptions } from './tables.ts';

/** Each takes a connection of the database for a moment, of which requests need most. */
const atOnce = 6;
const claimedUsers = 500;
const pushesPerSecond = 1000;
/** Seconds until the next try; after the last one the subscription is given up. */
const retryAfter = [60, 300, 1800, 7200, 21_600];
/** A push that a device did not fetch in a day is dropped by the push service (RFC 8030 §5.2). */
const ttlSeconds = 86_400;

/** Content of a notification that the service worker shows. */
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
    const [chosen, people, subscriptions] = await Promise.all([
      findPreferencesOf(db, userIds),
      readNews(db, [...claimed.values()].flat()),
      db
        .select()
        .from(pushSubscriptions)
        .where(inArray(pushSubscriptions.userId, userIds))
        .orderBy(asc(pushSubscriptions.id)),
    ]);
    const now = new Date();
    const isReady = ({ notBefore }: Device) => notBefore === null || notBefore <= now;
    const byUser = Map.groupBy(subscriptions.filter(isReady), ({ userId }) => userId);
    await deferWaiting(parts, claimed, subscriptions, byUser);
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
      const preferences = chosen.get(userId) ?? defaultPreferences;
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

type Device = typeof pushSubscriptions.$inferSelect;

/** Users all of whose browsers wait for another try: their news wait with them. */
async function deferWaiting(
  { db }: SendingParts,
  claimed: Map<string, string[]>,
  subscriptions: Device[],
  ready: Map<string, Device[]>,
): Promise<void> {
  for (const { userId, notBefore } of subscriptions) {
    const ids = claimed.get(userId);
    if (ids === undefined || ready.has(userId)) continue;
    await settle(db, 'push', ids, notBefore);
    claimed.delete(userId);
  }
}

async function noteOutcome(
  { db }: SendingParts,
  device: Device,
  outcome: 'sent' | 'gone' | 'later',
): Promise<'kept' | 'gone'> {
  const isDevice = eq(pushSubscriptions.id, device.id);
  const seconds = retryAfter[device.failures];
  if (outcome === 'gone' || (outcome === 'later' && seconds === undefined)) {
    await db.delete(pushSubscriptions).where(isDevice);
    return 'gone';
  }
  const now = Date.now();
  // Most pushes write nothing here.
  if (outcome === 'sent' && device.failures === 0 && now - (device.usedAt?.getTime() ?? 0) < ttlSeconds * 1000)
    return 'kept';
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
