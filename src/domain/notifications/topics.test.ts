import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { sendDueMails } from '../membership/mail-queue.ts';
import { type NewsPreferences, defaultPreferences, newsKinds } from './rules.ts';
import { notifications } from './tables.ts';

const { db } = await createTestDatabase();
const membership = openTestMembership(db);
const { library, notifications: news } = await openTestSite(db);

/** A new subscriber with mails and pushes on, and a new audio of a favorite voice. */
async function createSubscriber(changes: Partial<NewsPreferences>) {
  const { id, email } = await createListener(membership);
  await news.savePreferences(id, { ...defaultPreferences, email: 'at-once', isPushOn: true, ...changes });
  const voice = await createVoice(db);
  const viewer = { kind: 'user', id, isSubscribed: true, isComplete: true } as const;
  await library.setFavorite(viewer, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  const audio = await createAudio(db, { voiceId: voice.id, publishedAt: new Date() });
  await news.notifyFollowers(audio.id);
  await membership.createSubscription(id, orderOf(membership.plain.newCard('good')));
  await sendDueMails(membership.parts);
  await news.planNews();
  const planned = await db.select().from(notifications).where(eq(notifications.userId, id)).orderBy(notifications.kind);
  return {
    subjects: membership.mails.filter(({ to }) => to === email).map(({ subject }) => subject),
    planned: planned.map(({ kind, mailDueAt, pushDueAt }) => [kind, mailDueAt !== null, pushDueAt !== null]),
  };
}

test('topics that are off are neither mailed nor pushed, but stay in the list; mails about money are still sent', async () => {
  expect(await createSubscriber({})).toEqual({
    subjects: ['Welcome to Sotto'],
    planned: [
      ['new-audio', true, true],
      // Its mail was sent already.
      ['payment', false, true],
    ],
  });
  expect(await createSubscriber({ mutedKinds: [...newsKinds] })).toEqual({
    subjects: ['Welcome to Sotto'],
    planned: [
      ['new-audio', false, false],
      ['payment', false, false],
    ],
  });
});
