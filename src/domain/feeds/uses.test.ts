import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import type { MailMessage } from '../gateways.ts';
import { users } from '../identity/tables.ts';
import { newId } from '../kernel/ids.ts';
import { privateFeeds } from './tables.ts';
import { openUses } from './uses.ts';

const { db } = await createTestDatabase();

async function createStoppedFeed(): Promise<{ id: string; email: string }> {
  const { id: userId } = await createUser(db);
  const [id, email] = [newId(), `${userId}@example.org`];
  await db.update(users).set({ email }).where(eq(users.id, userId));
  await db
    .insert(privateFeeds)
    .values({ id, userId, kind: 'all', tokenHash: id.replaceAll('-', '').padEnd(64, '0'), stoppedAt: sql`now()` });
  return { id, email };
}

test('a failed mail about a stopped feed is sent later, once, and does not block others', async () => {
  const feeds = [await createStoppedFeed(), await createStoppedFeed()];
  const [failing] = feeds;
  const sent: MailMessage[] = [];
  let isDown = true;
  const { notifyOfStopped } = openUses({
    db,
    secret: 's',
    limits: () => ({ feedDownloadsPerDay: 100, feedNetworksPerDay: 20 }),
    mail: {
      async send(message) {
        if (isDown && message.to === failing?.email) throw new Error('The disk is full');
        sent.push(message);
      },
    },
    site: { name: 'Sotto', url: 'https://sotto.example' },
  });
  const notified = async () => {
    const ids = feeds.map(({ id }) => id);
    const rows = await db.select().from(privateFeeds).where(inArray(privateFeeds.id, ids));
    return feeds.map(({ id }) => rows.find((row) => row.id === id)?.notifiedAt !== null);
  };
  await expect(notifyOfStopped()).rejects.toThrow('The disk is full');
  expect(sent.map(({ to }) => to)).toEqual([feeds[1]?.email]);
  expect(await notified()).toEqual([false, true]);
  isDown = false;
  // Two processes at once.
  await Promise.all([notifyOfStopped(), notifyOfStopped()]);
  expect(sent.map(({ to }) => to)).toEqual([feeds[1]?.email, failing?.email]);
  expect(await notified()).toEqual([true, true]);
  expect(new Set(sent.map(({ messageMark }) => messageMark)).size).toBe(2);
  expect(await notifyOfStopped()).toBe(0);
});
