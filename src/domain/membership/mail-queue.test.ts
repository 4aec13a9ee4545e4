import { formatDay } from '#formats/times.ts';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { languageSetting } from '../settings/languages.ts';
import { siteSettings } from '../settings/tables.ts';
import { users } from '../identity/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { findCustomerId } from './customers.ts';
import { sendDueMails } from './mail-queue.ts';
import { syncSubscription } from './sync/sync.ts';
import { membershipMails } from './tables.ts';
import { slow } from '#test/support/tags.ts';

const database = await createTestDatabase();
const { db } = database;
const site = openTestMembership(db);
const { plain, parts, mails } = site;
const day = 24 * 60 * 60 * 1000;

beforeEach(() => {
  mails.length = 0;
});

const subjectsFor = (email: string) => mails.filter(({ to }) => to === email).map(({ subject }) => subject);

async function subscribed(kind: 'good' | 'fails-later', startsAt = new Date()) {
  const listener = await createListener(site, { startsAt });
  await site.createSubscription(listener.id, orderOf(plain.newCard(kind)));
  const customerId = (await findCustomerId(db, listener.id)) ?? '';
  const moveTo = async (to: Date) => {
    await plain.provider.testClock?.advance(customerId, to);
    await syncSubscription(parts, customerId);
  };
  return { ...listener, customerId, moveTo };
}

test('a welcome, a notice two days before the trial ends, then a receipt: each once', async () => {
  const { id, email, moveTo, customerId } = await subscribed('good', new Date(Date.now() - 4 * day - 60_000));
  // The notice is due in a day; the welcome is too old to send.
  expect(await sendDueMails(parts)).toBe(0);
  await db.update(membershipMails).set({ dueAt: new Date() }).where(eq(membershipMails.userId, id));
  await sendDueMails(parts);
  const ends = new Date(Date.now() + 3 * day - 60_000);
  expect(subjectsFor(email)).toEqual([`Your free time ends on ${formatDay(ends)}`]);
  await moveTo(new Date(Date.now() + 4 * day));
  await syncSubscription(parts, customerId);
  await Promise.all([sendDueMails(parts), sendDueMails(parts)]);
  await sendDueMails(parts);
  expect(subjectsFor(email).slice(1)).toEqual(['Your receipt from Sotto']);
  expect(mails.at(-1)?.text).toContain('$7.99 was paid');
});

test('the welcome names the price and the day', async () => {
  const { email } = await subscribed('good');
  await sendDueMails(parts);
  expect(subjectsFor(email)).toEqual(['Welcome to Sotto']);
  expect(mails.at(-1)?.text).toMatch(/It is free until \d+ \w+ \d{4}\. After that it is \$7\.99 a month\./);
});

test('mails are in the language that their receiver has chosen, while the site offers it', async () => {
  const offer = (value: object) =>
    db
      .insert(siteSettings)
      .values({ key: languageSetting.key, value })
      .onConflictDoUpdate({ target: siteSettings.key, set: { value } });
  await offer({ de: true });
  const [one, other] = [await subscribed('good'), await subscribed('good')];
  await db
    .update(users)
    .set({ preferences: { language: 'de' } })
    .where(eq(users.id, one.id));
  await sendDueMails(parts);
  expect(subjectsFor(one.email)).toEqual(['Willkommen bei Sotto']);
  expect(mails.find(({ to }) => to === one.email)?.html).toContain('<html lang="de" dir="ltr">');
  expect(subjectsFor(other.email)).toEqual(['Welcome to Sotto']);

  await offer({ de: false });
  const withdrawn = await subscribed('good');
  await db
    .update(users)
    .set({ preferences: { language: 'de' } })
    .where(eq(users.id, withdrawn.id));
  await sendDueMails(parts);
  expect(subjectsFor(withdrawn.email)).toEqual(['Welcome to Sotto']);
});

test('a failed charge is mailed with the last day to fix it, and the end of the subscription too', async () => {
  const { email, moveTo } = await subscribed('fails-later', new Date(Date.now() - 8 * day));
  await moveTo(new Date());
  await sendDueMails(parts);
  expect(subjectsFor(email)).toEqual(['Your payment did not go through']);
  expect(mails.at(-1)?.text).toMatch(/You can listen on until \d+ \w+ \d{4}/);
  await moveTo(new Date(Date.now() + 20 * day));
  await sendDueMails(parts);
  expect(subjectsFor(email)).toEqual(['Your payment did not go through', 'Your subscription has ended']);
});

test('a mail whose problem was fixed before it was sent is dropped', async () => {
  const { id, email, moveTo } = await subscribed('fails-later', new Date(Date.now() - 8 * day));
  await moveTo(new Date());
  const { setupId, clientSecret } = await site.startCardChange(id);
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  await site.finishCardChange(id, setupId);
  await sendDueMails(parts);
  expect(subjectsFor(email)).toEqual(['Your receipt from Sotto']);
});

test('a cancelled subscription gets no notice of a charge', async () => {
  const { id, email } = await subscribed('good', new Date(Date.now() - 6 * day));
  await site.cancelSubscription(id, undefined);
  await sendDueMails(parts);
  expect(subjectsFor(email)).toEqual([]);
});

test('ten processes send each mail once', slow, async () => {
  const people = [];
  for (let index = 0; index < 25; index += 1) people.push(await subscribed('good'));
  const others = Array.from({ length: 3 }, () => openDatabase({ url: database.url, poolSize: 2 }));
  try {
    const processes = others.map((other) => ({ ...parts, db: other.db }));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => sendDueMails(processes[index % processes.length] ?? parts)),
    );
  } finally {
    for (const other of others) await other.close();
  }
  for (const { email } of people) expect(subjectsFor(email)).toEqual(['Welcome to Sotto']);
});

test('a mail whose sender died is sent later; one without a recipient does not block the others', async () => {
  const { id, email } = await subscribed('good');
  const claim = (claimedUntil: Date) =>
    db.update(membershipMails).set({ claimedUntil }).where(eq(membershipMails.userId, id));
  await claim(new Date(Date.now() + 60_000));
  await sendDueMails(parts);
  expect(subjectsFor(email)).toEqual([]);
  await claim(new Date(Date.now() - 1000));
  await sendDueMails(parts);
  expect(subjectsFor(email)).toEqual(['Welcome to Sotto']);

  const other = await subscribed('good');
  await db.update(users).set({ email: null }).where(eq(users.id, other.id));
  expect(await sendDueMails(parts)).toBe(0);
  expect(await sendDueMails(parts)).toBe(0);
});

test('a mail that cannot be sent does not delay the next ones', async () => {
  const bad = await subscribed('good');
  await db.update(users).set({ email: 'one,two@example.org' }).where(eq(users.id, bad.id));
  const { queue } = parts.mail;
  parts.mail.queue = async (tx, mail) => {
    if (mail.to.includes(',')) throw new TypeError('A mail goes to exactly one plain address');
    return queue(tx, mail);
  };
  const good = await subscribed('good');
  await expect(sendDueMails(parts)).rejects.toThrow('exactly one plain address');
  parts.mail.queue = queue;
  expect(subjectsFor(good.email)).toEqual(['Welcome to Sotto']);
  expect(await sendDueMails(parts)).toBe(0);
});
