import { and, eq, ne, sql } from 'drizzle-orm';
import { languageDirection, ownLanguageName } from '#formats/own-language-names.ts';
import type { Db } from '../../kernel/db.ts';
import { type Cue, mistimedLines } from '../rules.ts';
import { audios, transcripts, transcriptTranslations } from '../tables.ts';

/** The words of an audio, in its own language or in another one. */
export type Transcript = {
  /** BCP 47. */
  language: string;
  direction: 'ltr' | 'rtl';
  cues: Cue[];
  /** All that it can be read in, the spoken one first; each by its own name. */
  languages: { code: string; name: string }[];
};

/** @param codes all languages, the spoken one first */
export function toTranscript(language: string, cues: Cue[], codes: readonly string[]): Transcript {
  const languages = codes.map((code) => ({ code, name: ownLanguageName(code) }));
  return { language, direction: languageDirection(language), cues, languages };
}

/** Languages of the translations, in a query that has `audios`; one into the spoken language is not shown. */
export const translatedInto = sql<string[]>`array(select tt.language from transcript_translations tt
  where tt.audio_id = ${sql.raw('audios.id')} and tt.language <> ${sql.raw('audios.language')} order by tt.language)`;

/** The spoken words. The caller checks the right to hear the audio first (product.md, "Settled in detail"). */
export async function findTranscript(db: Db, audioId: string): Promise<Transcript | undefined> {
  const [row] = await db
    .select({ language: audios.language, cues: transcripts.cues, translations: translatedInto })
    .from(transcripts)
    .innerJoin(audios, eq(audios.id, transcripts.audioId))
    .where(eq(transcripts.audioId, audioId));
  const cues = row?.cues.map(({ start, end, text }) => ({ start, end, text }));
  return row && toTranscript(row.language, cues ?? [], [row.language, ...row.translations]);
}

/** The lines of a translation; the caller checks the right. */
export async function findTranslation(db: Db, audioId: string, language: string): Promise<Cue[] | undefined> {
  const { audioId: ofAudio, language: into, cues } = transcriptTranslations;
  const [row] = await db
    .select({ cues })
    .from(transcriptTranslations)
    .innerJoin(audios, and(eq(audios.id, ofAudio), ne(audios.language, into)))
    .where(and(eq(ofAudio, audioId), eq(into, language)));
  return row?.cues;
}

/** @returns numbers of the lines that keep the audio from listeners, from 1 */
export async function findMistimedLines(tx: Db, audioId: string): Promise<number[]> {
  const [row] = await tx
    .select({ cues: transcripts.cues, durationMs: audios.durationMs })
    .from(transcripts)
    .innerJoin(audios, eq(audios.id, transcripts.audioId))
    .where(eq(transcripts.audioId, audioId));
  return row === undefined ? [] : mistimedLines(row.cues, row.durationMs / 1000);
}
