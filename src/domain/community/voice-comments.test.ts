import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audioCounts, voices } from '../catalogue/tables.ts';
import { users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import { auditEntries } from '../kernel/audit.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import { type User, type Viewer, visitor } from '../kernel/viewer.ts';
import { setPerson } from '../studio/people.ts';
import { voiceOwners } from './tables.ts';
import { countVoiceBlocks, setVoiceBlock } from './voice-blocks.ts';
import { setVoiceOwner } from './voice-owners.ts';

const { db } = await createTestDatabase();
const {
  admin: { people },
  community,
  catalogue,
  studio,
} = await openTestSite(db);

const exactly = (count: number) => ({ count, isMore: false });

async function openVoice() {
  const audio = await createAudio(db);
  const { voiceId } = audio;
  const join = async (role: 'owner' | 'editor'): Promise<User> => {
    const user = await createViewer(db);
    await db.insert(voiceOwners).values({ voiceId, userId: user.id, role });
    return { ...user, voiceRoles: { [voiceId]: role } };
  };
  return { audio, voiceId, owner: await join('owner'), editor: await join('editor'), listener: await createViewer(db) };
}

async function write(viewer: User, audioId: string, text: string, parentId?: string): Promise<string> {
  const outcome = await community.writeComment(viewer, audioId, { text, parentId });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.comment.id;
}

/** The comments that a viewer sees under an audio, and the total shown. */
async function seen(viewer: Viewer, audioId: string): Promise<[string[], number]> {
  const audio = await catalogue.findAudio(audioId);
  if (audio === undefined) throw new Error('there is no such audio');
  const { items, totalComments } = await community.listComments(viewer, audio, { limit: 50 });
  const texts = items.map(({ text, state, replies }) =>
    [text ?? `(${state})`, ...replies.map((reply) => `> ${reply.text}`)].join(' '),
  );
  return [texts, totalComments];
}

async function listed(actor: User, voiceId: string, filter: 'unanswered' | 'all' | 'hidden' | 'reported', q?: string) {
  const page = await community.listVoiceComments(actor, voiceId, { filter, q, limit: 50 });
  return page?.items.map(({ text }) => text);
}

test('a hidden comment is seen by its author alone, and counts follow for everybody', async () => {
  const { audio, owner, listener } = await openVoice();
  const other = await createViewer(db);
  const first = await write(listener, audio.id, 'boring');
  await write(other, audio.id, 'lovely');
  expect(await community.setCommentHidden(owner, first, true)).toEqual({ changed: true });
  expect(await community.setCommentHidden(owner, first, true)).toEqual({ changed: false });

  expect(await seen(visitor, audio.id)).toEqual([['lovely'], 1]);
  expect(await seen(other, audio.id)).toEqual([['lovely'], 1]);
  expect(await seen(listener, audio.id)).toEqual([['lovely', 'boring'], 2]);
  const [kept] = await db.select().from(audioCounts).where(eq(audioCounts.audioId, audio.id));
  expect(kept?.comments).toBe(1);

  expect(await community.setCommentHidden(owner, first, false)).toEqual({ changed: true });
  expect(await seen(visitor, audio.id)).toEqual([['lovely', 'boring'], 2]);
});

test('a hidden thread keeps the replies of others; a hidden reply is seen by its author', async () => {
  const { audio, owner, listener } = await openVoice();
  const other = await createViewer(db);
  const thread = await write(listener, audio.id, 'thread');
  const reply = await write(other, audio.id, 'reply', thread);
  await community.setCommentHidden(owner, thread, true);
  expect(await seen(visitor, audio.id)).toEqual([['(removed) > reply'], 1]);
  await community.setCommentHidden(owner, thread, false);
  await community.setCommentHidden(owner, reply, true);
  expect(await seen(visitor, audio.id)).toEqual([['thread'], 1]);
  expect(await seen(other, audio.id)).toEqual([['thread > reply'], 2]);
});

test('the log records who hid it, and strangers can hide nothing', async () => {
  const { audio, voiceId, editor, listener } = await openVoice();
  const id = await write(listener, audio.id, 'hello');
  const elsewhere = await openVoice();
  for (const actor of [listener, elsewhere.owner]) {
    expect(await community.setCommentHidden(actor, id, true)).toBeUndefined();
    expect(await community.listVoiceComments(actor, voiceId, { filter: 'all', limit: 5 })).toBeUndefined();
    expect(await community.listVoiceBlocks(actor, voiceId, { limit: 5 })).toBeUndefined();
    expect(await community.setVoiceBlock(actor, voiceId, listener.id, true)).toEqual({
      ok: false,
      reason: 'not-found',
    });
  }
  await community.setCommentHidden(editor, id, true);
  await community.setCommentHidden(operator, id, false);
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id)).orderBy(auditEntries.id);
  expect(entries.map(({ action, actorRole, actorId }) => [action, actorRole, actorId])).toEqual([
    ['comment.hide', 'editor', editor.id],
    ['comment.show', 'operator', null],
  ]);
});

