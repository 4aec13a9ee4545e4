import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { readRows } from '#test/support/read-rows.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audioCounts, voices } from '../catalogue/tables.ts';
import { auditEntries } from '../kernel/audit.ts';
import { operator } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { type User, type Viewer, visitor } from '../kernel/viewer.ts';
import { notices } from '../notices/tables.ts';
import { notifications } from '../notifications/tables.ts';
import { eraseUser, exportUser } from '../privacy/personal-data.ts';
import { setCommentPinned } from './comment-marks.ts';
import { heldDays } from './rules.ts';
import { comments, heldComments, voiceOwners } from './tables.ts';

const { db } = await createTestDatabase();
const { community, notifications: news } = await openTestSite(db);

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

async function write(viewer: User, audioId: string, text: string, parentId?: string) {
  const outcome = await community.writeComment(viewer, audioId, { text, parentId });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.comment;
}

const pageOf = (viewer: Viewer, audioId: string, query: Partial<Parameters<typeof community.listComments>[2]> = {}) =>
  community.listComments(viewer, { id: audioId, commentsDisabled: false }, { limit: 50, ...query });

const textsOf = async (viewer: Viewer, audioId: string) =>
  (await pageOf(viewer, audioId)).items.map(({ text }) => text);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

test('an audio has its own choice of what is held before its voice’s; people of the voice are never held', async () => {
  const { audio, voiceId, owner, editor, listener } = await openVoice();
  const other = await createAudio(db, { voiceId });
  const heldFor = async (text: string, audioId = audio.id, by: User = listener) =>
    (await write(by, audioId, `${text} ${newId()}`)).heldFor;
  expect(await heldFor('See www.a.example')).toBeUndefined();
  expect(await community.changeCommentSettings(listener, voiceId, { hold: 'all' })).toBe(false);
  expect(await community.changeCommentSettings(editor, voiceId, { hold: 'unkind', words: ['Adresse'] })).toBe(true);
  expect(await community.findCommentSettings(voiceId)).toMatchObject({
    commenters: 'everyone',
    hold: 'unkind',
    words: ['Adresse'],
    order: 'newest',
    pausedUntil: null,
    audios: 2,
    withComments: 2,
  });
  expect(await heldFor('Lovely.')).toBeUndefined();
  expect([await heldFor('See www.a.example'), await heldFor('So stupid'), await heldFor('adresse?')]).toEqual([
    'link',
    'wording',
    'wording',
  ]);
  expect(await community.changeAudioCommentSettings(listener, other.id, { hold: 'all' })).toBe(false);
  expect(await community.findAudioCommentSettings(listener, other.id)).toBeUndefined();
  expect(await community.changeAudioCommentSettings(owner, other.id, { hold: 'none' })).toBe(true);
  expect(await community.findAudioCommentSettings(owner, other.id)).toEqual({ hold: 'none', pausedUntil: null });
  expect([await heldFor('So stupid', other.id), await heldFor('adresse?', other.id)]).toEqual([undefined, 'wording']);
  await community.changeAudioCommentSettings(owner, other.id, { hold: 'all' });
  expect(await heldFor('Lovely.', other.id)).toBe('all');
  expect(await heldFor('My ADRESSE: www.a.example', other.id, owner)).toBeUndefined();
  await community.changeAudioCommentSettings(owner, other.id, { hold: null });
  expect(await heldFor('Lovely.', other.id)).toBeUndefined();
  // The version before turns holding off and on by its own column.
  await db.update(voices).set({ holdsLinks: false }).where(eq(voices.id, voiceId));
  expect(await heldFor('So stupid, www.a.example')).toBeUndefined();
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.voiceId, voiceId));
  expect(entries.map(({ action, after }) => [action, after]).slice(0, 2)).toEqual([
    ['voice.set-comments', { hold: 'unkind', words: 1 }],
    ['audio.set-comments', { hold: 'none' }],
  ]);
});

