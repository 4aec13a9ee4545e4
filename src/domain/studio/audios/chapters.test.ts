import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { wordSetting } from '../../settings/word-lists.ts';
import { findWatchedWords } from '../../catalogue/review/watched-words.ts';
import { audios, chapters } from '../../catalogue/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { type Viewer, visitor } from '../../kernel/viewer.ts';
import { AudioChange } from '../forms.ts';

const { db } = await createTestDatabase();
const { catalogue, studio, listening } = await openTestSite(db);

const two = [
  { start: 0, title: 'At the door' },
  { start: 64.5, title: 'The hall' },
];

async function ownedAudio(overrides: Parameters<typeof createAudio>[1] = {}) {
  const audio = await createAudio(db, { durationMs: 120_000, ...overrides });
  const { id } = await createUser(db);
  const owner = { kind: 'user', id, isSubscribed: false, isComplete: true, voiceRoles: { [audio.voiceId]: 'owner' } };
  return { ...audio, owner: owner as Extract<Viewer, { kind: 'user' }> };
}

async function heardBy(viewer: Viewer, id: string) {
  return listening.findChapters(viewer, (await catalogue.findAudio(id))!);
}

test('chapters of a live audio wait in its draft, and are published with it', async () => {
  const { id, owner } = await ownedAudio({ isFree: true });
  const saved = await studio.saveAudio(owner, id, { version: 0, change: AudioChange.parse({ chapters: two }) });
  expect(saved).toMatchObject({ ok: true, apart: ['chapters'] });
  expect(await heardBy(visitor, id)).toEqual([]);
  expect(await studio.findEditedAudio(owner, id)).toMatchObject({ values: { chapters: two } });
  expect(await studio.findAudioPreview(owner, id)).toMatchObject({ chapters: two });
  expect(await studio.publishChanges(owner, id, 1)).toMatchObject({ ok: true, apart: [] });
  expect(await db.select().from(chapters).where(eq(chapters.audioId, id))).toMatchObject([{ chapters: two }]);
  const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id));
  expect(entry).toMatchObject({
    before: { chapters: null },
    after: { chapters: ['0:00 At the door', '1:04 The hall'] },
  });

  await studio.saveAudio(owner, id, { version: 1, change: { chapters: null } });
  const { version = 0 } = (await studio.findEditedAudio(owner, id)) ?? {};
  await studio.publishChanges(owner, id, version);
  expect(await db.$count(chapters, eq(chapters.audioId, id))).toBe(0);
});

test('who may hear the audio may read its chapters', async () => {
  const { id, owner } = await ownedAudio({ isFree: false });
  await db.insert(chapters).values({ audioId: id, chapters: two });
  const listener = { kind: 'user', id: (await createUser(db)).id, isSubscribed: false, isComplete: true } as const;
  expect(await heardBy(visitor, id)).toEqual([]);
  expect(await heardBy(listener, id)).toEqual([]);
  expect(await heardBy({ ...listener, isSubscribed: true, ageMissing: 'proof' } as Viewer, id)).toEqual([]);
  expect(await heardBy({ ...listener, isSubscribed: true }, id)).toEqual(two);
  expect(await heardBy(owner, id)).toEqual(two);
});

test('a shorter recording has the chapters that begin in it', async () => {
  const { id } = await ownedAudio({ isFree: true });
  await db.insert(chapters).values({ audioId: id, chapters: two });
  await db.update(audios).set({ durationMs: 70_000 }).where(eq(audios.id, id));
  expect(await heardBy(visitor, id)).toEqual(two.slice(0, 1));
});

test.each([
  [
    'that are too short',
    [
      { start: 0, title: 'a' },
      { start: 9, title: 'b' },
    ],
  ],
  ['out of order', two.toReversed()],
  ['before the beginning', [{ start: -1, title: 'a' }]],
  ['without a title', [{ start: 0, title: ' ' }]],
  ['with two lines', [{ start: 0, title: 'a\nb' }]],
  ['that are too many', Array.from({ length: 201 }, (_, index) => ({ start: index * 10, title: 'a' }))],
])('chapters %s are refused', (_, wanted) => {
  expect(AudioChange.safeParse({ chapters: wanted }).success).toBe(false);
});

test('refused words are no titles, and watched ones hold the audio', async () => {
  const { id, owner } = await ownedAudio({ isFree: true });
  const { revision } = await findSetting(db, wordSetting);
  const value = { refused: ['forbidden'], watched: ['the hall'], help: '' };
  await db.transaction((tx) => changeSetting(tx, wordSetting, { actor: operator, value, revision }));
  await db.insert(chapters).values({ audioId: id, chapters: two });
  expect(await findWatchedWords(db, id)).toEqual(['the hall']);
  const change = AudioChange.parse({ chapters: [{ start: 0, title: 'Forbidden' }] });
  await expect(studio.saveAudio(owner, id, { version: 0, change })).rejects.toMatchObject({ code: 'words/refused' });
});
