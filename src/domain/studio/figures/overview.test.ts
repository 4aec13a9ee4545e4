import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audios } from '../../catalogue/tables.ts';
import { comments } from '../../community/tables.ts';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import { setCommentHidden } from '../../community/voice-comments.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/viewer.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { listManagedAudios, listPendingUploads } from '../audios/audio-list.ts';
import { findAudioFacts } from '../audios/audio-facts.ts';
import { findStudioOverview } from './overview.ts';
import { uploads } from '../tables.ts';

const { db } = await createTestDatabase();

test('the overview leaves out what the creator hid, answered or removed, and counts no such comment as unanswered', async () => {
  const audio = await createAudio(db);
  const { id } = await createUser(db);
  await setVoiceOwner(db, audio.voiceId, id, true);
  const owner: User = {
    kind: 'user',
    id,
    isSubscribed: false,
    isComplete: true,
    voiceRoles: { [audio.voiceId]: 'owner' },
  };
  const failed = { voiceId: audio.voiceId, userId: id, fileName: 'a.wav', bytes: 1, state: 'failed' } as const;
  await db.insert(uploads).values([
    { ...failed, id: newId(), title: 'Cut off', failure: 'damaged' },
    { ...failed, id: newId(), title: 'Given up', failure: 'removed', removedAt: new Date() },
  ]);
  const { id: listenerId, username } = await createUser(db);
  const write = async (text: string, values: Partial<typeof comments.$inferInsert> = {}) => {
    const row = { id: newId(), audioId: audio.id, userId: listenerId, text, ...values };
    await db.insert(comments).values(row);
    return row.id;
  };
  const [first, second] = [await write('first'), await write('second'), await write('third')];
  const overview = await findStudioOverview(db, owner, audio.voiceId);
  expect(overview?.failed.map(({ title }) => title)).toEqual(['Cut off']);
  expect((await listPendingUploads(db, audio.voiceId)).map(({ title }) => title)).toEqual(['Cut off']);
  const shown = async () => {
    const now = await findStudioOverview(db, owner, audio.voiceId);
    const facts = await findAudioFacts(db, owner, audio.id);
    return [now?.comments.map(({ text }) => text), facts?.unansweredComments];
  };
  expect(await shown()).toEqual([['third', 'second', 'first'], 3]);
  await setCommentHidden(db, owner, second, true);
  expect(await shown()).toEqual([['third', 'first'], 2]);
  await write('an answer', { parentId: first, userId: id });
  expect(await shown()).toEqual([['third'], 1]);
  expect((await findStudioOverview(db, owner, audio.voiceId))?.comments).toMatchObject([
    { author: { username }, audio: { id: audio.id, title: audio.title } },
  ]);
});

test('it counts audios without a transcript, which the list finds; those without words need none', async () => {
  const cues = [{ start: 0, end: 1, text: 'It rains' }];
  const { voiceId } = await createAudio(db, { cues });
  const without = await createAudio(db, { voiceId, publishedAt: null });
  await createAudio(db, { voiceId, language: 'zxx' });
  const gone = await createAudio(db, { voiceId, publishedAt: null });
  await db.update(audios).set({ deletedAt: new Date() }).where(eq(audios.id, gone.id));
  expect((await findStudioOverview(db, operator, voiceId))?.texts).toEqual({ total: 2, without: 1 });
  const page = await listManagedAudios(db, operator, { voiceId, text: 'without', limit: 5 });
  expect(page.items.map(({ id }) => id)).toEqual([without.id]);
  expect(page.counts).toMatchObject({ all: 1, draft: 1, published: 0 });
});