test('nobody but its writer, the voice and the desk sees a held comment; the Studio says why, and shows it or not', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  const other = await createViewer(db);
  await community.changeCommentSettings(owner, voiceId, { hold: 'all', words: ['Adresse'] });
  const thread = await write(owner, audio.id, 'Which one next?');
  const word = await write(listener, audio.id, 'Your adresse?', thread.id);
  const link = await write(listener, audio.id, 'At www.a.example');
  const plain = await write(listener, audio.id, 'Lovely.');
  expect(plain).toMatchObject({ waitsForCreator: true, heldFor: 'all' });
  for (const viewer of [visitor, other]) {
    expect(await pageOf(viewer, audio.id)).toMatchObject({
      items: [{ totalReplies: 0, replies: [] }],
      totalComments: 1,
    });
    for (const { id } of [word, link]) {
      expect(await community.findThread(viewer, { id: audio.id, commentsDisabled: false }, id)).toBeUndefined();
      expect(await community.reportComment(await createViewer(db), id, { reason: 'spam' })).toBe(false);
    }
    expect((await community.listReplies(viewer, thread.id, { limit: 9 }))?.items).toEqual([]);
  }
  expect(await news.listNotifications(owner, { limit: 9 })).toMatchObject({ items: [] });
  expect(await textsOf(listener, audio.id)).toEqual(['Lovely.', 'At www.a.example', 'Which one next?']);
  const held = async () => (await community.listVoiceComments(owner, voiceId, { filter: 'waiting', limit: 9 }))?.items;
  expect((await held())?.map(({ heldFor, heldWord, marks }) => [heldFor, heldWord, marks])).toEqual([
    ['all', null, []],
    ['link', null, [[3, 16]]],
    ['word', 'Adresse', [[5, 12]]],
  ]);
  expect(await community.countHeldReasons(voiceId)).toEqual({ link: 1, word: 1, unkind: 0, all: 1 });
  await community.setCommentHidden(owner, word.id, false);
  await community.setCommentHidden(owner, link.id, true);
  expect((await news.listNotifications(owner, { limit: 9 })).items).toHaveLength(1);
  expect(await pageOf(other, audio.id)).toMatchObject({ items: [{ replies: [{ id: word.id }] }], totalComments: 2 });
  expect((await held())?.map(({ id }) => id)).toEqual([plain.id]);
  // A settled one has no reason any more, for its writer either.
  expect((await textsOf(listener, audio.id)).length).toBe(3);
  expect((await pageOf(listener, audio.id)).items[1]).not.toHaveProperty('heldFor');
});

test('a comment that nobody has answered stays hidden after two weeks; one at the desk waits on', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  await community.changeCommentSettings(owner, voiceId, { hold: 'all' });
  const [due, young, atDesk] = [
    await write(listener, audio.id, 'one'),
    await write(listener, audio.id, 'two'),
    await write(listener, audio.id, 'three'),
  ];
  await db.insert(heldComments).values({ commentId: atDesk.id, forCreator: true });
  const age = (id: string, days: number) =>
    db
      .update(comments)
      .set({ hiddenAt: inDays(-days) })
      .where(eq(comments.id, id));
  await age(due.id, heldDays + 0.01);
  await age(young.id, heldDays - 0.01);
  await age(atDesk.id, heldDays + 9);
  expect(await community.settleHeldComments()).toBe(1);
  const list = async (filter: 'waiting' | 'hidden') =>
    (await community.listVoiceComments(owner, voiceId, { filter, limit: 9 }))?.items.map(({ id }) => id);
  expect([await list('hidden'), await list('waiting')]).toEqual([[due.id], [atDesk.id, young.id]]);
  expect(await textsOf(visitor, audio.id)).toEqual([]);
});

test('Undo puts a held comment back among those that wait, and hiding one shows it past no desk', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  await community.changeCommentSettings(owner, voiceId, { hold: 'all' });
  const { id } = await write(listener, audio.id, 'Lovely.');
  const set = (isHidden: boolean, waits = false) => community.setCommentHidden(owner, id, isHidden, { waits });
  const list = async (filter: 'waiting' | 'hidden') =>
    (await community.listVoiceComments(owner, voiceId, { filter, limit: 9 }))?.items.map((one) => one.id);
  const lists = async () => [await list('waiting'), await list('hidden'), await textsOf(visitor, audio.id)];
  for (const first of [true, false]) {
    await set(first);
    expect(await lists()).toEqual([[], first ? [id] : [], first ? [] : ['Lovely.']]);
    expect(await set(true, true)).toEqual({ changed: true });
    expect(await set(true, true)).toEqual({ changed: false });
    expect(await lists()).toEqual([[id], [], []]);
  }
  const never = await write(owner, audio.id, 'Never held.');
  await community.setCommentHidden(owner, never.id, true, { waits: true });
  expect(await list('waiting')).toEqual([id]);

  await db.insert(heldComments).values({ commentId: id, forCreator: false });
  for (const hides of [false, true]) {
    if (hides) expect(await set(true)).toEqual({ changed: true });
    await expect(set(false)).rejects.toMatchObject({ code: 'comment/at-desk' });
  }
  const [atDesk] = await db.select().from(heldComments).where(eq(heldComments.commentId, id));
  expect(atDesk).toMatchObject({ forCreator: true });
  expect(await textsOf(visitor, audio.id)).toEqual([]);
});

