import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { commentOrders } from '../catalogue/rules.ts';
import { voices } from '../catalogue/tables.ts';
import { newId } from '../kernel/ids.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { comments } from './tables.ts';

const { db } = await createTestDatabase();
const { community } = await openTestSite(db);

const threadsOfAudio = 300;

async function openAudio() {
  const audio = await createAudio(db);
  const people = [await createViewer(db), await createViewer(db), await createViewer(db)];
  const user = (n: number) => people[n % people.length]!;
  const add = async (rows: { parentId?: string; n: number }[]) => {
    const made = rows.map(({ parentId = null, n }) => ({
      id: newId(),
      audioId: audio.id,
      parentId,
      userId: user(n).id,
      text: `${n}`,
    }));
    if (made.length > 0) await db.insert(comments).values(made);
    return made.map(({ id }) => id);
  };
  return { audio: { id: audio.id, commentsDisabled: false }, voiceId: audio.voiceId, people, add };
}

test.each(commentOrders)('no thread is skipped or shown twice under “%s” while others write', async (sort) => {
  const random = seededRandom(159);
  const upTo = (max: number) => Math.floor(random() * max);
  const { audio, people, add } = await openAudio();
  const threads = await add(Array.from({ length: threadsOfAudio }, (_, n) => ({ n })));
  const anyThread = () => threads[upTo(threads.length)]!;
  // Many have equally many replies.
  const replies = (count: number) => Array.from({ length: count }, (_, n) => ({ n, parentId: anyThread() }));
  await add(replies(2 * threadsOfAudio));
  await db
    .update(comments)
    .set({ hiddenAt: new Date() })
    .where(inArray(comments.id, Array.from({ length: 30 }, anyThread)));
  const blocker = await createViewer(db);
  await community.setBlocked(blocker, people[0]!.id, true);
  await db.execute(sql`update comments set pinned_at = now() where id = (select id from comments
    where audio_id = ${audio.id} and parent_id is null and hidden_at is null order by text limit 1)`);
  for (const viewer of [visitor, people[1]!, blocker] satisfies Viewer[]) {
    const whole: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await community.listComments(viewer, audio, { sort, limit: 100, cursor });
      whole.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(comments)
      .where(sql`audio_id = ${audio.id} and parent_id is null
        and ${viewer === blocker ? sql`user_id <> ${people[0]!.id}` : sql`true`}
        and (hidden_at is null or replies > 0 or user_id = ${viewer.kind === 'user' ? viewer.id : newId()})`);
    // The replies to a hidden thread may all be hidden from who blocks.
    if (viewer !== blocker) expect(whole).toHaveLength(row?.count ?? 0);

    const seen: string[] = [];
    for (let cursor: string | undefined, n = 0; ; n++) {
      const page = await community.listComments(viewer, audio, { sort, limit: 1 + upTo(40), cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      await add([{ n: 1000 + n }, ...replies(20)]);
    }
    const known = new Set(whole);
    expect(seen.filter((id) => known.has(id))).toEqual(whole);
    expect(new Set(seen).size).toBe(seen.length);
  }
});

test('each order is right, and the creator’s comes first', async () => {
  const { audio, voiceId, people, add } = await openAudio();
  const ids = await add([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  await add([1, 1, 2, 0].map((at, n) => ({ n, parentId: ids[at]! })));
  const listed = async (sort?: (typeof commentOrders)[number], limit = 9, cursor?: string) => {
    const page = await community.listComments(visitor, audio, { sort, limit, cursor });
    return { texts: page.items.map(({ text }) => text).join(' '), order: page.order, next: page.nextCursor };
  };
  expect(await listed()).toMatchObject({ texts: '4 3 2 1', order: 'newest' });
  expect(await listed('newest')).toMatchObject({ texts: '4 3 2 1' });
  expect(await listed('oldest')).toMatchObject({ texts: '1 2 3 4', order: 'oldest' });
  expect(await listed('answered')).toMatchObject({ texts: '2 3 1 4' });
  const owner = { ...people[0]!, voiceRoles: { [voiceId]: 'owner' as const } };
  expect(await community.changeCommentSettings(owner, voiceId, { order: 'oldest' })).toBe(true);
  const first = await listed(undefined, 2);
  expect(first).toMatchObject({ texts: '1 2', order: 'oldest' });
  // The list goes on as it began, whatever the creator chooses meanwhile.
  await community.changeCommentSettings(owner, voiceId, { order: 'answered' });
  expect(await listed(undefined, 2, first.next)).toMatchObject({ texts: '3 4', order: 'oldest' });
  await expect(listed('newest', 2, first.next)).rejects.toMatchObject({ code: 'request/bad-cursor' });
  expect(await listed()).toMatchObject({ texts: '2 3 1 4' });
  // Anyone can read a cursor: it names no comment that waits or is hidden.
  const [hiddenId = ''] = await add([{ n: 9 }]);
  await db.update(comments).set({ hiddenAt: new Date() }).where(eq(comments.id, hiddenId));
  const { next = '' } = await listed('answered', 1);
  expect(Buffer.from(next, 'base64url').toString()).not.toContain(hiddenId);
  // A cursor of the version before.
  const cursorOf = (value: unknown, id = ids[2]) =>
    Buffer.from(JSON.stringify(['comments', value, id])).toString('base64url');
  expect(await listed(undefined, 9, cursorOf(''))).toMatchObject({ texts: '2 1', order: 'newest' });
  for (const value of ['best 0 - -', 'newest -1 - -', 'answered 1e99 - -', 'answered 1 x -', "newest 0 ' -", 7])
    await expect(listed(undefined, 9, cursorOf(value))).rejects.toMatchObject({ code: 'request/bad-cursor' });
  await db.update(voices).set({ commentOrder: 'newest' }).where(eq(voices.id, voiceId));
});
