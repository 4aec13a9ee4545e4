import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { type ReviewCause, type ReviewMode, reviewedFirst } from './rules.ts';
import { findReviewMode } from './settings.ts';
import { findUnseenWords } from './watched-words.ts';

/** `nth`: with `new-creator`, which of the creator's audios it is, from one. */
export type NeededReview = { cause: ReviewCause; nth: number | null };

/** Such an audio stays public, or becomes so again, whatever operators set later. @param a alias of `audios` */
export const wasPublic = (a: string) => {
  const of = (column: string) => sql.raw(`${a}.${column}`);
  return sql`(${of('first_published_at')} is not null
    or coalesce(${of('published_at')}, ${of('published_while_hidden')}) <= now()
    or ${of('published_at_deletion')} <= ${of('deleted_at')})`;
};

/** The same, or approved. */
export const wasCleared = (a: string) =>
  sql`(${wasPublic(a)}
    or exists (select from reviews r where r.audio_id = ${sql.raw(a)}.id and r.decision = 'approved'))`;

/** @returns undefined when the audio may become public, or stay so, without a review */
export async function findNeededReview(tx: Db, audioId: string): Promise<NeededReview | undefined> {
  const mode = await findReviewMode(tx);
  const byMode = mode === 'off' ? undefined : await findByMode(tx, audioId, mode);
  if (byMode !== undefined) return byMode;
  return (await findUnseenWords(tx, audioId)).length > 0 ? { cause: 'watched-word', nth: null } : undefined;
}

async function findByMode(
  tx: Db,
  audioId: string,
  mode: Exclude<ReviewMode, 'off'>,
): Promise<NeededReview | undefined> {
  const { rows } = await tx.execute<{ hasNewSound: boolean; wasCleared: boolean; earlier: number }>(sql`
    select a.has_new_sound as "hasNewSound", ${wasCleared('a')} as "wasCleared", (
      select count(*)::int from (select from audios b where b.voice_id = a.voice_id and b.id <> a.id
        and ${wasCleared('b')} limit ${reviewedFirst}) others) as earlier
    from audios a where a.id = ${audioId}`);
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.hasNewSound) return { cause: 'new-sound', nth: null };
  if (row.wasCleared) return undefined;
  if (mode === 'all') return { cause: 'all', nth: null };
  return row.earlier < reviewedFirst ? { cause: 'new-creator', nth: row.earlier + 1 } : undefined;
}
