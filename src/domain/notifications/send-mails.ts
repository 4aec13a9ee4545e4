import { newsMail } from './mails.ts';
import { type OpenRound, type SendingParts, createPace, markOf, sendDue } from './sending.ts';
import { unsubscribeToken } from './unsubscribe.ts';

/** Mail servers refuse a higher rate. */
const mailsPerSecond = 400;

/**
 * Sends due mails: one for each listener, with all their news. A process killed between the mail server’s answer and
 * the update repeats the mails in progress, with the same Message-ID.
 */
export async function sendNewsMails(
  { db, mail, site, secret }: SendingParts,
  signal?: AbortSignal,
): Promise<{ sent: number }> {
  const pace = createPace(mailsPerSecond);
  let sent = 0;
  const openRound: OpenRound = () => ({
    async send({ userId, email, isDiscreet, news, ids, settle }) {
      await pace(1, signal);
      try {
        if (email === null || news.length === 0) return;
        const unsubscribeUrl = `${site.url}/unsubscribe/${unsubscribeToken(secret, userId)}`;
        const content = newsMail(site, { news, isDiscreet, unsubscribeUrl });
        await mail.send({ to: email, ...content, messageMark: markOf(userId, ids), unsubscribeUrl });
        sent += 1;
      } finally {
        await settle();
      }
    },
  });
  await sendDue(db, 'mail', openRound, signal);
  return { sent };
}