test('an edited comment is checked again; heart and pin were for the other text', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  const edit = (id: string, text: string, by: User = listener) => community.editComment(by, id, { text });
  await community.changeCommentSettings(owner, voiceId, { hold: 'unkind' });
  const { id } = await write(listener, audio.id, 'Lovely.');
  await community.setCommentPinned(owner, id, true);
  await community.setCommentHearted(owner, id, true);
  expect(await edit(id, ' Lovely. ')).toMatchObject({ ok: true, comment: { isPinned: true, isHearted: true } });
  expect(await edit(id, 'Lovely voice.')).toMatchObject({
    ok: true,
    comment: { text: 'Lovely voice.', isEdited: true },
  });
  expect((await pageOf(visitor, audio.id)).items[0]).not.toHaveProperty('isHearted');
  expect(await edit(id, 'Stupid voice.')).toMatchObject({ ok: true, comment: { heldFor: 'wording' } });
  expect(await textsOf(visitor, audio.id)).toEqual([]);
  const [count] = await db.select().from(audioCounts).where(eq(audioCounts.audioId, audio.id));
  expect(count?.comments).toBe(0);
  expect(await edit(id, 'Lovely voice.')).toMatchObject({ ok: true });
  expect(await textsOf(visitor, audio.id)).toEqual(['Lovely voice.']);
  // One that the creator has hidden stays hidden.
  await community.setCommentHidden(owner, id, true);
  await edit(id, 'Quite lovely.');
  expect(await textsOf(visitor, audio.id)).toEqual([]);
  await community.setCommentHidden(owner, id, false);
  expect(await textsOf(visitor, audio.id)).toEqual(['Quite lovely.']);

  for (const [text, reason] of [
    [' ', 'empty'],
    ['a'.repeat(1001), 'too-long'],
  ] as const)
    expect(await edit(id, text)).toEqual({ ok: false, reason });
  expect(await edit(id, 'Mine now', await createViewer(db))).toEqual({ ok: false, reason: 'not-found' });
  expect(await edit(id, 'Mine now', owner)).toEqual({ ok: false, reason: 'not-found' });
  expect(await edit(newId(), 'Nothing')).toEqual({ ok: false, reason: 'not-found' });
  await community.changeCommentSettings(owner, voiceId, { pausedUntil: inDays(2) });
  expect(await edit(id, 'In the break')).toEqual({ ok: false, reason: 'paused' });
  await community.changeCommentSettings(owner, voiceId, { pausedUntil: null });
  await community.setVoiceBlock(owner, voiceId, listener.id, true);
  expect(await edit(id, 'Blocked')).toEqual({ ok: false, reason: 'blocked' });
  await community.setVoiceBlock(owner, voiceId, listener.id, false);
  const notice = { id: newId(), subjectType: 'comment' as const, subjectId: id, subjectName: '', address: '/' };
  await db.insert(notices).values({ ...notice, kind: 'illegal' });
  expect(await edit(id, 'What the notice names is gone')).toEqual({ ok: false, reason: 'under-review' });
  await db.update(notices).set({ settledAt: new Date() });
  expect(await edit(id, 'Decided.')).toMatchObject({ ok: true });
  await community.reportComment(await createViewer(db), id, { reason: 'spam' });
  expect(await edit(id, 'What was reported is gone')).toEqual({ ok: false, reason: 'under-review' });
});

