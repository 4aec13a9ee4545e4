import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { audiosPerBlock } from '#formats/suggestions/blocks.ts';
import type { Db } from '../../kernel/db.ts';
import { type Audio, type AudioItem, isPublished } from '../audios.ts';
import { audioNumbers, audios, neighbourCounts, neighbourShards } from '../tables.ts';

/** `version` of the count, 0 before the first one; numbers of shards and of blocks. */
export type SuggestionIndex = { version: number; shards: number; blocks: number };

/** An audio as the browser ranks and shows it. */
export type SuggestedAudio = AudioItem & Pick<Audio, 'publishedAt' | 'syntheticVoice' | 'tags'> & { number: number };

/** A block as browsers read it. `picture`: a small AVIF in base64. */
export type SuggestionBlock = { audios: (SuggestedAudio & { picture: string | null })[] };

const versionOf = sql<number>`floor(extract(epoch from ${neighbourCounts.countedAt}))::float8`;

/** The same for everybody: so that a browser can ask for the files of a count. */
export async function findSuggestionIndex(db: Db): Promise<SuggestionIndex> {
  const [counted] = await db.select({ version: versionOf, shards: neighbourCounts.shards }).from(neighbourCounts);
  const [{ last } = { last: null }] = await db
    .select({ last: sql<number | null>`max(${audioNumbers.number})` })
    .from(audioNumbers);
  const blocks = last === null ? 0 : Math.floor(last / audiosPerBlock) + 1;
  return { version: counted?.version ?? 0, shards: counted?.shards ?? 0, blocks };
}

/** @returns undefined when that is not the newest count, or has no such shard */
export async function findNeighbourShard(db: Db, version: number, shard: number): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ bytes: neighbourShards.bytes })
    .from(neighbourShards)
    .innerJoin(neighbourCounts, eq(versionOf, version))
    .where(eq(neighbourShards.shard, shard));
  return row?.bytes;
}

/**
 * The audios of a block of numbers that anybody may see, as everybody sees them: whoever reads a block may be interested in
 * any of them.
 */
export async function listBlock(
  db: Db,
  block: number,
  audiosByIds: (ids: string[]) => Promise<Audio[]>,
): Promise<SuggestedAudio[]> {
  const first = block * audiosPerBlock;
  const rows = await db
    .select({ number: audioNumbers.number, id: audioNumbers.audioId })
    .from(audioNumbers)
    .innerJoin(audios, eq(audios.id, audioNumbers.audioId))
    .where(and(gte(audioNumbers.number, first), lt(audioNumbers.number, first + audiosPerBlock), isPublished))
    .orderBy(audioNumbers.number);
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  const found = await audiosByIds(rows.map(({ id }) => id));
  return found.map((audio) => ({
    number: numbers.get(audio.id) ?? first,
    id: audio.id,
    slug: audio.slug,
    title: audio.title,
    imageUrl: audio.imageUrl,
    audioFileUrl: audio.audioFileUrl,
    numberDuration: audio.numberDuration,
    plays: roughly(audio.plays),
    color: audio.color,
    badge: audio.badge,
    isFree: audio.isFree,
    language: audio.language,
    voice: audio.voice,
    categories: audio.categories,
    publishedAt: audio.publishedAt,
    syntheticVoice: audio.syntheticVoice,
    tags: audio.tags,
  }));
}

/** Down to a step of a half of its power of two, so that a block seldom changes. */
function roughly(plays: number): number {
  if (plays < 4) return plays;
  const step = 2 ** (Math.floor(Math.log2(plays)) - 1);
  return Math.floor(plays / step) * step;
}
