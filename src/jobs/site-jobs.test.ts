import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { giveTime } from '#domain/membership/gift-cards/operator-gifts.ts';
import { givenMonths, membershipMails, memberships } from '#domain/membership/tables.ts';
import { openMail } from '#gateways/mail.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { siteJobs } from './site-jobs.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts, mails } = site;
const running = new AbortController().signal;
const outbox = await openMail({ url: undefined, from: () => 'site@sotto.example', db, log: console });

/** The job of that name, with the real area; no other part of the site is read by it. */
function jobOf(name: string) {
  const jobs = siteJobs(
    {
      site: { membership: site } as never,
      gateways: { payments: { played: [] }, identity: { mail: outbox } } as never,
      log: console,
    },
    async () => {},
  );
  const job = jobs.find((one) => one.name === name);
  if (job?.schedule === undefined) throw new Error(`no job ${name}`);
  return job;
}

beforeEach(async () => {
  await db.delete(givenMonths);
  await db.delete(membershipMails);
  mails.length = 0;
});

/** Months that wait for the provider. */
async function waitingGift(): Promise<string> {
  const { id } = await createListener(site);
  await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { withoutTrial: true }));
  const { delayCharge } = plain.provider;
  plain.provider.delayCharge = async () => Promise.reject(new Error('away'));
  await giveTime(parts, id, { months: 1 });
  plain.provider.delayCharge = delayCharge;
  await db.update(givenMonths).set({ createdAt: sql`now() - interval '2 minutes'` });
  return id;
}

const isApplied = async (userId: string) =>
  (await db.select().from(givenMonths).where(eq(givenMonths.userId, userId)))[0]?.appliedAt !== null;

test('charges are moved while a mail server answers nothing', async () => {
  const id = await waitingGift();
  await db.update(membershipMails).set({ dueAt: new Date() });
  const { queue } = parts.mail;
  let asked = 0;
  parts.mail.queue = async () => {
    asked += 1;
    return new Promise(() => {});
  };
  await jobOf('do-due-memberships').run(running);
  parts.mail.queue = queue;
  expect([await isApplied(id), asked]).toEqual([true, 0]);
  expect(await jobOf('send-membership-mails').run(running)).toEqual({ mails: expect.any(Number) as number });
});

test('waiting money ends between two users when the process stops, and the next run does the rest once', async () => {
  const people = [await waitingGift(), await waitingGift()];
  const [stopping, { delayCharge }] = [new AbortController(), plain.provider];
  let moves = 0;
  plain.provider.delayCharge = async (...move) => {
    moves += 1;
    stopping.abort(new Error('the process stops'));
    return delayCharge(...move);
  };
  await expect(jobOf('do-due-memberships').run(stopping.signal)).rejects.toThrow('the process stops');
  // The one in progress is whole, its outcome too.
  expect((await Promise.all(people.map(isApplied))).filter(Boolean)).toHaveLength(1);
  expect(moves).toBe(1);
  await jobOf('do-due-memberships').run(running);
  plain.provider.delayCharge = delayCharge;
  expect(await Promise.all(people.map(isApplied))).toEqual([true, true]);
  expect(moves).toBe(2);
});

test('mails end between two when the process stops, and the next run sends the others at once', async () => {
  const people = await Promise.all([createListener(site), createListener(site), createListener(site)]);
  for (const { id } of people) await site.createSubscription(id, orderOf(plain.newCard('good')));
  await db.delete(membershipMails).where(sql`kind <> 'welcome'`);
  const [stopping, { queue }] = [new AbortController(), parts.mail];
  parts.mail.queue = async (tx, mail) => {
    stopping.abort(new Error('the process stops'));
    return queue(tx, mail);
  };
  await expect(jobOf('send-membership-mails').run(stopping.signal)).rejects.toThrow('the process stops');
  parts.mail.queue = queue;
  expect(mails).toHaveLength(1);
  expect(await jobOf('send-membership-mails').run(running)).toEqual({ mails: 2 });
  expect(new Set(mails.map(({ to }) => to)).size).toBe(3);
});
