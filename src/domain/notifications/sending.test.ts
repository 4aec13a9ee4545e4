import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openMail } from '#gateways/mail.ts';
import { openWebPush } from '#gateways/web-push.ts';
import { audios } from '#domain/catalogue/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSeries, createSession, createViewer, createVoice } from '#test/support/factories.ts';
import { testOrigin, testSecret } from '#test/support/identity.ts';
import { startMailServer } from '#test/support/servers/mail-server.ts';
import { startPushService } from '#test/support/servers/push-service.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { claimDue } from './sending.ts';
import { type NewsPreferences, defaultPreferences } from './rules.ts';
import { notificationPreferences, notifications, pushSubscriptions } from './tables.ts';

const { db } = await createTestDatabase();
const [mails, service] = [await startMailServer(), await startPushService()];
const log = pino({ level: 'silent' });
const mail = await openMail({ url: mails.url, from: () => 'Sotto <no-reply@sotto.test>', db, log });
const push = openWebPush({
  secret: testSecret,
  contact: 'mailto:operator@sotto.test',
  moreServices: [service.origin],
});
const {
  community,
  library,
  notifications: news,
} = await openTestSite(db, undefined, undefined, undefined, { mail, push });
afterAll(async () => {
  await mail.close();
  await Promise.all([mails.close(), service.close()]);
});
let count = 0;
/** Each test has its own voice, and so its own followers. */
let voice: { id: string };
beforeEach(async () => {
  voice = await createVoice(db, { name: 'Iris', slug: `iris-${(count += 1)}` });
  await db.delete(notifications);
  mails.arrived.length = 0;
  service.pushed.length = 0;
});

