import { settleEach } from '../kernel/settle-each.ts';
import { afterQuietHours } from './delivery-times.ts';
import { newsMail } from './mails.ts';
import { readNews } from './notification-lists.ts';
import { findPreferencesOf } from './preferences.ts';
import type { NewsPreferences } from './rules.ts';
import { canReceiveNews, defaultPreferences } from './rules.ts';
import type { SendingParts } from './sending.ts';
import { atOnce, claimDue, createPace, markOf, openSettling } from './sending.ts';
import { unsubscribeToken } from './unsubscribe.ts';

const claimedUsers = 500;
/** Mail servers refuse a higher rate. */
const mailsPerSecond = 400;

/**
 * Sends due mails: one for each listener, with all their news. A process killed between the mail server’s answer and
 * the update repeats the mails in progress (`atOnce`), with the same Message-ID.
 */
export async function sendNewsMails(parts: SendingParts, signal?: AbortSignal): Promise<{ sent: number }> {
  const { db } = parts;
  const [pace, settle] = [createPace(mailsPerSecond), openSettling(db, 'mail')];
  for (let sent = 0; ;) {
    signal?.throwIfAborted();
    const claimed = await claimDue(db, 'mail', claimedUsers);
    if (claimed.size === 0) return { sent };
    const [people, chosen] = await Promise.all([
      readNews(db, [...claimed.values()].flat()),
      findPreferencesOf(db, [...claimed.keys()]),
    ]);
    const known = new Set(people.map(({ userId }) => userId));
    await settle([...claimed].flatMap(([userId, ids]) => (known.has(userId) ? [] : ids)));
    await settleEach(
      people,
      async (person) => {
        // Unsent ones are due again when the lease of a dead process expires.
        if (signal?.aborted === true) return;
        const ids = claimed.get(person.userId) ?? [];
        const preferences = chosen.get(person.userId) ?? defaultPreferences;
        // News that waited for this job may be due in quiet hours.
        const now = new Date();
        const allowedAt = afterQuietHours(now, preferences);
        if (allowedAt > now) return settle(ids, allowedAt);
        await pace(1, signal);
        try {
          if (await sendOne(parts, person, { ids, preferences })) sent += 1;
        } finally {
          await settle(ids);
        }
      },
      { atOnce },
    );
  }
}

async function sendOne(
  { mail, site, secret }: SendingParts,
  { userId, email, isDiscreet, news: all }: Awaited<ReturnType<typeof readNews>>[number],
  { ids, preferences }: { ids: string[]; preferences: NewsPreferences },
): Promise<boolean> {
  const news = all.filter(({ kind }) => canReceiveNews(preferences, 'mail', kind));
  if (email === null || news.length === 0) return false;
  const unsubscribeUrl = `${site.url}/unsubscribe/${unsubscribeToken(secret, userId)}`;
  await mail.send({
    to: email,
    ...newsMail(site, { news, isDiscreet, unsubscribeUrl }),
    messageMark: markOf(userId, ids),
    unsubscribeUrl,
  });
  return true;
}
