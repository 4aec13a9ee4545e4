import { inArray, sql } from 'drizzle-orm';
import { isPublished } from '../catalogue/audios.ts';
import { audioCounts, audios, transcripts } from '../catalogue/tables.ts';
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
  const heard = await db.execute<{ id: string }>(
    sql`select audio_id as id from transcripts where transcript_words(cues) @@ to_tsquery('simple', ${wanted.join(' & ')}) limit ${most}`,
  );
  const ids = heard.rows.map(({ id }) => id).filter((id) => !except.includes(id));
  if (ids.length === 0) return [];
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${audios.id} as id from ${audios} join ${audioCounts} on ${audioCounts.audioId} = ${audios.id}
    where ${audios.id} = any(${sql.param(ids)}::uuid[]) and ${isPublished}
      and not exists (select from audio_tags tagged where tagged.audio_id = ${audios.id} and tagged.tag_id = any(${sql.param(leftOut.tagIds)}::uuid[]))
    order by ${audioCounts.plays} desc, ${audios.id}`);
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