async function createFollower(
  preferences: Partial<NewsPreferences>,
  overrides: { preferences?: { isDiscreet: boolean } } = {},
) {
  const email = `follower-${(count += 1)}@example.org`;
  const viewer = await createViewer(db, { email, ...overrides });
  await library.setFavorite(viewer, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  await news.savePreferences(viewer.id, { ...defaultPreferences, ...preferences });
  return { ...viewer, email };
}

async function publish(title: string, tagLabels: string[] = []): Promise<string> {
  const slug = `news-${(count += 1)}`;
  const { id } = await createAudio(db, { voiceId: voice.id, title, slug, tagLabels, publishedAt: new Date() });
  await news.notifyFollowers(id);
  return id;
}

async function fromBrowser(userId: string) {
  const { id: sessionId } = await createSession(db, userId);
  return { device: 'Chrome', sessionId };
}

const mailsTo = (email: string) => mails.arrived.filter(({ to }) => to === email);
const pushesTo = (device: string) => service.pushed.filter((one) => one.device === device);

/** Moves the time of waiting news to now; what was sent waits no more. */
async function letTimePass(): Promise<void> {
  // The columns round to milliseconds: now would be due half a millisecond later.
  for (const due of [sql`mail_due_at`, sql`push_due_at`])
    await db.execute(
      sql`update notifications set ${due} = least(${due}, now() - interval '1 second') where ${due} is not null`,
    );
  await db.update(pushSubscriptions).set({ notBefore: null });
}

test('without preferences nobody gets a mail or push', async () => {
  const follower = await createFollower({});
  await publish('Rain');
  expect(await news.sendNewsMails()).toEqual({ sent: 0 });
  expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
  expect(await news.countUnread(follower)).toBe(1);
});

test('a mail at once says what is new, once, and names how to end such mails by one press', async () => {
  const { email, id } = await createFollower({ email: 'at-once' });
  const discreet = await createFollower({ email: 'at-once' }, { preferences: { isDiscreet: true } });
  await publish('Rain on the roof');
  await news.sendNewsMails();
  await news.sendNewsMails();
  const [only, ...more] = mailsTo(email);
  expect(more).toEqual([]);
  expect(only).toMatchObject({ subject: 'Iris published “Rain on the roof”' });
  expect(mailsTo(discreet.email)).toMatchObject([{ subject: 'Something new is waiting' }]);
  const { headers = {} } = only ?? {};
  expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  const [, token = ''] =
    /^<http:\/\/127\.0\.0\.1:3000\/unsubscribe\/([\w-]+)>$/.exec(headers['list-unsubscribe'] ?? '') ?? [];
  expect(only?.text).toContain(`${testOrigin}/unsubscribe/${token}`);
  const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BA' : 'AA'}`;
  expect(await news.unsubscribe(forged)).toBe(false);
  expect(await news.unsubscribe(token)).toBe(true);
  expect(await news.findPreferences(id)).toMatchObject({ email: 'off' });
});

test('a mail about one audio or one reply leads to it, and its other addresses are links too', async () => {
  const follower = await createFollower({ email: 'at-once' });
  const audioId = await publish('Rain on the roof');
  await news.sendNewsMails();
  const [row] = await db.select({ slug: audios.slug }).from(audios).where(eq(audios.id, audioId));
  const address = `${testOrigin}/audio/${row?.slug}`;
  const [{ text, html } = { text: '', html: '' }] = mailsTo(follower.email);
  expect(text).toContain(`Go to the audio:\n${address}\n`);
  expect(text).not.toContain('/account/notifications');
  expect(html).toContain(`<a href="${address}"`);
  expect(html).toMatch(new RegExp(`Unsubscribe: <a href="${testOrigin}/unsubscribe/[\\w-]{43}"`));
  const comment = await community.writeComment(follower, audioId, { text: 'Lovely' });
  if (!comment.ok) throw new Error(comment.reason);
  const tom = await createViewer(db, { username: 'tom.reed' });
  const reply = await community.writeComment(tom, audioId, { text: 'Yes', parentId: comment.comment.id });
  if (!reply.ok) throw new Error(reply.reason);
  await news.planNews();
  await news.sendNewsMails();
  expect(mailsTo(follower.email)[1]).toMatchObject({
    subject: 'tom.reed replied to your comment on “Rain on the roof”',
    text: expect.stringContaining(
      `See the reply:\n${address}?comment=${reply.comment.id}#comment-${reply.comment.id}\n`,
    ),
  });
});

test('a digest gathers what is new until its hour, without what was read or unpublished meanwhile', async () => {
  const follower = await createFollower({ email: 'daily' });
  const audioIds = [await publish('One'), await publish('Two'), await publish('Three'), await publish('Four')];
  expect(await news.sendNewsMails()).toEqual({ sent: 0 });
  const { items } = await news.listNotifications(follower, { limit: 10 });
  await news.markRead(follower.id, [items.find(({ text }) => text.includes('“One”'))?.id ?? '']);
  await db.execute(sql`update audios set published_at = null where id = ${audioIds[1] ?? ''}`);
  await letTimePass();
  expect(await news.sendNewsMails()).toEqual({ sent: 1 });
  const [{ subject, text } = { subject: '', text: '' }] = mailsTo(follower.email);
  expect(subject).toBe('2 new for you');
  for (const title of ['Four', 'Three'])
    expect(text).toMatch(new RegExp(`Iris published “${title}”: ${testOrigin}/audio/news-\\d+\n`));
  expect(text).toContain(`See what is new:\n${testOrigin}/account/notifications\n`);
  expect(text).not.toMatch(/“One”|“Two”/);
});

test('a digest leaves out creators who were muted, tags that were hidden and users who were blocked meanwhile', async () => {
  const follower = await createFollower({ email: 'daily', isPushOn: true, showsTitles: true });
  const [answerer, other] = [await createViewer(db), await createViewer(db, { username: 'Nell' })];
  await news.addPushSubscription(follower.id, service.subscribe('wanted'), await fromBrowser(follower.id));
  const muted = voice;
  await publish('Muted');
  const inSeries = await publish('In a followed series');
  const { id: seriesId } = await createSeries(db, { voiceId: muted.id, audioIds: [inSeries] });
  voice = await createVoice(db, { name: 'Ada', slug: `ada-${(count += 1)}` });
  await library.setFavorite(follower, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  await publish('Hidden', ['Bees']);
  const asked = await publish('Wanted');
  const write = async (user: typeof other, text: string, parentId?: string) => {
    const written = await community.writeComment(user, asked, { text, parentId });
    if (!written.ok) throw new Error(written.reason);
    return written.comment.id;
  };
  const question = await write(follower, 'Why?');
  await write(answerer, 'Because.', question);
  await write(other, 'Indeed.', question);
  await news.planNews();
  await news.setSeriesFollowed(follower.id, seriesId, true);
  await news.setVoiceNews(follower.id, muted.id, false);
  await library.setTagHidden(follower.id, 'bees', true);
  await community.setBlocked(follower, answerer.id, true);
  await letTimePass();
  expect(await news.sendNewsMails()).toEqual({ sent: 1 });
  const [{ subject, text } = { subject: '', text: '' }] = mailsTo(follower.email);
  expect(subject).toBe('3 new for you');
  for (const wanted of ['“Wanted”', '“In a followed series”', 'Nell replied']) expect(text).toContain(wanted);
  expect(await news.sendPushes()).toEqual({ sent: 1, gone: 0 });
  expect(pushesTo('wanted')[0]?.payload).toContain('3 new for you');
});

test('turning mails off holds for what waits already', async () => {
  const follower = await createFollower({ email: 'daily' });
  await publish('One');
  await news.savePreferences(follower.id, defaultPreferences);
  await letTimePass();
  expect(await news.sendNewsMails()).toEqual({ sent: 0 });
});

test('a change of settings sends nothing again that was mailed or pushed', async () => {
  const [mailed, pushed] = [{ email: 'at-once', isPushOn: true } as const, { email: 'daily', isPushOn: true } as const];
  const [one, two] = [await createFollower(mailed), await createFollower(pushed)];
  await news.addPushSubscription(two.id, service.subscribe('changed'), await fromBrowser(two.id));
  await publish('One');
  expect(await news.sendNewsMails()).toEqual({ sent: 1 });
  await news.savePreferences(one.id, { ...defaultPreferences, ...mailed, showsTitles: true });
  expect(await news.sendNewsMails()).toEqual({ sent: 0 });
  expect(await news.sendPushes()).toEqual({ sent: 1, gone: 0 });
  await news.savePreferences(two.id, { ...defaultPreferences, ...pushed, showsTitles: true });
  expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
});

test('mails claimed by a killed process are sent after its lease, and not before', async () => {
  const follower = await createFollower({ email: 'at-once' });
  await publish('One');
  expect((await claimDue(db, 'mail')).size).toBeGreaterThan(0);
  expect(await news.sendNewsMails()).toEqual({ sent: 0 });
  // Later news of the same user go out meanwhile, alone.
  await publish('Two');
  expect(await news.sendNewsMails()).toEqual({ sent: 1 });
  await letTimePass();
  expect(await news.sendNewsMails()).toEqual({ sent: 1 });
  const titles = mailsTo(follower.email).map(({ text }) =>
    [...text.matchAll(/published “(\w+)”/g)].map(([, title]) => title),
  );
  expect(titles.map((found) => [...new Set(found)])).toEqual([['Two'], ['One']]);
});

test('a push reaches each browser, encrypted and signed, and is discreet unless titles were asked for', async () => {
  const [plain, titled, hidden] = [
    await createFollower({ isPushOn: true }),
    await createFollower({ isPushOn: true, showsTitles: true }),
    await createFollower({ isPushOn: true, showsTitles: true }, { preferences: { isDiscreet: true } }),
  ];
  for (const [device, { id }] of [
    ['phone', plain],
    ['laptop', plain],
    ['tablet', titled],
    ['hidden', hidden],
  ] as const)
    expect(await news.addPushSubscription(id, service.subscribe(device), await fromBrowser(id))).toMatchObject({
      ok: true,
    });
  await publish('Rain on the roof');
  expect(await news.sendPushes()).toEqual({ sent: 4, gone: 0 });
  expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
  for (const device of ['phone', 'laptop', 'hidden'])
    expect(JSON.parse(pushesTo(device)[0]?.payload ?? '')).toMatchObject({
      title: 'Something new is waiting',
      body: '',
      path: '/account/notifications',
    });
  expect(JSON.parse(pushesTo('tablet')[0]?.payload ?? '')).toMatchObject({
    title: 'Iris published “Rain on the roof”',
    path: expect.stringMatching(/^\/audio\/news-\d+$/),
  });
  for (const title of ['Two', 'Three']) await publish(title);
  expect(await news.sendPushes()).toEqual({ sent: 4, gone: 0 });
  expect(JSON.parse(pushesTo('tablet')[1]?.payload ?? '')).toMatchObject({
    title: '2 new for you',
    body: 'Iris published “Three”',
    path: '/account/notifications',
  });
  const [first, second] = ['phone', 'laptop'].map((device) => pushesTo(device)[0]);
  // RFC 8030 §5.2 to §5.4: TTL, urgency, and a topic so that a repetition replaces it.
  expect(first).toMatchObject({ ttl: '86400', urgency: 'normal', topic: expect.stringMatching(/^[\w-]{1,32}$/) });
  expect(first?.topic).toBe(second?.topic);
  // RFC 8292 §2: audience, contact and an expiry of at most a day; one signature for both pushes.
  const { audience, expiresAt, subject, text } = first?.token ?? {};
  expect([audience, subject]).toEqual([service.origin, 'mailto:operator@sotto.test']);
  const hours = ((expiresAt ?? 0) - Date.now() / 1000) / 3600;
  expect([hours > 10, hours <= 24]).toEqual([true, true]);
  expect(second?.token.text).toBe(text);
});

test('an ended subscription is deleted, and one whose service is away is tried again later', async () => {
  const { id } = await createFollower({ isPushOn: true });
  for (const device of ['gone', 'away'])
    await news.addPushSubscription(id, service.subscribe(device), await fromBrowser(id));
  service.answers.set('gone', { status: 410 }).set('away', { status: 503 });
  await publish('One');
  expect(await news.sendPushes()).toEqual({ sent: 0, gone: 1 });
  expect(await news.listPushDevices(id)).toHaveLength(1);
  // Later arrivals wait with it.
  await publish('Two');
  expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
  service.answers.clear();
  await letTimePass();
  expect(await news.sendPushes()).toEqual({ sent: 1, gone: 0 });
  const [kept] = await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, id));
  expect(kept).toMatchObject({ failures: 0, usedAt: expect.any(Date) });
});

