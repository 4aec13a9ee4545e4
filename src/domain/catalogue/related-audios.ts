import { and, desc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { unshared } from '../kernel/shared-reads.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { type Audio, createAudioReader } from './audios.ts';
import { listAudioIds } from './audio-lists.ts';
import { audioCounts, audioListKeys, audios } from './tables.ts';
import { tagSlugsSql } from './suggestions/columns.ts';
import { findNeighbours } from './suggestions/find-neighbours.ts';
import { withLittleHeard } from '#formats/suggestions/little-heard.ts';
import { choosesLanguages, isNotHidden, seesEverything } from './visibility.ts';

/** Newest audios that are compared: in a large catalogue not all can be. */
const maxCompared = 120;

/**
 * Plays only decide between equals, so they may be this old. A notification of the change feed clears what is kept; what
 * sends none, such as a scheduled publication, shows half a minute late.
 */
const candidatesKeptMs = 30_000;

/** Parts of an audio that others are compared with. */
export type RelatedTo = Pick<Audio, 'id' | 'categories' | 'tags'>;

/** An audio that may be related, with the facts that are compared. `publishedAt`: seconds since 1970. */
type Candidate = { id: string; publishedAt: number; plays: number; categoryIds: string[]; tagSlugs: string[] };

/** The newest of the category, or of all. One more than are compared, because the audio itself can be among them. */
async function findCandidates(db: Db, viewer: Viewer, categoryId: string | undefined): Promise<Candidate[]> {
  // In languages of which there may be few.
  const chosen = choosesLanguages(viewer)
    ? await listAudioIds(db, viewer, { ...(categoryId && { categoryId }), limit: maxCompared + 1 })
    : undefined;
  const { id, publishedAt } =
    categoryId === undefined ? audios : { id: audioListKeys.audioId, publishedAt: audioListKeys.publishedAt };
  return db
    .select({
      id,
      publishedAt: sql<number>`extract(epoch from ${publishedAt})::float8`,
      plays: audioCounts.plays,
      categoryIds: sql<string[]>`array(select c.category_id::text from audio_categories c where c.audio_id = ${id})`,
      tagSlugs: tagSlugsSql(id),
    })
    .from(categoryId === undefined ? audios : audioListKeys)
    .innerJoin(audioCounts, eq(audioCounts.audioId, id))
    .where(
      and(
        categoryId === undefined ? undefined : eq(audioListKeys.listId, categoryId),
        lte(publishedAt, sql`now()`),
        chosen === undefined ? isNotHidden(viewer, id) : inArray(id, chosen.items),
      ),
    )
    .orderBy(desc(publishedAt), desc(id))
    .limit(maxCompared + 1);
}

/**
 * First those that the same people have heard, then those with common tags and categories, the most played of equals. Two of
 * ten have been heard little. For an audio without a category, or with hidden ones
 * only, all are compared, so that the player finds something to go on with. The newest audios of each category are read
 * once for all pages, and compared here: a query for each page would read the tags of 120 audios.
 */
export async function listRelatedAudios(
  db: Db,
  viewer: Viewer,
  audio: RelatedTo,
  limit: number,
  { shared = unshared, audiosByIds = createAudioReader(db, shared) } = {},
): Promise<Audio[]> {
  const [categoryIds, tagSlugs] = [audio.categories.map(({ id }) => id), audio.tags.map(({ slug }) => slug)];
  const newest = await Promise.all(
    (categoryIds.length > 0 ? categoryIds : [undefined]).map((id) =>
      seesEverything(viewer)
        ? shared.read(`newest of ${id}`, () => findCandidates(db, visitor, id), candidatesKeptMs)
        : findCandidates(db, viewer, id),
    ),
  );
  const candidates = new Map(newest.flat().map((candidate) => [candidate.id, candidate]));
  candidates.delete(audio.id);
  const ranked = [...candidates.values()]
    .toSorted((one, other) => other.publishedAt - one.publishedAt || byText(other.id, one.id))
    .slice(0, maxCompared)
    .map((candidate) => ({
      ...candidate,
      likeness: 2 * countShared(candidate.tagSlugs, tagSlugs) + 3 * countShared(candidate.categoryIds, categoryIds),
    }))
    .toSorted((one, other) => other.likeness - one.likeness || other.plays - one.plays || byText(one.id, other.id));
  const near = await findNeighbours(db, viewer, audio.id, shared);
  const ids = [...new Set([...near, ...ranked.map(({ id }) => id)])];
  // Without neighbours there is nothing that keeps the little heard down.
  return audiosByIds(
    near.length === 0 ? ids.slice(0, limit) : withLittleHeard(ids, littleHeardOf(ranked, near), limit),
  );
}

/** The half with the fewest plays of those that share something, the most alike first. */
function littleHeardOf(ranked: (Candidate & { likeness: number })[], near: string[]): string[] {
  const others = ranked.filter(({ id, likeness }) => likeness > 0 && !near.includes(id));
  const few =
    others.map(({ plays }) => plays).toSorted((one, other) => one - other)[Math.floor(others.length / 2)] ?? 0;
  return others.filter(({ plays }) => plays < few).map(({ id }) => id);
}

function countShared(some: string[], others: string[]): number {
  let count = 0;
  for (const one of some) if (others.includes(one)) count += 1;
  return count;
}

function byText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
