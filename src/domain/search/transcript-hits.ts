import { eq, inArray, sql } from 'drizzle-orm';
import { type PgTable, unionAll } from 'drizzle-orm/pg-core';
import { isFreeToAll, previewId } from '../catalogue/audios.ts';
import { type Condition, meets } from '../catalogue/filters/read-filter.ts';
import { audios, transcripts, transcriptTranslations } from '../catalogue/tables.ts';
import { tagPattern } from '../catalogue/visibility.ts';
import type { Cue } from '../catalogue/rules.ts';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canPlay } from '../listening/rules.ts';
import { takeExcerpts } from './transcript-excerpts.ts';
import { countFound, hasPhrase, highlightTexts } from './highlights.ts';
import type { Hidden } from './search-index.ts';
import type { Mark } from './words.ts';

/**
 * A line of a transcript or of a translation, and its time in seconds. One line is public (product.md, "Settled in
 * detail").
 */
export type HeardLine = { seconds: number; text: string; marks: Mark[]; language: string };

/** Limit on transcript matches. */
const max = 200;
const longestLine = 160;
/** Limits of a line for viewers who may not hear it, in words and in characters. */
const excerptWords = 6;
const excerptLength = 60;

type Heard = { except: string[]; hidden: Hidden; onlyFree: boolean; conditions: Condition[] };

/**
 * Ids of the audios whose transcript, or a translation of it, has all the words, most played first.
 * @param among.except audios found by name
 */
export async function findHeard(
  db: Db,
  words: string[],
  { except, hidden, onlyFree, conditions }: Heard,
): Promise<string[]> {
  // One or two letters occur in every transcript.
  if (!words.some((word) => word.length > 2)) return [];
  const wanted = words.map((word, index) => `'${word}'${index === words.length - 1 && word.length > 2 ? ':*' : ''}`);
  // Filters before the limit, so that hidden audios take no places; the scalar keeps the plan from reading all audios.
  const heardIn = (table: PgTable, also = sql``) => sql`(
      select t.audio_id from ${table} t
      where transcript_words(t.cues) @@ to_tsquery('simple', ${wanted.join(' & ')})
        and (select published_at from audios where id = t.audio_id) <= now()
        ${onlyFree ? sql`and (t.audio_id = (${previewId}) or (select is_free from audios where id = t.audio_id))` : sql``}
        ${hidden.languages ? sql`and (select language from audios where id = t.audio_id) ~ ${tagPattern(hidden.languages)}` : sql``}
        and t.audio_id <> all(${sql.param([...except, ...hidden.audioIds])}::uuid[])
        and (select voice_id from audios where id = t.audio_id) <> all(${sql.param(hidden.voiceIds)}::uuid[])
        and not exists (select from audio_tags tagged where tagged.audio_id = t.audio_id and tagged.tag_id = any(${sql.param(hidden.tagIds)}::uuid[]))
        ${conditions.length === 0 ? sql`` : sql`and ${meets(sql`t.audio_id`, conditions)}`}
        ${also}
      limit ${max})`;
  // Listeners read translations beside the transcript only.
  const ofTranscript = sql`and exists (select from transcripts o where o.audio_id = t.audio_id)`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.audio_id as id from audio_counts c
    join (${heardIn(transcripts)} union ${heardIn(transcriptTranslations, ofTranscript)}) heard using (audio_id)
    order by c.plays desc, c.audio_id`);
  return rows.map(({ id }) => id);
}

/**
 * The best line of each audio; audios without a match are absent. Viewers without access see a few words of three lines
 * a day, so that searching does not reveal paid content. @param client from `excerptClientOf`
 */
export async function findLines(
  db: Db,
  audioIds: string[],
  words: string[],
  { viewer, client }: { viewer: Viewer; client: string },
): Promise<Map<string, HeardLine>> {
  if (audioIds.length === 0) return new Map();
  const ofAudio = { isFree: isFreeToAll, voice: { id: audios.voiceId } };
  const spoken = db
    .select({ audioId: transcripts.audioId, language: audios.language, cues: transcripts.cues, ...ofAudio })
    .from(transcripts)
    .innerJoin(audios, eq(audios.id, transcripts.audioId))
    .where(inArray(transcripts.audioId, audioIds));
  const { audioId: ofTranslation, language, cues: translated } = transcriptTranslations;
  const translations = db
    .select({ audioId: ofTranslation, language, cues: translated, ...ofAudio })
    .from(transcriptTranslations)
    .innerJoin(audios, eq(audios.id, ofTranslation))
    .where(inArray(ofTranslation, audioIds));
  const found = new Map<string, Found>();
  for (const { cues, ...row } of await unionAll(spoken, translations)) {
    const best = bestCue(cues, words);
    if (best === undefined || best.count <= (found.get(row.audioId)?.count ?? 0)) continue;
    const { language: into } = row;
    found.set(row.audioId, { ...best, line: cues.indexOf(best.cue), language: into, isHearable: canPlay(viewer, row) });
  }
  const locked = [...found].filter(([, { isHearable }]) => !isHearable);
  const shown = await takeExcerpts(db, client, new Map(locked.map(([audioId, { line }]) => [audioId, line])));
  return new Map(
    [...found].flatMap(([audioId, { cue, isHearable, language: into }]) => {
      if (!isHearable && !shown.has(audioId)) return [];
      const text = isHearable ? cut(cue.text, words) : excerpt(cue.text, words);
      const marks = highlightTexts({ text }, words).text ?? [];
      return [[audioId, { seconds: cue.start, text, marks, language: into }]];
    }),
  );
}

/** `count`: words of the search in it. */
type Found = { cue: Cue; count: number; line: number; language: string; isHearable: boolean };

function bestCue(cues: Cue[], words: string[]): Pick<Found, 'cue' | 'count'> | undefined {
  let best: Cue | undefined;
  let max = 0;
  for (const cue of cues) {
    const found = countFound(cue.text, words) + (words.length > 1 && hasPhrase(cue.text, words) ? 1 : 0);
    if (found > max) [best, max] = [cue, found];
  }
  return best && { cue: best, count: max };
}

/** Shortens a long line around the first match, between words. */
function cut(line: string, words: string[]): string {
  const text = line.replace(/\s+/g, ' ').trim();
  if (text.length <= longestLine) return text;
  const first = highlightTexts({ text }, words).text?.[0]?.[0] ?? 0;
  const from = first < longestLine / 2 ? 0 : text.lastIndexOf(' ', first - 20) + 1;
  const until = text.lastIndexOf(' ', from + longestLine);
  const end = until > first ? until : from + longestLine;
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}

/** The first match with a few words around it, for viewers without the right to hear the audio. */
function excerpt(line: string, words: string[]): string {
  const text = line.replace(/\s+/g, ' ').trim();
  const first = highlightTexts({ text }, words).text?.[0]?.[0] ?? 0;
  const before = text.slice(0, first).split(' ').slice(-2).join(' ');
  const from = first - before.length;
  const shown = text.slice(from).split(' ').slice(0, excerptWords).join(' ').slice(0, excerptLength);
  return `${from > 0 ? '…' : ''}${shown}${from + shown.length < text.length ? '…' : ''}`;
}
