import { expect, test } from 'vitest';
import { comments } from '../community/tables.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import { setCommentHidden } from '../community/voice-comments.ts';
import { newId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { findAudioFacts } from './editor.ts';
import { findStudioOverview } from './overview.ts';

const { db } = await createTestDatabase();

test('a comment that the creator hides or answers leaves the overview, and is not counted as unanswered', async () => {
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
  const { id: listenerId, username } = await createUser(db);
  const write = async (text: string, values: Partial<typeof comments.$inferInsert> = {}) => {
    const row = { id: newId(), audioId: audio.id, userId: listenerId, text, ...values };
    await db.insert(comments).values(row);
    return row.id;
  };
  const [first, second] = [await write('first'), await write('second'), await write('third')];
  const shown = async () => {
    const overview = await findStudioOverview(db, owner, audio.voiceId);
    const facts = await findAudioFacts(db, owner, audio.id);
    return [overview?.comments.map(({ text }) => text), facts?.unansweredComments];
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
