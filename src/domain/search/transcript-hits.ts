import { inArray, sql } from 'drizzle-orm';
import { transcripts } from '../catalogue/tables.ts';
import type { Cue } from '../catalogue/transcripts.ts';
import type { Db } from '../db.ts';
import { countFound, hasPhrase, highlightTexts } from './highlights.ts';
import type { LeftOut } from './search-index.ts';
import type { Mark } from './words.ts';

/** A line of a transcript, and the second it is said at. One line is shown to everyone (product.md, "Settled in detail"). */
export type HeardLine = { seconds: number; text: string; marks: Mark[] };

/** What was said is looked through when names say little; nobody reads further than this. */
const most = 200;
const longestLine = 160;

/** Ids of the audios in which all the words are said, the most played first. @param except those that were found by name */
export async function findHeard(db: Db, words: string[], except: string[], leftOut: LeftOut): Promise<string[]> {
  // A letter or two are said in everything.
  if (!words.some((word) => word.length > 2)) return [];
  const wanted = words.map((word, index) => `'${word}'${index === words.length - 1 && word.length > 2 ? ':*' : ''}`);
  // Hidden ones go before the limit, so that they take nobody's place; the scalar keeps the plan from reading all audios.
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.audio_id as id from audio_counts c join (
      select t.audio_id from transcripts t
      where transcript_words(t.cues) @@ to_tsquery('simple', ${wanted.join(' & ')})
        and (select published_at from audios where id = t.audio_id) <= now()
        and t.audio_id <> all(${sql.param(except)}::uuid[])
        and not exists (select from audio_tags tagged where tagged.audio_id = t.audio_id and tagged.tag_id = any(${sql.param(leftOut.tagIds)}::uuid[]))
      limit ${most}) heard using (audio_id)
    order by c.plays desc, c.audio_id`);
  return rows.map(({ id }) => id);
}

/** The line of each audio that has most of the words; those with none are absent. */
export async function findLines(db: Db, audioIds: string[], words: string[]): Promise<Map<string, HeardLine>> {
  if (audioIds.length === 0) return new Map();
  const rows = await db
    .select({ audioId: transcripts.audioId, cues: transcripts.cues })
    .from(transcripts)
    .where(inArray(transcripts.audioId, audioIds));
  return new Map(
    rows.flatMap(({ audioId, cues }) => {
      const cue = bestCue(cues, words);
      if (cue === undefined) return [];
      const text = cut(cue.text, words);
      return [[audioId, { seconds: cue.start, text, marks: highlightTexts({ text }, words).text ?? [] }]];
    }),
  );
}

function bestCue(cues: Cue[], words: string[]): Cue | undefined {
  let best: Cue | undefined;
  let most = 0;
  for (const cue of cues) {
    const found = countFound(cue.text, words) + (words.length > 1 && hasPhrase(cue.text, words) ? 1 : 0);
    if (found > most) [best, most] = [cue, found];
  }
  return best;
}

/** So much of a long line as has the first match in it, between whole words. */
function cut(line: string, words: string[]): string {
  const text = line.replace(/\s+/g, ' ').trim();
  if (text.length <= longestLine) return text;
  const first = highlightTexts({ text }, words).text?.[0]?.[0] ?? 0;
  const from = first < longestLine / 2 ? 0 : text.lastIndexOf(' ', first - 20) + 1;
  const until = text.lastIndexOf(' ', from + longestLine);
  const end = until > first ? until : from + longestLine;
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}