test('unanswered are threads of others that nobody of the voice answered; the count beside the page agrees', async () => {
  const { audio, voiceId, owner, editor, listener } = await openVoice();
  const answered = await write(listener, audio.id, 'answered');
  await write(listener, audio.id, 'waiting');
  const hidden = await write(listener, audio.id, 'hidden');
  await write(editor, audio.id, 'by the creator');
  await write(owner, audio.id, 'thanks', answered);
  await community.setCommentHidden(owner, hidden, true);
  expect(await listed(owner, voiceId, 'unanswered')).toEqual(['waiting']);
  expect(await listed(owner, voiceId, 'all')).toEqual(['by the creator', 'hidden', 'waiting', 'answered']);
  expect(await listed(owner, voiceId, 'hidden')).toEqual(['hidden']);
  expect(await community.countVoiceComments(voiceId)).toEqual({
    unanswered: exactly(1),
    waiting: exactly(0),
    all: exactly(4),
    hidden: exactly(1),
    reported: exactly(0),
  });
  expect((await studio.countForStudio(voiceId)).unansweredComments).toEqual(exactly(1));
  expect(await listed(owner, voiceId, 'all', 'WAIT')).toEqual(['waiting']);
  expect(await listed(owner, voiceId, 'all', '%')).toEqual([]);
  expect(await community.countVoiceComments(voiceId, 'HID')).toMatchObject({ all: exactly(1), hidden: exactly(1) });
});

test('counting ends at the newest thousand, and says so', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  const thread = await write(listener, audio.id, 'hidden');
  await community.setCommentHidden(owner, thread, true);
  const add = (count: number) =>
    db.execute(sql`insert into comments (id, audio_id, user_id, text)
      select (lpad(to_hex(9), 8, 'f') || substr(gen_random_uuid()::text, 9))::uuid, ${audio.id}, ${listener.id}, 'one'
      from generate_series(1, ${count})`);
  await add(999);
  expect(await community.countVoiceComments(voiceId)).toMatchObject({ all: exactly(1000), unanswered: exactly(999) });
  await add(1);
  const more = { count: 1000, isMore: true };
  expect(await community.countVoiceComments(voiceId)).toMatchObject({
    all: more,
    unanswered: more,
    hidden: exactly(1),
  });
  expect((await studio.countForStudio(voiceId)).unansweredComments).toEqual(more);
});

test('the comments of an audio move with it to another creator', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  const other = await openVoice();
  await write(listener, audio.id, 'before');
  await db.execute(sql`update audios set voice_id = ${other.voiceId} where id = ${audio.id}`);
  await write(listener, audio.id, 'after');
  expect(await listed(owner, voiceId, 'all')).toEqual([]);
  expect(await listed(other.owner, other.voiceId, 'all')).toEqual(['after', 'before']);
});

test('creators see what they reported, also of hidden comments, and not what listeners reported', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  const other = await createViewer(db);
  const [mine, theirs] = [await write(listener, audio.id, 'threat'), await write(listener, audio.id, 'spam')];
  await community.setCommentHidden(owner, mine, true);
  expect(await community.reportComment(owner, mine, { reason: 'threat' })).toBe(true);
  expect(await community.reportComment(other, theirs, { reason: 'spam' })).toBe(true);
  expect(await listed(owner, voiceId, 'reported')).toEqual(['threat']);
  expect(await community.countVoiceComments(voiceId)).toMatchObject({ hidden: exactly(1), reported: exactly(1) });
  expect(await community.reportComment(other, mine, { reason: 'threat' })).toBe(false);
});