test('in a break, of the voice or of the audio, only the voice’s people write; what is there stays', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  const other = await createAudio(db, { voiceId });
  await write(listener, audio.id, 'Before');
  await community.changeAudioCommentSettings(owner, audio.id, { pausedUntil: inDays(3) });
  const attempt = async (by: User, audioId: string) => {
    const outcome = await community.writeComment(by, audioId, { text: `Now ${newId()}` });
    return outcome.ok || outcome.reason;
  };
  expect([await attempt(listener, audio.id), await attempt(listener, other.id)]).toEqual(['paused', true]);
  await community.changeCommentSettings(owner, voiceId, { pausedUntil: inDays(5) });
  expect([await attempt(listener, other.id), await attempt(owner, other.id)]).toEqual(['paused', true]);
  const { items, pausedUntil, commenters } = await pageOf(visitor, audio.id);
  expect([items.map(({ text }) => text), commenters]).toEqual([['Before'], 'everyone']);
  expect(Math.round(((pausedUntil?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(5);
  // The end of both passes by itself.
  await db
    .update(voices)
    .set({ commentsPausedUntil: inDays(-1) })
    .where(eq(voices.id, voiceId));
  expect([await attempt(listener, other.id), await attempt(listener, audio.id)]).toEqual([true, 'paused']);
  expect((await pageOf(visitor, other.id)).pausedUntil).toBeNull();
  expect(await community.findCommentSettings(voiceId)).toMatchObject({ pausedUntil: null });
});

test('only the text that was read is shown, pinned and liked', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  await community.changeCommentSettings(owner, voiceId, { hold: 'all' });
  const { id } = await write(listener, audio.id, 'Lovely.');
  const find = async () =>
    (await community.listVoiceComments(owner, voiceId, { filter: 'all', limit: 9 }))?.items[0]?.editedAt ?? null;
  const acts = [
    (read?: Date | null) => community.setCommentHidden(owner, id, false, { read }),
    (read?: Date | null) => community.setCommentPinned(owner, id, true, read),
    (read?: Date | null) => community.setCommentHearted(owner, id, true, read),
  ];
  let read = await find();
  expect(read).toBeNull();
  for (const [index, act] of acts.entries()) {
    expect(await community.editComment(listener, id, { text: `Lovely, ${index}.` })).toMatchObject({ ok: true });
    // Everything but showing is for what is shown.
    if (index > 0) await community.setCommentHidden(owner, id, false);
    await expect(act(read)).rejects.toMatchObject({ code: 'comment/edited' });
    read = await find();
    expect(await act(read)).toBeDefined();
    // Taking back is for any text.
    await community.setCommentHearted(owner, id, false, new Date(0));
    expect(await community.setCommentPinned(owner, id, false, new Date(0))).toEqual({ replaced: null });
    await community.setCommentHidden(owner, id, true, { read: new Date(0) });
    await community.setCommentHidden(owner, id, false, { read });
  }
});

test('one comment of an audio is pinned: first, once, and only where everybody sees it', async () => {
  const { audio, voiceId, owner, editor, listener } = await openVoice();
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three', 'four']) ids.push((await write(listener, audio.id, text)).id);
  const [one = '', two = '', three = ''] = ids;
  const reply = await write(listener, audio.id, 'reply', one);
  const pin = (id: string, isPinned: boolean, by: User = owner) => community.setCommentPinned(by, id, isPinned);
  expect(await pin(one, true, listener)).toBeUndefined();
  expect(await pin(reply.id, true)).toBeUndefined();
  expect(await pin(one, true)).toEqual({ replaced: null });
  expect(await pin(one, true)).toEqual({ replaced: null });
  expect(await pin(two, true, editor)).toEqual({ replaced: one });
  expect(await textsOf(visitor, audio.id)).toEqual(['two', 'four', 'three', 'one']);
  const first = await pageOf(visitor, audio.id, { limit: 1 });
  expect(first.items.map(({ text, isPinned }) => [text, isPinned])).toEqual([
    ['two', true],
    ['four', undefined],
  ]);
  // Pinned while somebody reads on: it stays in its place, and the former one is not shown again.
  await pin(three, true);
  const second = await pageOf(visitor, audio.id, { limit: 1, cursor: first.nextCursor });
  const third = await pageOf(visitor, audio.id, { limit: 1, cursor: second.nextCursor });
  expect([...second.items, ...third.items].map(({ text, isPinned }) => [text, isPinned])).toEqual([
    ['three', undefined],
    ['one', undefined],
  ]);
  expect(third.nextCursor).toBeUndefined();
  expect((await community.listVoiceComments(owner, voiceId, { filter: 'pinned', limit: 9 }))?.items).toMatchObject([
    { id: three, isPinned: true },
  ]);
  await community.setCommentHidden(owner, three, true);
  expect(await textsOf(visitor, audio.id)).toEqual(['four', 'two', 'one']);
  // Its author sees it where it was.
  expect(await textsOf(listener, audio.id)).toEqual(['four', 'three', 'two', 'one']);
  expect(await pin(one, true)).toEqual({ replaced: three });
  await community.setBlocked(owner, listener.id, true);
  expect(await textsOf({ ...owner, voiceRoles: {} }, audio.id)).toEqual([]);
  await community.setBlocked(owner, listener.id, false);
  // A placeholder has no pin.
  await community.deleteComment(listener, one);
  expect((await pageOf(visitor, audio.id)).items.map(({ text, state }) => [text, state])).toEqual([
    ['four', 'shown'],
    ['two', 'shown'],
    [null, 'deleted'],
  ]);
});

test('of two comments that are pinned at once, one is', async () => {
  const { audio, owner, listener } = await openVoice();
  const [one, two] = [await write(listener, audio.id, 'one'), await write(listener, audio.id, 'two')];
  const pin = (on: Db, id: string) => setCommentPinned(on, owner, id, true);
  const outcomes = await meanwhile(
    db,
    (tx) => pin(tx, two.id),
    () => pin(db, one.id),
  );
  expect(outcomes).toEqual([{ replaced: null }, { replaced: two.id }]);
  const both = await Promise.all([pin(db, one.id), pin(db, two.id)]);
  expect(both).toHaveLength(2);
  expect(await db.$count(comments, and(eq(comments.audioId, audio.id), sql`pinned_at is not null`))).toBe(1);
});

test('the writer is told once of a heart, and no longer when it is taken back', async () => {
  const { audio, owner, editor, listener } = await openVoice();
  const { id } = await write(listener, audio.id, 'Lovely.');
  const heart = (isHearted: boolean, by: User = owner, of = id) => community.setCommentHearted(by, of, isHearted);
  const admin: User = { ...(await createViewer(db)), isAdmin: true };
  expect([await heart(true, listener), await heart(true, admin)]).toEqual([undefined, undefined]);
  expect(await community.setCommentHearted(operator, id, true)).toBeUndefined();
  expect([await heart(true), await heart(true, editor)]).toEqual([{ changed: true }, { changed: false }]);
  const told = async () =>
    (await news.listNotifications(listener, { limit: 9 })).items.map(({ text, path }) => [text, path]);
  const path = `/audio/${audio.slug}?comment=${id}#comment-${id}`;
  const [[text] = []] = await told();
  expect(text).toMatch(/ likes your comment on “/);
  expect(await told()).toEqual([[text, path]]);
  expect((await pageOf(visitor, audio.id)).items).toMatchObject([{ isHearted: true }]);
  await heart(false);
  expect([await told(), await news.countUnread(listener)]).toEqual([[], 0]);
  await heart(true);
  expect(await told()).toEqual([[text, path]]);
  expect(await db.$count(notifications, eq(notifications.userId, listener.id))).toBe(1);
  const own = await write(owner, audio.id, 'Mine');
  await heart(true, editor, own.id);
  expect(await db.$count(notifications, eq(notifications.userId, owner.id))).toBe(0);
  // One that is hidden, for everybody or by the creator, has none, and a heart from before does not tell of it.
  await community.setCommentHidden(owner, id, true);
  expect([await told(), await heart(false), await heart(true)]).toEqual([[], { changed: true }, undefined]);
});

test('a writer’s data has what was done with their comments, and goes with the account', async () => {
  const { audio, voiceId, owner, listener } = await openVoice();
  await community.changeCommentSettings(owner, voiceId, { words: ['address'] });
  const { id } = await write(listener, audio.id, 'Lovely.');
  await write(owner, audio.id, 'Thank you', id);
  await community.setCommentPinned(owner, id, true);
  await community.setCommentHearted(owner, id, true);
  const held = await write(listener, audio.id, 'Your address?');
  const exported = JSON.stringify(await readRows(await exportUser(db, listener.id, 'secret')));
  expect(exported).toContain('"heartedAt"');
  // The creator's words are not the writer's.
  expect(exported).not.toContain('heldWord');
  await eraseUser(db, listener.id);
  const rows = await db.select().from(comments).where(eq(comments.audioId, audio.id));
  expect(rows.map((row) => row.id)).not.toContain(held.id);
  expect(rows.find((row) => row.id === id)).toMatchObject({
    text: null,
    pinnedAt: null,
    heartedAt: null,
    heldFor: null,
    heldWord: null,
    editedAt: null,
  });
});