test('news that reached one browser are not sent again for another, which gets the next ones once it subscribes again', async () => {
  const { id } = await createFollower({ isPushOn: true });
  for (const device of ['near', 'far'])
    await news.addPushSubscription(id, service.subscribe(device), await fromBrowser(id));
  service.answers.set('far', { status: 503 });
  await publish('One');
  expect(await news.sendPushes()).toEqual({ sent: 1, gone: 0 });
  const [sent] = await db.select().from(notifications).where(eq(notifications.userId, id));
  expect(sent?.pushDueAt).toBeNull();
  // The next success of one browser says nothing about the other.
  await db.update(pushSubscriptions).set({ usedAt: null }).where(eq(pushSubscriptions.userId, id));
  await publish('Between');
  expect(await news.sendPushes()).toEqual({ sent: 1, gone: 0 });
  const isWaiting = and(eq(pushSubscriptions.userId, id), isNotNull(pushSubscriptions.notBefore));
  expect(await db.$count(pushSubscriptions, isWaiting)).toBe(1);
  service.answers.clear();
  await news.addPushSubscription(id, service.subscribe('far'), await fromBrowser(id));
  await publish('Two');
  expect(await news.sendPushes()).toEqual({ sent: 2, gone: 0 });
});

test('a service that asks to wait is not asked before, and its browsers stay however often it does', async () => {
  const { id } = await createFollower({ isPushOn: true });
  await news.addPushSubscription(id, service.subscribe('busy'), await fromBrowser(id));
  const findDevice = async () => (await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, id)))[0];
  const minutesUntil = (at: Date | null | undefined) => Math.round(((at?.getTime() ?? 0) - Date.now()) / 60_000);
  const inTwoHours = new Date(Date.now() + 2 * 3_600_000).toUTCString();
  for (const [wait, minutes] of [
    ['3600', 60],
    // The site's own wait is longer.
    ['1', 5],
    [inTwoHours, 120],
    ['9999999', 24 * 60],
    ['soon', 360],
    ['60', 1],
  ] as const) {
    service.answers.set('busy', {
      status: 429,
      ...(wait !== 'soon' && { headers: { 'retry-after': wait } }),
    });
    if (wait === '60') await db.update(pushSubscriptions).set({ failures: 5 }).where(eq(pushSubscriptions.userId, id));
    await publish(wait);
    await letTimePass();
    expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
    expect([wait, minutesUntil((await findDevice())?.notBefore)]).toEqual([wait, minutes]);
  }
  service.answers.clear();
});

