import { pino } from 'pino';
import type { Database } from '#db/database.ts';
import { publishAudio } from '#domain/catalogue/editing/publishing.ts';
import { notifyFollowers } from '#domain/notifications/fan-out.ts';
import { sendNewsMails } from '#domain/notifications/send-mails.ts';
import { sendPushes } from '#domain/notifications/send-pushes.ts';
import { openMail } from '#gateways/mail.ts';
import { openWebPush } from '#gateways/web-push.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { type Figure, atMost } from './figures.ts';
import { startReceivers } from './news-receivers.ts';
import { measureOnOwnDatabase } from './own-database.ts';

const followers = 100_000;
const pushed = Number(process.env['NEWS_PUSHED'] ?? 10_000);
const mailed = Number(process.env['NEWS_MAILED'] ?? 10_000);
const maxSeconds = 300;
const atOnce = 10_000;
const secret = 'a secret that is only for this measurement';

/**
 * One audio of a voice with 100,000 followers: until all have it in their list, and until mails and pushes are sent.
 */
export function benchNews(): Promise<Figure[]> {
  return measureOnOwnDatabase(({ database }) => measureNews(database));
}

async function measureNews({ db, pool }: Database): Promise<Figure[]> {
  const receivers = await startReceivers();
  const log = pino({ level: 'silent' });
  const mail = await openMail({
    url: receivers.mailUrl,
    from: () => 'no-reply@sotto.test',
    db,
    log,
  });
  const push = openWebPush({ secret, contact: 'mailto:a@sotto.test', moreServices: [receivers.pushOrigin] });
  const parts = { db, mail, push, secret, site: { name: 'Sotto', url: 'https://sotto.example' } };
  try {
    const voice = await createVoice(db);
    await follow(pool, voice.id, receivers.browser);
    const { id } = await createAudio(db, { voiceId: voice.id, publishedAt: null });
    await publishAudio(db, id);
    const inList = await seconds(() => notifyFollowers(db, id));
    const byPush = await seconds(() => sendPushes(parts));
    const byMail = await seconds(() => sendNewsMails(parts));
    const { pushes, pushedTo, goodPushes, mails, mailedTo } = await receivers.count();
    const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from notifications');
    return [
      atMost(`${followers} followers have the news in their list`, inList.passed, maxSeconds, 's'),
      atMost(`${pushed} of them by push (${rate(pushed, byPush)})`, byPush.passed, limitFor(pushed), 's'),
      atMost(`${mailed} of them by mail (${rate(mailed, byMail)})`, byMail.passed, limitFor(mailed), 's'),
      {
        name: 'News not told, or told twice',
        value: [
          followers - (rows[0]?.count ?? 0),
          pushed - pushedTo,
          pushes - pushedTo,
          mailed - mailedTo,
          mails - mailedTo,
        ].join(),
        limit: '0,0,0,0,0',
        ok:
          rows[0]?.count === followers &&
          [pushes, pushedTo].every((count) => count === pushed) &&
          [mails, mailedTo].every((count) => count === mailed),
      },
      {
        name: 'Pushes that were decrypted, and whose sender was checked',
        value: String(goodPushes),
        limit: `≥ ${pushed * 0.95}`,
        ok: goodPushes >= pushed * 0.95,
      },
    ];
  } finally {
    await mail.close();
    await receivers.close();
  }
}

async function follow(
  pool: Database['pool'],
  voiceId: string,
  { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
): Promise<void> {
  // In parts, because long statements are cancelled.
  for (let from = 1; from <= followers; from += atOnce)
    await pool.query(
      `with people as (insert into users (id, email)
         select gen_random_uuid(), 'follower-' || n || '@example.org' from generate_series($2::int, $3::int) n returning id)
       insert into voice_favorites (user_id, content_id) select id, $1 from people`,
      [voiceId, from, from + atOnce - 1],
    );
  const numbered = `select id, substring(email from '\\d+')::int as n from users where email like 'follower-%'`;
  await pool.query(
    `insert into notification_preferences (user_id, email, is_push_on)
     select id, case when n > $2 then 'at-once' else 'off' end, n <= $1 from (${numbered}) p where n <= $1 or n > $2`,
    [pushed, followers - mailed],
  );
  // One browser for all of them: the endpoint must be unique, and the service ignores the query.
  await pool.query(
    `with logged_in as (insert into sessions (id, user_id, token_hash, device, expires_at)
       select gen_random_uuid(), id, id::text, 'Chrome', now() + interval '1 day' from (${numbered}) p where n <= $4 returning id, user_id)
     insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, device)
     select gen_random_uuid(), user_id, id, $1 || '?' || user_id, $2, $3, 'Chrome' from logged_in`,
    [endpoint, keys.p256dh, keys.auth, pushed],
  );
  await pool.query('analyze');
}

type Took = {
  /** Seconds. */
  passed: number;
  /** CPU seconds of this process. */
  worked: number;
};

async function seconds(work: () => Promise<unknown>): Promise<Took> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { passed: (performance.now() - began) / 1000, worked: (user + system) / 1e6 };
}

function rate(count: number, { passed, worked }: Took): string {
  return `${Math.round(count / passed)} per second, ${((worked * 1000) / count).toFixed(2)} ms of the sender each`;
}

/** All followers within five minutes. */
function limitFor(count: number): number {
  return (maxSeconds * count) / followers;
}
