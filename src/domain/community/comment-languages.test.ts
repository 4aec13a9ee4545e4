import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { createSharedReads } from '../kernel/shared-reads.ts';
import { type User, type Viewer, visitor } from '../kernel/viewer.ts';
import { comments } from './tables.ts';

const { db } = await createTestDatabase();
const { community } = await openTestSite(db, undefined, undefined, undefined, { shared: createSharedReads() });

const audio = { ...(await createAudio(db)), commentsDisabled: false };
const author = await createViewer(db);

async function write(text: string, language: string | null, replyTo?: string, by: User = author): Promise<string> {
  const written = await community.writeComment(by, audio.id, { text, ...(replyTo && { parentId: replyTo }) } as never);
  if (!written.ok) throw new Error(written.reason);
  await db.update(comments).set({ language }).where(eq(comments.id, written.comment.id));
  return written.comment.id;
}

const english = await write('english', 'en');
await write('english reply', 'en', english);
const germanReply = await write('deutsche antwort', 'de-AT', english);
const german = await write('deutsch', 'de', undefined, author);
await write('english to german', 'en', german);
await write('german to german', 'de', german);
await write('unknown', null);

async function read(viewer: Viewer) {
  const state = await community.findAudioState(viewer, audio.id);
  const first = await community.listFirstComments(viewer, audio, state, { limit: 10 });
  const all = await community.listComments(viewer, audio, { limit: 10 });
  expect(first).toEqual(all);
  return {
    texts: all.items.flatMap(({ text, replies, totalReplies }) => {
      expect(totalReplies).toBe(replies.length);
      return [text, ...replies.map((reply) => reply.text)];
    }),
    total: all.totalComments,
  };
}

const everything = {
  texts: [
    'unknown',
    'deutsch',
    'english to german',
    'german to german',
    'english',
    'english reply',
    'deutsche antwort',
  ],
  total: 7,
};
const ofGerman = { texts: ['unknown', 'deutsch', 'german to german'], total: 3 };
const reader = await createViewer(db);
const choice = { listensTo: ['de'], readsOnly: ['de'] };

test('comments in other languages are shown unless they are turned off, whoever asked before', async () => {
  for (let round = 0; round < 2; round += 1) {
    expect(await read(visitor)).toEqual(everything);
    expect(await read({ ...visitor, listensTo: ['de'] })).toEqual(everything);
    expect(await read({ ...visitor, ...choice })).toEqual(ofGerman);
    expect(await read({ ...reader, hidesNothing: true })).toEqual(everything);
    expect(await read({ ...reader, hidesNothing: true, ...choice })).toEqual(ofGerman);
  }
  const replies = await community.listReplies({ ...reader, ...choice }, german, { limit: 10 });
  expect(replies?.items.map(({ text }) => text)).toEqual(['german to german']);
});

test('authors see what they wrote, and a link leads to a comment in any language', async () => {
  expect(await read({ ...author, ...choice })).toEqual(everything);
  const thread = await community.findThread({ ...reader, ...choice }, audio, germanReply);
  expect(thread).toMatchObject({ id: english, replies: [{ text: 'english reply' }, { text: 'deutsche antwort' }] });
});
