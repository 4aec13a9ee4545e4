import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { maxTranslations } from '../../catalogue/rules.ts';
import { audios, transcripts, transcriptTranslations } from '../../catalogue/tables.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { operator } from '../../kernel/actor.ts';
import { type VoiceRole, visitor } from '../../kernel/viewer.ts';

const { db } = await createTestDatabase();
const { catalogue, studio, listening } = await openTestSite(db);

async function newUser(isSubscribed: boolean, voiceRoles?: Record<string, VoiceRole>) {
  const { id } = await createUser(db);
  return { kind: 'user', id, isSubscribed, isComplete: true, ...(voiceRoles && { voiceRoles }) } as const;
}

const cues = [
  { start: 0, end: 2, text: 'It rains' },
  { start: 2, end: 4, text: 'and rains' },
];
const inGerman = [
  { start: 0, end: 2, text: 'Es regnet' },
  { start: 2, end: 4, text: 'und regnet' },
];
const inArabic = [{ start: 0, end: 4, text: 'تمطر' }];

async function newAudio(overrides: Parameters<typeof createAudio>[1] = {}) {
  const audio = await createAudio(db, { cues, ...overrides });
  const set = (language: string, lines = inGerman) =>
    studio.setTranslation(operator, audio.id, { language, cues: lines });
  return { id: audio.id, voiceId: audio.voiceId, set };
}

async function readBy(viewer: Parameters<typeof listening.findTranscript>[0], id: string, wanted?: string) {
  return listening.findTranscript(viewer, (await catalogue.findAudio(id))!, wanted);
}

test('people of the creator translate, others do not even learn of it', async () => {
  const { id, voiceId } = await newAudio();
  const [owner, editor] = [await newUser(false, { [voiceId]: 'owner' }), await newUser(false, { [voiceId]: 'editor' })];
  const stranger = await newUser(true, { [(await createVoice(db)).id]: 'owner' });
  const german = { language: 'de', cues: inGerman };
  expect(await studio.setTranslation(stranger, id, german)).toEqual({ ok: false, reason: 'not-found' });
  expect(await studio.setTranslation(editor, id, german)).toEqual({ ok: true });
  expect([await studio.findTranslation(owner, id, 'de'), await studio.findTranslation(stranger, id, 'de')]).toEqual([
    german,
    undefined,
  ]);
  expect(await studio.listTranslations(stranger, id)).toBeUndefined();
  expect(await studio.listTranslations(owner, id)).toMatchObject([{ language: 'de', name: 'German', lines: 2 }]);
  expect(await studio.removeTranslation(stranger, id, 'de')).toBe(false);
  expect(await studio.removeTranslation(owner, id, 'de')).toBe(true);
  expect(await studio.removeTranslation(owner, id, 'de')).toBe(false);
});

test('who may hear an audio reads it in each language, and nobody else', async () => {
  const { id, set } = await newAudio();
  await set('de');
  await set('ar', inArabic);
  const languages = [
    { code: 'en', name: 'English' },
    { code: 'ar', name: 'العربية' },
    { code: 'de', name: 'Deutsch' },
  ];
  const subscriber = await newUser(true);
  expect(await readBy(subscriber, id)).toEqual({ language: 'en', direction: 'ltr', cues, languages });
  expect(await readBy(subscriber, id, 'de-AT')).toEqual({
    language: 'de',
    direction: 'ltr',
    cues: inGerman,
    languages,
  });
  expect(await readBy(subscriber, id, 'ar')).toMatchObject({ language: 'ar', direction: 'rtl', cues: inArabic });
  expect(await readBy(subscriber, id, 'fr')).toMatchObject({ language: 'en', cues });
  for (const viewer of [visitor, await newUser(false)]) expect(await readBy(viewer, id, 'de')).toBe('locked');
});

test('a transcript has the language of its audio, and is not offered in that again', async () => {
  const { id, set } = await newAudio({ isFree: true });
  await set('de');
  await db.update(audios).set({ language: 'de' }).where(eq(audios.id, id));
  expect(await readBy(visitor, id, 'de')).toEqual({
    language: 'de',
    direction: 'ltr',
    cues,
    languages: [{ code: 'de', name: 'Deutsch' }],
  });
});

test('translations are read beside a transcript, and wait for it', async () => {
  const { id, set } = await newAudio({ isFree: true });
  await set('de');
  await db.delete(transcripts).where(eq(transcripts.audioId, id));
  expect(await readBy(visitor, id, 'de')).toBeUndefined();
  expect(await studio.listTranslations(operator, id)).toHaveLength(1);
});

test('another file replaces the first one, and the log keeps no words', async () => {
  const { id, set } = await newAudio({ isFree: true });
  await set('de');
  await set('de', [{ start: 0, end: 4, text: 'Regen' }]);
  await set('de', [{ start: 0, end: 4, text: 'Regen' }]);
  await studio.removeTranslation(operator, id, 'de');
  const log = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id)).orderBy(auditEntries.id);
  expect(log).toMatchObject([
    { action: 'audio.translate', before: { translation: null }, after: { translation: { language: 'de', lines: 2 } } },
    { action: 'audio.translate', before: { translation: { lines: 2 } }, after: { translation: { lines: 1 } } },
    { action: 'audio.remove-translation', after: { translation: null } },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/regnet|Regen/);
});

test('the spoken language, wrong times and too many translations are refused', async () => {
  const { id, set } = await newAudio({ durationMs: 5000 });
  expect(await set('en')).toEqual({ ok: false, reason: 'spoken-language' });
  const late = [...inGerman, { start: 3, end: 4, text: 'x' }, { start: 5, end: 6, text: 'y' }];
  expect(await set('de', late)).toEqual({ ok: false, reason: 'mistimed-translation', lines: [3, 4] });
  const full = Array.from({ length: maxTranslations }, (_, index) => ({
    audioId: id,
    language: `q${'abcdefgh'[index >> 3]}${'abcdefgh'[index & 7]}`,
    cues,
  }));
  await db.insert(transcriptTranslations).values(full);
  expect(await set('de')).toEqual({ ok: false, reason: 'too-many-translations' });
  expect(await set('qaa')).toEqual({ ok: true });
});

test('translations end with their audio', async () => {
  const { id, set } = await newAudio();
  await set('de');
  await db.delete(audios).where(eq(audios.id, id));
  expect(await db.$count(transcriptTranslations, eq(transcriptTranslations.audioId, id))).toBe(0);
});