test('a blocked user cannot comment or answer under this voice, and can elsewhere; unblocking ends it', async () => {
  const { audio, voiceId, owner, editor, listener } = await openVoice();
  const thread = await write(listener, audio.id, 'stays');
  expect(await community.setVoiceBlock(owner, voiceId, listener.id, true)).toEqual({ ok: true, changed: true });
  expect(await community.setVoiceBlock(editor, voiceId, listener.id, true)).toEqual({ ok: true, changed: false });
  for (const parentId of [undefined, thread])
    expect(await community.writeComment(listener, audio.id, { text: 'again', parentId })).toEqual({
      ok: false,
      reason: 'blocked',
    });
  expect(await seen(visitor, audio.id)).toEqual([['stays'], 1]);
  const elsewhere = await createAudio(db);
  await write(listener, elsewhere.id, 'hello');
  const page = await community.listVoiceBlocks(owner, voiceId, { limit: 5 });
  expect(page?.items.map(({ id }) => id)).toEqual([listener.id]);
  expect(await community.setVoiceBlock(editor, voiceId, listener.id, false)).toEqual({ ok: true, changed: true });
  await write(listener, audio.id, 'again');
});

test('nobody of the voice can be blocked from it, and unknown users answer not-found', async () => {
  const { voiceId, owner, editor } = await openVoice();
  expect(await community.setVoiceBlock(owner, voiceId, editor.id, true)).toEqual({ ok: false, reason: 'own' });
  for (const id of [newId(), 'no id'])
    expect(await community.setVoiceBlock(owner, voiceId, id, true)).toEqual({ ok: false, reason: 'not-found' });
});

test('a user who is blocked from a voice while they become its editor is not blocked', async () => {
  const { voiceId, owner, listener } = await openVoice();
  const [user] = await db.select({ name: users.username }).from(users).where(eq(users.id, listener.id));
  const [voice] = await db.select({ slug: voices.slug }).from(voices).where(eq(voices.id, voiceId));
  const slug = voice?.slug ?? '';
  const join = (tx: Db) => setPerson(tx, owner, voiceId, user?.name ?? '', 'editor');
  const block = (tx: Db) => setVoiceBlock(tx, owner, voiceId, listener.id, true);
  expect(await meanwhile(db, join, () => block(db))).toMatchObject([{ ok: true }, { ok: false, reason: 'own' }]);
  await db.delete(voiceOwners).where(eq(voiceOwners.userId, listener.id));
  // The other way round, and on each way of becoming one.
  const becoming: ((tx: Db) => Promise<{ ok: boolean }>)[] = [
    (tx: Db) => join(tx),
    (tx: Db) => setVoiceOwner(tx, voiceId, listener.id, true),
    () => people.setVoiceRole(operator, listener.id, slug, 'owner'),
  ];
  for (const become of becoming) {
    expect(await meanwhile(db, block, () => become(db))).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await countVoiceBlocks(db, voiceId)).toBe(0);
    await db.delete(voiceOwners).where(eq(voiceOwners.userId, listener.id));
  }
});

test('long lists come in pages, and a cursor belongs to its filter', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  for (const text of ['a', 'b', 'c']) await write(listener, audio.id, text);
  const first = await community.listVoiceComments(owner, voiceId, { filter: 'all', limit: 2 });
  expect(first?.items.map(({ text }) => text)).toEqual(['c', 'b']);
  const cursor = first?.nextCursor;
  const second = await community.listVoiceComments(owner, voiceId, { filter: 'all', limit: 2, cursor });
  expect([second?.items.map(({ text }) => text), second?.nextCursor]).toEqual([['a'], undefined]);
  await expect(community.listVoiceComments(owner, voiceId, { filter: 'hidden', limit: 2, cursor })).rejects.toThrow(
    'cursor',
  );
});