test('a push that is too large is given up, and its browser stays', async () => {
  const { id } = await createFollower({ isPushOn: true });
  await news.addPushSubscription(id, service.subscribe('small'), await fromBrowser(id));
  service.answers.set('small', { status: 413 });
  await publish('One');
  expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
  service.answers.clear();
  const [waiting] = await db.select().from(notifications).where(eq(notifications.userId, id));
  expect(waiting?.pushDueAt).toBeNull();
  expect(await news.listPushDevices(id)).toHaveLength(1);
  await publish('Two');
  expect(await news.sendPushes()).toEqual({ sent: 1, gone: 0 });
  const [{ endpoint = '' } = {}] = await news.listPushDevices(id);
  const { keys } = service.subscribe('small');
  const to = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
  const message = { payload: 'é'.repeat(2048), topic: 't', ttlSeconds: 60 };
  expect(await push.send(to, message)).toEqual({ is: 'refused' });
});

test('a log-out ends the pushes to that browser', async () => {
  const { id } = await createFollower({ isPushOn: true });
  const { sessionId } = await fromBrowser(id);
  await news.addPushSubscription(id, service.subscribe('left'), { device: 'Chrome', sessionId });
  await db.execute(sql`delete from sessions where id = ${sessionId}`);
  await publish('One');
  expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
  expect(await news.listPushDevices(id)).toEqual([]);
  expect(await db.select({ at: notifications.pushDueAt }).from(notifications)).toEqual([{ at: null }]);
});

