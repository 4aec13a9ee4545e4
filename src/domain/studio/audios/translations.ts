import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { languageLabel } from '#formats/language-names.ts';
import { type Cue, maxTranslations, mistimedLines } from '../../catalogue/rules.ts';
import { audios, transcriptTranslations as translations } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { type HeldAudio, findManagedAudio, holdAudio, recordOnAudio } from './hold-audio.ts';

/**
 * Translations of a transcript. They are no part of the draft: each comes from a file, and is published at once, to
 * those who may hear the audio.
 */

/** By language. @returns undefined for an audio that the actor may not change */
export async function listTranslations(db: Db, actor: Actor, idOrSlug: string) {
  const audio = await findManagedAudio(db, actor, idOrSlug);
  if (audio === undefined) return undefined;
  const rows = await db
    .select({
      language: translations.language,
      lines: sql<number>`jsonb_array_length(${translations.cues})`,
      updatedAt: translations.updatedAt,
    })
    .from(translations)
    .where(eq(translations.audioId, audio.id))
    .orderBy(translations.language);
  return rows.map(({ language, ...row }) => ({ language, name: languageLabel(language), ...row }));
}
export type TranslationRow = NonNullable<Awaited<ReturnType<typeof listTranslations>>>[number];

/** @returns undefined also for an audio that the actor may not change */
export async function findTranslation(db: Db, actor: Actor, idOrSlug: string, language: string) {
  const audio = await findManagedAudio(db, actor, idOrSlug);
  return audio && readTranslation(db, audio.id, language);
}

async function readTranslation(tx: Db, audioId: string, language: string) {
  const [row] = await tx
    .select({ language: translations.language, cues: translations.cues })
    .from(translations)
    .where(and(eq(translations.audioId, audioId), eq(translations.language, language)));
  return row;
}

export type TranslationResult =
  | { ok: true }
  | { ok: false; reason: 'not-found' | 'spoken-language' | 'too-many-translations' }
  /** `lines`: from 1. */
  | { ok: false; reason: 'mistimed-translation'; lines: number[] };

/** Adds a translation, or replaces the one into the same language. */
export async function setTranslation(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  { language, cues }: { language: string; cues: Cue[] },
): Promise<TranslationResult> {
  return db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, idOrSlug);
    if (audio === undefined) return { ok: false, reason: 'not-found' };
    const [facts] = await tx
      .select({ spoken: audios.language, durationMs: audios.durationMs })
      .from(audios)
      .where(eq(audios.id, audio.id));
    if (facts?.spoken === language) return { ok: false, reason: 'spoken-language' };
    const lines = mistimedLines(cues, (facts?.durationMs ?? 0) / 1000);
    if (lines.length > 0) return { ok: false, reason: 'mistimed-translation', lines };
    const before = await readTranslation(tx, audio.id, language);
    if (before === undefined && (await tx.$count(translations, eq(translations.audioId, audio.id))) >= maxTranslations)
      return { ok: false, reason: 'too-many-translations' };
    // As it is stored: the log compares texts, and JSON in PostgreSQL has its own order of keys.
    const [after] = await tx
      .insert(translations)
      .values({ audioId: audio.id, language, cues })
      .onConflictDoUpdate({
        target: [translations.audioId, translations.language],
        set: { cues, updatedAt: sql`now()` },
      })
      .returning({ cues: translations.cues });
    await record(tx, actor, audio, { language, before: before?.cues, after: after?.cues });
    return { ok: true };
  });
}

/** @returns false where there is none, or the actor may not change the audio */
export async function removeTranslation(db: Db, actor: Actor, idOrSlug: string, language: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, idOrSlug);
    const before = audio && (await readTranslation(tx, audio.id, language));
    if (audio === undefined || before === undefined) return false;
    await tx.delete(translations).where(and(eq(translations.audioId, audio.id), eq(translations.language, language)));
    await record(tx, actor, audio, { language, before: before.cues, after: undefined });
    return true;
  });
}

function record(
  tx: Db,
  actor: Actor,
  audio: HeldAudio,
  { language, before, after }: { language: string; before: Cue[] | undefined; after: Cue[] | undefined },
): Promise<void> {
  const action = after === undefined ? 'audio.remove-translation' : 'audio.translate';
  return recordOnAudio(tx, actor, audio, action, {
    before: { translation: translationForLog(language, before) },
    after: { translation: translationForLog(language, after) },
  });
}

function translationForLog(language: string, cues: Cue[] | undefined) {
  return cues === undefined ? null : { language, ...linesForLog(cues) };
}

/** The log stores lines as their number and a content hash. */
export function linesForLog(cues: Cue[]) {
  const mark = createHash('sha256').update(JSON.stringify(cues)).digest('hex').slice(0, 12);
  return { lines: cues.length, mark };
}
