import { i18n } from '#i18n';
import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { PushOutcome } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';
import { type NewsFacts, discreetPush, describeNews } from './rules.ts';
import { type OpenRound, type SendingParts, batchWrites, createPace, markOf, sendDue } from './sending.ts';
import { pushSubscriptions } from './tables.ts';

const pushesPerSecond = 1000;
/** Seconds until the next try; after the last one the subscription is deleted. */
const retryAfter = [60, 300, 1800, 7200, 21_600];
/** The push service drops a push that a device does not fetch within a day (RFC 8030 §5.2). */
const ttlSeconds = 86_400;

/** Content of a notification that the service worker shows. */
export type PushedNews = { title: string; body: string; path: string; tag: string };

export function pushOf(news: NewsFacts[], { showsTitles, tag }: { showsTitles: boolean; tag: string }): PushedNews {
  const [first] = news;
  const path = '/account/notifications';
  if (!showsTitles || first === undefined) return { title: discreetPush(), body: '', path, tag };
  if (news.length > 1) {
    const title = i18n._(
      /*i18n*/ {
        id: 'news.several',
        message: '{count, plural, one {# new for you} other {# new for you}}',
        values: { count: news.length },
      },
    );
    return { title, body: describeNews(first).text, path, tag };
  }
  const described = describeNews(first);
  return { title: described.text, body: '', path: described.path, tag };
}

/** Sends due pushes: one for each browser of a listener, with all their news. */
export async function sendPushes(
  { db, push }: SendingParts,
  signal?: AbortSignal,
): Promise<{ sent: number; gone: number }> {
  const [pace, noteOutcome] = [createPace(pushesPerSecond), openNotes(db)];
  const counts = { sent: 0, gone: 0 };
  const openRound: OpenRound = async (claimed, settle) => {
    const devices = await db
      .select()
      .from(pushSubscriptions)
      .where(inArray(pushSubscriptions.userId, [...claimed.keys()]))
      .orderBy(asc(pushSubscriptions.id));
    const now = new Date();
    const isReady = ({ notBefore }: Device) => notBefore === null || notBefore <= now;
    const ready = Map.groupBy(devices.filter(isReady), ({ userId }) => userId);
    // All browsers of these users wait for a retry: their news wait too.
    for (const { userId, notBefore } of devices) {
      const ids = claimed.get(userId);
      if (ids === undefined || ready.has(userId)) continue;
      await settle(ids, notBefore);
      claimed.delete(userId);
    }
    return {
      isReached: (userId) => ready.has(userId),
      async send({ userId, isDiscreet, news, ids, preferences, settle: settleNews }) {
        const reached = news.length === 0 ? [] : (ready.get(userId) ?? []);
        const tag = markOf(userId, ids);
        const payload = JSON.stringify(pushOf(news, { showsTitles: preferences.showsTitles && !isDiscreet, tag }));
        const outcomes: PushOutcome[] = [];
        for (const device of reached) {
          await pace(1, signal);
          const outcome = await push.send(device, { payload, topic: tag, ttlSeconds });
          outcomes.push(outcome);
          if (outcome.is === 'sent') counts.sent += 1;
          if ((await noteOutcome({ device, outcome })) === 'gone') counts.gone += 1;
        }
        // Once one device has it, failed devices are not retried: each person is notified once.
        const failures = Math.max(0, ...reached.map((device) => device.failures));
        const waits = outcomes.flatMap((outcome) => (outcome.is === 'later' ? (waitOf(failures, outcome) ?? []) : []));
        const mayRetry = waits.length > 0 && outcomes.every(({ is }) => is !== 'sent');
        await settleNews(mayRetry ? inSeconds(Math.min(...waits)) : null);
      },
    };
  };
  await sendDue(db, 'push', openRound, signal);
  return counts;
}

type Device = typeof pushSubscriptions.$inferSelect;

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** Not before the time that the service asks for. @returns undefined after the last try */
function waitOf(failures: number, { waitSeconds = 0 }: { waitSeconds?: number }): number | undefined {
  const seconds = retryAfter[failures];
  return seconds === undefined ? undefined : Math.max(seconds, waitSeconds);
}

type Noted = { device: Device; outcome: PushOutcome };

/** Stores the results of pushes. Most need no write; those of the same moment share one statement. */
function openNotes(db: Db): (noted: Noted) => Promise<'kept' | 'gone'> {
  const remove = batchWrites((ids: string[]) => db.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, ids)));
  const noteUse = batchWrites((ids: string[]) =>
    db
      .update(pushSubscriptions)
      .set({ usedAt: new Date(), failures: 0, notBefore: null })
      .where(inArray(pushSubscriptions.id, ids)),
  );
  return async ({ device: { id, failures, usedAt }, outcome }) => {
    if (outcome.is === 'refused') return 'kept';
    if (outcome.is === 'sent') {
      if (failures > 0 || Date.now() - (usedAt?.getTime() ?? 0) >= ttlSeconds * 1000) await noteUse(id);
      return 'kept';
    }
    // A service that asks to wait is retried even after the last try: it is available and knows the subscription.
    const seconds = outcome.is === 'later' ? (waitOf(failures, outcome) ?? outcome.waitSeconds) : undefined;
    if (seconds === undefined) {
      await remove(id);
      return 'gone';
    }
    await db
      .update(pushSubscriptions)
      .set({
        failures: sql`least(${pushSubscriptions.failures} + 1, ${retryAfter.length})`,
        notBefore: inSeconds(seconds),
      })
      .where(eq(pushSubscriptions.id, id));
    return 'kept';
  };
}