test('in quiet hours nothing is sent, even if it is due; it is when they end', async () => {
  const hour = new Date().getUTCHours();
  const quiet = { from: hour, until: (hour + 2) % 24 };
  const preferences = { email: 'at-once', isPushOn: true, quiet } as const;
  const follower = await createFollower(preferences);
  await news.addPushSubscription(follower.id, service.subscribe('quiet'), await fromBrowser(follower.id));
  await publish('One');
  for (const isDue of [false, true]) {
    // A retry, or a job that was late.
    if (isDue) await letTimePass();
    expect(await news.sendPushes()).toEqual({ sent: 0, gone: 0 });
    expect(await news.sendNewsMails()).toEqual({ sent: 0 });
  }
  const [waiting] = await db.select().from(notifications).where(eq(notifications.userId, follower.id));
  for (const at of [waiting?.mailDueAt, waiting?.pushDueAt]) expect(at?.getUTCHours()).toBe(quiet.until);
  await db.update(notificationPreferences).set({ quietFrom: null, quietUntil: null });
  await letTimePass();
  expect(await news.sendPushes()).toEqual({ sent: 1, gone: 0 });
  expect(await news.sendNewsMails()).toEqual({ sent: 1 });
});

test('only known push services are asked', async () => {
  const { id } = await createFollower({ isPushOn: true });
  const { keys } = service.subscribe('any');
  const known = [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-par02p.notify.windows.com/w/?token=x',
  ];
  const unknown = [
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evilfcm.googleapis.com/x',
    'https://user@fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'http://169.254.169.254/latest/meta-data',
    'https://notify.windows.com.evil.example/x',
  ];
  expect(known.filter((endpoint) => !push.accepts(endpoint))).toEqual([]);
  expect(unknown.filter((endpoint) => push.accepts(endpoint))).toEqual([]);
  expect(await news.addPushSubscription(id, { endpoint: unknown[6] ?? '', keys }, await fromBrowser(id))).toEqual({
    ok: false,
    reason: 'unknown-service',
  });
});

test('the key pair is the same in every process', () => {
  const again = openWebPush({ secret: testSecret, contact: 'mailto:a@b.example' });
  expect(again.publicKey).toBe(push.publicKey);
  expect(Buffer.from(push.publicKey, 'base64url')).toHaveLength(65);
  expect(openWebPush({ secret: 'another', contact: 'mailto:a@b.example' }).publicKey).not.toBe(push.publicKey);
});
