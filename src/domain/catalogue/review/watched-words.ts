import { desc, eq, and, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { findListed, findWordLists } from '../../settings/word-lists.ts';
import type { Chapter } from '../chapter-rules.ts';
import { type Cue, audioTextNames, eachAudioText } from '../rules.ts';
import { audios, reviews } from '../tables.ts';

/** Texts of an audio, as its page shows them. */
export type AudioWords = {
  title: string;
  description: string;
  tags: string[];
  transcript: Cue[] | null;
  chapters: Chapter[] | null;
} & Record<(typeof audioTextNames)[number], string | null>;

/** Those of these words that listeners would read or hear. */
export function wordsIn(audio: AudioWords, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  const { title, description, tags, transcript, chapters } = audio;
  const ofChapters = (chapters ?? []).map((chapter) => chapter.title);
  const texts = [title, description, ...tags, ...ofChapters, ...audioTextNames.map((name) => audio[name] ?? '')];
  // A phrase may go over two lines.
  const spoken = (transcript ?? []).map(({ text }) => text).join(' ');
  return words.filter((word) => [...texts, spoken].some((text) => findListed(text, [word]).length > 0));
}

const id = sql.raw('audios.id');

/** Watched words of an audio as it would be published. */
export async function findWatchedWords(tx: Db, audioId: string): Promise<string[]> {
  const { watched } = await findWordLists(tx);
  if (watched.length === 0) return [];
  const [audio] = await tx
    .select({
      title: audios.title,
      description: audios.description,
      ...eachAudioText((name) => audios[name]),
      // Credited names, too.
      tags: sql<string[]>`(select coalesce(json_agg(label), '[]'::json) from (
        select t.label from audio_tags o join tags t on t.id = o.tag_id where o.audio_id = ${id}
        union all select name from credits where audio_id = ${id} and name is not null) written)`,
      transcript: sql<Cue[] | null>`(select tr.cues from transcripts tr where tr.audio_id = ${id})`,
      chapters: sql<Chapter[] | null>`(select c.chapters from chapters c where c.audio_id = ${id})`,
    })
    .from(audios)
    .where(eq(audios.id, audioId));
  return audio === undefined ? [] : wordsIn(audio, watched);
}

/** Without those that a reviewer has seen in it. */
export async function findUnseenWords(tx: Db, audioId: string): Promise<string[]> {
  const found = await findWatchedWords(tx, audioId);
  if (found.length === 0) return [];
  const [last] = await tx
    .select({ words: reviews.words })
    .from(reviews)
    .where(and(eq(reviews.audioId, audioId), eq(reviews.decision, 'approved')))
    .orderBy(desc(reviews.decidedAt))
    .limit(1);
  return found.filter((word) => last?.words.includes(word) !== true);
}
