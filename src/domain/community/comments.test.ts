import { eq, isNull, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { setCommentsDisabled } from '../catalogue/editing/publishing.ts';
import { audioCounts, audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { setSuspended } from '../identity/operators.ts';
import { users } from '../identity/tables.ts';
import { eraseUser } from '../privacy/personal-data.ts';
import type { Comment, Thread } from './comments.ts';
import { decideReport } from '../admin/people/report-decisions.ts';
import { operator } from '../kernel/actor.ts';
import { commentReports, comments } from './tables.ts';
import { setVoiceOwner } from './voice-owners.ts';
import { deleteComment, reportComment, writeComment } from './writing.ts';
import { slow } from '#test/support/tags.ts';

const { db } = await createTestDatabase();
const { community, catalogue, studio } = await openTestSite(db);
type User = Awaited<ReturnType<typeof createViewer>>;

async function write(viewer: User, audioId: string, text: string, parentId?: string): Promise<Comment> {
  const outcome = await community.writeComment(viewer, audioId, { text, parentId });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.comment;
}

/** As on the command line. */
function decide(id: string, stays: boolean) {
  const form = { verb: stays ? 'keep' : 'remove', note: undefined, notifiesOwners: false, paysBack: false } as const;
  return decideReport(db, operator, id, form, { evenUnreported: true });
}

/** Comments of an audio and the total shown: `text [reply, reply +n]`. */
async function pageOf(viewer: Viewer, audioId: string, limit = 50): Promise<[string[], number]> {
  const audio = await catalogue.findAudio(audioId);
  if (audio === undefined) throw new Error('there is no such audio');
  const { items, totalComments } = await community.listComments(viewer, audio, { limit });
  return [items.map(describe), totalComments];
}

function describe({ state, text, replies, totalReplies }: Thread): string {
  const shown = replies.map((reply) => reply.text);
  const more = totalReplies - replies.length;
  return [
    text ?? `(${state})`,
    ...(totalReplies > 0 ? [`[${shown.join(', ')}${more > 0 ? ` +${more}` : ''}]`] : []),
  ].join(' ');
}

/** Stored counts, and counts recomputed from the rows. */
async function counted(audioId: string): Promise<{ kept: number; there: number }> {
  const [row] = await db
    .select({ kept: audioCounts.comments })
    .from(audioCounts)
    .where(eq(audioCounts.audioId, audioId));
  const rows = await db.select().from(comments).where(eq(comments.audioId, audioId));
  const there = rows.filter(
    ({ text, removedAt, isAuthorSuspended }) => text !== null && removedAt === null && !isAuthorSuspended,
  );
  for (const { id, replies } of rows) expect(there.filter(({ parentId }) => parentId === id)).toHaveLength(replies);
  return { kept: row?.kept ?? -1, there: there.length };
}

test('comments are newest first with their first replies, in pages; replies are oldest first', async () => {
  const audio = await createAudio(db);
  const [ada, nell] = [await createViewer(db, { username: 'ada', color: '#8FC7B5' }), await createViewer(db)];
  await setVoiceOwner(db, audio.voiceId, nell.id, true);
  const first = await write(ada, audio.slug, ' The pause before “I shall”\r\nis long. ');
  expect(first).toEqual({
    id: expect.any(String),
    audioId: audio.id,
    parentId: null,
    state: 'shown',
    text: 'The pause before “I shall”\nis long.',
    language: null,
    user: { id: ada.id, username: 'ada', icon: null, color: '#8FC7B5' },
    isCreator: false,
    createdAt: expect.any(Date),
    totalReplies: 0,
  });
  const replies = [];
  for (const text of ['r1', 'r2', 'r3', 'r4', 'r5']) replies.push(await write(nell, audio.id, text, first.id));
  expect(replies[0]).toMatchObject({ parentId: first.id, isCreator: true });
  // An answer to a reply joins the same thread.
  expect((await write(ada, audio.id, 'r6', replies[1]?.id)).parentId).toBe(first.id);
  await write(nell, audio.id, 'second');
  await write(ada, audio.id, 'third');
  expect(await pageOf(visitor, audio.id)).toEqual([['third', 'second', `${first.text} [r1, r2, r3 +3]`], 9]);
  const one = await community.listComments(visitor, { ...audio, commentsDisabled: false }, { limit: 2 });
  const two = await community.listComments(
    visitor,
    { ...audio, commentsDisabled: false },
    { limit: 2, cursor: one.nextCursor },
  );
  expect([one.items.map(({ text }) => text), two.items.map(({ id }) => id)]).toEqual([['third', 'second'], [first.id]]);
  expect(two.nextCursor).toBeUndefined();
  const begin = await community.listReplies(visitor, first.id, { limit: 4 });
  const end = await community.listReplies(visitor, first.id, { limit: 4, cursor: begin?.nextCursor });
  expect([...(begin?.items ?? []), ...(end?.items ?? [])].map(({ text }) => text)).toEqual([
    'r1',
    'r2',
    'r3',
    'r4',
    'r5',
    'r6',
  ]);
  expect(await community.listReplies(visitor, replies[0]?.id ?? '', { limit: 4 })).toBeUndefined();
  expect(await community.listReplies(visitor, newId(), { limit: 4 })).toBeUndefined();
  expect(await counted(audio.id)).toEqual({ kept: 9, there: 9 });
});

test('the thread of a linked comment has it among its replies, unless this viewer may not see it', async () => {
  const [audio, other] = [await createAudio(db), await createAudio(db)];
  const [ada, nell, bo] = [await createViewer(db), await createViewer(db), await createViewer(db)];
  const first = await write(ada, audio.id, 'first');
  for (const text of ['r1', 'r2', 'r3', 'r4']) await write(nell, audio.id, text, first.id);
  const last = await write(bo, audio.id, 'r5', first.id);
  const find = async (viewer: Viewer, id: string, { commentsDisabled = false, of = audio.id } = {}) => {
    const thread = await community.findThread(viewer, { id: of, commentsDisabled }, id);
    return thread && describe(thread);
  };
  expect(await find(visitor, last.id)).toBe('first [r1, r2, r3, r5 +1]');
  expect(await find(ada, first.id)).toBe('first [r1, r2, r3 +2]');
  for (const unknown of [newId(), 'r5', '']) expect(await find(visitor, unknown)).toBeUndefined();
  expect(await find(visitor, last.id, { of: other.id })).toBeUndefined();
  expect(await find(visitor, last.id, { commentsDisabled: true })).toBeUndefined();
  await community.setBlocked(nell, bo.id, true);
  expect(await find(nell, last.id)).toBeUndefined();
  await community.setBlocked(bo, ada.id, true);
  expect(await find(bo, last.id)).toBeUndefined();
  await community.deleteComment(ada, first.id);
  expect(await find(visitor, last.id)).toBe('(deleted) [r1, r2, r3, r5 +1]');
  await community.deleteComment(bo, last.id);
  expect(await find(visitor, last.id)).toBeUndefined();
});

test('twenty concurrent comments are all stored and counted; a repeated text is stored once', slow, async () => {
  const audio = await createAudio(db);
  const thread = await write(await createViewer(db), audio.id, 'thread');
  const viewers = await Promise.all(Array.from({ length: 10 }, () => createViewer(db)));
  await Promise.all(
    viewers.flatMap((viewer) => [
      write(viewer, audio.id, `by ${viewer.id}`),
      write(viewer, audio.id, 'reply', thread.id),
    ]),
  );
  expect(await counted(audio.id)).toEqual({ kept: 21, there: 21 });
  const [one] = viewers;
  if (one === undefined) throw new Error('nobody');
  const same = await Promise.all(
    Array.from({ length: 10 }, () => community.writeComment(one, audio.id, { text: 'again' })),
  );
  expect(new Set(same.map((outcome) => (outcome.ok ? outcome.comment.id : outcome.reason))).size).toBe(1);
  expect(same.filter((outcome) => outcome.ok && outcome.isNew)).toHaveLength(1);
  // In another thread, or a minute later, the same text is a new comment.
  await write(one, audio.id, 'again', thread.id);
  await db
    .update(comments)
    .set({ createdAt: new Date(Date.now() - 61_000) })
    .where(eq(comments.userId, one.id));
  expect(await community.writeComment(one, audio.id, { text: 'again' })).toMatchObject({ ok: true, isNew: true });
  expect(await counted(audio.id)).toEqual({ kept: 24, there: 24 });
});

test('empty or too long comments, and comments on unknown audios, are refused', async () => {
  const [audio, other] = [await createAudio(db), await createAudio(db)];
  const viewer = await createViewer(db);
  const refused = async (text: string, parentId?: string, where = audio.id, by: User = viewer) => {
    const outcome = await community.writeComment(by, where, { text, parentId });
    return outcome.ok ? 'taken' : outcome.reason;
  };
  for (const text of ['', ' \n ', '\u200B', '\u202E\u2066']) expect(await refused(text)).toBe('empty');
  expect(await refused('x'.repeat(1001))).toBe('too-long');
  expect(await refused('😀'.repeat(1001))).toBe('too-long');
  expect(await refused('x', newId())).toBe('not-found');
  expect(await refused('x', (await write(viewer, other.id, 'elsewhere')).id)).toBe('not-found');
  for (const where of [newId(), 'no-such-slug', '%', (await createAudio(db, { publishedAt: null })).id])
    expect(await refused('x', undefined, where)).toBe('not-found');
  expect(await refused('x', undefined, audio.id, { ...viewer, isComplete: false })).toBe('no-username');
  expect(await refused('x', undefined, audio.id, { ...viewer, id: newId() })).toBe('not-found');
  const suspended = await createViewer(db, { suspendedAt: new Date() });
  expect(await refused('x', undefined, audio.id, suspended)).toBe('not-found');
  expect(await refused('😀'.repeat(1000))).toBe('taken');
  expect(await refused('  '.repeat(900) + 'x')).toBe('taken');
  expect(await counted(audio.id)).toEqual({ kept: 2, there: 2 });
});

test('deleting a comment with replies leaves a placeholder until the last reply is gone', async () => {
  const audio = await createAudio(db);
  const [ada, nell] = [await createViewer(db), await createViewer(db)];
  const thread = await write(ada, audio.id, 'thread');
  const reply = await write(nell, audio.id, 'reply', thread.id);
  await write(ada, audio.id, 'own reply', thread.id);
  const lone = await write(ada, audio.id, 'lone');
  for (const [viewer, id] of [
    [nell, thread.id],
    [ada, reply.id],
    [ada, newId()],
    [ada, 'x'],
  ] as const)
    expect(await community.deleteComment(viewer, id)).toBe(false);
  expect(await community.deleteComment(ada, lone.id)).toBe(true);
  expect(await community.deleteComment(ada, lone.id)).toBe(false);
  await community.reportComment(nell, thread.id, { reason: 'unkind' });
  expect(await community.deleteComment(ada, thread.id)).toBe(true);
  expect(await pageOf(visitor, audio.id)).toEqual([['(deleted) [reply, own reply]'], 2]);
  const [row] = await db.select().from(comments).where(eq(comments.id, thread.id));
  expect(row).toMatchObject({ userId: null, text: null });
  expect(await db.$count(commentReports, eq(commentReports.commentId, thread.id))).toBe(0);
  // A placeholder has no author and cannot be answered or reported.
  expect(await community.deleteComment(ada, thread.id)).toBe(false);
  expect(await community.reportComment(nell, thread.id, { reason: 'spam' })).toBe(false);
  expect(await community.writeComment(nell, audio.id, { text: 'x', parentId: thread.id })).toEqual({
    ok: false,
    reason: 'not-found',
  });
  expect((await write(ada, audio.id, 'under it', reply.id)).parentId).toBe(thread.id);
  await eraseUser(db, ada.id);
  expect(await pageOf(visitor, audio.id)).toEqual([['(deleted) [reply]'], 1]);
  expect(await community.deleteComment(nell, reply.id)).toBe(true);
  expect(await db.$count(comments, eq(comments.audioId, audio.id))).toBe(0);
  expect(await counted(audio.id)).toEqual({ kept: 0, there: 0 });
});

test('a concurrent delete and reply leave no reply without its thread', async () => {
  const audio = await createAudio(db);
  const [ada, nell] = [await createViewer(db), await createViewer(db)];
  for (let round = 0; round < 8; round += 1) {
    const thread = await write(ada, audio.id, `thread ${round}`);
    const [deleted, written] = await Promise.all([
      community.deleteComment(ada, thread.id),
      community.writeComment(nell, audio.id, { text: `reply ${round}`, parentId: thread.id }),
    ]);
    expect(deleted).toBe(true);
    const [threads] = await pageOf(visitor, audio.id, 1);
    if (written.ok) expect(threads).toEqual([`(deleted) [reply ${round}]`]);
    else expect([written.reason, await db.$count(comments, eq(comments.id, thread.id))]).toEqual(['not-found', 0]);
  }
  const { kept, there } = await counted(audio.id);
  expect(kept).toBe(there);
});

test('a reply that waits while its thread is being deleted is refused, also when the thread leaves a placeholder', async () => {
  const audio = await createAudio(db);
  const [ada, nell] = [await createViewer(db), await createViewer(db)];
  const thread = await write(ada, audio.id, 'thread');
  await write(nell, audio.id, 'first', thread.id);
  const [, late] = await meanwhile(
    db,
    (tx) => deleteComment(tx, ada, thread.id),
    () => community.writeComment(nell, audio.id, { text: 'late', parentId: thread.id }),
  );
  expect(late).toEqual({ ok: false, reason: 'not-found' });
});

test('as many reports as the site asks for hide a comment, of accounts that are older than a week', async () => {
  const audio = await createAudio(db);
  const comment = await write(await createViewer(db), audio.id, 'buy this');
  const reportAs = async (age: string) => {
    const viewer = await createViewer(db);
    await db
      .update(users)
      .set({ createdAt: sql`now() - ${age}::interval` })
      .where(eq(users.id, viewer.id));
    await reportComment(db, viewer, comment.id, { reason: 'spam' }, { reportsToHide: 2 });
    const [row] = await db.select({ isHeld: comments.isHeld }).from(comments).where(eq(comments.id, comment.id));
    return row?.isHeld;
  };
  expect(await reportAs('6 days 23 hours')).toBe(false);
  expect(await reportAs('7 days 1 minute')).toBe(false);
  expect(await reportAs('6 days 23 hours')).toBe(false);
  expect(await reportAs('7 days 1 minute')).toBe(true);
});

test('comments in the last hour are limited', async () => {
  const audio = await createAudio(db);
  const viewer = await createViewer(db);
  const writeOne = (text: string) => writeComment(db, viewer, audio.id, { text }, { commentsPerHour: 2 });
  for (const text of ['one', 'two']) expect(await writeOne(text)).toMatchObject({ ok: true });
  expect(await writeOne('three')).toEqual({ ok: false, reason: 'too-many' });
  const age = (time: string) =>
    db
      .update(comments)
      .set({ createdAt: sql`now() - ${time}::interval` })
      .where(eq(comments.userId, viewer.id));
  await age('59 minutes');
  expect(await writeOne('three')).toEqual({ ok: false, reason: 'too-many' });
  await age('61 minutes');
  expect(await writeOne('three')).toMatchObject({ ok: true });
});

test('comments of a blocked user are hidden in threads, replies and counts, for the blocking user only', async () => {
  const audio = await createAudio(db);
  const [ada, nell, troll] = [await createViewer(db), await createViewer(db), await createViewer(db)];
  const kind = await write(nell, audio.id, 'kind');
  await write(troll, audio.id, 'mean', kind.id);
  await write(ada, audio.id, 'thanks', kind.id);
  const mean = await write(troll, audio.id, 'worse');
  const answer = await write(nell, audio.id, 'an answer', mean.id);
  await write(troll, audio.id, 'back', mean.id);
  const emptied = await write(nell, audio.id, 'emptied');
  await write(troll, audio.id, 'last word', emptied.id);
  await community.deleteComment(nell, emptied.id);
  const all = ['(deleted) [last word]', 'worse [an answer, back]', 'kind [mean, thanks]'];
  expect(await pageOf(ada, audio.id)).toEqual([all, 7]);
  await community.setBlocked(ada, troll.id, true);
  expect(await pageOf(ada, audio.id)).toEqual([['kind [thanks]'], 2]);
  for (const other of [visitor, nell, troll]) expect(await pageOf(other, audio.id)).toEqual([all, 7]);
  expect(await community.listReplies(ada, mean.id, { limit: 5 })).toBeUndefined();
  expect((await community.listReplies(ada, kind.id, { limit: 5 }))?.items.map(({ text }) => text)).toEqual(['thanks']);
  for (const id of [mean.id, answer.id]) {
    expect(await community.writeComment(ada, audio.id, { text: 'x', parentId: id })).toEqual({
      ok: false,
      reason: 'not-found',
    });
    expect(await community.reportComment(ada, id, { reason: 'unkind' })).toBe(false);
  }
  await community.setBlocked(ada, troll.id, false);
  expect(await pageOf(ada, audio.id)).toEqual([all, 7]);
});

test('turning comments off hides them, and turning them on shows them again', async () => {
  const audio = await createAudio(db);
  const [owner, other] = [await createViewer(db), await createViewer(db)];
  const comment = await write(other, audio.id, 'hello');
  await write(other, audio.id, 'reply', comment.id);
  const switched = (viewer: Viewer, off: boolean) => studio.switchComments(viewer, audio.id, off);
  for (const viewer of [owner, visitor]) {
    expect(await community.canSwitchComments(viewer, audio.id)).toBe(false);
    expect(await switched(viewer, true)).toBe(false);
  }
  expect(await setVoiceOwner(db, audio.voiceId, owner.id, true)).toMatchObject({ ok: true, changed: true });
  expect(await setVoiceOwner(db, audio.voiceId, owner.id, true)).toMatchObject({ ok: true, changed: false });
  expect(await community.canSwitchComments(owner, audio.id)).toBe(true);
  expect(await switched(other, true)).toBe(false);
  expect(await switched(owner, true)).toBe(true);
  expect(await community.writeComment(other, audio.id, { text: 'x' })).toEqual({ ok: false, reason: 'disabled' });
  const off = await catalogue.findAudio(audio.id);
  expect(await community.listComments(visitor, off ?? { ...audio, commentsDisabled: false }, { limit: 5 })).toEqual({
    items: [],
    nextCursor: undefined,
    order: 'newest',
    pausedUntil: null,
    totalComments: 0,
    commentsDisabled: true,
    commenters: 'nobody',
  });
  expect(await community.listReplies(visitor, comment.id, { limit: 5 })).toBeUndefined();
  expect(await community.reportComment(owner, comment.id, { reason: 'spam' })).toBe(false);
  expect(await switched(owner, false)).toBe(true);
  expect(await pageOf(visitor, audio.id)).toEqual([['hello [reply]'], 2]);
  await setVoiceOwner(db, audio.voiceId, owner.id, false);
  expect(await switched(owner, true)).toBe(false);
  await setCommentsDisabled(db, audio.id, true);
  expect(await community.deleteComment(other, comment.id)).toBe(true);
});

test('comments of a suspended account are hidden until the suspension is lifted', async () => {
  const audio = await createAudio(db);
  const [ada, nell] = [await createViewer(db), await createViewer(db)];
  const thread = await write(ada, audio.id, 'thread');
  await write(nell, audio.id, 'reply', thread.id);
  await write(ada, audio.id, 'lone');
  await setSuspended(db, ada.id, true);
  expect(await pageOf(visitor, audio.id)).toEqual([['(removed) [reply]'], 1]);
  await setSuspended(db, nell.id, true);
  expect(await pageOf(visitor, audio.id)).toEqual([[], 0]);
  await db.update(users).set({ suspendedAt: null });
  expect(await pageOf(visitor, audio.id)).toEqual([['lone', 'thread [reply]'], 3]);
  expect(await counted(audio.id)).toEqual({ kept: 3, there: 3 });
});

test('a listener can report a comment once; an operator keeps or removes it, and can undo that', async () => {
  await db.delete(commentReports);
  const audio = await createAudio(db);
  const [ada, nell, third] = [
    await createViewer(db, { username: 'ada.r' }),
    await createViewer(db),
    await createViewer(db),
  ];
  const comment = await write(ada, audio.id, 'buy this');
  const reply = await write(nell, audio.id, 'no', comment.id);
  const report = (viewer: User, id = comment.id) =>
    community.reportComment(viewer, id, { reason: 'spam', details: 'a shop' });
  expect(await report(ada)).toBe(false);
  expect(await report(nell, newId())).toBe(false);
  expect([await report(nell), await report(nell)]).toEqual([true, true]);
  expect(await community.reportComment(third, comment.id, { reason: 'hate' })).toBe(true);
  await report(ada, reply.id);
  const openReports = () =>
    db
      .select({ id: commentReports.commentId, reason: commentReports.reason, details: commentReports.details })
      .from(commentReports)
      .where(isNull(commentReports.settledAt))
      .orderBy(commentReports.createdAt);
  expect(await openReports()).toEqual([
    { id: comment.id, reason: 'spam', details: 'a shop' },
    { id: comment.id, reason: 'hate', details: null },
    { id: reply.id, reason: 'spam', details: 'a shop' },
  ]);
  expect(await decide(comment.id, false)).toMatchObject({ changed: true });
  expect(await decide(comment.id, false)).toMatchObject({ changed: false });
  expect(await pageOf(nell, audio.id)).toEqual([['(removed) [no]'], 1]);
  expect(await pageOf(ada, audio.id)).toEqual([['(removed) [no]'], 1]);
  expect((await openReports()).map(({ id }) => id)).toEqual([reply.id]);
  expect(await report(nell)).toBe(false);
  expect(await decide(reply.id, true)).toMatchObject({ changed: false });
  expect(await openReports()).toEqual([]);
  expect(await decide(comment.id, true)).toMatchObject({ changed: true });
  expect(await pageOf(visitor, audio.id)).toEqual([['buy this [no]'], 2]);
  for (const id of [newId(), 'x']) expect(await decide(id, false)).toEqual({ ok: false, reason: 'not-found' });
  // The author may delete a removed comment, which erases its text.
  await decide(comment.id, false);
  expect(await community.deleteComment(ada, comment.id)).toBe(true);
  expect(await pageOf(visitor, audio.id)).toEqual([['(deleted) [no]'], 1]);
  expect(await decide(comment.id, true)).toEqual({ ok: false, reason: 'not-found' });
  expect(await counted(audio.id)).toEqual({ kept: 1, there: 1 });
});

test('a comment that is reported while the only report is withdrawn stays in the queue', async () => {
  const audio = await createAudio(db);
  const [author, gone, other] = [await createViewer(db), await createViewer(db), await createViewer(db)];
  const { id } = await write(author, audio.id, 'buy this');
  const report = (tx: Db, viewer: User) => reportComment(tx, viewer, id, { reason: 'spam' }, { reportsToHide: 9 });
  await report(db, gone);
  await meanwhile(
    db,
    (tx) => report(tx, other),
    () => eraseUser(db, gone.id),
  );
  const [comment] = await db.select({ reportedAt: comments.reportedAt }).from(comments).where(eq(comments.id, id));
  expect(comment?.reportedAt).not.toBeNull();
});

test('comments of unpublished audios can be neither read nor reported', async () => {
  const audio = await createAudio(db);
  const [ada, nell] = [await createViewer(db), await createViewer(db)];
  const comment = await write(ada, audio.id, 'hello');
  await write(ada, audio.id, 'reply', comment.id);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, audio.id));
  expect(await community.listReplies(nell, comment.id, { limit: 5 })).toBeUndefined();
  expect(await community.reportComment(nell, comment.id, { reason: 'spam' })).toBe(false);
  expect(await community.deleteComment(ada, comment.id)).toBe(true);
});

test('a cursor of another list is refused', async () => {
  const audio = await createAudio(db);
  const ada = await createViewer(db);
  const thread = await write(ada, audio.id, '1');
  await write(ada, audio.id, '2');
  const { nextCursor } = await community.listComments(visitor, { ...audio, commentsDisabled: false }, { limit: 1 });
  await expect(community.listReplies(visitor, thread.id, { limit: 1, cursor: nextCursor })).rejects.toMatchObject({
    code: 'request/bad-cursor',
  });
});
