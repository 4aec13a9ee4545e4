import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audios } from '../../catalogue/tables.ts';
import { newId } from '../../kernel/ids.ts';
import { moments } from '../tables.ts';
import { MomentForm } from './forms.ts';
import { maxMoments, momentNoteLength } from './rules.ts';

const { db } = await createTestDatabase();
const { library } = await openTestSite(db);
const audio = await createAudio(db, { title: 'Echo' });
const other = await createAudio(db, { title: 'Parting' });
const formOf = (given: Partial<MomentForm> = {}) =>
  MomentForm.parse({ audioId: audio.id, position: 54_000, note: ' The pause. ', ...given });

test('a moment has the id of its browser, is changed under it, and is listed with its audio', async () => {
  const { id: userId } = await createUser(db);
  const id = newId();
  expect(await library.keepMoment(userId, id, formOf())).toMatchObject({
    ok: true,
    moment: { id, audioId: audio.id, position: 54_000, note: 'The pause.' },
  });
  // Repeated by an outbox, and moved; the audio stays.
  await library.keepMoment(userId, id, formOf());
  await library.keepMoment(userId, id, formOf({ audioId: other.id, position: 49_000, note: '' }));
  const { items, audios: listed } = await library.listMoments(userId);
  expect(items).toMatchObject([{ id, audioId: audio.id, position: 49_000, note: '' }]);
  expect(listed.map(({ title }) => title)).toEqual(['Echo']);
});

test('the newest comes first, one audio can be asked for, and unpublished ones are left out', async () => {
  const { id: userId } = await createUser(db);
  const gone = await createAudio(db);
  const ids = [newId(), newId(), newId()] as const;
  for (const [at, of] of [audio, other, gone].entries())
    await library.keepMoment(userId, ids[at] as string, formOf({ audioId: of.id }));
  await db
    .update(moments)
    .set({ createdAt: new Date(0) })
    .where(eq(moments.id, ids[1]));
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, gone.id));
  expect((await library.listMoments(userId)).items.map(({ id }) => id)).toEqual([ids[0], ids[1]]);
  expect((await library.listMoments(userId, other.id)).items.map(({ id }) => id)).toEqual([ids[1]]);
  expect((await library.listMoments(userId, 'x')).items).toEqual([]);
});

test('nobody else sees, changes, takes over or deletes it', async () => {
  const { id: userId } = await createUser(db);
  const { id: stranger } = await createUser(db);
  const id = newId();
  await library.keepMoment(userId, id, formOf());
  expect(await library.keepMoment(stranger, id, formOf({ note: 'Mine now' }))).toEqual({
    ok: false,
    reason: 'not-found',
  });
  expect(await library.deleteMoment(stranger, id)).toBe(false);
  expect((await library.listMoments(stranger)).items).toEqual([]);
  expect((await library.listMoments(userId)).items).toMatchObject([{ note: 'The pause.' }]);
  expect([await library.deleteMoment(userId, id), await library.deleteMoment(userId, id)]).toEqual([true, false]);
});

test('an audio that is not there has no moments, and their number is limited', async () => {
  const { id: userId } = await createUser(db);
  expect(await library.keepMoment(userId, newId(), formOf({ audioId: newId() }))).toEqual({
    ok: false,
    reason: 'not-found',
  });
  const row = { userId, audioId: audio.id, positionMs: 1 };
  const first = newId();
  await db
    .insert(moments)
    .values([{ id: first, ...row }, ...Array.from({ length: maxMoments - 1 }, () => ({ id: newId(), ...row }))]);
  expect(await library.keepMoment(userId, newId(), formOf())).toEqual({ ok: false, reason: 'full' });
  expect(await library.keepMoment(userId, first, formOf())).toMatchObject({ ok: true });
});

test.each([
  { position: -1 },
  { position: 0.5 },
  { position: 90_000_000 },
  { note: 'x'.repeat(momentNoteLength + 1) },
  { note: 'a\0b' },
  { audioId: 'echo' },
])('%j is refused', (given) => {
  expect(MomentForm.safeParse({ audioId: audio.id, position: 1, note: '', ...given }).success).toBe(false);
});
