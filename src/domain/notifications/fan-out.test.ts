import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSeries, createUser, createViewer, createVoice } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';
import { publishAudio, unpublishAudio } from '../catalogue/editing/publishing.ts';
import { audios, series, voices } from '../catalogue/tables.ts';
import { newId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { settleHeldComments } from '../community/held-comments.ts';
import { comments } from '../community/tables.ts';
import { findDueBatches, planNews, notifyFollowers } from './fan-out.ts';
import { readNews } from './notification-lists.ts';
import { setSeriesFollowed } from './followed.ts';
import { maxFollowedSeries } from './rules.ts';
import { newsBatches, notifications } from './tables.ts';

const { db, pool, url } = await createTestDatabase();
const { library, notifications: news, community, identity } = await openTestSite(db);

const page = { limit: 50 };

async function createFollower(voiceId: string, overrides = {}): Promise<User> {
  const viewer = await createViewer(db, overrides);
  await library.setFavorite(viewer, { contentTypeId: 'voice', id: voiceId, isFavorite: true });
  return viewer;
}

const createDraft = (voiceId: string, overrides = {}) => createAudio(db, { voiceId, publishedAt: null, ...overrides });
const isDue = async (audioId: string) => (await findDueBatches(db)).includes(audioId);
const textsOf = async (viewer: User) => (await news.listNotifications(viewer, page)).items.map(({ text }) => text);

test('only followers of the voice are notified of a publication', async () => {
  const voice = await createVoice(db, { name: 'Iris' });
  const [follower, other] = [await createFollower(voice.id), await createViewer(db)];
  const draft = await createDraft(voice.id, { title: 'Rain on the roof' });
  expect(await isDue(draft.id)).toBe(false);
  await publishAudio(db, draft.id);
  expect(await isDue(draft.id)).toBe(true);
  expect(await notifyFollowers(db, draft.id)).toBe(1);
  expect(await isDue(draft.id)).toBe(false);
  expect(await textsOf(follower)).toEqual(['Iris published “Rain on the roof”']);
  expect(await textsOf(other)).toEqual([]);
});

test('an audio that is published again is not told again', async () => {
  const voice = await createVoice(db);
  const follower = await createFollower(voice.id);
  const { id } = await createDraft(voice.id);
  await publishAudio(db, id);
  await notifyFollowers(db, id);
  await unpublishAudio(db, id);
  expect(await textsOf(follower)).toEqual([]);
  await publishAudio(db, id);
  expect(await isDue(id)).toBe(false);
  expect(await textsOf(follower)).toHaveLength(1);
});

test('an audio unpublished before anyone was notified is announced when it is published again', async () => {
  const voice = await createVoice(db);
  await createFollower(voice.id);
  const { id } = await createDraft(voice.id);
  await publishAudio(db, id, new Date(Date.now() + 3_600_000));
  expect(await isDue(id)).toBe(false);
  await unpublishAudio(db, id);
  expect(await notifyFollowers(db, id)).toBe(0);
  await publishAudio(db, id);
  expect(await isDue(id)).toBe(true);
  expect(await notifyFollowers(db, id)).toBe(1);
});

test('an audio unpublished before anyone was notified is announced once, however late it is published again', async () => {
  const voice = await createVoice(db);
  const follower = await createFollower(voice.id);
  const { id } = await createDraft(voice.id);
  await publishAudio(db, id);
  await unpublishAudio(db, id);
  expect(await notifyFollowers(db, id)).toBe(0);
  expect(await isDue(id)).toBe(false);
  await db
    .update(audios)
    .set({ firstPublishedAt: new Date('2026-01-01') })
    .where(eq(audios.id, id));
  await publishAudio(db, id);
  expect(await isDue(id)).toBe(true);
  expect(await notifyFollowers(db, id)).toBe(1);
  await unpublishAudio(db, id);
  await publishAudio(db, id);
  expect(await isDue(id)).toBe(false);
  expect(await textsOf(follower)).toHaveLength(1);
});

test('an audio whose news were never due, such as an imported one, is no news when it is published again', async () => {
  const voice = await createVoice(db);
  const { id } = await createAudio(db, { voiceId: voice.id, publishedAt: new Date('2025-01-01') });
  await unpublishAudio(db, id);
  await publishAudio(db, id);
  expect(await isDue(id)).toBe(false);
});

test('followers are notified of a scheduled audio at its time, even after rescheduling', async () => {
  const voice = await createVoice(db);
  await createFollower(voice.id);
  const { id } = await createDraft(voice.id);
  await publishAudio(db, id, new Date(Date.now() + 3_600_000));
  await publishAudio(db, id, new Date(Date.now() + 7_200_000));
  expect(await notifyFollowers(db, id)).toBe(0);
  await db
    .update(audios)
    .set({ publishedAt: new Date(Date.now() - 1000) })
    .where(eq(audios.id, id));
  expect(await isDue(id)).toBe(true);
  expect(await notifyFollowers(db, id)).toBe(1);
});

test('audios published long ago, such as imports, are not news', async () => {
  const voice = await createVoice(db);
  const { id } = await createAudio(db, { voiceId: voice.id, publishedAt: new Date('2025-01-01') });
  expect(await isDue(id)).toBe(false);
  const late = await createDraft(voice.id);
  await createFollower(voice.id);
  await publishAudio(db, late.id);
  await db
    .update(newsBatches)
    .set({ dueAt: new Date(Date.now() - 25 * 3_600_000) })
    .where(eq(newsBatches.audioId, late.id));
  expect(await notifyFollowers(db, late.id)).toBe(0);
  expect(await isDue(late.id)).toBe(false);
});

test('a user follows 500 series and no more, also when two are followed at once', async () => {
  const viewer = await createViewer(db);
  const { id: voiceId } = await createVoice(db);
  const add = async () => (await createSeries(db, { voiceId })).id;
  await db.execute(sql`
    with made as (
      insert into series (id, slug, title, sort_title, voice_id)
      select gen_random_uuid(), 'followed-' || n, 'Followed', 'followed', ${voiceId}
      from generate_series(1, ${maxFollowedSeries - 1}::int) n returning id)
    insert into series_follows (series_id, user_id) select id, ${viewer.id} from made`);
  const [one, other] = [await add(), await add()];
  expect(
    await meanwhile(
      db,
      (tx) => setSeriesFollowed(tx, viewer.id, one, true),
      () => news.setSeriesFollowed(viewer.id, other, true),
    ),
  ).toEqual([{ ok: true }, { ok: false, reason: 'full' }]);
});

test('a hidden series tells its followers nothing, not even those who follow the muted voice', async () => {
  const voice = await createVoice(db);
  const [follower, muted] = [await createViewer(db), await createFollower(voice.id)];
  const { id } = await createDraft(voice.id);
  const { id: seriesId } = await createSeries(db, { audioIds: [id] });
  for (const one of [follower, muted])
    expect(await news.setSeriesFollowed(one.id, seriesId, true)).toEqual({ ok: true });
  expect(await news.setVoiceNews(muted.id, voice.id, false)).toBe(true);
  await db.update(series).set({ hiddenAt: new Date() }).where(eq(series.id, seriesId));
  await publishAudio(db, id);
  expect(await notifyFollowers(db, id)).toBe(0);
});

test('news are kept for half a year', async () => {
  const voice = await createVoice(db);
  const follower = await createFollower(voice.id);
  const { id } = await createDraft(voice.id);
  await publishAudio(db, id);
  await notifyFollowers(db, id);
  const age = (time: string) =>
    db.execute(sql`update notifications set created_at = now() - ${time}::interval where user_id = ${follower.id}`);
  await age('179 days');
  await news.purgeOldNotifications();
  expect(await textsOf(follower)).toHaveLength(1);
  await age('181 days');
  await news.purgeOldNotifications();
  expect(await textsOf(follower)).toEqual([]);
});

test('a fan-out that has begun is finished, however long it takes', async () => {
  const voice = await createVoice(db);
  for (let follower = 0; follower < 3; follower += 1) await createFollower(voice.id);
  const { id } = await createDraft(voice.id);
  await publishAudio(db, id);
  // The process stops after the first batch.
  const stopping = new AbortController();
  const batches = notifyFollowers(db, id, {
    atOnce: 2,
    signal: {
      throwIfAborted() {
        stopping.signal.throwIfAborted();
        stopping.abort(new Error('stopped'));
      },
    } as AbortSignal,
  });
  await expect(batches).rejects.toThrow('stopped');
  await db
    .update(newsBatches)
    .set({ dueAt: new Date(Date.now() - 25 * 3_600_000) })
    .where(eq(newsBatches.audioId, id));
  expect(await notifyFollowers(db, id)).toBe(1);
});

test('muted voices, hidden tags and suspended users are left out; a followed series counts as well', async () => {
  const voice = await createVoice(db);
  const plain = await createFollower(voice.id);
  const muted = await createFollower(voice.id);
  const hiding = await createFollower(voice.id);
  const both = await createFollower(voice.id);
  const bySeries = await createViewer(db);
  await createFollower(voice.id, { suspendedAt: new Date() });
  await createAudio(db, { tagLabels: ['thunder'] });
  await library.setTagHidden(hiding.id, 'thunder', true);
  const { id } = await createDraft(voice.id, { tagLabels: ['thunder'] });
  const followed = await createSeries(db, { audioIds: [id] });
  for (const one of [muted, both]) expect(await news.setVoiceNews(one.id, voice.id, false)).toBe(true);
  for (const one of [bySeries, both])
    expect(await news.setSeriesFollowed(one.id, followed.id, true)).toEqual({ ok: true });
  await publishAudio(db, id);
  expect(await notifyFollowers(db, id, { atOnce: 2 })).toBe(3);
  const notified = await db
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(eq(notifications.subjectId, id));
  expect(notified.map(({ userId }) => userId).toSorted()).toEqual([plain.id, both.id, bySeries.id].toSorted());
});

test(
  'another process continues after a killed one: each follower is notified once',
  { ...slow, timeout: 60_000 },
  async () => {
    const voice = await createVoice(db);
    const followers = 3000;
    await pool.query(
      `with people as (insert into users (id) select gen_random_uuid() from generate_series(1, $2) returning id)
     insert into voice_favorites (user_id, content_id) select id, $1 from people`,
      [voice.id, followers],
    );
    const { id } = await createDraft(voice.id);
    await publishAudio(db, id);
    const program = fileURLToPath(new URL('../../../test/support/processes/news-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, url, id, '10'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const notified = () => db.$count(notifications, eq(notifications.subjectId, id));
    await expect.poll(notified, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = await notified();
    expect(before).toBeLessThan(followers);
    // The database may still be ending the killed process’s last statement.
    await expect
      .poll(async () => {
        await notifyFollowers(db, id);
        return notified();
      })
      .toBe(followers);
    const [batch] = await db.select().from(newsBatches).where(eq(newsBatches.audioId, id));
    expect(batch).toMatchObject({ notified: followers, doneAt: expect.any(Date) });
  },
);

test('a reply notifies the author of the comment, except for own replies and those by blocked users', async () => {
  const [asker, answerer, blocked] = [
    await createViewer(db),
    await createViewer(db, { username: 'Nora' }),
    await createViewer(db),
  ];
  const { id, slug } = await createAudio(db, { title: 'Night walk' });
  const asked = await community.writeComment(asker, id, { text: 'Is there more?' });
  if (!asked.ok) throw new Error('nothing was written');
  await community.setBlocked(asker, blocked.id, true);
  for (const one of [asker, answerer, blocked])
    await community.writeComment(one, id, { text: `from ${one.id}`, parentId: asked.comment.id });
  expect(await textsOf(asker)).toEqual(['Nora replied to your comment on “Night walk”']);
  // Nothing waits either for the day on which the user is no longer blocked.
  expect(await db.$count(notifications, eq(notifications.userId, asker.id))).toBe(1);
  const [reply] = (await news.listNotifications(asker, page)).items;
  const [thread] = (await community.listComments(asker, { id, commentsDisabled: false }, page)).items;
  const answer = thread?.replies.find(({ user }) => user?.id === answerer.id)?.id;
  expect(reply?.path).toBe(`/audio/${slug}?comment=${answer}#comment-${answer}`);
  expect(await news.countUnread(asker)).toBe(1);
  await community.setBlocked(asker, answerer.id, true);
  expect(await news.countUnread(asker)).toBe(0);
  await community.setBlocked(asker, answerer.id, false);
  const { rows } = await db.execute<{ id: string }>(
    sql`select subject_id as id from notifications where id = ${reply?.id}`,
  );
  await community.deleteComment(answerer, rows[0]?.id ?? '');
  expect(await textsOf(asker)).toEqual([]);
});

test.each([
  ['in time', false],
  ['after the days in which it waits', true],
])('a held reply is told once, when the creator shows it %s, and is mailed then', async (_name, isLate) => {
  const [username, title] = isLate ? ['Ines', 'High tide'] : ['Mira', 'Low tide'];
  const voice = await createVoice(db);
  await db.update(voices).set({ holdsLinks: true }).where(eq(voices.id, voice.id));
  const [asker, answerer] = [await createViewer(db), await createViewer(db, { username })];
  const creator: User = { ...(await createViewer(db)), voiceRoles: { [voice.id]: 'owner' } };
  const { id } = await createAudio(db, { title, voiceId: voice.id });
  const asked = await community.writeComment(asker, id, { text: 'Which poem is it?' });
  if (!asked.ok) throw new Error('nothing was written');
  const reply = { text: 'See www.example.org', parentId: asked.comment.id };
  const held = await community.writeComment(answerer, id, reply);
  if (!held.ok || held.comment.waitsForCreator !== true) throw new Error('the reply is not held');
  await planNews(db);
  const rowsOf = () => db.select().from(notifications).where(eq(notifications.userId, asker.id));
  expect(await rowsOf()).toEqual([]);
  if (isLate) {
    await db
      .update(comments)
      .set({ hiddenAt: sql`now() - interval '15 days'` })
      .where(eq(comments.id, held.comment.id));
    expect(await settleHeldComments(db)).toBe(1);
  }
  for (const isHidden of [false, true, false]) await community.setCommentHidden(creator, held.comment.id, isHidden);
  expect(await textsOf(asker)).toEqual([`${username} replied to your comment on “${title}”`]);
  // Not planned yet: the next job mails and pushes it like new ones.
  expect(await rowsOf()).toMatchObject([{ isPlanned: false }]);
});

test('mails about money also create notifications once sent, and gift cards for recipients with an account', async () => {
  const buyer = await createUser(db, { email: 'buyer@example.org' });
  const friend = await createUser(db, { email: 'friend@example.org' });
  const giftId = newId();
  await pool.query(
    `insert into gift_cards (id, months, amount, currency, buyer_id, recipient_email, deliver_at, paid_at)
     values ($1, 3, 1497, 'usd', $2, 'Friend@example.org', now(), now())`,
    [giftId, buyer.id],
  );
  await pool.query(
    `insert into membership_mails (id, kind, ref, user_id, gift_card_id, due_at) values
      ($1, 'receipt', 'in_1', $2, null, now()), ($3, 'gift', 'one', null, $4, now())`,
    [newId(), buyer.id, newId(), giftId],
  );
  const viewerOf = ({ id }: { id: string }) => ({ kind: 'user', id, isSubscribed: false, isComplete: true }) as const;
  expect(await textsOf(viewerOf(buyer))).toEqual([]);
  await pool.query('update membership_mails set sent_at = now()');
  expect(await textsOf(viewerOf(buyer))).toEqual(['Your payment was received']);
  expect(await textsOf(viewerOf(friend))).toEqual(['You received a gift card']);
  await pool.query('update gift_cards set redeemed_at = now(), redeemed_by = $2 where id = $1', [giftId, friend.id]);
  expect(await textsOf(viewerOf(buyer))).toContain('Your gift card was redeemed');
});

test('unread news are counted, and read on one device they are read on all', async () => {
  const voice = await createVoice(db);
  const follower = await createFollower(voice.id);
  for (let count = 0; count < 3; count += 1) {
    const { id } = await createDraft(voice.id);
    await publishAudio(db, id);
    await notifyFollowers(db, id);
  }
  expect(await news.countUnread(follower)).toBe(3);
  const first = await news.listNotifications(follower, { limit: 2 });
  expect(first.items).toHaveLength(2);
  const second = await news.listNotifications(follower, { limit: 2, cursor: first.nextCursor });
  expect(second).toMatchObject({ items: [{ isRead: false }], nextCursor: undefined });
  const stranger = await createViewer(db);
  await news.markRead(
    stranger.id,
    first.items.map(({ id }) => id),
  );
  expect(await news.countUnread(follower)).toBe(3);
  await news.markRead(follower.id, [first.items[0]?.id ?? '']);
  expect(await news.countUnread(follower)).toBe(2);
  await news.markRead(follower.id, undefined);
  expect(await news.countUnread(follower)).toBe(0);
});

test('followers are notified of audios in languages that they listen to, as they have chosen since', async () => {
  const voice = await createVoice(db);
  const listener = (listensTo: string[] | null) => createFollower(voice.id, { preferences: { listensTo } });
  const people = [
    await listener(['de']),
    await listener(['en', 'fr']),
    await listener(null),
    await createFollower(voice.id),
  ];
  const draft = await createDraft(voice.id, { language: 'de-AT' });
  await publishAudio(db, draft.id);
  await notifyFollowers(db, draft.id);
  const counts = async () => Promise.all(people.map(async (viewer) => (await textsOf(viewer)).length));
  expect(await counts()).toEqual([1, 0, 1, 1]);
  const rows = await db.select({ id: notifications.id }).from(notifications).where(eq(notifications.audioId, draft.id));
  const due = async () => {
    const found = await readNews(
      db,
      rows.map(({ id }) => id),
    );
    return people.map(({ id }) => found.find(({ userId }) => userId === id)?.news.length ?? 0);
  };
  expect(await due()).toEqual([1, 0, 1, 1]);
  for (const { id } of people) await identity.savePreferences(id, { listensTo: ['fr'] });
  expect(await due()).toEqual([0, 0, 0, 0]);
  const wordless = await createDraft(voice.id, { language: 'zxx' });
  await publishAudio(db, wordless.id);
  expect(await notifyFollowers(db, wordless.id)).toBe(4);
});
